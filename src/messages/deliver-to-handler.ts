import { toInstantText } from '../api/users/answer.ts'
import { GamificationError } from '../errors.ts'
import type { Context } from '../runtime/context.ts'
import { runHandler } from '../runtime/handler-scope.ts'
import type {
  Delivery,
  HandlerTransaction,
  OutboxTransaction,
  PlacedMessage,
  StorageOutbox,
} from '../storage/outbox.ts'
import { isMessageType, visibleTenant } from './drafts/draft.ts'
import { afterReading, filterMessage, typesToRead, writePage } from './history.ts'
import {
  isElsewhere,
  type Lease,
  LostLease,
  placeAll,
  receiverOf,
  type StoredSubscription,
  takeLease,
} from './stored-subscription.ts'
import type { GamificationMessage } from './types.ts'

/** The host's function for the messages of a subscription. */
export type SubscriptionHandler = (
  messages: readonly GamificationMessage[],
  context: { readonly tx: HandlerTransaction },
) => unknown

const MOST_MESSAGES = 100
/**
 * How far the stored position may lag behind the newest if no message is for the subscription. Old messages are removed
 * only up to the stored position.
 */
const MOST_BEHIND = 1_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
const MOST_IN_ERROR = 500

export interface Handled {
  readonly handled: number
  readonly failed: number
  /** Messages were skipped, and there may be more. */
  readonly isMore?: boolean
}

/** One subscription in one process. */
export interface Receiver {
  readonly context: Context
  readonly name: string
  /** Identifies this process. */
  readonly owner: string
  readonly handler: SubscriptionHandler
  readonly isMultiTenant: boolean
}

/** True if the subscription has anything to do now. Writes nothing. */
export async function hasWork(
  { context, owner }: Pick<Receiver, 'context' | 'owner'>,
  stored: StoredSubscription,
): Promise<boolean> {
  const { storage, now, databaseClock } = context
  if (isElsewhere(stored, owner, databaseClock.leaseNow()) || (stored.nextAt ?? 0) > now()) return false
  if (stored.history !== null) return true
  const next = await storage.readMessages({ after: stored.position, types: stored.types, limit: 1 })
  if (next.length > 0 || (await storage.newestPosition()) - stored.position >= MOST_BEHIND) return true
  const again = await storage.deliveries({ receiver: receiverOf(stored.name), state: 'waiting', limit: 1 })
  return again.length > 0
}

/** Delivers the next messages. The lease stays with this process. */
export async function deliverToHandler(over: Receiver): Promise<Handled> {
  const { context, name, owner } = over
  const lease = await takeLease(context, name, owner)
  if (lease === null) return { handled: 0, failed: 0 }
  try {
    const { history } = lease.subscription
    if (history !== null && history.ends === null) {
      await lease.write({ history: await writePage(context, lease.subscription, history) })
    }
    const again = await retryDeadLetters(over, lease)
    const next = await readAndDeliver(over, lease)
    return { ...next, handled: again.handled + next.handled, failed: again.failed + next.failed }
  } catch (error) {
    // The process that has the lease now continues from what is stored.
    if (error instanceof LostLease) return { handled: 0, failed: 0 }
    throw error
  }
}

async function readAndDeliver(over: Receiver, lease: Lease): Promise<Handled> {
  const { storage } = over.context
  const { subscription } = lease
  const { name, position: after, alone } = subscription
  // Read before the messages, so that the read below sees every message up to this position.
  const head = await placeAll(storage)
  const limit = subscription.attempts > 0 || after < alone ? 1 : MOST_MESSAGES
  const read = await storage.readMessages({ after, types: typesToRead(subscription), limit })
  let { history } = subscription
  const messages: PlacedMessage[] = []
  for (const each of read) {
    if (history === null) messages.push(each)
    else {
      const filtered = filterMessage(history, name, each)
      history = filtered.history
      if (filtered.message !== null) messages.push(filtered.message)
    }
  }
  const last = read.at(-1)?.position ?? after
  const position = read.length < limit ? Math.max(head, last) : last
  const passed = { position, history: history === null ? null : afterReading(history, position), ...NO_FAILURE }
  if (messages.length === 0) {
    const isMore = read.length > 0 || passed.history !== history
    if (isMore || position - after >= MOST_BEHIND) await lease.write(passed)
    return { handled: 0, failed: 0, isMore }
  }
  return deliverNext(over, lease, messages, passed)
}

const NO_FAILURE = { attempts: 0, nextAt: null, lastError: null } as const

interface Failure {
  readonly at: number
  readonly attempts: number
  readonly error: string
}

interface Attempt {
  readonly messages: readonly PlacedMessage[]
  /** How often their delivery failed before. */
  readonly attempts: number
  /** Saves the success in the transaction of the lease and of the handler's own statements. */
  onTaken(tx: OutboxTransaction): Promise<void>
  onFailed(tx: OutboxTransaction, failure: Failure): Promise<void>
}

/** Calls the handler and saves the result. */
async function attempt(over: Receiver, lease: Lease, { messages, attempts, ...then }: Attempt): Promise<Handled> {
  const { storage, now, logger } = over.context
  const renewing = lease.renewing()
  try {
    await withTransaction(storage, (tx) => callHandler(over, messages, tx), then.onTaken, renewing.stop)
    lease.wrote()
    return { handled: messages.length, failed: 0 }
  } catch (error) {
    await renewing.stop()
    if (error instanceof LostLease) throw error
    const failure = { at: now(), attempts: attempts + 1, error: describeError(error) }
    const { name } = over
    logger.error(
      { subscription: name, attempts: attempts + 1, err: error },
      `The handler of the subscription ${name} failed.`,
    )
    await storage.openTransaction((tx) => then.onFailed(tx, failure))
    lease.wrote()
    return { handled: 0, failed: messages.length }
  }
}

/** Delivers the next messages. `passed`: the changes of the subscription after a success. */
function deliverNext(
  over: Receiver,
  lease: Lease,
  messages: readonly PlacedMessage[],
  passed: Partial<StoredSubscription>,
): Promise<Handled> {
  const { attempts, alone, deadLetterAfter } = lease.subscription
  const [first, ...others] = messages
  return attempt(over, lease, {
    messages,
    attempts,
    onTaken: (tx) => lease.put(tx, passed),
    onFailed: async (tx, failure) => {
      const isDead = others.length === 0 && deadLetterAfter !== null && failure.attempts >= deadLetterAfter
      if (isDead && first !== undefined) {
        await tx.putDeliveries([toDeadLetter(over.name, first, failure)])
        return lease.put(tx, passed)
      }
      const nextAt = failure.at + pauseAfter(failure.attempts)
      const position = messages.at(-1)?.position ?? 0
      const { attempts, error: lastError } = failure
      await lease.put(tx, { attempts, nextAt, alone: Math.max(alone, position), lastError })
    },
  })
}

/** Exponential backoff with jitter. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.75 + Math.random() / 2))
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, MOST_IN_ERROR)
}

/** Delivers the dead letters that the host wants to be retried, one by one. */
async function retryDeadLetters(over: Receiver, lease: Lease): Promise<Handled> {
  const { storage } = over.context
  const receiver = receiverOf(over.name)
  const waiting = await storage.deliveries({ receiver, state: 'waiting', limit: MOST_MESSAGES })
  let done: Handled = { handled: 0, failed: 0 }
  for (const delivery of [...waiting].reverse()) {
    const end = await retryOne(over, lease, delivery)
    done = { handled: done.handled + end.handled, failed: done.failed + end.failed }
  }
  return done
}

function retryOne(over: Receiver, lease: Lease, delivery: Delivery): Promise<Handled> {
  const { messageId, type, at, tenant, user, data, position, attempts } = delivery
  const put = async (tx: OutboxTransaction, changes: Partial<Delivery>): Promise<void> => {
    await tx.putDeliveries([{ ...delivery, ...changes }])
    await lease.put(tx, {})
  }
  return attempt(over, lease, {
    messages: [{ id: messageId, type, at, tenant, user, data, position, number: 0, due: null }],
    attempts,
    onTaken: (tx) => put(tx, { state: 'done', nextAt: over.context.now(), attempts: attempts + 1 }),
    onFailed: (tx, failure) =>
      put(tx, { state: 'dead', nextAt: failure.at, attempts: failure.attempts, log: toLog(failure) }),
  })
}

function toLog({ at, error }: Failure): string {
  return JSON.stringify({ at, error })
}

function toDeadLetter(name: string, message: PlacedMessage, failure: Failure): Delivery {
  const { id: messageId, type, at, tenant, user, data, position } = message
  const about = { receiver: receiverOf(name), position, messageId, type, at, tenant, user, data }
  return { ...about, state: 'dead', attempts: failure.attempts, nextAt: failure.at, log: toLog(failure) }
}

/** Calls the handler. Skips messages of a type that this version does not know. */
function callHandler(
  { handler, isMultiTenant }: Receiver,
  messages: readonly PlacedMessage[],
  tx: HandlerTransaction,
): unknown {
  const known = messages.flatMap((message) => toHandlerMessage(message, isMultiTenant))
  return known.length === 0 ? null : handler(known, { tx })
}

/** A message as the host gets it. Returns an empty list for a type that this version does not know. */
export function toHandlerMessage(
  { id, type, at, tenant, user, data }: Pick<PlacedMessage, 'id' | 'type' | 'at' | 'tenant' | 'user' | 'data'>,
  isMultiTenant: boolean,
): readonly GamificationMessage[] {
  if (!isMessageType(type)) return []
  const message = {
    id,
    type,
    at: toInstantText(at),
    tenant: visibleTenant(tenant, isMultiTenant),
    userId: user,
    data: JSON.parse(data),
  } as GamificationMessage
  return [message]
}

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
