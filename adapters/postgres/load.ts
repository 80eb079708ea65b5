import type { UserState } from '../../src/rules/state.ts'
import type { LoadedUser, UserRequest, UserView } from '../../src/storage.ts'
import type { Told } from '../../src/storage-outbox.ts'
import { type AwardRow, fromAwardRow } from '../sql/award-rows.ts'
import { fromLeaderboardEntriesRow, sortRows } from '../sql/leaderboard-rows.ts'
import type { ProgressRow } from '../sql/progress.ts'
import { toProgress } from '../sql/progress-rows.ts'
import { toNamedPeriod, toPeriod } from '../sql/streak-periods.ts'
import { type ToldRow, toTold } from '../sql/told.ts'
import { toUserState, type UserRow } from '../sql/user-rows.ts'

type LeaderboardEntryRow = Parameters<typeof fromLeaderboardEntriesRow>[0]

/** What `load` answers. */
export interface LoadedRows {
  readonly epoch: number
  readonly users: readonly {
    /** The number of the user's request. */
    readonly n: number
    readonly user: (UserRow & ToldRow) | null
    readonly progress: readonly ProgressRow[]
    readonly found: readonly (string | null)[]
  }[]
}

/** A request as `load` takes it. */
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
  return { tenant, user, state: toState(rows), version: rows.user?.version ?? 0, found: rows.found, told: told(rows) }
}

/** A view as it is read; what was not asked for is absent. */
export interface ViewRows {
  readonly user: LoadedRows
  readonly awards?: readonly AwardRow[]
  readonly periods?: readonly Parameters<typeof toPeriod>[0][]
  readonly named?: readonly Parameters<typeof toNamedPeriod>[0][]
  readonly leaderboards?: readonly LeaderboardEntryRow[]
}

export function toView(view: ViewRows): UserView {
  const { awards = [], periods = [], named = [], leaderboards = [] } = view
  const { epoch, users } = view.user
  const [rows] = users
  if (rows === undefined) {
    return { state: null, version: 0, epoch, awards: [], periods: [], leaderboards: [], found: [], told: null }
  }
  return {
    state: toState(rows),
    version: rows.user?.version ?? 0,
    epoch,
    awards: awards.map(fromAwardRow),
    periods: [...periods.map(toPeriod), ...named.map(toNamedPeriod)],
    leaderboards: sortRows(leaderboards.map(fromLeaderboardEntriesRow)),
    found: rows.found,
    told: told(rows),
  }
}

function told({ user }: LoadedRows['users'][number]): Told | null {
  return user === null ? null : toTold(user)
}

function toState({ user, progress }: LoadedRows['users'][number]): UserState | null {
  return user === null ? null : toUserState(user, toProgress(progress))
}
