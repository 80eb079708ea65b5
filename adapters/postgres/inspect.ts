import { compiler, type SqlTraits } from '../../src/sql/database.ts'
import {
  type Examination,
  type Findings,
  pendingMigrations,
  type RoleExamination,
  readContents,
} from '../../src/sql/migrations.ts'
import { runSteps } from '../../src/storage/steps.ts'
import { addressOf, openPool } from './driver.ts'
import { checkSchema, readApplied } from './migrate.ts'
import { createRunner, type Reader, type Runner } from './runner.ts'
import { poolSessions, withSettings } from './session.ts'
import { quoteIdentifier } from './sql-text.ts'
import { readOn } from './statements.ts'
import { MISSING, NOW } from './table-check.ts'
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
      : await runSteps(readContents({ read: (parts) => readOn(runner.value, compiler(traits), parts) }))
  return { exists, applied, pending, contents }
}

const FIND_SCHEMA = 'select 1 as found from pg_namespace where nspname = $1'

/**
 * Rights that the role lacks to record and to read. It only needs `select` for the tables that others may write for it:
 * `migrations`, `api_keys`, and `games`, in which each process notes that its game is in use.
 */
const FIND_MISSING = `${MISSING} order by what`

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
