// Decisions, section 11: boards ranked by streaks and by points.

import { describe, expect, test } from 'vitest'
import { usePlays } from '../api/leaderboards/play.ts'

const open = usePlays()

const streaks = { name: 'Streaks', rankBy: 'streak', start: '2024-01-01' } as const
const daily = { streak: { frequency: 'daily', metrics: { words: {} } } } as const

describe('On a board of streaks', () => {
  test('the longest ranks first, and of equal ones the one that grew first', async () => {
    const { add, ranking } = await open({ board: streaks }, daily)
    await add('2024-01-02T08:00:00Z', 'bob', 1)
    await add('2024-01-02T09:00:00Z', 'ann', 1)
    await add('2024-01-03T08:00:00Z', 'ann', 1)
    await add('2024-01-03T09:00:00Z', 'bob', 1)
    await add('2024-01-03T10:00:00Z', 'eve', 1)
    // More on the same day is no growth.
    await add('2024-01-03T11:00:00Z', 'ann', 1)
    expect(await ranking('board')).toEqual(['ann 2', 'bob 2', 'eve 1'])
  })

  test('one that has expired does not rank, from the local midnight on', async () => {
    const { add, engine, ranking } = await open({ board: streaks }, daily)
    await add('2024-01-02T08:00:00Z', 'utc', 1)
    await add('2024-01-02T08:00:00Z', 'new york', 1, { user: { tz: 'America/New_York' } })
    // 22:00 on the 1st.
    await add('2024-01-02T08:00:00Z', 'honolulu', 1, { user: { tz: 'Pacific/Honolulu' } })
    const at = (instant: string) => {
      engine.at(instant)
      return ranking('board')
    }
    expect(await at('2024-01-03T09:59:59.999Z')).toEqual(['honolulu 1', 'new york 1', 'utc 1'])
    expect(await at('2024-01-03T10:00:00.000Z')).toEqual(['new york 1', 'utc 1'])
    expect(await at('2024-01-03T23:59:59.999Z')).toEqual(['new york 1', 'utc 1'])
    expect(await at('2024-01-04T00:00:00.000Z')).toEqual(['new york 1'])
    expect(await at('2024-01-04T05:00:00.000Z')).toEqual([])
  })

  test('the rank behind an expired one is that of who is there', async () => {
    const { add } = await open({ board: { ...streaks, maxParticipants: 1 } }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    await add('2024-01-03T08:00:00Z', 'ann', 1)
    const behind = await add('2024-01-03T08:00:00Z', 'bob', 1)
    expect(behind.board).toMatchObject({ previousRank: null, rank: null, threshold: 2 })
    await add('2024-01-04T08:00:00Z', 'eve', 1)
    const alone = await add('2024-01-05T08:00:00Z', 'eve', 1)
    expect(alone.board).toMatchObject({ previousRank: 1, rank: 1, threshold: 2 })
  })

  test('one that begins anew ranks again, however long the last one was', async () => {
    const { add } = await open({ board: streaks }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    const { board } = await add('2024-01-20T08:00:00Z', 'ann', 1)
    expect(board).toMatchObject({ previousRank: null, rank: 1 })
  })

  test('an event on the same day is not told of', async () => {
    const { add } = await open({ board: streaks }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    expect(await add('2024-01-02T09:00:00Z', 'ann', 1)).toEqual({})
  })

  test('a day told late joins what lay beside it', async () => {
    const { add, ranking } = await open({ board: streaks }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    await add('2024-01-03T08:00:00Z', 'bob', 1)
    await add('2024-01-04T08:00:00Z', 'bob', 1)
    await add('2024-01-04T09:00:00Z', 'ann', 1)
    const { board } = await add('2024-01-04T10:00:00Z', 'ann', 1, { occurredAt: new Date('2024-01-03T22:00:00Z') })
    expect(board).toMatchObject({ previousRank: 2, rank: 1 })
    expect(await ranking('board')).toEqual(['ann 3', 'bob 2'])
  })

  test('it stays, once the board has ended, as it was at the midnight after, in UTC', async () => {
    const { add, engine, ranking } = await open({ board: { ...streaks, end: '2024-01-03' } }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1)
    await add('2024-01-03T08:00:00Z', 'ann', 1)
    await add('2024-01-03T09:00:00Z', 'bob', 1)
    expect(await add('2024-01-04T08:00:00Z', 'bob', 1)).toEqual({})
    engine.at('2024-03-01T00:00:00Z')
    expect(await ranking('board')).toEqual(['ann 2', 'bob 1'])
  })

  test('what an event told late changes on a board that has ended is told as the board shows it', async () => {
    const { add, ranking } = await open({ board: { ...streaks, end: '2024-01-03' } }, daily)
    await add('2024-01-03T08:00:00Z', 'ann', 1)
    await add('2024-01-10T08:00:00Z', 'bob', 1)
    const { board } = await add('2024-01-10T09:00:00Z', 'bob', 1, { occurredAt: new Date('2024-01-03T07:00:00Z') })
    expect(await ranking('board')).toEqual(['bob 1', 'ann 1'])
    expect(board).toMatchObject({ previousRank: null, rank: 1 })
  })

  test('who changes group takes the streak along', async () => {
    const { add, engine, ranking } = await open({ board: { ...streaks, breakdown: ['country'] } }, daily)
    await add('2024-01-02T08:00:00Z', 'ann', 1, { user: { attributes: { country: 'DE' } } })
    await engine.users.update('ann', { attributes: { country: 'FR' } })
    expect(await ranking('board', undefined, { country: 'DE' })).toEqual([])
    expect(await ranking('board', undefined, { country: 'FR' })).toEqual(['ann 1'])
  })
})

describe('On a board of points', () => {
  const weekly = {
    name: 'XP',
    rankBy: 'points',
    system: 'xp',
    start: '2024-01-01',
    run: { unit: 'day', interval: 7 },
  } as const
  const triggers = [
    { type: 'metric', metric: 'words', threshold: 1, points: 4 },
    { type: 'metric', metric: 'laps', threshold: 1, points: -5 },
    { type: 'achievement', achievement: 'met', points: 3 },
    { type: 'user_creation', points: 1 },
  ] as const
  const points = (maxPoints: number) => ({
    achievements: { met: { name: 'Met', trigger: 'api' } } as const,
    points: { xp: { name: 'XP', maxPoints, triggers } },
  })

  test('what was awarded in the run counts, as it was after clipping', async () => {
    const { add, engine, ranking } = await open({ board: weekly }, points(10))
    await add('2024-01-02T08:00:00Z', 'ann', 2)
    await add('2024-01-08T08:00:00Z', 'ann', 2)
    expect(await ranking('board', '2024-01-07')).toEqual(['ann 9'])
    expect(await ranking('board', '2024-01-08')).toEqual(['ann 1'])
    await engine.metrics.event('laps', { user: { id: 'ann' }, value: 3 })
    expect(await ranking('board', '2024-01-08')).toEqual(['ann -9'])
  })

  test('what a creation or a completion awards counts too', async () => {
    const { engine, ranking } = await open({ board: weekly }, points(100))
    engine.at('2024-01-02T08:00:00Z')
    await engine.users.create({ id: 'bob' })
    await engine.achievements.complete('met', { user: { id: 'ann' } })
    expect(await ranking('board')).toEqual(['ann 4', 'bob 1'])
  })

  test('who was awarded nothing does not rank', async () => {
    const { add, engine, ranking } = await open({ board: weekly }, points(1))
    engine.at('2024-01-02T08:00:00Z')
    await engine.users.create({ id: 'ann' })
    expect(await add('2024-01-08T08:00:00Z', 'ann', 2)).toEqual({})
    expect(await ranking('board')).toEqual([])
  })
})
