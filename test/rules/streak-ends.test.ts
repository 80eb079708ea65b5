// If a streak ends: reads of the streak, rankings and boards say the same at every moment.

import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { add, type Engine, openOn } from '../support/engine.ts'

type StreakDefinition = NonNullable<GameDefinition['streak']>

const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const MON_WED_FRI = ['mon', 'wed', 'fri'] as const
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const game = (streak: Partial<StreakDefinition> = {}): GameDefinition => ({
  metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true, ...streak },
  leaderboards: { streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' } },
})

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})
const keep = (engine: Engine): Engine => {
  opened.push(engine)
  return engine
}

/** 4 March 2026 is a Wednesday. */
const open = async (streak?: Partial<StreakDefinition>, now = '2026-03-04T10:00:00Z'): Promise<Engine> =>
  keep(await openOn(memory(), { now }, game(streak)))

/** The game is in force for every process before its first call. */
const deploy = async (engine: Engine, streak?: Partial<StreakDefinition>): Promise<Engine> => {
  const newer = keep(await engine.redefine(game(streak)))
  await newer.games.current()
  return newer
}

/** The length by `users.streak`, by `streaks.rankings` and on the board, at 01:00 of some days of March. */
const lengthsOn = async (engine: Engine, ...days: readonly number[]): Promise<readonly string[]> => {
  const lengths: string[] = []
  for (const day of days) {
    engine.at(`2026-03-${String(day).padStart(2, '0')}T01:00:00Z`)
    const { length } = await engine.users.streak('ann')
    const [ranked] = await engine.streaks.rankings({ limit: 1 })
    const { rankings } = await engine.leaderboards.get('streaks')
    const { rank } = await engine.users.leaderboard('ann', 'streaks')
    expect(rank).toBe(rankings[0]?.rank ?? null)
    lengths.push([length, ranked?.streakLength ?? 0, rankings[0]?.value ?? 0].join(' '))
  }
  return lengths
}

const on = (days: readonly string[]) => ({ streak: { on: days as (typeof EVERY_DAY)[number][] } })

/** Each date with its length; `n` for a neutral one. */
const historyOf = async (engine: Engine, historyPeriods: number): Promise<string> => {
  const { streakHistory } = await engine.users.streak('ann', { historyPeriods })
  return streakHistory
    .map(({ periodStart, length, neutral }) => `${periodStart.slice(8)}${neutral ? 'n' : ''} ${length}`)
    .join(', ')
}

describe('The end of a streak on a board follows', () => {
  test('a choice of fewer days, and one of more', async () => {
    const fewer = await open()
    await add(fewer, 'words', 1)
    await fewer.users.updatePreferences('ann', on(MON_WED_FRI))
    expect(await lengthsOn(fewer, 5, 6, 7)).toEqual(['1 1 1', '1 1 1', '0 0 0'])

    const more = await open({ on: MON_WED_FRI })
    await add(more, 'words', 1)
    await more.users.updatePreferences('ann', on(EVERY_DAY))
    expect(await lengthsOn(more, 5, 6)).toEqual(['1 1 1', '0 0 0'])
  })

  test('other days and other freezes of a newer game, from the first entry under it', async () => {
    const follow = async (old: Partial<StreakDefinition>, newer: Partial<StreakDefinition>): Promise<Engine> => {
      const engine = await open(old)
      await add(engine, 'words', 1)
      const next = await deploy(engine, newer)
      await add(next, 'words', 1)
      return next
    }
    const two = { freezes: { initial: 2, max: 2 } }
    expect(await lengthsOn(await follow({}, { on: MON_WED_FRI }), 6, 7)).toEqual(['1 1 1', '0 0 0'])
    expect(await lengthsOn(await follow({ on: MON_WED_FRI }, {}), 5, 6)).toEqual(['1 1 1', '0 0 0'])
    expect(await lengthsOn(await follow({}, two), 6, 7, 8)).toEqual(['1 1 1', '1 1 1', '0 0 0'])
    expect(await lengthsOn(await follow(two, {}), 5, 6)).toEqual(['1 1 1', '0 0 0'])
  })

  test('given freezes, pauses and their deletion, and a streak that is switched off', async () => {
    const engine = await open({ freezes: { initial: 0, max: 2 } })
    await add(engine, 'words', 1)
    await engine.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }] })
    const { created } = await engine.admin.streaks.pauses.create({
      pauses: [{ userId: 'ann', start: '2026-03-06', end: '2026-03-07' }],
    })
    expect(await lengthsOn(engine, 6, 8, 9)).toEqual(['1 1 1', '1 1 1', '0 0 0'])
    engine.at('2026-03-05T12:00:00Z')
    await engine.admin.streaks.pauses.delete(created.map(({ id }) => id))
    expect(await lengthsOn(engine, 6, 7)).toEqual(['1 1 1', '0 0 0'])
    engine.at('2026-03-06T12:00:00Z')
    await engine.users.updatePreferences('ann', { streak: { enabled: false } })
    expect(await lengthsOn(engine, 6)).toEqual(['0 0 0'])
  })
})

describe('Other days of a newer game', () => {
  test('hold from the date after the first call under it, and earlier days stay neutral', async () => {
    const old = await open({ on: ['tue'] })
    await add(old, 'words', 1)
    const newer = await deploy(old, { on: WORKDAYS })
    // Wednesday was a day off at the time of the event, no matter which event comes next.
    expect((await add(newer, 'words', 1)).currentStreak.length).toBe(1)
    expect(await historyOf(newer, 3)).toBe('02n 0, 03 0, 04n 1')
    newer.at('2026-03-05T10:00:00Z')
    expect((await add(newer, 'words', 1)).currentStreak.length).toBe(2)
    expect(await historyOf(newer, 4)).toBe('02n 0, 03 0, 04n 1, 05 2')
  })

  test('do not hold for a user who has made no call: `expires` is kept', async () => {
    const looser = await open()
    await add(looser, 'words', 1)
    const later = await deploy(looser, { on: MON_WED_FRI })
    expect((await later.users.streak('ann')).expires).toBe('2026-03-05')
    expect(await lengthsOn(later, 5, 6)).toEqual(['1 1 1', '0 0 0'])

    const stricter = await open({ on: MON_WED_FRI })
    await add(stricter, 'words', 1)
    const next = await deploy(stricter, {})
    expect((await next.users.streak('ann')).expires).toBe('2026-03-06')
    expect(await lengthsOn(next, 5, 6, 7)).toEqual(['1 1 1', '1 1 1', '0 0 0'])
    // An event finds the state that the read before it returned.
    next.at('2026-03-06T10:00:00Z')
    expect((await next.users.streak('ann')).length).toBe(1)
    const { currentStreak } = await add(next, 'words', 1)
    expect([currentStreak.length, currentStreak.expires]).toEqual([2, '2026-03-07'])
  })

  test('show each earlier date by the days of then, after several changes', async () => {
    const engine = await open({ on: WORKDAYS }, '2026-03-06T10:00:00Z')
    await add(engine, 'words', 1)
    engine.at('2026-03-09T10:00:00Z')
    await engine.users.updatePreferences('ann', on(['mon', 'sat', 'sun']))
    engine.at('2026-03-13T10:00:00Z')
    await engine.users.updatePreferences('ann', on(EVERY_DAY))
    engine.at('2026-03-14T10:00:00Z')
    expect(await historyOf(engine, 9)).toBe('06 1, 07n 1, 08n 1, 09 0, 10n 0, 11n 0, 12n 0, 13n 0, 14 0')
  })
})

test('Another number of days a week holds from the date after the first call under it', async () => {
  const week = (days: number) => ({ frequency: 'weekly', days }) as const
  // A Monday.
  const old = await open(week(3), '2026-03-02T10:00:00Z')
  await add(old, 'words', 1)
  old.at('2026-03-03T10:00:00Z')
  await add(old, 'words', 1)
  const newer = await deploy(old, week(2))
  expect((await add(newer, 'words', 1)).currentStreak.length).toBe(0)
  newer.at('2026-03-04T10:00:00Z')
  expect((await add(newer, 'laps', 1)).currentStreak.length).toBe(0)
  expect((await add(newer, 'words', 1)).currentStreak.length).toBe(1)
})

describe('A goal of the user’s own', () => {
  const goal = { streak: { metrics: [{ key: 'laps', threshold: 3 }] } }

  test('that is reached already counts at once, with all that follows', async () => {
    const engine = keep(
      await openOn(
        memory(),
        { now: '2026-03-04T10:00:00Z' },
        {
          ...game({ metrics: { words: { threshold: 10 } } }),
          achievements: { first: { name: 'First', trigger: 'streak', length: 1 } },
          points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 1, points: 5 }] } },
        },
      ),
    )
    await add(engine, 'laps', 3)
    await engine.users.updatePreferences('ann', goal)
    expect((await engine.users.streak('ann')).length).toBe(1)
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['first'])
    expect((await engine.users.points('ann', 'xp')).total).toBe(5)
    expect((await engine.leaderboards.get('streaks')).rankings.map(({ value }) => value)).toEqual([1])
    expect((await add(engine, 'laps', 1)).currentStreak).toMatchObject({ length: 1, extended: false })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is judged by events of its metrics alone', async () => {
    const engine = await open({ metrics: { words: { threshold: 10 } } })
    await add(engine, 'laps', 2)
    await engine.users.updatePreferences('ann', goal)
    expect((await add(engine, 'words', 20)).currentStreak.length).toBe(0)
    expect((await add(engine, 'laps', 1)).currentStreak.length).toBe(1)
  })
})

test('The first event under a game with other days says that it extended the streak', async () => {
  const old = await open({ on: MON_WED_FRI })
  const told: string[] = []
  await add(old, 'words', 1)
  const newer = await deploy(old, {})
  newer.on('streak.extended', ({ streak }) => void told.push(`extended ${streak.length}`))
  newer.on('streak.lost', ({ length }) => void told.push(`lost ${length}`))
  newer.at('2026-03-06T10:00:00Z')
  expect((await add(newer, 'words', 1)).currentStreak).toMatchObject({ length: 2, extended: true })
  expect(told).toEqual(['extended 2'])
})
