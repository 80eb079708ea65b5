// Corrections of a user's streak by support, on the command line.

import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { describe, expect, test } from 'vitest'
import { type Called, laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 0, max: 5 } },
})
let databases = 0

interface World {
  call(now: string, ...args: readonly string[]): Promise<Called>
  /** The length of Ann's streak, and how many freezes she has. */
  streak(now: string): Promise<readonly [length: number, freezes: number | undefined]>
}

/** Ann has written on 9 and 10 March 2026. */
async function open(): Promise<World> {
  databases += 1
  const db = file(`streaks/${databases}.db`)
  const at = (now: string) => createGamification({ game, storage: sqlite(db), clock: () => new Date(now) })
  for (const now of ['2026-03-09T12:00:00.000Z', '2026-03-10T12:00:00.000Z']) {
    const gamification = at(now)
    await gamification.migrate()
    await gamification.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    await gamification.close()
  }
  return {
    call: (now, ...args) => laurels(['streaks', ...args, '--db', db], { now }),
    streak: async (now) => {
      const gamification = at(now)
      const { length, freezes } = await gamification.users.streak('ann')
      await gamification.close()
      return [length, freezes]
    },
  }
}

describe('laurels streaks', () => {
  test('freeze gives as many freezes as --count says', async () => {
    const { call, streak } = await open()
    const now = '2026-03-10T13:00:00.000Z'
    expect(await call(now, 'freeze', 'ann', '--count', '2')).toMatchObject({ code: 0, out: 'gave ann 2 freezes\n' })
    expect(await streak(now)).toEqual([2, 2])
    expect((await call(now, 'freeze', 'ann')).out).toBe('gave ann 1 freeze\n')
    expect(await streak(now)).toEqual([2, 3])
  })

  test('pause keeps the streak over the dates, and resume ends it', async () => {
    const { call, streak } = await open()
    const now = '2026-03-10T13:00:00.000Z'
    const { out, code } = await call(now, 'pause', 'ann', '--from', '2026-03-11', '--to', '2026-03-20')
    expect(code).toBe(0)
    const [, id = ''] = /^paused the streaks of ann, 2026-03-11 to 2026-03-20: pause (\S+)\n$/.exec(out) ?? []
    expect(await streak('2026-03-15T12:00:00.000Z')).toEqual([2, 0])
    expect((await call('2026-03-12T12:00:00.000Z', 'resume', id)).out).toBe(`ended the pause ${id}\n`)
    expect(await streak('2026-03-15T12:00:00.000Z')).toEqual([0, 0])
  })

  test('restore brings back the length that was lost', async () => {
    const { call, streak } = await open()
    const now = '2026-03-15T12:00:00.000Z'
    expect(await streak(now)).toEqual([0, 0])
    expect(await call(now, 'restore', 'ann')).toMatchObject({ code: 0, out: 'restored the streak of ann\n' })
    expect((await streak(now))[0]).toBe(2)
  })

  test('a refusal is the end of the command', async () => {
    const { call } = await open()
    const { code, out, err } = await call('2026-03-10T13:00:00.000Z', 'restore', 'ann')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^laurels: .+\n/)
    expect((await call('2026-03-10T13:00:00.000Z', 'pause', 'ann', '--from', '2026-03-11')).err).toContain(
      'say on which local date it ends',
    )
  })
})
