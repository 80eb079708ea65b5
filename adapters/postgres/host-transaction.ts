import type { HostTransaction } from '../../src/storage.ts'
import type { KyselyConnection, PostgresClient } from './driver.ts'
import type { Session } from './session.ts'
import { toCompiled } from './session.ts'
import { endedTransaction, expectMethods } from './transactions/expect.ts'

/** A client of pg on which the host has begun a transaction. */
export type TransactionClient = Pick<PostgresClient, 'query'>

/** A transaction of the host's on Postgres; the calls in it go one after the other. */
export interface PostgresTransaction extends HostTransaction {
  readonly session: Session
  /** Runs `work` when everything before it has ended. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Throws where the connection is in another transaction by now than in the first call. */
  checkId(id: string): void
}

/** The end of the last call on each of the host's connections: savepoints must not cross. */
const lasts = new WeakMap<object, Promise<unknown>>()

/**
 * The host's own transaction, begun on a client of pg: `{ tx: fromPg(client) }`, made anew for each transaction. Takes
 * anything with a `query(text, values)` that resolves to `{ rows }`, and throws `storage_unusable` for all else.
 */
export function fromPg(client: TransactionClient): HostTransaction {
  expectMethods('fromPg', client, ['query'], 'the client of pg on which you called BEGIN')
  return transactionOf(client, {
    query: async (text, values) => (await client.query(text, [...values])).rows,
  })
}

/**
 * The host's own transaction of kysely: `{ tx: fromKysely(trx) }`, made anew for each transaction. Throws
 * `storage_unusable` for what is not of kysely.
 */
export function fromKysely(transaction: KyselyConnection): HostTransaction {
  const wanted = 'the trx that db.transaction().execute() of kysely hands to its callback'
  expectMethods('fromKysely', transaction, ['withoutPlugins', 'executeQuery'], wanted)
  return transactionOf(transaction, {
    query: async (text, values) => (await transaction.withoutPlugins().executeQuery(toCompiled(text, values))).rows,
  })
}

/** `host` stands for the connection: calls in two transactions of one host take turns. */
export function transactionOf(host: object, session: Session): PostgresTransaction {
  const waiting: (() => void)[] = []
  let own: string | null = null
  return {
    session,
    inTurn: (work) => {
      const turn = (lasts.get(host) ?? Promise.resolve()).then(work)
      lasts.set(
        host,
        turn.catch(() => undefined),
      )
      return turn
    },
    checkId: (id) => {
      own ??= id
      if (own !== id) throw endedTransaction()
    },
    afterCommit: (run) => void waiting.push(run),
    committed: async () => {
      await lasts.get(host)
      for (const run of waiting.splice(0)) run()
    },
  }
}

export function isPostgresTransaction(value: unknown): value is PostgresTransaction {
  return typeof value === 'object' && value !== null && 'session' in value && 'inTurn' in value
}
