import type { Context } from '../runtime/context.ts'
import type { OutboxTransaction } from '../storage/outbox.ts'
import type { Storage } from '../storage/storage.ts'
import { readSubscription, type StoredSubscription, SUBSCRIPTION, toDocument } from './stored-subscription.ts'

const SHORTEST_LEASE_MS = 30_000
const RENEWED_AFTER_MS = 10_000

/**
 * The duration of a lease. It outlasts the handler's transaction, which may take `deadlineMs`, because an open
 * transaction cannot renew the lease.
 */
function leaseMs({ deadlineMs }: Pick<Storage, 'deadlineMs'>): number {
  return Math.max(SHORTEST_LEASE_MS, (deadlineMs ?? 0) + 2 * RENEWED_AFTER_MS)
}

/** Another process writes the subscription now. */
export class LostLease extends Error {}

/** A subscription while this process delivers its messages. A write succeeds only on the version that was read. */
export interface Lease {
  readonly subscription: StoredSubscription
  /** Writes a change in the caller's transaction. Call `wrote` after the commit. */
  put(tx: OutboxTransaction, change: Partial<StoredSubscription>): Promise<void>
  wrote(): void
  /** Writes a change in a transaction of its own. Throws `LostLease`. */
  write(change: Partial<StoredSubscription>): Promise<void>
  /** Renews the lease every ten seconds until `stop`, which waits for a renewal in progress. */
  renewing(): { stop(): Promise<void> }
}

/** Whether another process has the lease. `now` is the time of the lease clock. */
export function isElsewhere(stored: StoredSubscription, owner: string, now: number): boolean {
  return stored.owner !== null && stored.owner !== owner && (stored.until ?? 0) > now
}

/** Returns `null` if there is no such subscription or another process has the lease. */
export async function takeLease(context: Context, name: string, owner: string): Promise<Lease | null> {
  const { storage, databaseClock } = context
  const document = await storage.document(SUBSCRIPTION, name)
  if (document === null) return null
  const stored = readSubscription(document)
  const now = databaseClock.leaseNow()
  if (isElsewhere(stored, owner, now)) return null
  const lease = holdLease(context, stored, owner)
  try {
    const isFresh = stored.owner === owner && (stored.until ?? 0) - now > leaseMs(storage) - RENEWED_AFTER_MS
    if (!isFresh) await lease.write({})
    return lease
  } catch (error) {
    if (error instanceof LostLease) return null
    throw error
  }
}

function holdLease({ storage, databaseClock }: Context, stored: StoredSubscription, owner: string): Lease {
  let subscription = stored
  let pending: StoredSubscription | null = null

  const put = async (tx: OutboxTransaction, change: Partial<StoredSubscription>): Promise<void> => {
    const next = { ...subscription, owner, until: databaseClock.leaseNow() + leaseMs(storage), ...change }
    if (!(await tx.putDocument(toDocument(next)))) throw new LostLease()
    pending = { ...next, version: subscription.version + 1 }
  }
  const wrote = (): void => {
    subscription = pending ?? subscription
    pending = null
  }
  const write = async (change: Partial<StoredSubscription>): Promise<void> => {
    await storage.openTransaction((tx) => put(tx, change))
    wrote()
  }

  return {
    get subscription() {
      return subscription
    },
    put,
    wrote,
    write,
    renewing: () => {
      let last: Promise<void> = Promise.resolve()
      const timer = setInterval(() => {
        // The next write notices a lost lease.
        last = last.then(() => write({})).catch(() => undefined)
      }, RENEWED_AFTER_MS)
      timer.unref()
      return {
        stop: () => {
          clearInterval(timer)
          return last
        },
      }
    },
  }
}
