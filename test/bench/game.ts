import { type DefinedGame, defineGame } from '../../src/index.ts'

const METRICS = ['words', 'pages', 'notes', 'likes', 'shares'] as const

/** Five metrics, twenty achievements, two points systems, one streak. */
export const game: DefinedGame = defineGame({
  metrics: Object.fromEntries(METRICS.map((key) => [key, { name: key }])),
  achievements: Object.fromEntries([
    ...METRICS.flatMap((metric) =>
      [10, 100, 1_000].map((value) => [
        `${metric}-${value}`,
        { name: `${value} ${metric}`, trigger: 'metric' as const, metric, value },
      ]),
    ),
    ...[3, 7, 30].map((length) => [`streak-${length}`, { name: `${length} days`, trigger: 'streak' as const, length }]),
    ['welcome', { name: 'Welcome', trigger: 'api' as const }],
    ['both', { name: 'Both', trigger: 'achievement' as const, achievements: ['words-10', 'pages-10'] }],
  ]),
  points: {
    xp: {
      name: 'XP',
      triggers: METRICS.map((metric) => ({ type: 'metric' as const, metric, threshold: 10, points: 5 })),
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 500 } },
    },
    gems: {
      name: 'Gems',
      triggers: [
        { type: 'achievement' as const, achievement: 'both', points: 10 },
        { type: 'streak' as const, length: 7, points: 1 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {}, pages: {} } },
})

export interface BenchEvent {
  readonly user: string
  readonly metric: string
  readonly value: number
}

/** The same pseudo-random events in every run. */
export function* events(users: number, seed: number): Generator<BenchEvent> {
  let state = seed
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (;;) yield { user: `user-${next(users)}`, metric: METRICS[next(METRICS.length)] ?? 'words', value: 1 + next(5) }
}
