import type { HostTransaction } from '../../../src/storage/storage.ts'
import { transactionOf } from '../transaction.ts'
import { notThat, offers } from './library-values.ts'

/** The transaction of postgres.js, as `sql.begin()` hands it to its callback. */
export interface PostgresJsTransaction {
  unsafe(text: string, values?: unknown[]): PromiseLike<readonly unknown[]>
}

/**
 * The host's own transaction of postgres.js: `{ tx: fromPostgresJs(sql) }` within `sql.begin(async (sql) => …)`, made
 * again for each transaction; or a connection of `sql.reserve()` on which `BEGIN` was called. Throws `storage_unusable`
 * for the `sql` that opens connections.
 */
export function fromPostgresJs(transaction: PostgresJsTransaction): HostTransaction {
  if (!offers(transaction, ['unsafe']) || !['savepoint', 'release'].some((name) => offers(transaction, [name]))) {
    const wanted = 'the sql that sql.begin() of postgres.js hands to its callback, not the one that opens connections'
    throw notThat('fromPostgresJs', transaction, wanted)
  }
  return transactionOf(transaction, { query: (text, values) => rowsOf(transaction, text, values) })
}

async function rowsOf(transaction: PostgresJsTransaction, text: string, values: readonly unknown[]) {
  return [...(await transaction.unsafe(text, [...values]))]
}
