// A log is read in chunks of a thousand entries.

import { expect, test } from 'vitest'
import { add, onEachStorage } from '../../support/engine.ts'

const game = { metrics: { words: { name: 'Words' } } } as const
const RANGE = { aggregation: 'daily', startDate: '2026-03-07', endDate: '2026-03-10' } as const

onEachStorage('A user with 1,500 events', (open) => {
  test('has them all in a summary, and after a late event too', async () => {
    const engine = await open(game)
    // One a minute: 1,440 on the 8th, 60 on the 9th.
    const first = Date.parse('2026-03-08T00:00:00.000Z')
    const items = Array.from({ length: 1_500 }, (_, index) => ({
      metric: 'words',
      user: { id: 'ann' },
      value: 1,
      occurredAt: new Date(first + index * 60_000),
    }))
    expect(await engine.import(items)).toMatchObject({ recorded: 1_500 })
    expect(await engine.users.metricEventSummary('ann', 'words', RANGE)).toEqual([
      { date: '2026-03-07', total: 0, change: 0 },
      { date: '2026-03-08', total: 1_440, change: 1_440 },
      { date: '2026-03-09', total: 1_500, change: 60 },
      { date: '2026-03-10', total: 1_500, change: 0 },
    ])

    expect((await add(engine, 'words', 5, { occurredAt: new Date('2026-03-07T12:00:00.000Z') })).total).toBe(1_505)
    expect((await engine.users.metricEventSummary('ann', 'words', RANGE)).map(({ total }) => total)).toEqual([
      5, 1_445, 1_505, 1_505,
    ])
  })
})
