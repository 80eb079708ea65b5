import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { openOn } from '../support/engine.ts'

test('The history ends with today, also where that is before the last day that counted', async () => {
  const clock = { now: '2026-03-10T10:00:00.000Z' }
  const engine = await openOn(memory(), clock, {
    metrics: { words: { name: 'Words' } },
    streak: { frequency: 'daily', metrics: { words: {} } },
  })
  // The 11th, 12th and 13th of March there.
  for (const now of ['2026-03-10T10:00:00.000Z', '2026-03-11T10:00:00.000Z', '2026-03-12T10:00:00.000Z']) {
    clock.now = now
    await engine.metrics.event('words', { user: { id: 'ann', tz: 'Pacific/Kiritimati' }, value: 1 })
  }
  // The 12th, five minutes past midnight.
  clock.now = '2026-03-12T10:05:00.000Z'
  await engine.users.update('ann', { tz: 'Pacific/Honolulu' })

  const { streakHistory } = await engine.users.streak('ann', { historyPeriods: 2 })

  expect(streakHistory).toEqual([
    { periodStart: '2026-03-11', periodEnd: '2026-03-11', length: 1 },
    { periodStart: '2026-03-12', periodEnd: '2026-03-12', length: 2 },
  ])
  await engine.close()
})
