import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'

/*
 * Schemas with all tables and no rows, kept from one test of this worker to the next. A schema in which a test changed
 * more than rows (a constraint, a function, a right) is dropped when it comes back.
 */

const REFERENCE = `laurels_reference_${process.pid}`
const MOST_FREE = 40
const free: string[] = []
/** The marks of schemas that were found sound, by their names. */
const marks = new Map<string, string>()
const deletions = new Map<string, string>()
let client: pg.Client | null = null
let sound: string | null = null

/** True if schemas are handed from one test to the next. */
let isReusing = true

export function takeSchema(): string | undefined {
  return free.pop()
}

/**
 * Call it after a test that failed or timed out: its work may continue in its schemas, and in schemas that it takes
 * later.
 */
export function stopReuse(): void {
  isReusing = false
  free.length = 0
}

/** Takes back a schema that no connection writes to. */
export async function releaseSchema(url: string, schema: string): Promise<void> {
  if (free.includes(schema)) throw new Error(`The schema ${schema} was given back twice: two tests would share it.`)
  const database = await connect(url)
  if (!isReusing || !(await isSound(database, url, schema))) {
    marks.delete(schema)
    await database.query(`drop schema if exists "${schema}" cascade`)
    return
  }
  // The soak goes through thousands within one test.
  if (free.length >= MOST_FREE) {
    marks.delete(schema)
    deletions.delete(schema)
    await database.query(`drop schema "${schema}" cascade`)
    return
  }
  try {
    await database.query(deletions.get(schema) ?? (await deletionOf(database, schema)))
    free.push(schema)
  } catch {
    // A test has left a transaction open: the schema is of no use to others.
    marks.delete(schema)
  }
}

/** The long look is for schemas that have changed since the last one, as the catalogue's row versions tell. */
async function isSound(database: pg.Client, url: string, schema: string): Promise<boolean> {
  const mark = await markOf(database, schema)
  if (mark !== null && mark === marks.get(schema)) return true
  sound ??= await makeReference(database, url)
  if ((await shapeOf(database, schema)) !== sound) return false
  if (mark !== null) marks.set(schema, mark)
  return true
}

async function markOf(database: pg.Client, schema: string): Promise<string | null> {
  const { rows } = await database.query<{ mark: string | null }>({ name: 'mark', text: MARK, values: [schema] })
  const mark = rows[0]?.mark ?? null
  return mark === null ? null : `${mark} ${await appliedIn(database, schema)}`
}

/** The names of the migrations, or null if `migrate()` was never called. */
async function appliedIn(database: pg.Client, schema: string): Promise<string | null> {
  try {
    const { rows } = await database.query<{ names: string }>(
      `select string_agg(name, ' ' order by name) as names from "${schema}".migrations`,
    )
    return rows[0]?.names ?? null
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42P01') return null
    throw error
  }
}

const sumOf = (catalogue: string, where: string): string =>
  `(select concat(count(*), '-', sum(xmin::text::bigint)) from ${catalogue} where ${where})`

const MARK = `
with ns as materialized (select oid, xmin from pg_namespace where nspname = $1),
  of as materialized (select c.oid, c.xmin from pg_class c where c.relnamespace = (select oid from ns))
select concat_ws(' ', ns.xmin, (select concat(count(*), '-', sum(xmin::text::bigint)) from of),
  ${sumOf('pg_attribute', 'attrelid = any(array(select oid from of))')},
  ${sumOf('pg_constraint', 'conrelid = any(array(select oid from of))')},
  ${sumOf('pg_trigger', 'tgrelid = any(array(select oid from of))')},
  ${sumOf('pg_attrdef', 'adrelid = any(array(select oid from of))')},
  ${sumOf('pg_rewrite', 'ev_class = any(array(select oid from of))')},
  ${sumOf('pg_proc', 'pronamespace = ns.oid')}) as mark
from ns`

/** Between files, so that a server that is stopped meanwhile ends no test. */
export async function closeReleases(): Promise<void> {
  const open = client
  client = null
  await open?.end()
}

async function connect(url: string): Promise<pg.Client> {
  if (client !== null) return client
  const fresh = new pg.Client({ connectionString: url, lock_timeout: 2_000 })
  fresh.on('error', () => {
    client = null
  })
  await fresh.connect()
  client = fresh
  return fresh
}

async function makeReference(database: pg.Client, url: string): Promise<string> {
  await database.query(`drop schema if exists "${REFERENCE}" cascade`)
  const storage = postgres(url, { schema: REFERENCE })
  await storage.migrate()
  await storage.close()
  const shape = await shapeOf(database, REFERENCE)
  await database.query(`drop schema "${REFERENCE}" cascade`)
  if (shape === null) throw new Error('migrate() has made no schema')
  return shape
}

/**
 * Everything in a schema but its rows, without its name, or `null` if the schema is not there, or was never migrated.
 */
async function shapeOf(database: pg.Client, schema: string): Promise<string | null> {
  const applied = await appliedIn(database, schema)
  if (applied === null) return null
  const { rows } = await database.query<{ shape: string }>({ name: 'shape', text: SHAPE, values: [schema] })
  return `${rows[0]?.shape} ${applied}`
}

const SHAPE = `
with ns as (select oid, nspacl, nspowner from pg_namespace where nspname = $1),
  of as (select c.* from pg_class c join ns on c.relnamespace = ns.oid)
select md5(string_agg(line, e'\\n' order by line)) as shape from (
  select concat_ws(' ', 'schema', nspacl, nspowner) as line from ns
  union all select concat_ws(' ', 'class', relname, relkind, relacl, relowner, reloptions, relpersistence, relrowsecurity)
    from of
  union all select concat_ws(' ', 'column', of.relname, a.attnum, a.attname, a.atttypid, a.attnotnull, a.attcollation, a.attacl)
    from pg_attribute a join of on a.attrelid = of.oid where a.attnum > 0
  union all select concat_ws(' ', 'default', of.relname, d.adnum, pg_get_expr(d.adbin, d.adrelid))
    from pg_attrdef d join of on d.adrelid = of.oid
  union all select concat_ws(' ', 'constraint', of.relname, k.conname, k.contype, k.conkey, k.convalidated,
      pg_get_expr(k.conbin, k.conrelid))
    from pg_constraint k join of on k.conrelid = of.oid
  union all select concat_ws(' ', 'index', of.relname, i.indkey, i.indisunique, i.indisvalid, pg_get_expr(i.indpred, i.indrelid))
    from pg_index i join of on i.indexrelid = of.oid
  union all select concat_ws(' ', 'trigger', of.relname, t.tgname, t.tgenabled)
    from pg_trigger t join of on t.tgrelid = of.oid where not t.tgisinternal
  union all select concat_ws(' ', 'rule', of.relname, r.rulename) from pg_rewrite r join of on r.ev_class = of.oid
  union all select concat_ws(' ', 'function', p.proname,
      replace(pg_get_function_identity_arguments(p.oid), $1, ''), p.proacl, p.proconfig,
      md5(replace(p.prosrc, $1, '')))
    from pg_proc p join ns on p.pronamespace = ns.oid
) lines`

async function deletionOf(database: pg.Client, schema: string): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = $1 and tablename <> 'migrations'`,
    [schema],
  )
  const text = rows.map(({ name }) => `delete from "${schema}"."${name}"`).join(';')
  deletions.set(schema, text)
  return text
}
