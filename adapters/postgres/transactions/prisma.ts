import type { HostTransaction } from '../../../src/storage/storage.ts'
import { endedTransaction, unwrapped } from '../errors.ts'
import { transactionOf } from '../transaction.ts'
import { memberIn, notThat, offers, rowsIn } from './library-values.ts'

/** The transaction of Prisma on Postgres, as `prisma.$transaction()` hands it to its callback. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
}

/** Prisma's "Transaction API error": the transaction has ended, by its commit, its rollback or its timeout. */
const ENDED = 'P2028'

/**
 * The host's own transaction of Prisma: `{ tx: fromPrisma(tx) }` within `prisma.$transaction(async (tx) => …)`, made
 * again for each transaction. Prisma ends one that takes more than five seconds, unless its option `timeout` says
 * otherwise. Throws `storage_unusable` for anything but a transaction.
 */
export function fromPrisma(transaction: PrismaTransaction): HostTransaction {
  // The client itself has `$queryRawUnsafe` too, but each of its queries may take another connection.
  if (!offers(transaction, ['$queryRawUnsafe']) || offers(transaction, ['$connect'])) {
    const wanted = 'the tx that prisma.$transaction(async (tx) => …) hands to its callback, not the client itself'
    throw notThat('fromPrisma', transaction, wanted)
  }
  return transactionOf(transaction, {
    query: async (text, values) => {
      try {
        return rowsIn(await transaction.$queryRawUnsafe(text, ...values))
      } catch (error) {
        throw memberIn(error, 'code') === ENDED ? endedTransaction(error) : answerIn(error)
      }
    },
  })
}

/** Postgres' answer in an error of Prisma's; the error itself if there is none. */
function answerIn(error: unknown): unknown {
  const answer = memberIn(error, 'meta', 'driverAdapterError', 'cause')
  const state = memberIn(answer, 'originalCode')
  if (typeof state !== 'string') return error
  const message = memberIn(answer, 'originalMessage')
  // Prisma leaves the severity out for each state that it has a name of its own for; all those states are of severity
  // ERROR.
  const severity = memberIn(answer, 'severity') ?? 'ERROR'
  return unwrapped(error, Object.assign(new Error(String(message)), { code: state, severity }))
}
