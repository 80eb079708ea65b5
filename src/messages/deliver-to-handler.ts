import { isMessageType, toPublicMessage } from '../answers/message-draft.ts'
import { GamificationError } from '../errors.ts'
import type { Context } from '../runtime/context.ts'
import { type HandlerScope, runHandler } from '../runtime/handler-scope.ts'
import type { GamificationMessage } from '../shapes/messages.ts'
import { type Delivery, loadDeliveries, putDeliveries } from '../sql/deliveries.ts'
import { loadMessages, loadNewestPosition } from '../sql/messages.ts'
import { loadDocument, toHandlerTransaction } from '../sql/outbox.ts'
import type { HandlerTransaction, PlacedMessage } from '../storage/outbox.ts'
import { runSteps, type Steps } from '../storage/steps.ts'
import type { OpenTransaction, SqlTransaction, Storage } from '../storage/storage.ts'
import { afterReading, filterMessage, typesToRead, writePage } from './past-messages.ts'
import {
  assignAllPositions,
  deliveryOf,
  isElsewhere,
  type Lease,
  LostLease,
  putLease,
  readSubscription,
  receiverOf,
  type StoredSubscription,
  SUBSCRIPTION,
  startRenewing,
  takeLease,
  writeLease,
} from './stored-subscription.ts'
import { type Done, sumReports } from './work.ts'

export type SubscriptionHandler = (
  messages: readonly GamificationMessage[],
  context: { readonly tx: HandlerTransaction },
) => unknown

const MOST_MESSAGES = 100
/** How far the stored position may lag behind. Old messages are removed only up to the stored position. */
const MOST_BEHIND = 1_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
const MOST_IN_ERROR = 500

export const NOTHING_DONE: Done = {}

export function sumDone(all: readonly Done[]): Done {
  return { ...sumReports(all), isMore: all.some(({ isMore }) => isMore === true) }
}

export interface Receiver {
  readonly context: Context
  readonly name: string
  readonly owner: string
  readonly handler: SubscriptionHandler
  readonly isMultiTenant: boolean
}

async function hasWork({ context, owner }: Receiver, stored: StoredSubscription): Promise<boolean> {
  const { now, databaseClock } = context
  if (isElsewhere(stored, owner, databaseClock.leaseNow()) || (stored.nextAt ?? 0) > now()) return false
  return isBehind(context, stored)
}

/** Returns whether the subscription has anything to deliver, or to write. */
export async function isBehind({ storage }: Pick<Context, 'storage'>, stored: StoredSubscription): Promise<boolean> {
  if (stored.history !== null) return true
  const next = await loadMessages(storage, { after: stored.position, types: stored.types, limit: 1 })
  if (next.length > 0 || (await loadNewestPosition(storage)) - stored.position >= MOST_BEHIND) return true
  const again = await loadDeliveries(storage, { receiver: receiverOf(stored.name), state: 'waiting', limit: 1 })
  return again.length > 0
}

/** Delivers the next messages, if there are any. The lease stays with this process. */
export async function deliverToHandler(over: Receiver): Promise<Done> {
  const { context, name, owner } = over
  const document = await loadDocument(context.storage, SUBSCRIPTION, name)
  const stored = document === null ? null : readSubscription(document)
  if (stored === null || !(await hasWork(over, stored))) return NOTHING_DONE
  try {
    const lease = await takeLease(context, stored, owner)
    const { history } = lease.subscription
    if (history !== null && history.ends === null) {
      await writeLease(lease, { history: await writePage(context, lease.subscription, history) })
    }
    return sumDone([await retryDeadLetters(over, lease), await readAndDeliver(over, lease)])
  } catch (error) {
    // The process that has the lease now continues from the stored checkpoint.
    if (error instanceof LostLease) return NOTHING_DONE
    throw error
  }
}

async function readAndDeliver(over: Receiver, lease: Lease): Promise<Done> {
  const { storage } = over.context
  const { subscription } = lease
  const { name, position: after, alone } = subscription
  // Read before the messages, so that the read below sees every message up to this position.
  const head = await assignAllPositions(storage)
  const limit = subscription.attempts > 0 || after < alone ? 1 : MOST_MESSAGES
  const read = await loadMessages(storage, { after, types: typesToRead(subscription), limit })
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
    if (isMore || position - after >= MOST_BEHIND) await writeLease(lease, passed)
    return { handled: 0, failed: 0, isMore }
  }
  return deliverNext(over, lease, messages, passed)
}

const NO_FAILURE = { attempts: 0, nextAt: null, lastError: null } as const

interface Failure {
  readonly at: number
  readonly attempts: number
  readonly error: string
  /** Says nothing about a user. */
  readonly kind: string
}

interface Attempt {
  readonly messages: readonly PlacedMessage[]
  /** How often their delivery failed before. */
  readonly attempts: number
  /** Saves the success, with the lease, in the transaction of the handler's own statements. */
  onTaken(tx: SqlTransaction): Steps<StoredSubscription>
  onFailed(tx: SqlTransaction, failure: Failure): Steps<StoredSubscription>
}

async function attempt(over: Receiver, lease: Lease, { messages, attempts, ...then }: Attempt): Promise<Done> {
  const { storage, now, logger } = over.context
  const stopRenewing = startRenewing(lease)
  try {
    lease.subscription = await withTransaction(
      storage,
      (tx) => callHandler(over, messages, tx),
      then.onTaken,
      stopRenewing,
    )
    return { handled: messages.length, failed: 0 }
  } catch (error) {
    await stopRenewing()
    if (error instanceof LostLease) throw error
    const failure = { at: now(), attempts: attempts + 1, error: describeError(error), kind: kindOf(error) }
    const { name } = over
    logger.error(
      { subscription: name, attempts: attempts + 1, err: error },
      `The handler of the subscription ${name} failed.`,
    )
    lease.subscription = await storage.transaction((tx) => then.onFailed(tx, failure))
    return { handled: 0, failed: messages.length }
  }
}

/** Delivers the next messages. `passed`: the changes of the subscription after a success. */
function deliverNext(
  over: Receiver,
  lease: Lease,
  messages: readonly PlacedMessage[],
  passed: Partial<StoredSubscription>,
): Promise<Done> {
  const { attempts, alone, deadLetterAfter } = lease.subscription
  const [first, ...others] = messages
  return attempt(over, lease, {
    messages,
    attempts,
    onTaken: (tx) => putLease(lease, tx, passed),
    onFailed: function* (tx, failure) {
      const isDead = others.length === 0 && deadLetterAfter !== null && failure.attempts >= deadLetterAfter
      if (isDead && first !== undefined) {
        yield* putDeliveries(tx, [toDeadLetter(over.name, first, failure)])
        return yield* putLease(lease, tx, passed)
      }
      const nextAt = failure.at + pauseAfter(failure.attempts)
      const position = messages.at(-1)?.position ?? 0
      const { attempts, kind: lastError } = failure
      return yield* putLease(lease, tx, { attempts, nextAt, alone: Math.max(alone, position), lastError })
    },
  })
}

function pauseAfter(attempts: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.75 + Math.random() / 2))
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, MOST_IN_ERROR)
}

const KIND = /^[\w.:-]{1,64}$/

/**
 * The name and the code of an error. Its message can name a user, and the stored subscription is not deleted with that
 * user, as a dead letter is.
 */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, code } = error as Error & { readonly code?: unknown }
  return [name, code].filter((part) => typeof part === 'string' && KIND.test(part)).join(' ') || 'Error'
}

/** Delivers the dead letters that the host wants to be retried, one by one. */
async function retryDeadLetters(over: Receiver, lease: Lease): Promise<Done> {
  const { storage } = over.context
  const receiver = receiverOf(over.name)
  const waiting = await loadDeliveries(storage, { receiver, state: 'waiting', limit: MOST_MESSAGES })
  const ends: Done[] = []
  for (const delivery of waiting.toReversed()) ends.push(await retryOne(over, lease, delivery))
  return sumDone(ends)
}

function retryOne(over: Receiver, lease: Lease, delivery: Delivery): Promise<Done> {
  const { messageId, attempts } = delivery
  function* put(tx: SqlTransaction, changes: Partial<Delivery>): Steps<StoredSubscription> {
    yield* putDeliveries(tx, [{ ...delivery, ...changes }])
    return yield* putLease(lease, tx, {})
  }
  return attempt(over, lease, {
    messages: [{ ...delivery, id: messageId, number: 0, due: null }],
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
  const { at: nextAt, attempts } = failure
  return { ...deliveryOf(message, receiverOf(name)), state: 'dead', attempts, nextAt, log: toLog(failure) }
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
  message: Parameters<typeof toPublicMessage>[0],
  isMultiTenant: boolean,
): readonly GamificationMessage[] {
  return isMessageType(message.type) ? [toPublicMessage(message, isMultiTenant) as GamificationMessage] : []
}

/**
 * Runs a handler, then `finish`, in one transaction with the handler's own statements. The transaction begins with the
 * handler's first statement, so a handler without statements never keeps a transaction open. Rejects with the error of
 * the handler or of `finish`; then nothing is stored. `onOpen` is awaited before the transaction begins.
 */
export async function withTransaction<T>(
  storage: Pick<Storage, 'transaction' | 'openTransaction'>,
  handle: (tx: HandlerTransaction) => unknown,
  finish: (tx: SqlTransaction) => Steps<T>,
  onOpen: () => Promise<void> = async () => undefined,
): Promise<T> {
  const scope: HandlerScope & { opened: Promise<Opened<T>> | null } = { isInTransaction: false, opened: null }
  let isOver = false
  const tx: HandlerTransaction = {
    query: async <Row>(sql: string, values?: readonly unknown[]) => {
      if (isOver) throw new GamificationError('storage_unusable', 'The handler has ended, and its transaction with it.')
      scope.isInTransaction = true
      scope.opened ??= onOpen().then(() => beginTransaction(storage, finish))
      const open = await (await scope.opened).tx
      return toHandlerTransaction(open).query<Row>(sql, values)
    },
  }
  const failure = await runHandler(scope, async () => handle(tx)).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  isOver = true
  scope.isInTransaction = false
  const opened = await scope.opened
  if (failure !== null) {
    opened?.end.reject(failure.error)
    await opened?.committed.catch(() => undefined)
    throw failure.error
  }
  if (opened === null) {
    await onOpen()
    return storage.transaction(finish)
  }
  opened.end.resolve()
  return opened.committed
}

interface Opened<T> {
  readonly tx: Promise<OpenTransaction>
  readonly end: PromiseWithResolvers<void>
  readonly committed: Promise<T>
}

function beginTransaction<T>(
  storage: Pick<Storage, 'openTransaction'>,
  finish: (tx: SqlTransaction) => Steps<T>,
): Opened<T> {
  const begun = Promise.withResolvers<OpenTransaction>()
  const end = Promise.withResolvers<void>()
  const committed = storage.openTransaction(async (tx) => {
    begun.resolve(tx)
    await end.promise
    return runSteps(finish(tx))
  })
  // A transaction that ends early, at its deadline, must not count as unhandled.
  for (const promise of [end.promise, begun.promise]) promise.catch(() => undefined)
  committed.catch(begun.reject)
  return { tx: begun.promise, end, committed }
}
