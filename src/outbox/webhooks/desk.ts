import { GamificationError } from '../../errors.ts'
import type { Storage } from '../../storage.ts'
import type { Delivery } from '../../storage-outbox.ts'

/** What is to be written of deliveries, as they were just read. */
export interface DeskChange<T> {
  readonly deliveries: readonly Delivery[]
  readonly result: T
}

/** Where deliveries are changed, by one process at a time. */
export interface Desk {
  /**
   * Reads, and writes what follows: nothing else changes a delivery between, in any process. Asked again where somebody
   * else was faster.
   */
  change<T>(read: () => Promise<DeskChange<T>>): Promise<T>
}

const DOCUMENT = { kind: 'deliveries', name: 'desk' } as const
const MOST_TRIES = 100

export function createDesk(storage: Storage): Desk {
  // Calls of one process come one after the other: they would only outrun each other.
  let last: Promise<unknown> = Promise.resolve()

  async function change<T>(read: () => Promise<DeskChange<T>>): Promise<T> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const version = (await storage.document(DOCUMENT.kind, DOCUMENT.name))?.version ?? 0
      const { deliveries, result } = await read()
      if (deliveries.length === 0) return result
      const isWritten = await storage.transact(async (tx) => {
        if (!(await tx.putDocument({ ...DOCUMENT, text: '{}', version }))) return false
        await tx.putDeliveries(deliveries)
        return true
      })
      if (isWritten) return result
    }
    throw new GamificationError(
      'unavailable',
      'Deliveries are changed by others all the time. Nothing was stored; try again.',
    )
  }

  return {
    change: (read) => {
      const turn = last.then(() => change(read))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
