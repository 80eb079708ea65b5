import type { Completion, PointsBalance, RunningTotal, UserState } from '../../src/rules/state.ts'
import type { Award, LoadedUser, StreakPeriod, UserRequest, UserView } from '../../src/storage.ts'
import type { AwardRow } from '../sql/awards.ts'
import type { ProgressRow } from '../sql/progress.ts'
import { toDay } from '../sql/text.ts'
import { type Progress, toUserState, type UserRow } from '../sql/user-rows.ts'

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
  periods: readonly { readonly start_date: string; readonly length: number }[],
): UserView {
  if (rows === undefined) return { state: null, version: 0, epoch, awards: [], periods: [], found: [] }
  return {
    state: toState(rows),
    version: rows.user?.version ?? 0,
    epoch,
    awards: awards.map(toAward),
    periods: periods.map(({ start_date, length }): StreakPeriod => ({ start: toDay(start_date), length })),
    found: rows.found,
  }
}

function toAward({ award_id, trigger_id, entry_id, system, at, seq, ordinal, awarded, total }: AwardRow): Award {
  return { id: award_id, system, trigger: trigger_id, entryId: entry_id, at, seq, ordinal, awarded, total }
}

function toState({ user, progress }: LoadedRows['users'][number]): UserState | null {
  return user === null ? null : toUserState(user, toProgress(progress))
}

function toProgress(rows: readonly ProgressRow[]): Progress {
  const totals = new Map<string, RunningTotal>()
  const tallies = new Map<string, RunningTotal>()
  const completions = new Map<string, Completion>()
  const points = new Map<string, PointsBalance>()
  for (const { kind, key, amount, highest, note } of rows) {
    if (kind === 'total') totals.set(key, { total: amount, highest })
    else if (kind === 'tally') tallies.set(key, { total: amount, highest })
    else if (kind === 'points') points.set(key, { total: amount, level: note })
    else completions.set(key, { at: amount, entryId: note ?? '' })
  }
  return { totals, tallies, completions, points }
}
