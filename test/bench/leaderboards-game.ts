import { type DefinedGame, defineGame } from '../../src/index.ts'
import { parseDate } from '../../src/rules/calendar.ts'
import { runOn } from '../../src/rules/leaderboard.ts'

/** Boards without a limit, with one, and without one that starts anew every week, on a Monday. */
export const UNLIMITED = 'everybody'
export const LIMITED = 'best'
const WEEKLY = 'week'
export const BOARDS = [UNLIMITED, LIMITED, WEEKLY] as const
export type Board = (typeof BOARDS)[number]
/** The default of a game. */
export const LIMIT = 1_000

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

export const withBoards: DefinedGame = defineGame({
  ...basics,
  leaderboards: {
    [UNLIMITED]: {
      name: 'Everybody',
      rankBy: 'metric',
      metric: 'words',
      start: '2026-01-01',
      maxParticipants: null,
    },
    [LIMITED]: { name: 'The best', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
    [WEEKLY]: {
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
export const SEEDED_DATE = '2026-03-02'
export const SEEDED_AT: number = Date.parse(`${SEEDED_DATE}T00:00:00Z`)
export const DAY_MS = 86_400_000
export const START: number = SEEDED_AT + DAY_MS

/** Ids of the runs in which the events are. */
export const RUNS: { readonly [key in Board]: string } = {
  [UNLIMITED]: runOf(UNLIMITED),
  [LIMITED]: runOf(LIMITED),
  [WEEKLY]: runOf(WEEKLY),
}

function runOf(key: Board): string {
  const leaderboard = withBoards.rules.leaderboards.get(key)
  const run = leaderboard && runOn(leaderboard, parseDate(SEEDED_DATE) ?? 0)
  if (!run) throw new Error(`There is no run of ${key} on ${SEEDED_DATE}`)
  return run.id
}

/** The first score of a user, and when it was reached. */
export interface Score {
  readonly user: string
  readonly value: number
  readonly at: number
}

/** Multipliers that spread the numbers 1, 2, 3 … over 32 bits. */
export const SPREAD = 2_654_435_761
export const SPREAD_AT = 2_246_822_519

/** One of every `k` users has `k` or more: half of them one and the same, and a long tail. The same in every run. */
export function scoreOf(index: number): Score {
  const spread = Math.imul(index + 1, SPREAD) >>> 0
  const at = SEEDED_AT + ((Math.imul(index + 1, SPREAD_AT) >>> 0) % DAY_MS)
  return { user: `user-${index}`, value: Math.floor(2 ** 32 / (spread + 1)), at }
}
