import type { DefinedGame } from '../../src/index.ts'
import type { Build } from './guard-build.ts'

/** Makes a game by the build that it is for. */
export type MakeGame = (build: Build) => DefinedGame

export const METRICS = ['words', 'pages', 'notes', 'likes', 'shares'] as const

function numbered<Item>(count: number, item: (number: number) => Item): { readonly [key: string]: Item } {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`number-${index + 1}`, item(index + 1)]))
}

const PLAIN = {
  metrics: Object.fromEntries(METRICS.map((key) => [key, { name: key }])),
  achievements: Object.fromEntries(
    METRICS.flatMap((metric) =>
      [10, 100, 1_000].map((value) => [
        `${metric}-${value}`,
        { name: `${value} ${metric}`, trigger: 'metric' as const, metric, value },
      ]),
    ),
  ),
  points: {
    xp: {
      name: 'XP',
      triggers: METRICS.map((metric) => ({ type: 'metric' as const, metric, threshold: 10, points: 5 })),
    },
  },
  streak: { frequency: 'daily' as const, metrics: { words: {}, pages: {} } },
}

/** Five metrics, each with three achievements and points; a streak. */
export const plain: MakeGame = ({ main }) => main.defineGame(PLAIN)

/** Leaderboards `number-1` and so on of one metric, with the limit that they have by default. */
export const withBoards =
  (count: number): MakeGame =>
  ({ main }) => {
    const board = (number: number) =>
      ({ name: `Board ${number}`, rankBy: 'metric', metric: 'words', start: '2026-01-01' }) as const
    return main.defineGame({ ...PLAIN, leaderboards: numbered(count, board) })
  }

/** Challenges that no user completes, by turns of a day and of a month, and of each metric as many. */
export const withChallenges =
  (count: number): MakeGame =>
  ({ main }) => {
    const challenge = (number: number) => {
      const metric = METRICS[number % METRICS.length] ?? 'words'
      const every = number % 2 === 0 ? ('month' as const) : ('day' as const)
      return { name: `Challenge ${number}`, every, of: [{ metric, value: 1_000_000 }] }
    }
    return main.defineGame({ ...PLAIN, challenges: numbered(count, challenge) })
  }

/** Achievements of one metric that no user completes. */
export const withAchievements =
  (count: number): MakeGame =>
  ({ main }) => {
    const achievement = (number: number) =>
      ({ name: `Achievement ${number}`, trigger: 'metric', metric: 'words', value: 1_000_000 + number }) as const
    return main.defineGame({ ...PLAIN, achievements: numbered(count, achievement) })
  }
