import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Drift, DriftRow, UserAudit, UserFacts } from '../../src/storage-audit.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { auditQueries, type DerivedQueries } from '../sql/audit-queries.ts'
import { compareWithFacts, toUserRows, type UserRows } from '../sql/audit-rows.ts'
import { pick } from '../sql/compare-rows.ts'
import { atOnce, inTurns } from '../sql/in-parts.ts'
import type { UserColumns } from '../sql/tables.ts'
import { toTold, toToldRow } from '../sql/told.ts'
import { toUserColumns, toVersion } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import type { Use } from './database.ts'
import { queries } from './queries.ts'
import { sqliteTraits } from './traits.ts'

const { version: versionOf, lines: linesOf, told: toldOf, putUser, derived } = auditQueries(sqliteTraits)

const PART = 1_000
const MOST_TRIES = 5

/**
 * Reads a table of many rows part by part, each in a turn of the event loop, and starts again where somebody has
 * written to the user meanwhile. After several tries, reads everything in one turn.
 */
export async function auditUser(read: Use, key: UserKey, facts: UserFacts | null): Promise<UserAudit> {
  const columns = toUserColumns(key)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { user, tables } = await read((connection) => ({
      user: readUser(connection, columns),
      tables: derived.map(({ first }) => connection.all(first, { ...columns, limit: PART })),
    }))
    const stored = await readOn(read, tables)
    if (stored === null) break
    if (tables.some(isFull) && !isSame(user, await read((connection) => readUser(connection, columns)))) continue
    const drift = await inTurns(compareWithFacts(sqliteTraits, key, stored, facts))
    return { ...user, drift, snapshots: stored.snapshots.length }
  }
  return read((connection) => auditAtOnce(connection, key, facts))
}

const isFull = (rows: readonly DriftRow[]): boolean => rows.length === PART

/**
 * Reads the rows that follow the first part of each table; null: a number in a key is too large to be read exactly, so
 * the rows after that key cannot be asked for.
 */
async function readOn(read: Use, tables: readonly (readonly DriftRow[])[]): Promise<UserRows | null> {
  const stored = new Map<string, readonly DriftRow[]>()
  for (const [index, { table, next }] of derived.entries()) {
    let part = tables[index] ?? []
    const rows = [...part]
    while (next !== null && isFull(part)) {
      const last = pick(part.at(-1) ?? {}, table.key)
      if (Object.values(last).some((value) => typeof value === 'number' && !Number.isSafeInteger(value))) return null
      await nextTurn()
      part = await read((connection) => connection.all(next, { ...last, limit: PART }))
      for (const row of part) rows.push(row)
    }
    stored.set(table.name, rows)
  }
  return Object.fromEntries(stored) as UserRows
}

type AuditedRow = Pick<UserAudit, 'version' | 'lines' | 'told'>

function isSame(left: AuditedRow, right: AuditedRow): boolean {
  return left.version === right.version && left.lines === right.lines
}

function readUser(connection: Connection, columns: UserColumns): AuditedRow {
  const row = connection.get(toldOf, columns)
  return {
    version: connection.get(versionOf, columns)?.version ?? 0,
    lines: connection.get(linesOf, columns)?.lines ?? 0,
    told: row === undefined ? null : toTold(row),
  }
}

/** Within a transaction. */
export function auditAtOnce(connection: Connection, key: UserKey, facts: UserFacts | null): UserAudit {
  const columns = toUserColumns(key)
  const read = derived.map(({ table, read }) => [table.name, connection.all(read, columns)] as const)
  const stored = Object.fromEntries(read) as UserRows
  const drift = atOnce(compareWithFacts(sqliteTraits, key, stored, facts))
  return { ...readUser(connection, columns), drift, snapshots: stored.snapshots.length }
}

/**
 * Blocks are not changed: they still count the leaderboard entries as these were before the damage, and as they are
 * after the repair.
 */
export function repairUser(connection: Connection, key: UserKey, facts: UserFacts | null, version: number): boolean {
  const found = auditAtOnce(connection, key, facts)
  if (found.version !== version) return false
  const columns = toUserColumns(key)
  const expected = atOnce(toUserRows(sqliteTraits, key, facts))
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
