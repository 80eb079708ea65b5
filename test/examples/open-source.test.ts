import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { useCompiledPackage } from '../support/compiled-package.ts'

const packed = useCompiledPackage()
const files = mkdtempSync(join(tmpdir(), 'laurels-example-'))
afterAll(() => rmSync(files, { recursive: true, force: true }))

interface Finished {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function runExample(...args: readonly string[]): Promise<Finished> {
  const main = join(packed(), 'dist/examples/open-source/main.js')
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [main, ...args], { cwd: files })) }
  } catch (error) {
    const { code, stdout, stderr } = error as Finished
    return { code, stdout, stderr }
  }
}

const REPORT = `Longest streaks running at 2026-03-15T20:00:00.000Z
  noor   10  since 2026-03-06
  ada     2  since 2026-03-13
  maria   2  since 2026-03-14
  tom     1  since 2026-03-14

Longest streaks ever
  noor   10
  ada     8
  maria   5
  lin     2
  tom     1

Users on each level
  Newcomer     2  from 0 XP
  Contributor  2  from 50 XP
  Regular      1  from 500 XP
  Maintainer   0  from 5000 XP

Achievements, how many have them, and which part of all users
  First commit              5  100.00 %
  Ten commits               3  60.00 %
  A hundred commits         0  0.00 %
  A thousand commits        0  0.00 %
  Ten thousand lines        1  20.00 %
  A hundred thousand lines  0  0.00 %
  Three days in a row       3  60.00 %
  A week in a row           2  40.00 %
  A month in a row          0  0.00 %
  Hono regular              1  20.00 %
  All-rounder               1  20.00 %
`

describe('the example', () => {
  test('plays its sample and reports it', async () => {
    const { code, stdout, stderr } = await runExample()
    expect(stdout).toBe(REPORT)
    expect(stderr).toMatch(/^80 events\n80 recorded, 0 known already, 0 refused in \d+\.\d s\n$/)
    expect(code).toBe(0)
  })

  test('keeps what it imported, and imports it only once', async () => {
    const sample = join(packed(), 'examples/open-source/sample.csv')
    const options = [sample, join(files, 'kept.db'), '--now', '2026-03-15T20:00:00Z']
    await runExample(...options)
    const again = await runExample(...options)
    expect(again.stderr).toContain('0 recorded, 80 known already, 0 refused')
    expect(again.stdout).toBe(REPORT)
  })

  test('shows that streaks expire without anything being written', async () => {
    const sample = join(packed(), 'examples/open-source/sample.csv')
    const { stdout } = await runExample(sample, join(files, 'kept.db'), '--now', '2026-03-20T20:00:00Z')
    expect(stdout).toContain('Longest streaks running at 2026-03-20T20:00:00.000Z\n  none is running\n')
    expect(stdout).toContain('Longest streaks ever\n  noor   10\n')
  })

  test('says which rows it could not record', async () => {
    const file = join(files, 'wrong.csv')
    const header = 'idempotencyKey,userId,tz,project,commits,linesAdded,occurredAt'
    writeFileSync(
      file,
      `${header}\na,ada,Europe/London,hono,1,1,2026-01-01T00:00:00Z\nb,ada,Londn,hono,1,1,2026-01-01T00:00:00Z\n`,
    )
    const { stderr } = await runExample(file)
    expect(stderr).toContain('2 recorded, 0 known already, 2 refused')
    expect(stderr).toContain(
      '  row 2: Unknown time zone "Londn": send an IANA name such as "Europe/London", or leave tz out.\n',
    )
  })

  test.each([
    ['a file that is not there', ['absent.csv'], "ENOENT: no such file or directory, open 'absent.csv'\n"],
    ['an instant that is none', ['--now', 'today'], '--now is no instant. Usage: node dist/'],
  ])('ends with an error for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await runExample(...args)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
  })
})
