import { toDateText } from '../../src/rules/calendar.ts'
import type { LoadedUser, UserRequest, UserSave } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toAwardColumns } from '../sql/award-rows.ts'
import { checkSave } from '../sql/check-save.ts'
import type { DerivedName } from '../sql/derived-tables.ts'
import { differenceOf } from '../sql/difference.ts'
import { type AppendedRow, toEntryRow, toRedatedRow } from '../sql/entry-rows.ts'
import { toEntryKeyColumns, toEntryRow as toLeaderboardEntryRow } from '../sql/leaderboard-rows.ts'
import { pausesOf } from '../sql/streak-pauses.ts'
import type { Tables, UsersTable } from '../sql/tables.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toProfileColumns, toStateRow } from '../sql/user-rows.ts'

/** A row of a list that is stored as it is has every column of its table. */
type RowOf<List extends string> = List extends keyof StoredRows ? StoredRows[List] & { readonly n: number } : object

interface StoredRows extends Omit<Pick<Tables, DerivedName>, 'users'> {
  created: UsersTable
  changed: UsersTable
  log: AppendedRow
}

/** The lists of rows that `save_v4` takes, by name; each row with the number of its user. */
export class SaveRows {
  readonly #lists = new Map<string, object[]>()

  add<List extends string>(list: List, row: RowOf<List>): void {
    const rows = this.#lists.get(list)
    if (rows === undefined) this.#lists.set(list, [row])
    else rows.push(row)
  }

  toObject(): { readonly [list: string]: readonly object[] } {
    return Object.fromEntries(this.#lists)
  }
}

/** Adds what differs from `loaded`, under a new version. Throws `internal` where the save could never be stored. */
export function addSave(
  rows: SaveRows,
  traits: SqlTraits,
  n: number,
  loaded: LoadedUser,
  save: UserSave,
  version: number,
): void {
  checkSave(loaded, save)
  const user = { n, tenant_id: loaded.tenant, user_id: loaded.user }
  const stateRow = toStateRow(loaded, { read: loaded.version, next: version }, save.after)
  const list = loaded.version === 0 ? 'created' : 'changed'
  rows.add(list, { n, ...stateRow, ...toProfileColumns(traits, save.after) })
  addProgress(rows, user, loaded, save)
  for (const entry of save.redated) rows.add('redated', { n, ...toRedatedRow(loaded, entry) })
  for (const entry of save.appended) rows.add('log', { n, ...toEntryRow(loaded, entry) })
  addAwards(rows, user, loaded, save)
  for (const { start } of save.periods.remove) {
    rows.add('removed_streak_periods', { ...user, start_date: toDateText(start) })
  }
  for (const { start, length, kind } of save.periods.put) {
    rows.add('streak_periods', { ...user, start_date: toDateText(start), length, kind })
  }
  const pauses = pausesOf(loaded.state, save.after)
  for (const pause_id of pauses.remove) rows.add('removed_streak_pauses', { ...user, pause_id })
  for (const pause_id of pauses.put) rows.add('streak_pauses', { ...user, pause_id })
  addLeaderboards(rows, user, loaded, save)
  for (const { kind, key, by } of save.counted) {
    rows.add('counters', { n, tenant_id: loaded.tenant, kind, key, amount: by })
  }
}

/** The idempotency keys of a request for which none was looked up: the save has to do it. */
export function addUnread(rows: SaveRows, n: number, { tenant, user, lookups }: UserRequest): void {
  for (const lookup of lookups) {
    if (lookup === null) continue
    const { metric, idempotencyKey } = lookup
    rows.add('unread', { n, tenant_id: tenant, user_id: user, metric, idempotency_key: idempotencyKey })
  }
}

interface UserNumber {
  readonly n: number
  readonly tenant_id: string
  readonly user_id: string
}

function addProgress(rows: SaveRows, user: UserNumber, { state: before }: LoadedUser, { after }: UserSave): void {
  const totals = differenceOf(before?.totals, after.totals)
  for (const metric of totals.remove) rows.add('removed_totals', { ...user, metric })
  for (const [metric, { total, highest }] of totals.put) rows.add('totals', { ...user, metric, total, highest })
  const tallies = differenceOf(before?.tallies, after.tallies)
  for (const rule_id of tallies.remove) rows.add('removed_tallies', { ...user, rule_id })
  for (const [rule_id, { total, highest }] of tallies.put) rows.add('tallies', { ...user, rule_id, total, highest })
  const completions = differenceOf(before?.completions, after.completions)
  for (const achievement of completions.remove) rows.add('removed_completions', { ...user, achievement })
  for (const [achievement, { at, entryId }] of completions.put) {
    rows.add('completions', { ...user, achievement, at, entry_id: entryId })
  }
  const points = differenceOf(before?.points, after.points)
  for (const system of points.remove) rows.add('removed_points', { ...user, system })
  for (const [system, { total, level }] of points.put) rows.add('points', { ...user, system, total, level })
}

function addLeaderboards(rows: SaveRows, user: UserNumber, key: UserKey, { leaderboards, unlimited }: UserSave): void {
  for (const row of leaderboards.remove) {
    rows.add('removed_leaderboard_entries', { n: user.n, ...toEntryKeyColumns(key, row) })
  }
  for (const row of leaderboards.put) {
    const asked = { n: user.n, unlimited: unlimited.includes(row.leaderboard) }
    rows.add('leaderboard_entries', { ...asked, ...toLeaderboardEntryRow(key, row) })
  }
}

function addAwards(rows: SaveRows, user: UserNumber, key: UserKey, { awards }: UserSave): void {
  for (const { system, at, seq, ordinal } of awards.remove) {
    rows.add('removed_awards', { ...user, system, at, seq, ordinal })
  }
  for (const award of awards.put) rows.add('awards', { n: user.n, ...toAwardColumns(key, award) })
}
