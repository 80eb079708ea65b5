import { toDateText } from '../../src/rules/calendar.ts'
import type { UserState } from '../../src/rules/state.ts'
import type { LoadedUser, UserSave } from '../../src/storage.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { toAwardColumns } from '../sql/award-rows.ts'
import { checkSave, fail } from '../sql/check-save.ts'
import { differenceOf } from '../sql/difference.ts'
import { toEntryRow, toRedatedRow } from '../sql/entry-rows.ts'
import type { RankedChange } from '../sql/leaderboard-positions.ts'
import { pausesOf } from '../sql/streak-pauses.ts'
import { toProfileColumns, toStateRow } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { saveLeaderboards } from './leaderboards.ts'
import { queries } from './queries.ts'
import { sqliteTraits } from './traits.ts'

/**
 * Writes what differs from `loaded`, which was read in the same transaction. Throws where a constraint is violated.
 * Returns what became of the user's places in leaderboards.
 */
export function saveUser(connection: Connection, loaded: LoadedUser, save: UserSave): readonly RankedChange[] {
  checkSave(loaded, save)
  saveUserRow(connection, loaded, save.after)
  saveProgress(connection, loaded, save.after)
  saveLog(connection, loaded, save)
  saveAwards(connection, loaded, save)
  savePeriods(connection, loaded, save)
  savePauses(connection, loaded, save.after)
  for (const { kind, key, by } of save.counted) {
    const counter = { tenant_id: loaded.tenant, kind, key }
    connection.run(queries.counters.add, { ...counter, count: by })
    if (by < 0) connection.run(queries.counters.removeEmpty, counter)
  }
  return saveLeaderboards(connection, loaded, save)
}

function saveUserRow(connection: Connection, loaded: LoadedUser, after: UserState): void {
  const before = loaded.state
  const stateRow = toStateRow(loaded, { read: loaded.version, next: loaded.version + 1 }, after)
  if (before === null) {
    connection.run(queries.users.insert, { ...stateRow, ...toProfileColumns(sqliteTraits, after) })
    return
  }
  const isSameProfile = after.profile === before.profile && after.preferences === before.preferences
  const changes = isSameProfile
    ? connection.run(queries.users.advance, stateRow)
    : connection.run(queries.users.update, { ...stateRow, ...toProfileColumns(sqliteTraits, after) })
  if (changes !== 1) fail(loaded, 'came twice in one commit')
}

function saveProgress(connection: Connection, loaded: LoadedUser, after: UserState): void {
  const { progress } = queries
  const { tenant: tenant_id, user: user_id } = loaded
  const before = loaded.state

  const totals = differenceOf(before?.totals, after.totals)
  for (const metric of totals.remove) connection.run(progress.totals.remove, { tenant_id, user_id, metric })
  for (const [metric, { total, highest }] of totals.put) {
    connection.run(progress.totals.put, { tenant_id, user_id, metric, total, highest })
  }
  const tallies = differenceOf(before?.tallies, after.tallies)
  for (const rule_id of tallies.remove) connection.run(progress.tallies.remove, { tenant_id, user_id, rule_id })
  for (const [rule_id, { total, highest }] of tallies.put) {
    connection.run(progress.tallies.put, { tenant_id, user_id, rule_id, total, highest })
  }
  const completions = differenceOf(before?.completions, after.completions)
  for (const achievement of completions.remove) {
    connection.run(progress.completions.remove, { tenant_id, user_id, achievement })
  }
  for (const [achievement, { at, entryId }] of completions.put) {
    connection.run(progress.completions.put, { tenant_id, user_id, achievement, at, entry_id: entryId })
  }
  const points = differenceOf(before?.points, after.points)
  for (const system of points.remove) connection.run(progress.points.remove, { tenant_id, user_id, system })
  for (const [system, { total, level }] of points.put) {
    connection.run(progress.points.put, { tenant_id, user_id, system, total, level })
  }
}

function saveLog(connection: Connection, loaded: LoadedUser, { redated, appended }: UserSave): void {
  for (const entry of redated) {
    const changes = connection.run(queries.log.redate, toRedatedRow(loaded, entry))
    if (changes !== 1) fail(loaded, `dates an unknown entry ${entry.seq} anew`)
  }
  for (const entry of appended) connection.run(queries.log.append, toEntryRow(loaded, entry))
}

function saveAwards(connection: Connection, key: UserKey, { awards }: UserSave): void {
  const { tenant: tenant_id, user: user_id } = key
  for (const { system, at, seq, ordinal } of awards.remove) {
    connection.run(queries.awards.remove, { tenant_id, user_id, system, at, seq, ordinal })
  }
  for (const award of awards.put) connection.run(queries.awards.insert, toAwardColumns(key, award))
}

function savePeriods(connection: Connection, { tenant: tenant_id, user: user_id }: UserKey, save: UserSave): void {
  for (const { start } of save.periods.remove) {
    connection.run(queries.periods.remove, { tenant_id, user_id, start_date: toDateText(start) })
  }
  for (const { start, length, kind } of save.periods.put) {
    connection.run(queries.periods.put, { tenant_id, user_id, start_date: toDateText(start), length, kind })
  }
}

function savePauses(connection: Connection, loaded: LoadedUser, after: UserState): void {
  const { remove, put } = pausesOf(loaded.state, after)
  const user = { tenant_id: loaded.tenant, user_id: loaded.user }
  for (const pause_id of remove) connection.run(queries.pauses.remove, { ...user, pause_id })
  for (const pause_id of put) connection.run(queries.pauses.put, { ...user, pause_id })
}
