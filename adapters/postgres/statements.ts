import { GamificationError } from '../../src/errors.ts'
import type { Compile } from '../../src/sql/database.ts'
import { CHUNK_BYTES, type LogTexts, type Parts, type RowsOf, type Statement } from '../../src/storage/statements.ts'
import type { UserTransaction } from '../../src/storage/storage.ts'
import { rowsOf } from './runner.ts'
import type { Session } from './session.ts'

export function toQuery<Params>(
  compile: Compile,
  statement: Statement<Params, unknown>,
  params: Params,
): [text: string, values: readonly unknown[]] {
  const { text, toValues } = compile(statement)
  return [text, toValues(params)]
}

/** The statements of a transaction on a session. */
export function statementsOn(
  session: Session,
  compile: Compile,
): Pick<UserTransaction, 'all' | 'run' | 'read' | 'chunk'> {
  return {
    all: (statement, params) => rowsOf(session, ...toQuery(compile, statement, params)),
    run: async (statement, params) => void (await session.query(...toQuery(compile, statement, params))),
    read: (parts) => readOn((text, values) => oneValue(session, text, values), compile, parts),
    chunk: (statement, params, texts, order) => {
      const [text, values] = toQuery(compile, statement, params)
      return rowsOf(session, shortened(text, texts, order), values)
    },
  }
}

export async function oneValue<Value>(session: Session, text: string, values: readonly unknown[]): Promise<Value> {
  const [row] = (await session.query(text, values)) as readonly { readonly value: Value }[]
  if (row === undefined) throw new GamificationError('internal', 'Postgres answered no row.')
  return row.value
}

/** The rows of all parts as of one moment. `ask` runs a statement that answers one value. */
export async function readOn<Some extends Parts>(
  ask: (text: string, values: readonly unknown[]) => Promise<string>,
  compile: Compile,
  parts: Some,
): Promise<RowsOf<Some>> {
  const { text, values } = joined(compile, parts)
  return toRows(parts, await ask(text, values))
}

/** One statement for all parts. */
function joined(compile: Compile, parts: Parts): { readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = []
  const columns = Object.entries(parts).flatMap(([name, part]) => {
    if (part === null) return []
    const before = values.length
    const [own, given] = toQuery(compile, part.statement, part.params)
    // Names in quotes may look like parameters.
    const text = own.replaceAll(/"(?:[^"]|"")*"|\$(\d+)/g, (found, place) =>
      place === undefined ? found : `$${Number(place) + before}`,
    )
    values.push(...given)
    return [`(select coalesce(json_agg(r), '[]') from (${text}) r) as "${name}"`]
  })
  return { text: `select row_to_json(v)::text as value from (select ${columns.join(', ')}) v`, values }
}

function toRows<Some extends Parts>(parts: Some, json: string): RowsOf<Some> {
  const nothing = Object.fromEntries(Object.keys(parts).map((name) => [name, []]))
  return { ...nothing, ...JSON.parse(json) }
}

/**
 * Leaves out the lines of a page that follow `CHUNK_BYTES` of text. Postgres knows the length of a text without reading
 * it, so lines that are left out cost little.
 */
export function shortened(text: string, texts: readonly (keyof LogTexts)[], order: 'asc' | 'desc' = 'asc'): string {
  if (texts.length === 0) return text
  const size = texts.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  const before = `sum(${size}) over (order by at ${order}, seq ${order} rows between unbounded preceding and 1 preceding)`
  return `select * from (select line.*, ${before} as size_before from (${text}) line) sized
    where coalesce(size_before, 0) < ${CHUNK_BYTES} order by at ${order}, seq ${order}`
}
