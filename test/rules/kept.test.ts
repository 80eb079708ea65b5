// State that stays unchanged: of a replaced game, of streaks, and of places on leaderboards.

import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/rules/entry.ts'
import { evolve } from '../../src/rules/evolve.ts'
import { underReplacement } from '../../src/rules/fold.ts'
import type { UserState } from '../../src/rules/state.ts'
import { usePlays } from '../api/leaderboards/play.ts'
import { given, rules, toEntry } from '../support/given.ts'
import { aliveUntil } from '../support/streak-end.ts'
import { openWriter } from '../support/streak-log.ts'

const AT = '2026-03-10T12:00:00Z'

function granted(epoch: number): Entry {
  const entry = toEntry({ at: AT, isProfileOnly: true, epoch }, 0)
  return { ...entry, kind: 'granted', achievements: ['novelist'], points: [] }
}

describe('Where epoch 2 stands in place of all before it', () => {
  test('a completion that it kept itself is kept', () => {
    const kept = toEntry({ at: AT, keeps: 'novelist', epoch: 2 }, 0)
    expect(underReplacement(2, kept)).toMatchObject({ kind: 'completionKept', achievement: 'novelist', epoch: 2 })
  })

  test('what it granted itself is granted', () => {
    expect(underReplacement(2, granted(2))).toMatchObject({ kind: 'granted', achievements: ['novelist'], epoch: 2 })
  })

  test('what an earlier epoch kept or granted gives nothing, and time passes with it all the same', () => {
    const kept = toEntry({ at: AT, keeps: 'novelist', epoch: 1 }, 0)
    expect(underReplacement(2, kept)).toMatchObject({ kind: 'userUpserted', epoch: 2, profile: null })
    expect(underReplacement(2, granted(1))).toMatchObject({ kind: 'userUpserted', epoch: 2, profile: null })
  })
})

describe('A streak', () => {
  const daily = rules({ streak: { frequency: 'daily', metrics: { words: {} } } })

  test('that kept a later period keeps it when an earlier one is held', () => {
    const { state } = given(daily, [{ at: AT }])
    const ahead = { ...state, streak: { ...state.streak, last: 20_522, kept: 20_525 } }
    const held = evolve(ahead, { type: 'streakHeld', period: 20_523, date: 20_523, length: 1 })
    expect(held.streak).toMatchObject({ last: 20_523, kept: 20_525 })
  })

  test('with 50 freezes and none to come ends on the 51st day that is missed', () => {
    const game = rules({ streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 50, max: 50 } } })
    const { state } = given(game, [{ at: AT }])
    // The freezes save March 11th to April 29th.
    expect(new Date(aliveUntil(game, state) ?? 0).toISOString()).toBe('2026-05-01T00:00:00.000Z')
  })

  test('that began on a date which a move west gives back began on its last period', () => {
    const ann = openWriter()
    // 02:00 on March 11th in Kiritimati, where the streak starts; 02:30 on the 10th in Honolulu.
    expect(ann.write('2026-03-10T12:00Z', { tz: 'Pacific/Kiritimati' })).toMatchObject({ started: '2026-03-11' })
    expect(ann.move('2026-03-10T12:30Z', 'Pacific/Honolulu')).toMatchObject({
      length: 1,
      started: '2026-03-10',
      periodStart: '2026-03-10',
    })
  })
})

describe('On a leaderboard', () => {
  const open = usePlays()
  const words = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2024-01-01' } as const

  test('of days, a user who is in three of them within an instant has a score in each', async () => {
    const { add, ranking } = await open({ days: { ...words, run: { unit: 'day', interval: 1 } } })
    const at = '2024-03-10T11:00:00Z'
    // 01:00 on the 11th, 11:00 on the 10th, 23:00 on the 9th.
    for (const tz of ['Pacific/Kiritimati', 'UTC', 'Etc/GMT+12']) await add(at, 'ann', 1, { user: { tz } })
    await add(at, 'ann', 4)
    expect(await ranking('days', '2024-03-09')).toEqual(['ann 5'])
    expect(await ranking('days', '2024-03-10')).toEqual(['ann 1'])
    expect(await ranking('days', '2024-03-11')).toEqual(['ann 1'])
  })

  test('a user keeps the newest three runs, in order, and leaves one alone', () => {
    const { state } = given(rules({}), [{ at: AT }])
    const entry = (run: string) => ({ run, group: '', value: 1, reachedAt: 0, until: null })
    const scored = ['2024-01-02', '2024-01-04', '2024-01-01', '2024-01-03'].reduce(
      (before, run) =>
        evolve(before, { type: 'leaderboardScored', leaderboard: 'days', entry: entry(run), previous: null }),
      state,
    )
    const runsOf = ({ leaderboards }: UserState) => leaderboards.get('days')?.map(({ run }) => run)
    expect(runsOf(scored)).toEqual(['2024-01-02', '2024-01-03', '2024-01-04'])
    const leave = (before: UserState, run: string) =>
      evolve(before, { type: 'leaderboardLeft', leaderboard: 'days', previous: entry(run) })
    expect(runsOf(leave(scored, '2024-01-03'))).toEqual(['2024-01-02', '2024-01-04'])
    const left = ['2024-01-02', '2024-01-03', '2024-01-04'].reduce(leave, scored)
    expect([...left.leaderboards.keys()]).toEqual([])
  })

  test('an event worth nothing that brings its user into another group leaves when the score was reached', async () => {
    const { add, ranking } = await open({ board: { ...words, breakdown: ['country'] } })
    const from = (country: string) => ({ user: { attributes: { country } } })
    await add('2024-01-02T08:00:00Z', 'zoe', 5, from('FR'))
    await add('2024-01-02T09:00:00Z', 'bob', 5, from('DE'))
    await add('2024-01-02T10:00:00Z', 'zoe', 0, from('DE'))
    expect(await ranking('board', undefined, { country: 'DE' })).toEqual(['zoe 5', 'bob 5'])
  })

  test('of streaks, a pause moves when its user stops to rank', async () => {
    const streaks = { name: 'Streaks', rankBy: 'streak', start: '2024-01-01' } as const
    const { add, engine, ranking } = await open({ streaks }, { streak: { frequency: 'daily', metrics: { words: {} } } })
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    const pauses = [{ userId: 'ann', start: '2024-01-03', end: '2024-01-05' }]
    expect((await engine.admin.streaks.pauses.create({ pauses })).issues).toEqual([])
    // Without the pause it would have ended with the 3rd; with it, with the 6th.
    engine.at('2024-01-06T23:59:59.999Z')
    expect(await ranking('streaks')).toEqual(['ann 1'])
    engine.at('2024-01-07T00:00:00.000Z')
    expect(await ranking('streaks')).toEqual([])
  })
})
