import { type Compilable, sql } from 'kysely'
import type { SqlTraits } from './traits.ts'

/** The migration `0010-entry-ids`. Released: not to be changed. */
export function entryIdsMigration(traits: SqlTraits): readonly Compilable[] {
  return [idsOfTheirOwn(traits), logByEntry(traits)]
}

/** Lines that share an id with an earlier one get that id with their number, `-2` and so on: each is one of its own then. */
function idsOfTheirOwn({ kysely }: SqlTraits): Compilable {
  const log = sql.table('laurels.log')
  const query = sql`update ${log} as l set entry_id = l.entry_id || '-' || d.place
    from (
      select tenant_id, user_id, at, seq,
          row_number() over (partition by tenant_id, entry_id order by recorded_at, seq, user_id, at) as place
        from ${log}
    ) as d
    where d.place > 1 and d.tenant_id = l.tenant_id and d.user_id = l.user_id and d.at = l.at and d.seq = l.seq`
  return { compile: () => query.compile(kysely) }
}

/** No call is recorded twice, whatever is sent twice; and an event is found by its id alone. */
function logByEntry({ kysely }: SqlTraits): Compilable {
  return kysely.schema.createIndex('laurels_log_by_entry').on('log').columns(['tenant_id', 'entry_id']).unique()
}
