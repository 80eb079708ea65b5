import type { Drift, DriftRow, UserAudit, UserFacts } from '../../src/storage-audit.ts'
import type { Told } from '../../src/storage-outbox.ts'
import type { UserKey } from '../../src/storage-rows.ts'
import { auditQueries } from '../sql/audit-queries.ts'
import { compareWithFacts, toUserRows, type UserRows } from '../sql/audit-rows.ts'
import { DERIVED_TABLES, type DerivedTable } from '../sql/derived-tables.ts'
import { type ToldRow, toTold, toToldRow } from '../sql/told.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { toUserColumns, toVersion } from '../sql/user-rows.ts'
import { userQueries } from '../sql/users.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import type { Session } from './session.ts'
import { lockUser } from './user-lock.ts'

export interface UserAudits {
  audit(key: UserKey, facts: UserFacts | null): Promise<UserAudit>
  repair(key: UserKey, facts: UserFacts | null, version: number): Promise<boolean>
}

interface StoredUser {
  readonly version: number | null
  readonly lines: number
  readonly rows: UserRows
  readonly told: ToldRow | null
}

export function userAudits(runner: Runner, traits: SqlTraits, schema: string): UserAudits {
  const read = readText(traits)
  const compare = async (key: UserKey, facts: UserFacts | null, answer: string): Promise<UserAudit> => {
    const { version, lines, rows, told } = JSON.parse(answer) as StoredUser
    return {
      version: version ?? 0,
      lines,
      drift: compareWithFacts(traits, key, rows, facts),
      snapshots: rows.snapshots.length,
      told: told && toTold(told),
    }
  }

  return {
    audit: async (key, facts) => compare(key, facts, await runner.value<string>(read, [key.tenant, key.user])),
    repair: (key, facts, version) =>
      runner.transaction(async (session) => {
        await session.query(`set local lock_timeout = '5s'`, [])
        await lockUser(session, schema, key, 'no key update')
        const [row] = await session.query(read, [key.tenant, key.user])
        const found = await compare(key, facts, (row as { readonly value: string }).value)
        if (found.version !== version) return false
        await write(session, schema, key, found.drift, toUserRows(traits, key, facts))
        if (facts?.told !== undefined) await tell(session, traits, key, facts.told)
        return true
      }),
  }
}

async function tell(session: Session, traits: SqlTraits, key: UserKey, told: Told | null): Promise<void> {
  const { text, toValues } = userQueries(traits).tell
  await session.query(text, toValues({ ...toUserColumns(key), ...toToldRow(told) }))
}

/** One statement, so that all of it is as of one moment; as JSON, so that numbers of 64 bits come as numbers. */
function readText(traits: SqlTraits): string {
  const { version, lines, told, derived } = auditQueries(traits)
  const rows = derived.map(({ table, read }) => {
    return `'${table.name}', (select coalesce(json_agg(r), '[]') from (${read.text}) r)`
  })
  return `select json_build_object('version', (${version.text}), 'lines', (${lines.text}),
    'rows', json_build_object(${rows.join(', ')}), 'told', (select row_to_json(t) from (${told.text}) t))::text as value`
}

/**
 * Blocks are not changed: they still count the leaderboard entries as these were before the damage, and as they are
 * after the repair.
 */
async function write(
  session: Session,
  schema: string,
  key: UserKey,
  drift: readonly Drift[],
  expected: UserRows,
): Promise<void> {
  for (const table of DERIVED_TABLES) {
    const rows = expected[table.name]
    const ofTable = drift.filter((row) => row.table === table.name)
    if (table.name === 'users' && rows.length > 0) {
      await session.query(putUserText(schema, table), [JSON.stringify(rows), toVersion()])
    } else if (table.name === 'snapshots') {
      await session.query(removeAllText(schema, table), [key.tenant, key.user])
      await session.query(insertText(schema, table), [JSON.stringify(rows)])
    } else if (ofTable.length > 0) {
      await writeTable(session, schema, key, table, ofTable, rows)
    }
  }
}

async function writeTable(
  session: Session,
  schema: string,
  { tenant, user }: UserKey,
  table: DerivedTable,
  drift: readonly Drift[],
  expected: readonly DriftRow[],
): Promise<void> {
  const wrong = drift.filter(({ stored }) => stored !== null).map(({ key }) => key)
  const [removed] = await session.query(removeText(schema, table), [JSON.stringify(wrong)])
  const isRemoved = (removed as { readonly value: string }).value === String(wrong.length)
  // A whole number in a key may be too large to be read exactly, so that the key does not find its row.
  if (!isRemoved) await session.query(removeAllText(schema, table), [tenant, user])
  const rows = isRemoved ? drift.map((row) => row.expected).filter((row) => row !== null) : expected
  await session.query(insertText(schema, table), [JSON.stringify(rows)])
}

/** The first parameter as rows `e`, as the table or its view shows them. */
function rowsOf(schema: string, { shown }: DerivedTable): string {
  return `json_populate_recordset(null::${quote(schema)}.${shown}, $1::text::json) e`
}

function removeText(schema: string, table: DerivedTable): string {
  const same = table.key.map((column) => `t.${column} = e.${column}`)
  return `with removed as (
      delete from ${quote(schema)}.${table.name} t using ${rowsOf(schema, table)} where ${same.join(' and ')} returning 1
    ) select count(*)::text as value from removed`
}

function removeAllText(schema: string, { name }: DerivedTable): string {
  return `delete from ${quote(schema)}.${name} where tenant_id = $1 and user_id = $2`
}

function insertText(schema: string, table: DerivedTable): string {
  const { name, bytes, columns } = table
  const toValue = (column: string): string =>
    bytes.includes(column) ? `${quote(schema)}.id_bytes(e.${column})` : `e.${column}`
  return `insert into ${quote(schema)}.${name} (${columns.join(', ')})
    select ${columns.map(toValue).join(', ')} from ${rowsOf(schema, table)}`
}

function putUserText(schema: string, table: DerivedTable): string {
  const { name, key, values, columns } = table
  const changes = values.map((column) => `${column} = excluded.${column}`)
  return `insert into ${quote(schema)}.${name} as u (${columns.join(', ')}, version)
    select ${columns.map((column) => `e.${column}`).join(', ')}, $2::bigint from ${rowsOf(schema, table)}
    on conflict (${key.join(', ')}) do update set ${changes.join(', ')}, version = excluded.version`
}
