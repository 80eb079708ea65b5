import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import type { Context } from '../runtime/context.ts'
import { type Delivery, loadDeliveries } from '../sql/deliveries.ts'
import { assignPositions, loadNewestPosition } from '../sql/messages.ts'
import { putDocument, type StoredDocument } from '../sql/outbox.ts'
import type { PlacedMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Steps } from '../storage/steps.ts'
import type { SqlTransaction, Storage } from '../storage/storage.ts'

export const SUBSCRIPTION = 'subscription'

export const OF_WEBHOOKS = 'webhooks'

export interface PastProgress {
  /** The last user who was listed. `null` if there is none yet. */
  readonly listed: UserKey | null
  /** The users of the current page whose history is not delivered yet. */
  readonly page: readonly UserKey[]
  /** The last position of the page's history. `null` if the page is not written yet. */
  readonly ends: number | null
  readonly isLast: boolean
}

export const NO_HISTORY: PastProgress = { listed: null, page: [], ends: null, isLast: false }

const userKey = z.strictObject({ tenant: z.string(), user: z.string() })
const history = z.strictObject({
  listed: userKey.nullable(),
  page: z.array(userKey),
  ends: z.number().nullable(),
  isLast: z.boolean(),
})

const schema = z.object({
  types: z.array(z.string()),
  position: z.number(),
  owner: z.string().nullable(),
  until: z.number().nullable(),
  attempts: z.number(),
  nextAt: z.number().nullable(),
  lastError: z.string().nullable(),
  alone: z.number(),
  deadLetterAfter: z.number().nullable(),
  history: history.nullable(),
})

export interface StoredSubscription {
  readonly name: string
  readonly version: number
  readonly types: readonly string[]
  /** Everything up to and including it was delivered. */
  readonly position: number
  /** The process with the lease, which ends at `until`. `null` if none has it. */
  readonly owner: string | null
  readonly until: number | null
  readonly attempts: number
  /** The time of the next attempt. `null` if nothing failed. */
  readonly nextAt: number | null
  readonly lastError: string | null
  /** Up to this position messages are delivered one by one, because they failed together. */
  readonly alone: number
  /** A message becomes a dead letter after this many attempts, or never if `null`. */
  readonly deadLetterAfter: number | null
  /** `null` if no history is left to deliver. */
  readonly history: PastProgress | null
}

/** A subscription that no process delivers, and whose deliveries did not fail. */
export const IDLE: Omit<StoredSubscription, 'name' | 'version' | 'types' | 'position'> = {
  ...{ owner: null, until: null, attempts: 0, nextAt: null, lastError: null },
  ...{ alone: 0, deadLetterAfter: null, history: null },
}

export function readSubscription({ name, version, text }: StoredDocument): StoredSubscription {
  const parsed = schema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const message = `The stored subscription ${JSON.stringify(name)} is damaged, or a newer version of laurels wrote it.`
    throw new GamificationError('internal', message, { cause: parsed.error })
  }
  return { ...parsed.data, name, version }
}

export function toDocument({ name, version, ...subscription }: StoredSubscription): StoredDocument {
  return { kind: SUBSCRIPTION, name, version, text: JSON.stringify(subscription) }
}

export function receiverOf(name: string): string {
  return `subscription:${name}`
}

const SHORTEST_LEASE_MS = 30_000
const RENEWED_AFTER_MS = 10_000

/** Longer than the handler's transaction, which may take `deadlineMs`: an open transaction cannot renew the lease. */
function leaseMs({ deadlineMs }: Pick<Storage, 'deadlineMs'>): number {
  return Math.max(SHORTEST_LEASE_MS, deadlineMs + 2 * RENEWED_AFTER_MS)
}

/** Another process writes the subscription now. It is no plain error, so a transaction rejects with it unchanged. */
export class LostLease extends GamificationError {
  constructor() {
    super('unavailable', 'Another process delivers the messages of the subscription now.')
  }
}

/** A subscription while this process delivers its messages. A write succeeds only on the version that was read. */
export interface Lease {
  readonly context: Context
  readonly owner: string
  subscription: StoredSubscription
}

export function isElsewhere(stored: StoredSubscription, owner: string, now: number): boolean {
  return stored.owner !== null && stored.owner !== owner && (stored.until ?? 0) > now
}

/** Takes a lease that no other process has, or renews an old one of this process. Throws `LostLease`. */
export async function takeLease(context: Context, stored: StoredSubscription, owner: string): Promise<Lease> {
  const lease: Lease = { context, owner, subscription: stored }
  const left = (stored.until ?? 0) - context.databaseClock.leaseNow()
  const isFresh = stored.owner === owner && left > leaseMs(context.storage) - RENEWED_AFTER_MS
  if (!isFresh) await writeLease(lease, {})
  return lease
}

/** Writes a change in the caller's transaction. Returns the subscription after the commit. Throws `LostLease`. */
export function* putLease(
  { context: { storage, databaseClock }, owner, subscription }: Lease,
  tx: SqlTransaction,
  change: Partial<StoredSubscription>,
): Steps<StoredSubscription> {
  const next = { ...subscription, owner, until: databaseClock.leaseNow() + leaseMs(storage), ...change }
  if (!(yield* putDocument(tx, toDocument(next)))) throw new LostLease()
  return { ...next, version: subscription.version + 1 }
}

export async function writeLease(lease: Lease, change: Partial<StoredSubscription>): Promise<void> {
  lease.subscription = await lease.context.storage.transaction((tx) => putLease(lease, tx, change))
}

/** Renews the lease every ten seconds until the returned function is called. That waits for a renewal in progress. */
export function startRenewing(lease: Lease): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    // The next write notices a lost lease.
    last = last.then(() => writeLease(lease, {})).catch(() => undefined)
  }, RENEWED_AFTER_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return last
  }
}

const ASSIGNED_AT_ONCE = 1_000

/** Gives a position to every stored message. Returns the newest position. */
export async function assignAllPositions(storage: Storage): Promise<number> {
  let given = ASSIGNED_AT_ONCE
  while (given === ASSIGNED_AT_ONCE) given = await assignPositions(storage, ASSIGNED_AT_ONCE)
  return loadNewestPosition(storage)
}

/** The form of a message that a receiver gets. */
export function deliveryOf(
  message: PlacedMessage,
  receiver: string,
): Omit<Delivery, 'state' | 'attempts' | 'nextAt' | 'log'> {
  const { id: messageId, type, at, tenant, user, data, position } = message
  return { receiver, position, messageId, type, at, tenant, user, data }
}

const MOST_DELIVERIES = 1_000

/** Reads the deliveries of a receiver in pages, the newest first: of the given messages, or all. */
export async function* deliveryPages(
  storage: Storage,
  receiver: string,
  ids: readonly string[] | undefined,
  state?: Delivery['state'],
): AsyncGenerator<readonly Delivery[]> {
  const wanted = ids && new Set(ids)
  const options = { receiver, limit: MOST_DELIVERIES, ...(state && { state }) }
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
    const page: readonly Delivery[] = await loadDeliveries(storage, { ...options, before })
    yield page.filter(({ messageId }) => wanted?.has(messageId) !== false)
    before = page.at(-1)?.position
  }
}
