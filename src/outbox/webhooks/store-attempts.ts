import type { Storage } from '../../storage.ts'
import type { Delivery } from '../../storage-outbox.ts'
import type { Desk } from './desk.ts'

/** What became of a claimed delivery. */
export interface Attempt {
  readonly claimed: Delivery
  readonly after: Delivery
}

/**
 * Writes what became of deliveries, those of one moment together. A delivery that has changed since it was claimed
 * stays as it is: its user was deleted meanwhile, or the claim was over and somebody else has it.
 */
export function createAttemptStore(storage: Storage, desk: Desk): (attempt: Attempt) => Promise<void> {
  let waiting: Attempt[] = []
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    // Lets the others of this moment join the batch.
    await Promise.resolve()
    const batch = waiting
    waiting = []
    writing = null
    await desk.change(async () => {
      const still = await Promise.all(batch.map(({ claimed }) => isStill(storage, claimed)))
      return { deliveries: batch.filter((_, index) => still[index]).map(({ after }) => after), result: undefined }
    })
  }

  return (attempt) => {
    waiting.push(attempt)
    writing ??= write()
    return writing
  }
}

async function isStill(storage: Storage, { receiver, position, nextAt, tries }: Delivery): Promise<boolean> {
  const [stored] = await storage.deliveries({ receiver, before: position + 1, limit: 1 })
  return (
    stored?.position === position && stored.state === 'waiting' && stored.nextAt === nextAt && stored.tries === tries
  )
}
