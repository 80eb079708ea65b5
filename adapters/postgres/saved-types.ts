import { AWARDS, type Columns, givenAs, LEADERBOARD_ENTRIES, LOG, PROGRESS, type SavedTable, USERS } from './columns.ts'
import { quote } from './quote.ts'

/** The type of the rows of a list. */
export interface SavedType {
  readonly name: string
  readonly columns: Columns
}

function typeOf({ name, key, values }: SavedTable, more: Columns = {}): SavedType {
  const columns = Object.entries({ ...key, ...values, ...more }).map(([column, type]) => [column, givenAs(type)])
  return { name: `saved_${name}`, columns: Object.fromEntries(columns) }
}

const users = typeOf(USERS, { read_version: 'bigint' })

/**
 * The types of the lists that most saves are made of. Such a list stands in the document as the text of an array of its
 * type, which Postgres reads in a fraction of the time that JSON takes. Lists without a type stand there as JSON.
 */
export const SAVED_TYPES: { readonly [list: string]: SavedType } = {
  created: users,
  changed: users,
  log: typeOf(LOG),
  awards: typeOf(AWARDS),
  ...Object.fromEntries(PROGRESS.map((table) => [table.name, typeOf(table)])),
  leaderboard_entries: typeOf(LEADERBOARD_ENTRIES, { unlimited: 'boolean' }),
  counters: {
    name: 'saved_counters',
    columns: { tenant_id: 'text', kind: 'text', key: 'text', amount: 'bigint' },
  },
}

/** Creates the types of `SAVED_TYPES`. */
export function savedTypes(schema: string): readonly string[] {
  const types = new Map(Object.values(SAVED_TYPES).map((type) => [type.name, type]))
  return [...types.values()].map(({ name, columns }) => {
    const typed = Object.entries(columns).map(([column, type]) => `  ${column} ${type}`)
    return `create type ${quote(schema)}.${name} as (\n  n int,\n${typed.join(',\n')}\n)`
  })
}

export type Rows = readonly { readonly [column: string]: unknown }[]

/** Rows as the text of an array of their type: `{"(0,…)","(1,…)"}`. */
export function toSavedText({ columns }: SavedType, rows: Rows): string {
  const names = Object.keys(columns)
  const elements = rows
    .map((row) => {
      let text = `"(${row.n}`
      for (const name of names) text += `,${toField(row[name])}`
      return `${text})"`
    })
    .join(',')
  return `{${elements}}`
}

/** Texts that need no quotes within a row, which most texts are. */
const PLAIN = /^[\w:.-]+$/

/** A field of a row that is itself within quotes: so a quote around it has a backslash, and one within it three. */
function toField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  if (PLAIN.test(value)) return value
  const text = value.includes('\\') ? value.replaceAll('\\', '\\\\\\\\') : value
  return `\\"${text.includes('"') ? text.replaceAll('"', '\\\\\\"') : text}\\"`
}
