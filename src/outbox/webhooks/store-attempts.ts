import type { Storage } from '../../storage.ts'
import type { SettledDelivery } from '../../storage-outbox.ts'

/** Stores the results of attempts. Results of the same moment share one write. */
export function createAttemptStore(storage: Storage): (settled: SettledDelivery) => Promise<void> {
  let waiting: SettledDelivery[] = []
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    // Lets the others of this moment join the batch.
    await Promise.resolve()
    const batch = waiting
    waiting = []
    writing = null
    await storage.settleDeliveries(batch)
  }

  return (settled) => {
    waiting.push(settled)
    writing ??= write()
    return writing
  }
}
