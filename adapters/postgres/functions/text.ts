import { type Columns, givenAs, type SavedTable } from '../columns.ts'
import { quote } from '../quote.ts'
import { SAVED_TYPES } from '../saved-types.ts'

/** Stands where the body of a function begins and ends, until `withTag` has found a word that is not in it. */
export const TAG = '$-$'

export function withTag(text: string): string {
  let tag = 'laurels'
  while (text.includes(`$${tag}$`)) tag += '_'
  return text.replaceAll(TAG, () => `$${tag}$`)
}

/** A plan made while a table was nearly empty stays in a connection for long: it has to go by the indexes from the start. */
export const PLANNING = 'set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off'

/**
 * What these functions ask for is found by an index, and few rows of it, whatever they are given: one plan does for all
 * calls. Where a table has millions the planner expects more of a range of places: then it may plan each call anew,
 * compile its plans, or start workers, which takes longer than all the rest.
 */
export const PLAN_SMALL =
  'set plan_cache_mode = force_generic_plan set jit = off set max_parallel_workers_per_gather = 0'

/** The variables that hold the lists of the document which have a type. */
export function declareLists(schema: string): string {
  const lists = Object.entries(SAVED_TYPES).map(([list, { name }]) => {
    const type = `${quote(schema)}.${name}[]`
    return `${list}_rows constant ${type} := (doc->>'${list}')::${type};`
  })
  return lists.join('\n  ')
}

/** A list of the document that has a type as rows `r`, each with the number of its user. */
export function rowsOfType(list: string): string {
  return `unnest(${list}_rows) as r`
}

/** A list of the document that is JSON as rows `r`, each with the number of its user. */
export function recordset(list: string, columns: Columns): string {
  const typed = Object.entries(columns).map(([name, type]) => `, ${name} ${givenAs(type)}`)
  return `jsonb_to_recordset(doc->'${list}') as r(n int${typed.join('')})`
}

function namesOf(columns: Columns): readonly string[] {
  return Object.keys(columns)
}

/** The columns of a row `r` of a save, as a table has them. */
function valuesOf(columns: Columns): readonly string[] {
  return Object.entries(columns).map(([column, type]) =>
    type === 'bytea' ? `decode(r.${column}, 'hex')` : `r.${column}`,
  )
}

export function insertFrom(schema: string, { name, key, values }: SavedTable, list: string, condition: string): string {
  const columns = { ...key, ...values }
  return `insert into ${quote(schema)}.${name} (${namesOf(columns).join(', ')})
        select ${valuesOf(columns).join(', ')} from ${rowsOfType(list)} where ${condition}`
}

/** `rows`: as `rowsOf` or `recordset` has them. */
export function updateFrom(
  schema: string,
  { name, key }: SavedTable,
  set: Columns,
  rows: string,
  among: string,
): string {
  const same = namesOf(key).map((column) => `t.${column} = r.${column}`)
  const given = valuesOf(set)
  const changes = namesOf(set).map((column, index) => `${column} = ${given[index]}`)
  return `update ${quote(schema)}.${name} t set ${changes.join(', ')}
        from ${rows} where ${same.join(' and ')} and r.n = ${among}`
}

export function deleteFrom(schema: string, { name, key }: SavedTable, list: string): string {
  const same = namesOf(key).map((column) => `t.${column} = r.${column}`)
  return `delete from ${quote(schema)}.${name} t using ${recordset(list, key)}
        where ${same.join(' and ')} and r.n = any(stored)`
}

/** Tables of which a save mostly changes rows that are there. */
const MOSTLY_THERE: ReadonlySet<string> = new Set(['totals', 'tallies', 'points', 'leaderboard_entries'])

export function putAndRemove(schema: string, saved: SavedTable): string {
  const { name } = saved
  return `
    if doc ? 'removed_${name}' then
      ${deleteFrom(schema, saved, `removed_${name}`)};
    end if;
    if doc ? '${name}' then${MOSTLY_THERE.has(name) ? updateAndInsert(schema, saved) : upsert(schema, saved)}
    end if;`
}

function upsert(schema: string, saved: SavedTable): string {
  const { name, key, values } = saved
  const changes = namesOf(values).map((column) => `${column} = excluded.${column}`)
  const conflict = changes.length === 0 ? 'nothing' : `update set ${changes.join(', ')}`
  return `
      ${insertFrom(schema, saved, name, 'r.n = any(stored)')}
        on conflict (${namesOf(key).join(', ')}) do ${conflict};`
}

/**
 * Changes the rows that are there, and inserts where some are not: an insert that finds its row locks it before it changes
 * it, and the lock takes a record of the WAL of its own. Whoever writes a user's rows holds the user, so none comes between.
 */
function updateAndInsert(schema: string, saved: SavedTable): string {
  const { name, key, values } = saved
  return `
      ${updateFrom(schema, saved, values, rowsOfType(name), 'any(stored)')};
      get diagnostics rows = row_count;
      if rows < (select count(*) from ${rowsOfType(name)} where r.n = any(stored)) then
        ${insertFrom(schema, saved, name, 'r.n = any(stored)')}
          on conflict (${namesOf(key).join(', ')}) do nothing;
      end if;`
}
