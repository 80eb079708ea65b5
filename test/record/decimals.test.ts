import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, onEachStorage } from '../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { w: { name: 'W' } },
  achievements: { tenth: { name: 'A tenth', trigger: 'metric', metric: 'w', value: 0.1 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'w', threshold: 0.1, points: 7 }] } },
  streak: { frequency: 'daily', metrics: { w: {} } },
  leaderboards: { board: { name: 'Board', rankBy: 'metric', metric: 'w', start: '2026-01-01' } },
}

const DAY = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const

onEachStorage('Sums are those of decimals', (open) => {
  test('-1.1 and 1.2 are 0.1: an achievement at 0.1 is completed, and a step of 0.1 paid', async () => {
    const engine = await open(GAME)
    await add(engine, 'w', -1.1)
    const { total, achievements, points } = await add(engine, 'w', 1.2)
    expect([total, achievements.map(({ key }) => key), points.xp?.total]).toEqual([0.1, ['tenth'], 7])
  })

  test('-1.2, 1.1 and 0.1 are 0: the day is not above 0, and the streak does not count it', async () => {
    const engine = await open(GAME)
    await add(engine, 'w', -1.2)
    await add(engine, 'w', 1.1)
    const { total, currentStreak } = await add(engine, 'w', 0.1)
    expect([total, currentStreak.length]).toEqual([0, 0])
  })

  test('100, -99.9 and -0.1 are 0: the user ranks with the others that have 0', async () => {
    const engine = await open(GAME)
    for (const value of [100, -99.9, -0.1]) await add(engine, 'w', value)
    engine.at('2026-03-10T12:00:01.000Z')
    await engine.metrics.event('w', { user: { id: 'bob' }, value: 0 })
    const { rankings } = await engine.leaderboards.get('board')
    expect(rankings.map(({ userId, rank, value }) => [userId, rank, value])).toEqual([
      ['ann', 1, 0],
      ['bob', 2, 0],
    ])
  })

  test('20.3 and -20 are 0.3, and with -0.3 nothing, wherever the sum is shown', async () => {
    const engine = await open(GAME)
    await add(engine, 'w', 20.3)
    const shown = async (): Promise<unknown> => {
      const { current } = await engine.users.singleMetric('ann', 'w')
      const [, today] = await engine.users.metricEventSummary('ann', 'w', DAY)
      const { value } = await engine.users.leaderboard('ann', 'board')
      return [current, today?.total, today?.change, value]
    }
    expect((await add(engine, 'w', -20)).total).toBe(0.3)
    expect(await shown()).toEqual([0.3, 0.3, 0.3, 0.3])
    expect((await add(engine, 'w', -0.3)).total).toBe(0)
    expect(await shown()).toEqual([0, 0, 0, 0])
  })

  test.each([
    [100.1, -100],
    [1000.1, -1000],
  ])('%d and %d are 0.1', async (first, second) => {
    const engine = await open(GAME)
    await add(engine, 'w', first)
    expect((await add(engine, 'w', second)).total).toBe(0.1)
  })

  test('the summary rounds in the order in which it happened, where a change of zone moves dates back', async () => {
    const engine = await open(GAME)
    const record = (time: string, tz: string, value: number) => {
      engine.at(time)
      return engine.metrics.event('w', { user: { id: 'ann', tz }, value })
    }
    await record('2026-03-09T08:00:00Z', 'UTC', 98.9)
    // The 10th in Auckland, then the 9th again in London.
    await record('2026-03-09T12:00:00Z', 'Pacific/Auckland', -1e15)
    await record('2026-03-09T13:00:00Z', 'Europe/London', 1e15)
    const { total } = await record('2026-03-10T12:00:00Z', 'Europe/London', 5)
    // 98.9 - 1e15 has 15 digits as -999999999999901.
    expect(total).toBe(104)
    expect(await engine.users.metricEventSummary('ann', 'w', DAY)).toEqual([
      { date: '2026-03-09', total: 1_000_000_000_000_100, change: 1_000_000_000_000_100 },
      { date: '2026-03-10', total: 104, change: -999_999_999_999_995 },
    ])
  })

  test('what is missing to a total of 0.1, as explain says it, is 1.2 after -1.1', async () => {
    const engine = await open(GAME)
    await add(engine, 'w', -1.1)
    const { reasons } = await engine.explain('ann', { achievement: 'tenth' })
    expect(reasons.map((reason) => 'missing' in reason && reason.missing)).toEqual([1.2])
  })
})
