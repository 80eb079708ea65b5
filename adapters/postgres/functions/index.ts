import { ROW_TABLES } from '../../../src/sql/derived-tables.ts'
import { BLOCK_ENTRIES, FEW_ENTRIES, MOST_ENTRIES } from '../../../src/sql/leaderboard-blocks.ts'
import { FIRST_POSITION } from '../../../src/sql/leaderboards.ts'
import { COLUMNS, TABLES } from '../../../src/sql/tables.ts'
import { FREQUENT_COLUMNS } from '../../../src/sql/user-rows.ts'
import { SLOTS } from '../counter-slots.ts'
import { FIRST_POSITION_TEXT, LAST_POSITION_TEXT } from '../leaderboards.ts'
import { inSchema, ofIndexedUser, toColumnType } from '../sql-text.ts'
import { TEXTS } from './texts.ts'

/** Creates the functions that the hot path calls. They hold no rule of the game. */
export function createFunctions(schema: string, partitions: number): readonly string[] {
  const ofUser = ofIndexedUser(partitions, ['r.tenant_id', 'r.user_id'], 'line.')
  return TEXTS.map((text) => text.replaceAll('{of indexed user}', ofUser))
    .flatMap((text) => text.split(/(?<=^\$laurels\$);$/m))
    .filter((text) => text.trim() !== '')
    .map((text) => inSchema(withMarks(text), schema))
}

/** Puts the columns of tables, and other constants of the code, in the place of their marks. */
function withMarks(text: string): string {
  return text.replaceAll(/\{([a-z ]+)\}/g, (found, mark: string) => MARKS[mark] ?? found)
}

/** The columns of a user's row that a save writes. */
const { notices_sent_until: _, next_notice_at: __, ...STATE } = COLUMNS.users

const MARKS: { readonly [mark: string]: string } = {
  /**
   * A function finds a few rows by an index, whatever it is given, so one generic plan serves all calls. A connection
   * keeps that plan for long, so it must use the indexes even if the tables were empty when it was made. With millions
   * of rows the planner would otherwise plan each call, compile plans or start workers, which takes longer than the rest.
   */
  settings: `
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0`,
  'block entries': String(BLOCK_ENTRIES),
  'most entries': String(MOST_ENTRIES),
  'few entries': String(FEW_ENTRIES),
  slots: String(SLOTS),
  'first value': String(FIRST_POSITION.minus_value),
  'first time': String(FIRST_POSITION.reached_at),
  'first position': FIRST_POSITION_TEXT,
  'last position': LAST_POSITION_TEXT,
  'columns of users': Object.keys(STATE).join(', '),
  'values of users': valuesOf(STATE),
  'assignments of users': assignments(Object.keys(STATE)),
  'assignments of frequent': assignments(FREQUENT_COLUMNS),
  'columns of log': Object.keys(COLUMNS.log).join(', '),
  'values of log': valuesOf(COLUMNS.log),
  'columns of awards': Object.keys(COLUMNS.awards).join(', '),
  'values of awards': valuesOf(COLUMNS.awards),
  removals: ROW_TABLES.map(({ name }) => removal(name)).join('\n    '),
  puts: ROW_TABLES.filter(({ name }) => name !== 'awards')
    .map(({ name }) => put(name))
    .join('\n  '),
}

/** The columns of a row `r` of a save, which has bytes as their hexadecimal digits. */
function valuesOf(columns: { readonly [column: string]: string }): string {
  const values = Object.entries(columns).map(([column, kind]) =>
    kind.startsWith('bytes') ? `decode(r.${column}, 'hex')` : `r.${column}`,
  )
  return values.join(', ')
}

function assignments(columns: readonly string[]): string {
  return columns.map((column) => `${column} = r.${column}`).join(', ')
}

type RowName = (typeof ROW_TABLES)[number]['name']

function sameKey(name: RowName): string {
  return TABLES[name].key.map((column) => `t.${column} = r.${column}`).join(' and ')
}

/** Removes rows of the stored users by their keys. */
function removal(name: RowName): string {
  const columns: { readonly [column: string]: string } = COLUMNS[name]
  const typed = TABLES[name].key.map((column) => `${column} ${toColumnType(columns[column] ?? '')}`)
  return `if doc->'removed' ? '${name}' then
      delete from "laurels".${name} t
        using jsonb_to_recordset(doc->'removed'->'${name}') as r(n int, ${typed.join(', ')})
        where ${sameKey(name)} and r.n = any(stored);
    end if;`
}

/** Inserts rows of the stored users, or replaces rows with the same keys. */
function put(name: RowName): string {
  const columns = Object.keys(COLUMNS[name])
  const key: readonly string[] = TABLES[name].key
  const values = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
  return `if doc ? '${name}' then
    insert into "laurels".${name} (${columns.join(', ')})
      select ${columns.map((column) => `r.${column}`).join(', ')}
        from unnest((doc->>'${name}')::"laurels".saved_${name}[]) as r where r.n = any(stored)
      on conflict (${key.join(', ')}) do ${values.length === 0 ? 'nothing' : `update set ${values.join(', ')}`};
  end if;`
}
