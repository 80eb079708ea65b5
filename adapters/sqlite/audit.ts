import type { StorageAudit, UserFacts } from '../../src/storage/audit.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import {
  auditQueries,
  compareCounters,
  compareWithFacts,
  type StoredUser,
  toCounter,
  toRepairedRows,
  type UserRows,
} from '../sql/audit.ts'
import { toGroupColumns } from '../sql/leaderboard-blocks.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import type { Use, Write } from './database.ts'
import { auditBlocks, repairBlocks } from './leaderboard-blocks.ts'
import type { StateCache } from './state-cache.ts'
import { queries, sqliteTraits } from './traits.ts'

const { lines, tables, counters } = auditQueries(sqliteTraits)

export function audits(
  read: Use,
  write: Write,
  cache: StateCache,
): Omit<StorageAudit, 'listOwners' | 'listBlockGroups'> {
  /** The cache does not follow rows that somebody changed by hand. */
  const forget = (): void => cache.begin(null)
  return {
    auditsAtOnce: 1,
    audit: (key, facts) =>
      read((connection) => compareWithFacts(sqliteTraits, key, readStored(connection, key), facts)),
    repair: (key, facts, version) => write((connection) => repairUser(connection, key, facts, version), forget),
    auditCounters: () => read((connection) => compareCounters(connection.all(counters, {}))),
    repairCounters: () => write(recount),
    auditBlocks: (group) => read((connection) => auditBlocks(connection, toGroupColumns(group))),
    repairBlocks: (group) => write((connection) => repairBlocks(connection, toGroupColumns(group))),
  }
}

function readStored(connection: Connection, key: UserKey): StoredUser {
  const columns = toUserColumns(key)
  const rows = tables.map(({ table, read }) => [table.name, connection.all(read, columns)])
  return { lines: connection.get(lines, columns)?.lines ?? 0, rows: Object.fromEntries(rows) as UserRows }
}

function repairUser(connection: Connection, key: UserKey, facts: UserFacts | null, version: number): boolean {
  const found = compareWithFacts(sqliteTraits, key, readStored(connection, key), facts)
  if (found.version !== version) return false
  const rows = toRepairedRows(sqliteTraits, key, facts, found.notices)
  for (const { table, clear, insert } of tables) {
    connection.run(clear, toUserColumns(key))
    for (const row of rows[table.name]) connection.run(insert, row)
  }
  return true
}

function recount(connection: Connection): void {
  const counted = connection.all(counters, {}).filter(({ stored }) => !stored)
  connection.exec('delete from laurels_counters')
  for (const row of counted) connection.run(queries.counters.add, toCounter(row))
}
