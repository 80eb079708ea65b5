import type { HostTransaction } from '../../../src/storage/storage.ts'
import { endedTransaction, LostConnection } from '../errors.ts'
import { transactionOf } from '../transaction.ts'
import { notThat, offers, rowsIn } from './library-values.ts'

/** A QueryRunner of TypeORM on Postgres, on which a transaction was begun. */
export interface TypeORMQueryRunner {
  query(text: string, values?: unknown[]): Promise<unknown>
  readonly isReleased: boolean
  readonly isTransactionActive: boolean
}

/** The EntityManager that `dataSource.transaction()` hands to its callback, or a QueryRunner. */
export type TypeORMTransaction = TypeORMQueryRunner | { readonly queryRunner?: TypeORMQueryRunner | undefined }

/**
 * The host's own transaction of TypeORM: `{ tx: fromTypeORM(manager) }` within `dataSource.transaction(async (manager)
 * => …)`, or `{ tx: fromTypeORM(queryRunner) }`, made again for each transaction. Throws `storage_unusable` for the
 * DataSource's own manager.
 */
export function fromTypeORM(transaction: TypeORMTransaction): HostTransaction {
  const runner = runnerOf(transaction)
  return transactionOf(runner, {
    query: async (text, values) => {
      if (runner.isReleased) throw runner.isTransactionActive ? broken() : endedTransaction()
      return rowsIn(await runner.query(text, [...values]))
    },
  })
}

/** TypeORM releases a connection that breaks, and still calls its transaction active. */
function broken(): LostConnection {
  return new LostConnection('the connection of the transaction has broken')
}

/**
 * The DataSource's own manager is refused: it has no query runner, and each of its queries may take another connection.
 */
function runnerOf(transaction: TypeORMTransaction): TypeORMQueryRunner {
  const runner = offers(transaction, []) && 'queryRunner' in transaction ? transaction.queryRunner : transaction
  if (isRunner(runner)) return runner
  const wanted = 'the manager that dataSource.transaction() of TypeORM hands to its callback, or a QueryRunner'
  throw notThat('fromTypeORM', transaction, wanted)
}

function isRunner(value: unknown): value is TypeORMQueryRunner {
  return offers(value, ['query', 'startTransaction'])
}
