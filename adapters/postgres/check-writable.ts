import { GamificationError } from '../../src/errors.ts'
import type { Instant } from '../../src/rules/calendar.ts'
import type { Statement } from '../sql/statement.ts'
import type { Reader } from './runner.ts'

interface Answer {
  readonly now: Instant
  readonly role: string
  readonly standby: boolean
  readonly readonly: boolean
  /** How many rights the role lacks in the schema, and the first of them. */
  readonly count: number
  readonly first: string | null
}

/** Proves without a write that the connection may write. Returns the time by the server's clock. */
export async function checkWritable(reader: Reader, schema: string): Promise<{ readonly now: Instant }> {
  const [answer] = await reader.all(ask, { schema })
  if (answer === undefined) throw new GamificationError('internal', 'Postgres answered no row.')
  const { now, role, count, first } = answer
  const why = whyReadOnly(answer)
  if (why !== null) {
    throw new GamificationError('unavailable', `Postgres takes no writes: ${why}. Connect to the primary.`)
  }
  if (first !== null) {
    const more = count > 1 ? ` and ${count - 1} more rights` : ''
    const message = `The Postgres role ${role} lacks ${first}${more}. Grant them: npx laurels doctor prints the statements.`
    throw new GamificationError('storage_unusable', message)
  }
  return { now }
}

/** `null`: transactions may write. */
function whyReadOnly({ standby, readonly }: Pick<Answer, 'standby' | 'readonly'>): string | null {
  if (standby) return 'it is a standby'
  return readonly ? 'its transactions are read-only' : null
}

const MISSING = `select privilege || ' on ' || c.relname as what
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
      where n.nspname = $1 and not has_table_privilege(c.oid, privilege)
        and c.relkind = 'r'
        and (c.relname <> 'migrations' or privilege = 'select')
    union all select 'execute on ' || p.proname
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = $1 and not has_function_privilege(p.oid, 'execute')`

/**
 * What the role lacks, for the tables and for the views `log` and `awards`. For the table `migrations` it only needs
 * `select`: nothing but `migrate()` writes it.
 */
export const findMissing: Statement<{ readonly schema: string }, { readonly what: string }> = {
  text: `${MISSING} order by what`,
  toValues: ({ schema }) => [schema],
}

const ask: Statement<{ readonly schema: string }, Answer> = {
  text: `select (extract(epoch from clock_timestamp()) * 1000)::double precision as now, current_user::text as role,
      pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly,
      count(*)::integer as count, min(what) as first
    from (${MISSING}) missing`,
  toValues: ({ schema }) => [schema],
}
