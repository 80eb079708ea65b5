import { GamificationError } from '../../src/errors.ts'
import type { Instant } from '../../src/rules/calendar.ts'
import { runSteps } from '../../src/storage/steps.ts'
import { compiler, type SqlTraits } from '../sql/database.ts'
import {
  type Examination,
  type Findings,
  pendingMigrations,
  type RoleExamination,
  readContents,
  requireMigrated,
  requireNames,
} from '../sql/migrations.ts'
import { addressOf, openPool } from './driver.ts'
import { checkSchema, readApplied } from './migrate.ts'
import { createRunner, type Reader, type Runner } from './runner.ts'
import { createdNames } from './schema.ts'
import { poolSessions, type Session, withSettings } from './session.ts'
import { databaseOn } from './sql-database.ts'
import { quoteIdentifier } from './sql-text.ts'
import { postgresTraits } from './traits.ts'

const DEADLINE_MS = 10_000

/** Reports the content of a schema. Writes nothing. Throws in the cases in which `postgres()` would be unusable. */
export async function inspectPostgres(url: string, schema: string): Promise<Findings> {
  const traits = postgresTraits(checkSchema(schema))
  return withRunner(url, (runner) => read(runner, traits, schema))
}

async function withRunner<T>(url: string, work: (runner: Runner) => Promise<T>): Promise<T> {
  const sessions = withSettings(poolSessions(() => openPool(url, DEADLINE_MS), true, addressOf(url)))
  try {
    return await work(createRunner(sessions, DEADLINE_MS))
  } finally {
    await sessions.close()
  }
}

async function read(runner: Runner, traits: SqlTraits, schema: string): Promise<Findings> {
  const exists = (await runner.rows(FIND_SCHEMA, [schema])).length > 0
  const applied = await readApplied(runner.rows, traits, schema)
  const pending = pendingMigrations(traits, applied).map(({ name }) => name)
  const contents =
    applied.length === 0
      ? null
      : await runSteps(readContents(databaseOn(runner, { schema, compile: compiler(traits) }).together))
  return { exists, applied, pending, contents }
}

const FIND_SCHEMA = 'select 1 as found from pg_namespace where nspname = $1'

interface Answer {
  readonly role: string
  readonly standby: boolean
  readonly readonly: boolean
  /** How many rights the role lacks in the schema, and the first of them. */
  readonly count: number
  readonly first: string | null
  /** Objects that the migrations created and that are missing, or `null` if none is missing. */
  readonly lacking: readonly string[] | null
}

/** Looks at the tables of one storage. */
export interface TableCheck {
  /** As `Storage.checkTables`. Once the tables are this code's, a newer laurels may change them. */
  checkTables(query: Session['query']): Promise<{ readonly now: Instant }>
  /** As `Storage.checkWritable`. */
  checkWritable(reader: Reader): Promise<{ readonly now: Instant }>
}

export function createTableCheck(traits: SqlTraits, schema: string): TableCheck {
  const text = `select ${NOW} as now, (select json_agg(m)::text from ${quoteIdentifier(schema)}.migrations m) as applied`
  let isMigrated = false
  const checkTables: TableCheck['checkTables'] = async (query) => {
    const [row] = (await query(text, [])) as readonly { readonly now: Instant; readonly applied: string | null }[]
    if (!isMigrated) requireMigrated(traits, JSON.parse(row?.applied ?? '[]'), 'The database')
    isMigrated = true
    return { now: Number(row?.now) }
  }
  return {
    checkTables,
    checkWritable: async (reader) => {
      const lacking = await findLacking(reader, schema)
      const answer = await checkTables(reader.rows)
      requireNames(lacking, `The schema ${schema}`)
      return answer
    },
  }
}

/** Proves without a write that the connection may write. Returns the names of `createdNames` that are not there. */
async function findLacking(reader: Reader, schema: string): Promise<readonly string[]> {
  const [answer] = await reader.rows<Answer>(ASK, [schema, JSON.stringify(createdNames())])
  if (answer === undefined) throw new GamificationError('internal', 'Postgres answered no row.')
  const { role, standby, readonly, count, first, lacking } = answer
  if (standby || readonly) {
    const why = standby ? 'it is a standby' : 'its transactions are read-only'
    throw new GamificationError('unavailable', `Postgres takes no writes: ${why}. Connect to the primary.`)
  }
  if (first !== null) {
    const more = count > 1 ? ` and ${count - 1} more rights` : ''
    const message = `The Postgres role ${role} lacks ${first}${more}. Grant them: npx laurels doctor prints the statements.`
    throw new GamificationError('storage_unusable', message)
  }
  return lacking ?? []
}

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::double precision'

const MISSING = `select privilege || ' on ' || c.relname as what
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
      where n.nspname = $1 and c.relkind = 'r'
        and case when c.relname = 'games' and privilege = 'update' then not has_any_column_privilege(c.oid, privilege)
          else not has_table_privilege(c.oid, privilege)
            and (privilege = 'select' or c.relname not in ('migrations', 'games', 'api_keys')) end
    union all select 'execute on ' || p.proname
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and not has_function_privilege(p.oid, 'execute')`

/**
 * Rights that the role lacks to record and to read. It only needs `select` for the tables that others may write for it:
 * `migrations`, `api_keys`, and `games`, in which each process notes that its game is in use.
 */
const FIND_MISSING = `${MISSING} order by what`

const ASK = `select current_user::text as role,
      pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly,
      count(*)::integer as count, min(what) as first,
      (select json_agg(e.name order by e.name) from json_array_elements_text($2::text::json) as e(name)
        where e.name not in (
          select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1
          union all select c.relname || '.' || a.attname from pg_attribute a
            join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and not a.attisdropped
          union all select p.proname::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = $1)) as lacking
    from (${MISSING}) missing`

/**
 * Reports the server, and the rights of the role in the schema. Reads only catalogues, so it works without any right on
 * the tables. `now` is the clock of this process.
 */
export function examinePostgres(url: string, schema: string, now: () => number): Promise<Examination> {
  return withRunner(url, async (reader) => {
    const [role] = await reader.rows<RoleRow>(FIND_ROLE, [checkSchema(schema)])
    // The connection is there already, so that the time to make it is not counted.
    const before = now()
    const [clock] = await reader.rows<{ readonly now: number }>(READ_CLOCK, [])
    const after = now()
    return {
      driver: `pg ${await versionOfPg()}`,
      server: `Postgres ${role?.version ?? ''}`,
      clock: clock === undefined ? null : { server: clock.now, before, after },
      role: role === undefined ? null : await examineRole(reader, schema, role),
    }
  })
}

// The `catch` makes bundlers leave the import alone; otherwise they would stop if pg is not installed.
async function versionOfPg(): Promise<string> {
  const manifest = await import('pg/package.json', { with: { type: 'json' } }).catch((error: unknown) => {
    throw error
  })
  return manifest.default.version
}

interface RoleRow {
  readonly version: string
  readonly name: string
  readonly superuser: boolean
  /** `null` if there is no such schema. */
  readonly usable: boolean | null
}

async function examineRole(reader: Reader, schema: string, role: RoleRow): Promise<RoleExamination> {
  const { name, superuser: isSuperuser, usable } = role
  const lacks = await reader.rows<{ readonly what: string }>(FIND_MISSING, [schema])
  const missing = [...(usable === false ? [`usage on the schema ${schema}`] : []), ...lacks.map(({ what }) => what)]
  return { name, isSuperuser, missing, grants: missing.length === 0 ? [] : grantsFor(schema, name) }
}

/** All that laurels needs, so that a role gets them at once. */
function grantsFor(schema: string, role: string): readonly string[] {
  const [of, to] = [quoteIdentifier(schema), quoteIdentifier(role)]
  return [
    `grant usage on schema ${of} to ${to}`,
    `grant select, insert, update, delete on all tables in schema ${of} to ${to}`,
    `grant execute on all functions in schema ${of} to ${to}`,
  ]
}

const FIND_ROLE = `select current_setting('server_version') as version, current_user::text as name,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = $1) as usable`

const READ_CLOCK = `select ${NOW} as now`
