import { GamificationError } from '../../src/errors.ts'
import { inOpenTransaction } from '../../src/sql/calls.ts'
import type {
  Compile,
  LogTexts,
  Parts,
  RowsOf,
  SqlDatabase,
  SqlTransaction,
  Statement,
} from '../../src/sql/database.ts'
import { CHUNK_BYTES } from '../../src/storage/storage.ts'
import { toHandlerError, toStorageError } from './errors.ts'
import { type Runner, rowsOf } from './runner.ts'
import type { Session } from './session.ts'
import { lockUserRow } from './user-locks.ts'

export interface DatabaseOptions {
  readonly schema: string
  readonly compile: Compile
}

export function databaseOn(runner: Runner, { schema, compile }: DatabaseOptions): SqlDatabase {
  return {
    all: (statement, params) => runner.rows(...toQuery(compile, statement, params)),
    together: async (parts) => {
      const { text, values } = joined(compile, parts)
      return toRows(parts, await runner.value<string>(text, values))
    },
    // Without statistics of a table Postgres may expect few rows, and sort all of them again for each page.
    page: (statement, params) =>
      runner.transaction(async (session) => {
        await session.query('set local enable_bitmapscan = off', [])
        return rowsOf(session, ...toQuery(compile, statement, params))
      }),
    chunk: (statement, params, texts, order) => {
      const [text, values] = toQuery(compile, statement, params)
      return runner.rows(shortened(text, texts, order), values)
    },
    change: (statement, params) => runner.change(...toQuery(compile, statement, params)),
    transaction: (work) => runner.transaction((session) => work(toTransaction(schema, compile, async () => session))),
    openTransaction: (work) => {
      const end = runner.deadline()
      return inOpenTransaction(
        () => runner.open(end),
        (begin) => work(toTransaction(schema, compile, begin, toStorageError)),
        end,
      )
    },
  }
}

function toQuery<Params>(
  compile: Compile,
  statement: Statement<Params, unknown>,
  params: Params,
): [text: string, values: readonly unknown[]] {
  const { text, toValues } = compile(statement)
  return [text, toValues(params)]
}

/** A transaction with chunks of the log. */
export interface PostgresSqlTransaction extends SqlTransaction, Pick<SqlDatabase, 'chunk'> {}

/** `begin` begins the transaction if it has not begun. */
export function toTransaction(
  schema: string,
  compile: Compile,
  begin: () => Promise<Session>,
  toError: (error: unknown) => unknown = (error) => error,
): PostgresSqlTransaction {
  const query = async (text: string, values: readonly unknown[], toOwn = toError): Promise<readonly unknown[]> => {
    const session = await begin()
    try {
      return await session.query(text, values)
    } catch (error) {
      throw toOwn(error)
    }
  }
  const session: Session = { query }
  return {
    all: (statement, params) => rowsOf(session, ...toQuery(compile, statement, params)),
    run: async (statement, params) => void (await query(...toQuery(compile, statement, params))),
    together: async (parts) => {
      const { text, values } = joined(compile, parts)
      return toRows(parts, await oneValue<string>(session, text, values))
    },
    chunk: (statement, params, texts, order) => {
      const [text, values] = toQuery(compile, statement, params)
      return rowsOf(session, shortened(text, texts, order), values)
    },
    ask: (text, values) => query(text, values, toHandlerError),
    // A later statement sees what others have committed until the lock was free.
    lock: async (name) => {
      const text = 'select pg_advisory_xact_lock(hashtextextended($1, 0))::text'
      await query(text, [`laurels ${schema} ${name}`])
    },
    lockUser: async (key) => void (await lockUserRow(session, schema, key)),
  }
}

export async function oneValue<Value>(session: Session, text: string, values: readonly unknown[]): Promise<Value> {
  const [row] = (await session.query(text, values)) as readonly { readonly value: Value }[]
  if (row === undefined) throw new GamificationError('internal', 'Postgres answered no row.')
  return row.value
}

/** One statement for all parts, so that all of them are as of one moment. */
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
function shortened(text: string, texts: readonly (keyof LogTexts)[], order: 'asc' | 'desc' = 'asc'): string {
  const size = texts.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')
  const before = `sum(${size}) over (order by at ${order}, seq ${order} rows between unbounded preceding and 1 preceding)`
  return `select * from (select line.*, ${before} as size_before from (${text}) line) sized
    where coalesce(size_before, 0) < ${CHUNK_BYTES} order by at ${order}, seq ${order}`
}
