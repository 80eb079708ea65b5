import type { HostTransaction } from '../../../src/storage/storage.ts'
import type { KyselyConnection, PostgresClient } from '../driver.ts'
import { toCompiled } from '../session.ts'
import { transactionOf } from '../transaction.ts'
import { expectMethods } from './library-values.ts'

/** A client of pg on which the host has begun a transaction. */
export type TransactionClient = Pick<PostgresClient, 'query'>

/**
 * The host's own transaction, begun on a client of pg: `{ tx: fromPg(client) }`, made again for each transaction. Takes
 * anything with a `query(text, values)` that resolves to `{ rows }`, and throws `storage_unusable` for all else.
 */
export function fromPg(client: TransactionClient): HostTransaction {
  expectMethods('fromPg', client, ['query'], 'the client of pg on which you called BEGIN')
  return transactionOf(client, {
    query: async (text, values) => (await client.query(text, [...values])).rows,
  })
}

/**
 * Wraps your own transaction of kysely: `{ tx: fromKysely(trx) }`, called again for each transaction. Throws
 * `storage_unusable` if the value is not from kysely.
 */
export function fromKysely(transaction: KyselyConnection): HostTransaction {
  const wanted = 'the trx that db.transaction().execute() of kysely hands to its callback'
  expectMethods('fromKysely', transaction, ['withoutPlugins', 'executeQuery'], wanted)
  return transactionOf(transaction, {
    query: async (text, values) => (await transaction.withoutPlugins().executeQuery(toCompiled(text, values))).rows,
  })
}
