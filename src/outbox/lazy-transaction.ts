import { runHandler } from '../engine/handler-scope.ts'
import { GamificationError } from '../errors.ts'
import type { HandlerTransaction, OutboxTransaction, StorageOutbox } from '../storage-outbox.ts'

/**
 * Runs a handler of the host's, then `finish` in one transaction with what the handler has asked of the database. The
 * transaction begins with the handler's first statement: a handler that asks nothing holds none open, however long it
 * takes. Rejects with what the handler or `finish` threw, and then nothing is stored. `onOpen` is awaited before the
 * transaction begins.
 */
export async function withTransaction<T>(
  storage: Pick<StorageOutbox, 'transact'>,
  handle: (tx: HandlerTransaction) => unknown,
  finish: (tx: OutboxTransaction) => Promise<T>,
  onOpen: () => Promise<void> = async () => undefined,
): Promise<T> {
  const scope = { isInTransaction: false }
  let isOver = false
  let opened: Promise<OutboxTransaction> | null = null
  let committed: Promise<T> | null = null
  const end = Promise.withResolvers<void>()
  // Where nobody waits for the end, its rejection must not count as unhandled.
  end.promise.catch(() => undefined)

  const open = async (): Promise<OutboxTransaction> => {
    await onOpen()
    const begun = Promise.withResolvers<OutboxTransaction>()
    committed = storage.transact(async (tx) => {
      begun.resolve(tx)
      await end.promise
      return finish(tx)
    })
    committed.catch(begun.reject)
    return begun.promise
  }

  const tx: HandlerTransaction = {
    query: async <Row>(sql: string, values?: readonly unknown[]) => {
      if (isOver) throw new GamificationError('storage_unusable', 'The handler is over, and its transaction with it.')
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
  return storage.transact(finish)
}

async function ended(work: Promise<unknown> | null): Promise<void> {
  await work?.catch(() => undefined)
}
