import { type DefinedGame, defineGame } from '../../src/index.ts'
import type { FirstEvent } from './seed.ts'

/** No streak: what an event has to do must not depend on how often its user comes, and so on how many users there are. */
const basics = {
  metrics: { words: { name: 'Words' } },
  achievements: Object.fromEntries(
    [10, 100, 1_000].map((value) => [
      `words-${value}`,
      { name: `${value} words`, trigger: 'metric' as const, metric: 'words' as const, value },
    ]),
  ),
  points: {
    xp: {
      name: 'XP',
      // Every event moves its user on every board.
      triggers: [{ type: 'metric' as const, metric: 'words' as const, threshold: 1, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 500 } },
    },
  },
}

/** Boards without a limit, with one, and one without a limit that restarts every week, on a Monday. */
export const withBoards: DefinedGame = defineGame({
  ...basics,
  leaderboards: {
    everybody: { name: 'Everybody', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
    best: { name: 'The best', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    week: {
      name: 'This week',
      rankBy: 'points',
      system: 'xp',
      start: '2026-01-05',
      run: { unit: 'day', interval: 7 },
      maxParticipants: null,
    },
  },
})

export const withoutBoards: DefinedGame = defineGame(basics)

/** Everybody's first event is on a Monday; those that are measured are on the day after. */
const SEEDED_AT = Date.parse('2026-03-02T00:00:00Z')
const DAY_MS = 86_400_000
export const START: number = SEEDED_AT + DAY_MS

/** Multipliers that spread the numbers 1, 2, 3 … over 32 bits. */
const SPREAD = 2_654_435_761
const SPREAD_AT = 2_246_822_519

/** One of every `k` users has `k` or more: half of them one and the same, and a long tail. The same in every run. */
export function scoreOf(index: number): FirstEvent {
  const spread = Math.imul(index + 1, SPREAD) >>> 0
  const at = SEEDED_AT + ((Math.imul(index + 1, SPREAD_AT) >>> 0) % DAY_MS)
  return { user: `user-${index}`, value: Math.floor(2 ** 32 / (spread + 1)), at }
}
