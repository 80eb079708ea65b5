import { createGamification, defineGame } from 'laurels'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import { expect, test } from 'vitest'

test('a test clock stands still until it is moved or set', () => {
  const clock = createTestClock('2026-03-01T09:00:00Z')
  expect(clock.now().toISOString()).toBe('2026-03-01T09:00:00.000Z')
  clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4 })
  expect(clock.now().toISOString()).toBe('2026-03-02T11:03:04.000Z')
  clock.advance({ hours: -1 })
  expect(clock.now().toISOString()).toBe('2026-03-02T10:03:04.000Z')
  clock.set(new Date('2026-01-01T00:00:00+01:00'))
  expect(clock.now().toISOString()).toBe('2025-12-31T23:00:00.000Z')
})

test.each(['2026-03-01T09:00:00', '2026-03-01', 'tomorrow', '2026-13-01T09:00:00Z'])(
  'a test clock refuses %s',
  (text) => {
    expect(() => createTestClock(text)).toThrow(
      `Write the instant "${text}" as '2026-03-01T09:00:00Z' or with an offset.`,
    )
  },
)

test('a test clock is the clock of a gamification', async () => {
  const clock = createTestClock('2026-03-01T09:00:00Z')
  const game = defineGame({
    metrics: { visits: { name: 'Visits' } },
    streak: { frequency: 'daily', metrics: { visits: {} } },
  })
  const gamification = createGamification({ game, storage: memory(), clock: clock.now })
  const visit = { user: { id: '18' }, value: 1 }
  await gamification.metrics.event('visits', visit)
  clock.advance({ days: 1 })
  expect((await gamification.metrics.event('visits', visit)).currentStreak.length).toBe(2)
  clock.advance({ days: 2 })
  expect((await gamification.users.streak('18')).length).toBe(0)
  await gamification.close()
})
