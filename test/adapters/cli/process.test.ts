// @heavy: It takes more than three seconds.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { useFiles } from '../../support/cli.ts'
import { useCompiledPackage } from '../../support/compiled-package.ts'

const file = useFiles()
const packaged = useCompiledPackage()

const CONTROL = /[^\P{Cc}\n]/u

const game = file(
  'game.ts',
  `import { defineGame } from 'laurels'
   enum Metric { Words = 'words' }
   // Resources that a host's module may leave open.
   setInterval(() => undefined, 1_000)
   export default defineGame({
     metrics: { [Metric.Words]: { name: 'Words' } },
     achievements: { first: { name: 'First words', trigger: 'metric', metric: 'words', value: 1 } },
   })`,
)

interface Ended {
  readonly code: unknown
  readonly out: string
  readonly err: string
}

function start(args: readonly string[], main = `${packaged()}/dist/cli.js`): ChildProcess {
  return spawn(process.execPath, [main, ...args], { cwd: dirname(game), stdio: 'pipe' })
}

async function ended(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('There are no pipes')
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')])
  return { code, out, err }
}

const laurels = (...args: readonly string[]): Promise<Ended> => ended(start(args))

describe('the compiled command', { timeout: 120_000 }, () => {
  beforeAll(() => {
    mkdirSync(file('node_modules'))
    symlinkSync(packaged(), file('node_modules/laurels'), 'junction')
  })

  test('imports with a TypeScript game of the project, and ends although its module goes on', async () => {
    const csv = file('events.csv', 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\nwords,ada,x,k2\n')
    const db = file('csv.db')
    const first = await laurels('import', csv, '--game', game, '--db', db)
    expect(first.err).toBe('line 3: value "x" is not a number\n')
    expect(first.out).toMatch(/^2 read, 1 recorded, 0 replayed, 1 refused in \d+\.\d s\n$/)
    expect(first.code).toBe(1)

    const json = await laurels('import', csv, '--game', game, '--db', db, '--json')
    expect(JSON.parse(json.out)).toMatchObject({ read: 2, recorded: 0, replayed: 1, refused: 1 })
    expect((await laurels('info', '--db', db)).out).toContain('achievements completed: 1\n  first: 1\n')
  })

  test('reads standard input; piped it writes no control characters', async () => {
    const child = start(['import', '-', '--format', 'csv', '--game', game, '--db', file('stdin.db')])
    const end = ended(child)
    let isShown = false
    child.stderr?.on('data', (chunk) => {
      isShown ||= String(chunk).includes('/s\n')
    })
    child.stdin?.write('metric,userId,value,idempotencyKey\n"\u001b",ada,1,k0\n')
    for (let index = 1; !isShown; index += 1) {
      child.stdin?.write(`words,ada,1,k${index}\n`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    child.stdin?.end()
    const { code, out, err } = await end
    expect(err).toContain('line 2: Unknown metric "\\u001b": the game has "words".\n')
    expect(err).toMatch(/^\d+ lines, [01] refused, \d+\/s$/m)
    expect(err).not.toMatch(CONTROL)
    expect(out).toMatch(/^\d+ read, \d+ recorded, 0 replayed, 1 refused/)
    expect(code).toBe(1)
  })

  test('interrupted it says how far it came, and exits with 130', async () => {
    const child = start(['import', '-', '--format', 'csv', '--game', game, '--db', file('sigint.db')])
    const end = ended(child)
    child.stdin?.write('metric,userId,value,idempotencyKey\nwords,ada,1,k1\nwords,ada,x,k2\nwords,ada,2,k3\n')
    // The refusal tells that the first lines were read.
    if (child.stderr !== null) await once(child.stderr, 'data')
    child.kill('SIGINT')
    const { code, out, err } = await end
    expect(out).toMatch(/^[23] read, [12] recorded, 0 replayed, 1 refused/)
    expect(err).toContain('Interrupted. Run the same command again to resume;')
    expect(code).toBe(130)
  })
})
