import { createGamification, defineGame } from 'laurels'
import { memory } from 'laurels/memory'
import { expect, test } from 'vitest'

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  userAttributes: ['country'],
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: { threshold: 1 } } },
  leaderboards: {
    words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: 2 },
    weekly: {
      name: 'Week',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
      maxParticipants: null,
    },
    country: { name: 'Country', rankBy: 'metric', metric: 'words', start: '2026-01-01', breakdown: ['country'] },
    streaks: { name: 'Streaks', rankBy: 'streak', start: '2026-01-01' },
  },
})

test('smoke', async () => {
  let now = Date.parse('2026-01-06T12:00:00Z')
  const g = createGamification({ game, storage: memory(), clock: () => new Date(now) })
  await g.migrate()
  const all = await Promise.all([
    g.metrics.event('words', { user: { id: 'a', attributes: { country: 'DE' } }, value: 20 }),
    g.metrics.event('words', { user: { id: 'b' }, value: 30 }),
    g.metrics.event('words', { user: { id: 'c' }, value: 25 }),
    g.metrics.event('words', { user: { id: 'a', attributes: { country: 'FR' } }, value: 6 }),
  ])
  const short = all.map(({ leaderboards }) =>
    Object.fromEntries(
      Object.entries(leaderboards).map(([k, v]) => [k, [v.previousRank, v.rank, v.threshold, v.start, v.end]]),
    ),
  )
  console.log(JSON.stringify(short, null, 1))
  now += 86_400_000
  const next = await g.metrics.event('words', {
    user: { id: 'c' },
    value: 1,
    occurredAt: new Date('2026-01-06T11:00:00Z'),
  })
  console.log(JSON.stringify(next.leaderboards, null, 1))
  expect(1).toBe(1)
})
