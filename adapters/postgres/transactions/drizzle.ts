import type { HostTransaction } from '../../../src/storage/storage.ts'
import { unwrapped } from '../errors.ts'
import { transactionOf } from '../transaction.ts'
import { notThat, offers, rowsIn } from './library-values.ts'

/** The transaction of Drizzle on Postgres, as `db.transaction()` hands it to its callback. */
export interface DrizzleTransaction {
  execute(query: string): PromiseLike<unknown>
  rollback(): never
}

/** The argument of `execute`: any object that returns its SQL. */
interface DrizzleQuery {
  getSQL(): { toQuery(): { readonly sql: string; readonly params: unknown[] } }
}

interface DrizzleExecutor {
  execute(query: DrizzleQuery): PromiseLike<unknown>
}

/**
 * The host's own transaction of Drizzle, over node-postgres, postgres.js or PGlite: `{ tx: fromDrizzle(tx) }` within
 * `db.transaction(async (tx) => …)`, made again for each transaction. Throws `storage_unusable` for anything but a
 * transaction.
 */
export function fromDrizzle(transaction: DrizzleTransaction): HostTransaction {
  const given: unknown = transaction
  if (!isExecutor(given)) {
    throw notThat('fromDrizzle', given, 'the tx that db.transaction() of Drizzle on Postgres hands to its callback')
  }
  return transactionOf(given, {
    query: async (text, values) => {
      try {
        return rowsIn(await given.execute({ getSQL: () => ({ toQuery: () => ({ sql: text, params: [...values] }) }) }))
      } catch (error) {
        // Drizzle's message has the query in it, and the values of its parameters.
        throw error instanceof Error && error.cause instanceof Error ? unwrapped(error, error.cause) : error
      }
    },
  })
}

/** The database itself is refused: it has no `rollback`. */
function isExecutor(value: unknown): value is DrizzleExecutor {
  return offers(value, ['execute', 'rollback'])
}
