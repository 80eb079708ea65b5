import type { UserState } from '../../src/rules/state.ts'
import type { LoadedUser, UserRequest, UserView } from '../../src/storage.ts'
import type { StreakPeriod } from '../../src/storage-rows.ts'
import { type AwardRow, toAward } from '../sql/award-rows.ts'
import { fromEntryRow, sortRows } from '../sql/leaderboard-rows.ts'
import type { ProgressRow } from '../sql/progress.ts'
import { toProgress } from '../sql/progress-rows.ts'
import { toPeriod } from '../sql/streak-periods.ts'
import { toUserState, type UserRow } from '../sql/user-rows.ts'

type LeaderboardEntryRow = Parameters<typeof fromEntryRow>[0]

/** What `load_v1` answers. */
export interface LoadedRows {
  readonly epoch: number
  readonly users: readonly {
    /** Place in the request. */
    readonly n: number
    readonly user: UserRow | null
    readonly progress: readonly ProgressRow[]
    readonly found: readonly (string | null)[]
  }[]
}

/** A request as `load_v1` takes it. */
export interface LoadRow {
  readonly n: number
  readonly tenant_id: string
  readonly user_id: string
  readonly lookups: UserRequest['lookups']
}

export function toLoadRow({ tenant, user, lookups }: UserRequest, n: number): LoadRow {
  return { n, tenant_id: tenant, user_id: user, lookups }
}

export function toLoadedUser({ tenant, user }: UserRequest, rows: LoadedRows['users'][number]): LoadedUser {
  return { tenant, user, state: toState(rows), version: rows.user?.version ?? 0, found: rows.found }
}

export function toView(
  { epoch, users: [rows] }: LoadedRows,
  awards: readonly AwardRow[],
  periods: string | null,
  leaderboards: readonly LeaderboardEntryRow[],
): UserView {
  if (rows === undefined) {
    return { state: null, version: 0, epoch, awards: [], periods: [], leaderboards: [], found: [] }
  }
  return {
    state: toState(rows),
    version: rows.user?.version ?? 0,
    epoch,
    awards: awards.map(toAward),
    periods: periods === null ? [] : periods.split(',').map(toPeriodOfLine),
    leaderboards: sortRows(leaderboards.map(fromEntryRow)),
    found: rows.found,
  }
}

/** As `periods_v1` answers it. */
function toPeriodOfLine(line: string): StreakPeriod {
  const [start_date = '', length = '', kind = ''] = line.split(' ')
  return toPeriod({ start_date, length: Number(length), kind: kind as StreakPeriod['kind'] })
}

function toState({ user, progress }: LoadedRows['users'][number]): UserState | null {
  return user === null ? null : toUserState(user, toProgress(progress))
}
