import { inOpenTransaction } from '../../src/sql/calls.ts'
import type { Compile, SqlDatabase } from '../../src/sql/database.ts'
import { runSteps } from '../../src/storage/steps.ts'
import type { OpenTransaction } from '../../src/storage/storage.ts'
import { toHandlerError, toStorageError } from './errors.ts'
import { type Runner, rowsOf } from './runner.ts'
import type { Session } from './session.ts'
import { joined, shortened, statementsOn, toQuery, toRows } from './statements.ts'
import { postgresTransaction, type TransactionOptions } from './transaction.ts'

/** Reads several statements as of one moment. */
export function togetherOn(runner: Runner, compile: Compile): SqlDatabase['together'] {
  return async (parts) => {
    const { text, values } = joined(compile, parts)
    return toRows(parts, await runner.value<string>(text, values))
  }
}

export function databaseOn(runner: Runner, options: TransactionOptions): SqlDatabase {
  const { compile } = options
  return {
    all: (statement, params) => runner.rows(...toQuery(compile, statement, params)),
    together: togetherOn(runner, compile),
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
    transaction: (work) => runner.transaction(async (session) => runSteps(work(postgresTransaction(options, session)))),
    openTransaction: (work) => {
      const end = runner.deadline()
      return inOpenTransaction(
        () => runner.open(end),
        (begin) => work(toOpenTransaction(compile, begin)),
        end,
      )
    },
  }
}

/** `begin` begins the transaction if it has not begun. */
function toOpenTransaction(compile: Compile, begin: () => Promise<Session>): OpenTransaction {
  const on =
    (toError: (error: unknown) => unknown): Session['query'] =>
    async (text, values) => {
      const session = await begin()
      try {
        return await session.query(text, values)
      } catch (error) {
        throw toError(error)
      }
    }
  return { ...statementsOn({ query: on(toStorageError) }, compile), ask: on(toHandlerError) }
}
