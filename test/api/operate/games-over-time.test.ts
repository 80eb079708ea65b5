// Users who began under one game and continue under another.

import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { add, type Engine, NOON, onEachStorage, openOn } from '../../support/engine.ts'

const metrics = { words: { name: 'Words' }, laps: { name: 'Laps' } } as const
const paid = (metric: 'words' | 'laps', points: number) => ({
  key: metric,
  type: 'metric' as const,
  metric,
  threshold: 1,
  points,
})

/** Each word pays so many points. */
const paying = (points: number): GameDefinition => ({
  metrics,
  points: { xp: { name: 'XP', triggers: [paid('words', points)] } },
})

onEachStorage('A late event', (open) => {
  test('before the first entry is judged under the game of that entry, not under a newer one', async () => {
    const engine = await open(paying(1))
    await add(engine, 'words', 2)
    const after = await engine.redefine(paying(10))
    await add(after, 'words', 3, { occurredAt: new Date('2026-03-09T12:00:00Z') })
    expect((await after.users.points('ann', 'xp')).total).toBe(5)
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('leaves what was kept under the game that replaced all before it', async () => {
    const achievements = { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 10 } } as const
    const engine = await open(paying(1))
    const next: GameDefinition = { ...paying(1), achievements }
    await engine.apply(defineGame(next), { policy: 'recompute' })
    const after = await engine.redefine(next)
    await add(after, 'words', 10)
    // Both take the reason for the completion away, the second with the first one's kept completion in the log.
    await add(after, 'words', -1, { occurredAt: new Date('2026-03-10T11:00:00Z') })
    await add(after, 'words', -1, { occurredAt: new Date('2026-03-10T10:00:00Z') })
    expect((await after.users.achievements('ann')).map(({ key }) => key)).toEqual(['novelist'])
    expect(await after.verify()).toMatchObject({ drift: [] })
  })
})

onEachStorage('An event that is sent days later', (open) => {
  const SATURDAY = { occurredAt: new Date('2026-03-14T12:00:00Z') }

  /** Ann and Bob were there on Friday under the first game; Ann was there on Sunday too; on Monday comes the second. */
  async function untilTuesday(first: GameDefinition, second: GameDefinition) {
    const engine = await open(first)
    engine.at('2026-03-13T12:00:00.000Z')
    await engine.users.create({ id: 'ann' })
    await engine.users.create({ id: 'bob' })
    engine.at('2026-03-15T12:00:00.000Z')
    await engine.users.update('ann', { name: 'Ann' })
    engine.at('2026-03-16T12:00:00.000Z')
    const after = await engine.redefine(second)
    await after.games.current()
    engine.at('2026-03-17T12:00:00.000Z')
    return after
  }
  const totals = async (engine: Engine): Promise<(number | null)[]> =>
    Promise.all(['ann', 'bob', 'new'].map(async (id) => (await engine.users.points(id, 'xp')).total))

  test('is paid by the rules of its own day, also to users who did nothing since and to new users', async () => {
    const after = await untilTuesday(paying(1), paying(10))
    for (const id of ['ann', 'bob', 'new']) {
      await after.metrics.event('words', { user: { id }, value: 10, ...SATURDAY })
    }
    expect(await totals(after)).toEqual([10, 10, 10])
    await after.metrics.event('words', { user: { id: 'bob' }, value: 1 })
    expect(await totals(after)).toEqual([10, 20, 10])
    expect(await after.verify()).toMatchObject({ drift: [] })
  })

  test('counts under the newest game if it happened after the deploy, also behind an entry of an earlier game', async () => {
    const after = await untilTuesday(paying(1), paying(10))
    const occurredAt = new Date('2026-03-16T18:00:00Z')
    await add(after, 'laps', 1)
    await add(after, 'words', 10, { occurredAt })
    await after.metrics.event('words', { user: { id: 'bob' }, value: 10, occurredAt })
    await after.users.create({ id: 'new' })
    expect(await totals(after)).toEqual([100, 100, 0])
  })

  test('leads to the same in whatever order events come', async () => {
    const days = ['2026-03-12', '2026-03-14', '2026-03-16', '2026-03-17'].map((date, index) => {
      return { metric: 'words', user: { id: 'bob' }, value: 10 ** index, occurredAt: new Date(`${date}T12:00:00Z`) }
    })
    const after = await untilTuesday(paying(1), paying(10))
    await after.import(days)
    const backwards = await untilTuesday(paying(1), paying(10))
    await backwards.import(days.toReversed())
    expect((await after.users.points('bob', 'xp')).total).toBe(11_011)
    expect((await backwards.users.points('bob', 'xp')).total).toBe(11_011)
  })

  test('scores in the run of the leaderboard of its time, and answers no rank of the one that is there now', async () => {
    const board = { name: 'Board', rankBy: 'metric', start: '2026-03-01' } as const
    const first: GameDefinition = { metrics, leaderboards: { board: { ...board, metric: 'words' } } }
    const after = await untilTuesday(first, { metrics, leaderboards: { board: { ...board, metric: 'laps' } } })
    for (const id of ['ann', 'bob', 'new']) {
      const answer = await after.metrics.event('words', { user: { id }, value: 5, ...SATURDAY })
      expect(answer.leaderboards).toEqual({})
    }
    expect((await after.leaderboards.get('board')).rankings).toEqual([])
    expect(await after.verify()).toMatchObject({ drift: [] })
  })
})

onEachStorage('Putting a game in force', (open) => {
  test('by grant gives no more than is missing to the total that the game would have led to', async () => {
    const xp = { name: 'XP', triggers: [paid('words', 4)] }
    const engine = await open({ metrics, points: { xp } })
    await add(engine, 'words', 1)
    await add(engine, 'laps', 1)
    // 10 for the lap in place of 4 for the word: 6 more.
    const next: GameDefinition = { metrics, points: { xp: { ...xp, triggers: [paid('laps', 10)] } } }
    expect(await engine.apply(defineGame(next), { policy: 'grant' })).toMatchObject({ changed: 1 })
    const after = await engine.redefine(next)
    expect((await after.users.points('ann', 'xp')).total).toBe(10)
  })

  test('counts who is on a level by its new points, those too who have done nothing since', async () => {
    const levelled = (silver: number): GameDefinition => ({
      metrics,
      points: {
        xp: {
          name: 'XP',
          triggers: [paid('words', 1)],
          levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: silver } },
        },
      },
    })
    const engine = await open(levelled(10))
    await add(engine, 'words', 12)
    const after = await engine.redefine(levelled(20))
    expect((await after.points.levelSummary('xp')).map(({ level, users }) => [level.key, users])).toEqual([
      ['bronze', 1],
      ['silver', 0],
    ])
  })
})

describe('What-if', () => {
  test('compares places in the newest run, whoever else has been in an older one alone', async () => {
    const board = { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-03-02' } as const
    const ranked = (laps: number): GameDefinition => ({
      metrics,
      points: { xp: { name: 'XP', triggers: [paid('words', 1), paid('laps', laps)] } },
      leaderboards: { xp: { ...board, run: { unit: 'day', interval: 7 } } },
    })
    const engine = await openOn(memory(), { now: NOON }, ranked(1))
    engine.at('2026-03-03T12:00:00Z')
    await add(engine, 'words', 1, { user: { id: 'bob' } })
    engine.at('2026-03-10T12:00:00Z')
    await add(engine, 'words', 5, { user: { id: 'ann' } })
    await add(engine, 'laps', 3, { user: { id: 'cid' } })

    const { leaderboards } = await engine.whatIf(defineGame(ranked(10)))

    expect(leaderboards).toEqual([{ key: 'xp', entered: 0, left: 0, up: 1, down: 1 }])
    await engine.close()
  })
})
