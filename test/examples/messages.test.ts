import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { useCompiledPackage } from '../support/compiled-package.ts'
import { useExamples } from '../support/example-server.ts'

const directory = mkdtempSync(join(tmpdir(), 'laurels-messages-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { run } = useExamples(useCompiledPackage(), directory)

describe('examples/webhooks', () => {
  test('prints each message as it is verified, and the busy one again', async () => {
    const { code, out, err } = await run('webhooks')
    expect([code, err]).toEqual([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^busy: user\.created of (ann|bob) has to come again$/)
    expect(lines.at(-1)).toBe('6 messages, 7 attempts')
    for (const user of ['ann', 'bob']) {
      expect(lines.filter((line) => line.startsWith('verified') && line.endsWith(user))).toEqual([
        `verified: user.created of ${user}`,
        `verified: achievement.completed of ${user}`,
        `verified: streak.started of ${user}`,
      ])
    }
    expect(lines).toHaveLength(8)
  })
})

describe('examples/mailer', () => {
  test('writes a mail for each achievement once, started again too', async () => {
    const first = `to ann@example.com: You are a Writer, Ann
to ann@example.com: You are a Novelist, Ann
to bob@example.com: You are a Writer, Bob
`
    for (let times = 0; times < 2; times += 1) {
      expect(await run('mailer', { DATABASE: 'mailer.db' })).toEqual({ code: 0, out: first, err: '' })
    }
  })
})
