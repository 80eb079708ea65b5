import { join } from 'node:path'
import type { GuardOptions } from './guard.ts'
import type { LeaderboardsBenchOptions } from './leaderboards.ts'
import type { PostgresBenchOptions } from './postgres.ts'

/** How much each part does. */
export interface Size {
  readonly events: { readonly users: readonly number[]; readonly callers: readonly number[]; readonly count: number }
  readonly edge: { readonly users: number; readonly callers: readonly number[]; readonly count: number }
  /** The CSV of what is imported. */
  readonly activity: string
  readonly rules: { readonly events: number; readonly dates: number }
  readonly late: { readonly entries: readonly number[] }
  readonly postgres: PostgresBenchOptions
  readonly leaderboards: LeaderboardsBenchOptions
  /** How many events the user has, and how many kinds of rules are posted. */
  readonly postedGames: { readonly events: number; readonly kinds: number }
  readonly guard: Omit<GuardOptions, 'against' | 'folder'>
}

const activity = process.env.LAURELS_ACTIVITY_CSV ?? join('..', 'shared', 'data', 'open-source-activity.csv')

const full: Size = {
  events: { users: [1_000, 1_000_000], callers: [1, 32, 256], count: 20_000 },
  edge: { users: 1_000, callers: [1, 32], count: 3_000 },
  activity,
  rules: { events: 10_000, dates: 100_000 },
  late: { entries: [100, 10_000, 100_000] },
  postgres: { users: 10_000, callers: [1, 8, 32, 256], rounds: 5, seconds: 2 },
  leaderboards: { few: 1_000, many: 100_000, rounds: 5, seconds: 1 },
  postedGames: { events: 200, kinds: Number.POSITIVE_INFINITY },
  guard: { only: [], most: 1.08, turns: 30, share: 1 },
}

const quick: Size = {
  ...full,
  events: { ...full.events, users: [1_000] },
  edge: { ...full.edge, count: 500 },
  postgres: { ...full.postgres, callers: [32], rounds: 1, seconds: 1 },
  leaderboards: { few: 1_000, many: 10_000, rounds: 1, seconds: 1 },
}

/** Only whether it runs: what it says of speed means nothing. Nothing is installed for it. */
const smoke: Size = {
  events: { users: [100], callers: [1, 32], count: 200 },
  edge: { users: 10, callers: [1, 32], count: 50 },
  activity: join('examples', 'open-source', 'sample.csv'),
  rules: { events: 200, dates: 200 },
  late: { entries: [100] },
  postgres: { users: 100, callers: [2], rounds: 1, seconds: 0.05 },
  leaderboards: { few: 200, many: 300, rounds: 1, seconds: 0.05 },
  postedGames: { events: 3, kinds: 1 },
  guard: { only: ['event-1', 'place', 'postgres-32'], most: Number.POSITIVE_INFINITY, turns: 2, share: 0.02 },
}

export const SIZES = { full, quick, smoke } as const
