import { GamificationError } from '../errors.ts'
import { runHandler } from '../runtime/handler-scope.ts'
import type { HandlerTransaction, OutboxTransaction, StorageOutbox } from '../storage/outbox.ts'

/**
 * Runs a handler, then `finish`, in one transaction with the handler's own statements. The transaction begins with the
 * handler's first statement, so a handler without statements never keeps a transaction open. Rejects with the error of
 * the handler or of `finish`; then nothing is stored. `onOpen` is awaited before the transaction begins.
 */
export async function withTransaction<T>(
  storage: Pick<StorageOutbox, 'openTransaction'>,
  handle: (tx: HandlerTransaction) => unknown,
  finish: (tx: OutboxTransaction) => Promise<T>,
  onOpen: () => Promise<void> = async () => undefined,
): Promise<T> {
  const scope = { isInTransaction: false }
  let isOver = false
  let opened: Promise<OutboxTransaction> | null = null
  let committed: Promise<T> | null = null
  const end = Promise.withResolvers<void>()
  // If no transaction was opened, nothing awaits `end`. Its rejection must not count as unhandled.
  end.promise.catch(() => undefined)

  const open = async (): Promise<OutboxTransaction> => {
    await onOpen()
    const begun = Promise.withResolvers<OutboxTransaction>()
    committed = storage.openTransaction(async (tx) => {
      begun.resolve(tx)
      await end.promise
      return finish(tx)
    })
    committed.catch(begun.reject)
    return begun.promise
  }

  const tx: HandlerTransaction = {
    query: async <Row>(sql: string, values?: readonly unknown[]) => {
      if (isOver) throw new GamificationError('storage_unusable', 'The handler has ended, and its transaction with it.')
      scope.isInTransaction = true
      opened ??= open()
      const { host } = await opened
      return host.query<Row>(sql, values)
    },
  }

  try {
    await runHandler(scope, () => handle(tx))
  } catch (error) {
    isOver = true
    scope.isInTransaction = false
    end.reject(error)
    await ended(opened)
    await ended(committed)
    throw error
  }
  isOver = true
  scope.isInTransaction = false
  await opened
  end.resolve()
  if (committed !== null) return committed
  await onOpen()
  return storage.openTransaction(finish)
}

async function ended(work: Promise<unknown> | null): Promise<void> {
  await work?.catch(() => undefined)
}
