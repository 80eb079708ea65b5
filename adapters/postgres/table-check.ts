import { GamificationError } from '../../src/errors.ts'
import type { Instant } from '../../src/rules/calendar.ts'
import type { SqlTraits } from '../../src/sql/database.ts'
import { requireMigrated, requireNames } from '../../src/sql/migrations.ts'
import { readPartitions, requirePartitions } from './migrate.ts'
import type { Reader } from './runner.ts'
import { createdNames } from './schema.ts'
import type { Session } from './session.ts'
import { quoteIdentifier } from './sql-text.ts'

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

export function createTableCheck(traits: SqlTraits, schema: string, partitions: number | undefined): TableCheck {
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
      const found = await readPartitions(reader.rows, schema)
      const lacking = await findLacking(reader, schema, found)
      const answer = await checkTables(reader.rows)
      requirePartitions(schema, partitions, found)
      requireNames(lacking, `The schema ${schema}`)
      return answer
    },
  }
}

/** Proves without a write that the connection may write. Returns the names of `createdNames` that are not there. */
async function findLacking(reader: Reader, schema: string, partitions: number): Promise<readonly string[]> {
  const [answer] = await reader.rows<Answer>(ASK, [schema, JSON.stringify(createdNames(partitions))])
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

export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::double precision'

export const MISSING = `select privilege || ' on ' || c.relname as what
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
      where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
        and case when c.relname = 'games' and privilege = 'update' then not has_any_column_privilege(c.oid, privilege)
          else not has_table_privilege(c.oid, privilege)
            and (privilege = 'select' or c.relname not in ('migrations', 'games', 'api_keys')) end
    union all select 'execute on ' || p.proname
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and not has_function_privilege(p.oid, 'execute')`

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
