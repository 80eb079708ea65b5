import type { StorageAudit, UserFacts } from '../../src/storage/audit.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import {
  type AuditedTable,
  type AuditQueries,
  auditQueries,
  compareCounters,
  compareWithFacts,
  type StoredUser,
  toRepairedRows,
} from '../sql/audit.ts'
import type { CallGate, SqlTraits } from '../sql/database.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import { recount } from './counters.ts'
import { blockAudits } from './leaderboards.ts'
import { lockUser } from './remove-user.ts'
import type { Runner } from './runner.ts'
import type { Session } from './session.ts'
import { quote } from './sql-text.ts'

/** Leaves most connections of a pool to events. */
const AT_ONCE = 4
/** Counting reads rows of all users, which may take longer than a call may. */
const COUNTING_MS = 600_000

/** `written` is called after a user may have been written other than by a commit. */
export function audits(
  enter: CallGate['enter'],
  runner: Runner,
  traits: SqlTraits,
  schema: string,
  written: (key: UserKey) => void,
): Omit<StorageAudit, 'listOwners' | 'listBlockGroups'> {
  const queries = auditQueries(traits)
  const read = readText(queries)
  const blocks = blockAudits(runner, schema)
  const counting = runner.until(() => performance.now() + COUNTING_MS)

  const repair = async (session: Session, key: UserKey, facts: UserFacts | null, version: number): Promise<boolean> => {
    await session.query(`set local lock_timeout = '5s'`, [])
    await lockUser(session, schema, key, 'no key update')
    const [row] = await session.query(read, [key.tenant, key.user])
    const found = compareWithFacts(traits, key, JSON.parse((row as { readonly value: string }).value), facts)
    if (found.version !== version) return false
    const rows = toRepairedRows(traits, key, facts, found.notices)
    for (const { table, clear } of queries.tables) {
      await session.query(clear.text, clear.toValues(toUserColumns(key)))
      if (rows[table.name].length > 0) {
        await session.query(insertText(schema, table), [JSON.stringify(rows[table.name])])
      }
    }
    return true
  }

  return {
    auditsAtOnce: AT_ONCE,
    audit: (key, facts) =>
      enter(async () => {
        const stored: StoredUser = JSON.parse(await runner.value<string>(read, [key.tenant, key.user]))
        return compareWithFacts(traits, key, stored, facts)
      }),
    repair: (key, facts, version) =>
      enter(() => runner.transaction((session) => repair(session, key, facts, version)).finally(() => written(key))),
    auditCounters: () => enter(async () => compareCounters(await counting.all(queries.counters, {}))),
    repairCounters: () => enter(() => counting.transaction((session) => recount(session, schema, queries))),
    auditBlocks: (group) => enter(() => blocks.auditBlocks(group)),
    repairBlocks: (group) => enter(() => blocks.repairBlocks(group)),
  }
}

/** One statement, so that all of it is as of one moment; as JSON, so that numbers of 64 bits come as numbers. */
function readText({ lines, tables }: AuditQueries): string {
  const rows = tables.map(({ table, read }) => {
    return `'${table.name}', (select coalesce(json_agg(r), '[]') from (${read.text}) r)`
  })
  return `select json_build_object('lines', (${lines.text}), 'rows', json_build_object(${rows.join(', ')}))::text as value`
}

/** Inserts rows as the table or its view shows them, given as JSON. */
function insertText(schema: string, { name, shown, bytes, columns }: AuditedTable['table']): string {
  const toValue = (column: string): string =>
    bytes.includes(column) ? `${quote(schema)}.id_bytes(e.${column})` : `e.${column}`
  return `insert into ${quote(schema)}.${name} (${columns.join(', ')}) select ${columns.map(toValue).join(', ')}
    from json_populate_recordset(null::${quote(schema)}.${shown}, $1::text::json) e`
}
