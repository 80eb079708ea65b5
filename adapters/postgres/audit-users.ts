import type { UserKey } from '../../src/storage.ts'
import type { Drift, UserAudit, UserFacts } from '../../src/storage-audit.ts'
import { auditQueries } from '../sql/audit-queries.ts'
import { compareWithFacts, toUnseenVersion } from '../sql/audit-rows.ts'
import { DERIVED_TABLES, type DerivedTable } from '../sql/derived-tables.ts'
import { toExpectedRows, type UserRows } from '../sql/expected-rows.ts'
import type { SqlTraits } from '../sql/traits.ts'
import { userLock } from './functions.ts'
import { quote } from './quote.ts'
import type { Runner } from './runner.ts'
import type { Session } from './session.ts'

export interface UserAudits {
  audit(key: UserKey, facts: UserFacts | null): Promise<UserAudit>
  repair(key: UserKey, facts: UserFacts | null, version: number): Promise<boolean>
}

interface StoredUser {
  readonly version: number | null
  readonly lines: number
  readonly rows: UserRows
}

export function userAudits(runner: Runner, traits: SqlTraits, schema: string): UserAudits {
  const read = readText(traits)
  const compare = (key: UserKey, facts: UserFacts | null, answer: string): UserAudit => {
    const { version, lines, rows } = JSON.parse(answer) as StoredUser
    return { version: version ?? 0, lines, drift: compareWithFacts(traits, key, rows, facts) }
  }

  return {
    audit: async (key, facts) => compare(key, facts, await runner.value<string>(read, [key.tenant, key.user])),
    repair: (key, facts, version) =>
      runner.transaction(async (session) => {
        await lockUser(session, schema, key)
        const [row] = await session.query(read, [key.tenant, key.user])
        const found = compare(key, facts, (row as { readonly value: string }).value)
        if (found.version !== version) return false
        await write(session, schema, key, found.drift, toExpectedRows(traits, key, facts))
        return true
      }),
  }
}

/** One statement, so that all of it is as of one moment; as JSON, so that numbers of 64 bits come as numbers. */
function readText(traits: SqlTraits): string {
  const { version, lines, derived } = auditQueries(traits)
  const rows = derived.map(({ table, read }) => {
    return `'${table.name}', (select coalesce(json_agg(r), '[]') from (${read.text}) r)`
  })
  return `select json_build_object('version', (${version.text}), 'lines', (${lines.text}),
    'rows', json_build_object(${rows.join(', ')}))::text as value`
}

/** In the order of all who write: whoever makes the user first, then the user's row. */
async function lockUser(session: Session, schema: string, { tenant, user }: UserKey): Promise<void> {
  await session.query(`set local lock_timeout = '5s'`, [])
  await session.query(`select pg_advisory_xact_lock(${userLock(schema, '$1::text', '$2::text')})`, [tenant, user])
  const lock = `select 1 from ${quote(schema)}.users where tenant_id = $1 and user_id = $2 for no key update`
  await session.query(lock, [tenant, user])
}

/** Entries of leaderboards are not counted in blocks anew: these count them as they were, and are to be. */
async function write(
  session: Session,
  schema: string,
  { tenant, user }: UserKey,
  drift: readonly Drift[],
  expected: UserRows,
): Promise<void> {
  for (const table of DERIVED_TABLES) {
    const rows = expected[table.name]
    const json = JSON.stringify(rows)
    if (table.name === 'users' && rows.length > 0) {
      await session.query(putUserText(schema, table), [json, toUnseenVersion()])
    } else if (drift.some((row) => row.table === table.name)) {
      await session.query(removeText(schema, table), [tenant, user, json])
      await session.query(insertText(schema, table), [json])
    }
  }
}

/** The columns are given what types the table has. */
function rowsOf(schema: string, table: DerivedTable, json: string): string {
  return `json_populate_recordset(null::${quote(schema)}.${table.name}, ${json}::json) e`
}

/** Whatever is not exactly a row that is expected. */
function removeText(schema: string, table: DerivedTable): string {
  const { name, key, values } = table
  const of = (alias: string): string => `(${values.map((column) => `${alias}.${column}`).join(', ')})`
  const same = key.map((column) => `e.${column} = t.${column}`)
  if (values.length > 0) same.push(`${of('e')} is not distinct from ${of('t')}`)
  return `delete from ${quote(schema)}.${name} t where t.tenant_id = $1 and t.user_id = $2
    and not exists (select from ${rowsOf(schema, table, '$3')} where ${same.join(' and ')})`
}

function insertText(schema: string, table: DerivedTable): string {
  const { name, columns } = table
  return `insert into ${quote(schema)}.${name} (${columns.join(', ')})
    select ${columns.map((column) => `e.${column}`).join(', ')} from ${rowsOf(schema, table, '$1')} on conflict do nothing`
}

function putUserText(schema: string, table: DerivedTable): string {
  const { name, key, values, columns } = table
  const changes = values.map((column) => `${column} = excluded.${column}`)
  return `insert into ${quote(schema)}.${name} as u (${columns.join(', ')}, version)
    select ${columns.map((column) => `e.${column}`).join(', ')}, $2::bigint from ${rowsOf(schema, table, '$1')}
    on conflict (${key.join(', ')}) do update set ${changes.join(', ')}, version = u.version + 1`
}
