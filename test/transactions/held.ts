import { deferred } from './deferred.ts'

/** A transaction that a library has begun and keeps open until the test ends it. */
export interface Held<Transaction> {
  readonly transaction: Transaction
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** The callback of a library, as two calls: `run` begins a transaction and gives it to `work`. */
export async function held<Transaction>(
  run: (work: (transaction: Transaction) => Promise<void>) => Promise<unknown>,
): Promise<Held<Transaction>> {
  const end = deferred<'commit' | 'rollback'>()
  const begun = deferred<Transaction>()
  const undone = new Error('The host rolls back')
  const ended = run(async (transaction) => {
    begun.resolve(transaction)
    if ((await end.promise) === 'rollback') throw undone
  })
  ended.catch(begun.reject)
  const transaction = await begun.promise
  return {
    transaction,
    commit: async () => {
      end.resolve('commit')
      await ended
    },
    rollback: async () => {
      end.resolve('rollback')
      await ended.catch((error: unknown) => {
        if (error !== undone) throw error
      })
    },
  }
}
