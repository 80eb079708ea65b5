import type { Examination, RoleExamination } from '../sql/inspection.ts'
import type { Statement } from '../sql/statement.ts'
import { addressOf } from './address.ts'
import { findMissing } from './check-writable.ts'
import { openPool } from './driver.ts'
import { checkSchema } from './migrate.ts'
import { quote } from './quote.ts'
import { createRunner, type Reader } from './runner.ts'
import { poolSessions } from './session.ts'
import { withSettings } from './settled-sessions.ts'

const DEADLINE_MS = 10_000

/**
 * What the server is, and what the role may do in the schema. Reads catalogues alone, so it tells what is missing where
 * nothing else may be read. `now` is the clock of this process.
 */
export async function examine(url: string, schema: string, now: () => number): Promise<Examination> {
  const sessions = withSettings(poolSessions(() => openPool(url, DEADLINE_MS), true, addressOf(url)))
  try {
    const reader = createRunner(sessions, DEADLINE_MS)
    const [role] = await reader.all(findRole, { schema: checkSchema(schema) })
    // The connection is there already, so that the time to make it is not counted.
    const before = now()
    const [clock] = await reader.all(readClock, {})
    const after = now()
    return {
      driver: `pg ${await versionOfPg()}`,
      server: `Postgres ${role?.version ?? ''}`,
      clock: clock === undefined ? null : { server: clock.now, before, after },
      role: role === undefined ? null : await examineRole(reader, schema, role),
    }
  } finally {
    await sessions.close()
  }
}

async function versionOfPg(): Promise<string> {
  return (await import('pg/package.json', { with: { type: 'json' } })).default.version
}

interface RoleRow {
  readonly version: string
  readonly name: string
  readonly superuser: boolean
  /** null: there is no such schema. */
  readonly usable: boolean | null
}

async function examineRole(reader: Reader, schema: string, role: RoleRow): Promise<RoleExamination> {
  const { name, superuser: isSuperuser, usable } = role
  const lacks = await reader.all(findMissing, { schema })
  const missing = [...(usable === false ? [`usage on the schema ${schema}`] : []), ...lacks.map(({ what }) => what)]
  return { name, isSuperuser, missing, grants: missing.length === 0 ? [] : grantsFor(schema, name) }
}

/** All that laurels needs, so that a role gets them at once. */
function grantsFor(schema: string, role: string): readonly string[] {
  const [of, to] = [quote(schema), quote(role)]
  return [
    `grant usage on schema ${of} to ${to}`,
    `grant select, insert, update, delete on all tables in schema ${of} to ${to}`,
    `grant execute on all functions in schema ${of} to ${to}`,
  ]
}

const findRole: Statement<{ readonly schema: string }, RoleRow> = {
  text: `select current_setting('server_version') as version, current_user::text as name,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = $1) as usable`,
  toValues: ({ schema }) => [schema],
}

const readClock: Statement<Readonly<Record<string, never>>, { readonly now: number }> = {
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now',
  toValues: () => [],
}
