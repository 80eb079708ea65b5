import type { Drift, DriftRow, UserAudit, UserFacts } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { auditQueries, type DerivedQueries } from '../sql/audit-queries.ts'
import { compareWithFacts, toUserRows, type UserRows } from '../sql/audit-rows.ts'
import type { UserColumns } from '../sql/tables.ts'
import { toTold, toToldRow } from '../sql/told.ts'
import { toUserColumns, toVersion } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { queries } from './queries.ts'
import { sqliteTraits } from './traits.ts'

const { version: versionOf, lines: linesOf, told: toldOf, putUser, derived } = auditQueries(sqliteTraits)

type AuditedRow = Pick<UserAudit, 'version' | 'lines' | 'told'>

function readUser(connection: Connection, columns: UserColumns): AuditedRow {
  const row = connection.get(toldOf, columns)
  return {
    version: connection.get(versionOf, columns)?.version ?? 0,
    lines: connection.get(linesOf, columns)?.lines ?? 0,
    told: row === undefined ? null : toTold(row),
  }
}

/** Within a transaction. */
export function auditUser(connection: Connection, key: UserKey, facts: UserFacts | null): UserAudit {
  const columns = toUserColumns(key)
  const read = derived.map(({ table, read }) => [table.name, connection.all(read, columns)] as const)
  const stored = Object.fromEntries(read) as UserRows
  const drift = compareWithFacts(sqliteTraits, key, stored, facts)
  return { ...readUser(connection, columns), drift, snapshots: stored.snapshots.length }
}

/**
 * Blocks are not changed: they still count the leaderboard entries as these were before the damage, and as they are
 * after the repair.
 */
export function repairUser(connection: Connection, key: UserKey, facts: UserFacts | null, version: number): boolean {
  const found = auditUser(connection, key, facts)
  if (found.version !== version) return false
  const columns = toUserColumns(key)
  const expected = toUserRows(sqliteTraits, key, facts)
  for (const each of derived) {
    const { name } = each.table
    const drift = found.drift.filter(({ table }) => table === name)
    if (name === 'users' && facts !== null) {
      for (const row of expected.users) connection.run(putUser, { ...row, version: toVersion() })
    } else if (name === 'snapshots') {
      connection.run(each.removeAll, columns)
      for (const row of expected.snapshots) connection.run(each.put, row)
    } else if (drift.length > 0) {
      repairTable(connection, columns, each, drift, expected[name])
    }
  }
  if (facts?.told !== undefined) connection.run(queries.users.tell, { ...columns, ...toToldRow(facts.told) })
  return true
}

function repairTable(
  connection: Connection,
  columns: UserColumns,
  { remove, removeAll, put }: DerivedQueries,
  drift: readonly Drift[],
  expected: readonly DriftRow[],
): void {
  const invented = drift.filter((row) => row.expected === null)
  const isRemoved = invented.every(({ key }) => connection.run(remove, key) === 1)
  // A whole number in a key may be too large to be read exactly, so that the key does not find its row.
  if (!isRemoved) connection.run(removeAll, columns)
  const rows = isRemoved ? drift.flatMap((row) => (row.expected === null ? [] : [row.expected])) : expected
  for (const row of rows) connection.run(put, row)
}
