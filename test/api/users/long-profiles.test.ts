// Lines so long that a chunk of the log has but two or three of them.

import { expect, test } from 'vitest'
import { add, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words' } },
  achievements: { many: { name: 'Many', trigger: 'metric', metric: 'words', value: 30 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const

/** Six bytes of JSON for each character: 120 KB. */
const tokensOf = (count: number): readonly string[] =>
  Array.from({ length: 20 }, (_, index) => `${count} ${index} `.padEnd(1_024, '\u0001'))

onEachStorage('A user whose lines are long', (open) => {
  test('has each of them counted in whatever reads the log', async () => {
    const engine = await open(game)
    for (let count = 1; count <= 8; count += 1) {
      engine.at(`2026-03-0${count}T12:00:00.000Z`)
      await engine.users.update('ann', { deviceTokens: tokensOf(count) }).catch(() => undefined)
      await add(engine, 'words', count, { user: { id: 'ann', deviceTokens: tokensOf(count + 10) } })
    }
    const range = { aggregation: 'daily', startDate: '2026-03-02', endDate: '2026-03-08' } as const
    const totals = async () => (await engine.users.metricEventSummary('ann', 'words', range)).map(({ total }) => total)
    expect(await totals()).toEqual([3, 6, 10, 15, 21, 28, 36])
    const place = await engine.users.leaderboard('ann', 'top', { numEvents: 400 })
    expect(place.history.map(({ value }) => value)).toEqual([1, 3, 6, 10, 15, 21, 28, 36])

    const late = await add(engine, 'words', 100, { occurredAt: new Date('2026-03-01T13:00:00.000Z') })
    expect(late).toMatchObject({ total: 136, points: { xp: { total: 13 } } })
    expect(await totals()).toEqual([103, 106, 110, 115, 121, 128, 136])
    expect((await engine.users.achievements('ann'))[0]).toMatchObject({ achievedAt: '2026-03-01T13:00:00.000Z' })
    expect((await engine.users.get('ann')).deviceTokens).toEqual(tokensOf(18))
    expect(await engine.explain('ann', { achievement: 'many' })).toMatchObject({ holds: true })
    expect((await engine.verify()).drift).toEqual([])
  })
})
