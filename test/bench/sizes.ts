import { join } from 'node:path'
import type { DaysBenchOptions } from './days.ts'
import type { DueBenchOptions } from './due.ts'
import type { FloodBenchOptions } from './flood.ts'
import type { HttpBenchOptions } from './http.ts'
import type { LeaderboardsBenchOptions } from './leaderboards.ts'
import type { PostgresBenchOptions } from './postgres.ts'
import type { ReadsBenchOptions } from './reads.ts'
import type { StreaksBenchOptions } from './streaks.ts'
import type { UsersBenchOptions } from './users.ts'

/** How much each part does. */
export interface Size {
  readonly events: { readonly users: readonly number[]; readonly callers: readonly number[]; readonly count: number }
  /** The CSV of what is imported and folded. */
  readonly activity: string
  readonly rules: { readonly events: number; readonly dates: number }
  readonly calendar: { readonly rounds: number; readonly moments: number }
  readonly streaks: StreaksBenchOptions
  readonly late: { readonly entries: readonly number[] }
  readonly days: DaysBenchOptions
  readonly reads: ReadsBenchOptions
  readonly fold: { readonly events: readonly number[] }
  readonly http: HttpBenchOptions
  readonly flood: FloodBenchOptions
  readonly postgres: PostgresBenchOptions
  readonly leaderboards: LeaderboardsBenchOptions
  readonly users: UsersBenchOptions
  readonly due: DueBenchOptions
}

const activity = process.env.LAURELS_ACTIVITY_CSV ?? join('..', 'shared', 'data', 'open-source-activity.csv')
const large = process.env.LAURELS_BENCH_LARGE === undefined ? [] : [5_000_000]

const full: Size = {
  events: { users: [1_000, 1_000_000], callers: [1, 32, 256], count: 20_000 },
  activity,
  rules: { events: 10_000, dates: 100_000 },
  calendar: { rounds: 9, moments: 100_000 },
  streaks: { users: 100, rounds: 5, count: 1_000 },
  late: { entries: [100, 10_000, 100_000] },
  days: { entries: [1_000, 10_000, 100_000], rounds: 5, count: 100 },
  reads: { entries: [20_000, 100_000], others: 5_000, rounds: 5 },
  fold: { events: [10_000, 100_000, 1_000_000] },
  http: { modes: ['NORMAL', 'FULL'], users: 10_000, connections: [1, 32], rounds: 5, seconds: 1, installs: true },
  flood: { users: 10_000, callers: [1, 16], flood: [16, 256], rounds: 5, seconds: 2 },
  postgres: { users: 10_000, callers: [1, 8, 32, 256], rounds: 5, seconds: 2, installs: true, compared: 1_000 },
  leaderboards: {
    users: {
      SQLite: [1_000, 100_000, 1_000_000, ...large],
      Postgres: [1_000, 100_000, 1_000_000, ...large],
    },
    ...{ few: 1_000, many: 1_000_000, rounds: 5, count: 300, seconds: 1 },
  },
  users: { users: 1_000_000, rounds: 5, count: 100 },
  due: { users: 1_000_000, seconds: 5 },
}

const quick: Size = {
  ...full,
  events: { ...full.events, users: [1_000] },
  calendar: { ...full.calendar, rounds: 1 },
  streaks: { users: 100, rounds: 1, count: 200 },
  days: { entries: [10_000], rounds: 3, count: 20 },
  reads: { entries: [20_000], others: 5_000, rounds: 3 },
  fold: { events: [10_000, 100_000] },
  http: { ...full.http, connections: [32], rounds: 1 },
  flood: { ...full.flood, callers: [1, 16], flood: [256], rounds: 1, seconds: 1 },
  postgres: { ...full.postgres, callers: [32], rounds: 1, seconds: 1 },
  leaderboards: {
    users: { SQLite: [1_000, 100_000], Postgres: [1_000, 100_000] },
    ...{ few: 1_000, many: 100_000, rounds: 1, count: 100, seconds: 1 },
  },
  users: { users: 100_000, rounds: 1, count: 50 },
  due: { users: 50_000, seconds: 1 },
}

/** Only whether it runs: what it says of speed means nothing. Nothing is installed for it. */
const smoke: Size = {
  events: { users: [100], callers: [1, 32], count: 200 },
  activity: join('examples', 'open-source', 'sample.csv'),
  rules: { events: 200, dates: 200 },
  calendar: { rounds: 1, moments: 500 },
  streaks: { users: 8, rounds: 1, count: 5 },
  late: { entries: [100] },
  days: { entries: [100], rounds: 1, count: 2 },
  reads: { entries: [100], others: 100, rounds: 1 },
  fold: { events: [10_000] },
  http: { modes: ['NORMAL'], users: 100, connections: [2], rounds: 1, seconds: 0.05, installs: false },
  flood: { users: 100, callers: [2], flood: [8], rounds: 1, seconds: 0.05 },
  postgres: { users: 100, callers: [2], rounds: 1, seconds: 0.05, installs: true, compared: 200 },
  leaderboards: {
    users: { SQLite: [200, 300], Postgres: [200, 300] },
    ...{ few: 200, many: 300, rounds: 1, count: 5, seconds: 0.05 },
  },
  users: { users: 300, rounds: 1, count: 5 },
  due: { users: 300, seconds: 0.05 },
}

export const SIZES = { full, quick, smoke } as const
