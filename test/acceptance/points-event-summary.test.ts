import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  achievements: { tour: { name: 'Tour', trigger: 'api' } },
  points: {
    xp: {
      name: 'XP',
      maxPoints: 30,
      triggers: [
        { type: 'user_creation', points: 5 },
        { type: 'metric', metric: 'words', threshold: 1, points: 2 },
        { type: 'achievement', achievement: 'tour', points: 10 },
      ],
    },
    coins: { name: 'Coins', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 100 }] },
  },
}

const daily = (startDate: string, endDate: string) => ({ aggregation: 'daily', startDate, endDate }) as const

onEachStorage('The points event summary', (open) => {
  test('has what awards gave after clipping, on the local dates of what they followed from', async () => {
    const engine = await open(game)
    const tz = 'Asia/Tokyo'
    engine.at('2026-03-01T16:00:00.000Z')
    await engine.users.create({ id: 'ann', tz })
    await add(engine, 'words', 3)
    engine.at('2026-03-03T10:00:00.000Z')
    await engine.achievements.complete('tour', { user: { id: 'ann' } })
    await add(engine, 'words', 20)
    expect(await engine.users.pointsEventSummary('ann', 'xp', daily('2026-03-01', '2026-03-04'))).toEqual([
      { date: '2026-03-01', total: 0, change: 0 },
      { date: '2026-03-02', total: 11, change: 11 },
      { date: '2026-03-03', total: 30, change: 19 },
      { date: '2026-03-04', total: 30, change: 0 },
    ])
    const monthly = { aggregation: 'monthly', startDate: '2026-02-15', endDate: '2026-03-02' } as const
    expect(await engine.users.pointsEventSummary('ann', 'xp', monthly)).toEqual([
      { date: '2026-02-01', total: 0, change: 0 },
      { date: '2026-03-01', total: 11, change: 11 },
    ])
  })

  test('follows late events and voids', async () => {
    const engine = await open(game)
    engine.at('2026-03-03T10:00:00.000Z')
    const { eventId } = await add(engine, 'words', 3)
    await add(engine, 'words', 4, { occurredAt: new Date('2026-03-01T10:00:00.000Z') })
    const range = daily('2026-03-01', '2026-03-03')
    const totals = async (): Promise<readonly number[]> =>
      (await engine.users.pointsEventSummary('ann', 'coins', range)).map(({ total }) => total)
    expect(await totals()).toEqual([400, 400, 700])
    await engine.events.void(eventId)
    expect(await totals()).toEqual([400, 400, 400])
  })

  test('has every award of more than a thousand', async () => {
    const engine = await open({ ...game, points: { coins: game.points?.coins ?? { name: 'Coins' } } })
    const first = Date.parse('2026-03-08T00:00:00.000Z')
    const items = Array.from({ length: 1_100 }, (_, index) => ({
      metric: 'words',
      user: { id: 'ann' },
      value: 1,
      occurredAt: new Date(first + index * 60_000),
    }))
    await engine.import(items)
    const summary = await engine.users.pointsEventSummary('ann', 'coins', daily('2026-03-08', '2026-03-09'))
    expect(summary).toEqual([
      { date: '2026-03-08', total: 110_000, change: 110_000 },
      { date: '2026-03-09', total: 110_000, change: 0 },
    ])
  })

  test('has totals of more than 15 digits to the last one, as the answers to events do', async () => {
    const triggers = [{ type: 'metric', metric: 'words', threshold: 1, points: 3_000_000_000_000_001 }] as const
    const engine = await open({ ...game, points: { coins: { name: 'Coins', triggers } } })
    await add(engine, 'words', 1)
    expect((await add(engine, 'words', 1)).points.coins?.total).toBe(6_000_000_000_000_002)
    expect(await engine.users.pointsEventSummary('ann', 'coins', daily('2026-03-10', '2026-03-11'))).toEqual([
      { date: '2026-03-10', total: 6_000_000_000_000_002, change: 6_000_000_000_000_002 },
      { date: '2026-03-11', total: 6_000_000_000_000_002, change: 0 },
    ])
  })

  test('is refused of who and what is not known', async () => {
    const engine = await open(game)
    await engine.users.create({ id: 'ann' })
    const range = daily('2026-03-01', '2026-03-04')
    expect(await codeOf(engine.users.pointsEventSummary('zoe', 'xp', range))).toBe('unknown_user')
    expect(await codeOf(engine.users.pointsEventSummary('ann', 'gold', range))).toBe('unknown_points_system')
    expect(await codeOf(engine.users.pointsEventSummary('ann', 'xp', daily('2026-03-04', '2026-03-04')))).toBe(
      'invalid_request',
    )
  })
})
