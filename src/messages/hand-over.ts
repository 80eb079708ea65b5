import { toInstantText } from '../api/users/answer.ts'
import { GamificationError } from '../errors.ts'
import { historyMarkId } from '../game/ids.ts'
import { unchangedSave } from '../record/accept/accept-command.ts'
import { noticeCursorAt, noticesSentUntil, wantsTime } from '../record/accept/user-messages.ts'
import { withLockedUser } from '../record/locked-user.ts'
import { startLogMessages } from '../record/replay/merged-log.ts'
import { replay } from '../record/replay/replay.ts'
import type { Context } from '../runtime/context.ts'
import { damagedLog } from '../runtime/damage.ts'
import { CHANGED } from '../runtime/game-registry.ts'
import { runHandler } from '../runtime/handler-scope.ts'
import type {
  Delivery,
  HandlerTransaction,
  OutboxTransaction,
  PlacedMessage,
  StorageOutbox,
} from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import { isMessageType, toMessage } from './drafts/draft.ts'
import { isElsewhere, type Lease, LostLease, takeLease } from './lease.ts'
import { placeAll, toldTenant } from './messages.ts'
import { type History, receiverOf, type StoredSubscription } from './stored-subscription.ts'
import type { GamificationMessage } from './types.ts'

/*
 * What was before a subscription is made again from the logs, a page of users after the other, and written as messages
 * for this subscription alone: each user's in one commit under the user's version, with a mark behind them. So for each
 * user there is one position before which everything is in the history, and behind which nothing is: no message is lost
 * or comes twice. A page is handed over before the next one is listed: a user who could have been on it and was not was
 * created since, and all messages about that user lie behind what was read until then.
 */

const MOST_USERS = 20

/** The type under which messages of a history are stored; without `type`, that of the mark. */
function historyType(name: string, type = ''): string {
  return `history ${name} ${type}`
}

/** Which types are read where a history is handed over too. */
function typesToRead({ name, types, history }: StoredSubscription): readonly string[] {
  return history === null ? types : [...types, historyType(name), ...types.map((type) => historyType(name, type))]
}

/** Writes the history of the next users; answers how the subscription's stands then. */
async function writePage(context: Context, { name, types }: StoredSubscription, { listed }: History): Promise<History> {
  const { storage } = context
  const page = await storage.listUsers({ ...(listed && { after: listed }), limit: MOST_USERS })
  for (const key of page) await writeUser(context, key, { name, types })
  return {
    listed: page.at(-1) ?? listed,
    page: page.map(({ tenant, user }) => ({ tenant, user })),
    ends: await placeAll(storage),
    isLast: page.length < MOST_USERS,
  }
}

/**
 * Sifts a message that is read in order while a history is handed over: the message as it is to be handed over, or
 * null.
 */
function sift(
  history: History,
  name: string,
  message: PlacedMessage,
): { readonly history: History; readonly message: PlacedMessage | null } {
  const { tenant, user, type, position } = message
  if (user === null) return { history, message }
  const key = { tenant, user }
  const prefix = historyType(name)
  const isOnPage = position <= (history.ends ?? 0) && history.page.some((each) => compareKeys(each, key) === 0)
  const isOfHistory = type.startsWith(prefix)
  if (!isOfHistory) return { history, message: isOnPage || isToCome(history, key) ? null : message }
  if (!isOnPage) return { history, message: null }
  if (type !== prefix) return { history, message: { ...message, type: type.slice(prefix.length) } }
  return { history: { ...history, page: history.page.filter((each) => compareKeys(each, key) !== 0) }, message: null }
}

/** The history once everything up to a position was read; null: all of it was handed over. */
function afterReading(history: History, position: number): History | null {
  if (history.page.length > 0 && position < (history.ends ?? 0)) return history
  return history.isLast ? null : { ...history, page: [], ends: null }
}

/** Whether a user is listed later, if at all. */
function isToCome({ listed, isLast }: History, key: UserKey): boolean {
  return !isLast && (listed === null || compareKeys(key, listed) > 0)
}

/** In the order in which storages list users. */
export function compareKeys(left: UserKey, right: UserKey): number {
  return compareText(left.tenant, right.tenant) || compareText(left.user, right.user)
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** From the beginning of time. */
const EVER = Number.MIN_SAFE_INTEGER

async function writeUser(
  context: Context,
  key: UserKey,
  { name, types }: Pick<StoredSubscription, 'name' | 'types'>,
): Promise<void> {
  const wanted = { types: new Set(types), since: EVER }
  await withLockedUser(context, key, {}, (tx, { view, current, readLog }): Eventually<null | typeof CHANGED> => {
    const { state } = view
    if (state === null) return null
    const watch = () => startLogMessages({ key, current, wanted, keeps: ({ due }) => due === null })
    return chain(replay(readLog, current, [], { watch }), (fold) => {
      if (fold?.state == null || fold.messages === null) throw damagedLog(key.user)
      const { messages: inForce } = current
      const until = Math.max(noticesSentUntil(view.notices, state), inForce?.since ?? 0)
      fold.messages.end(fold.state, until)
      const drafts = fold.messages.drafts.filter(
        ({ type, staleAfter }) => wanted.types.has(type) && staleAfter === undefined,
      )
      const own = drafts.map((each) => ({ ...toMessage(each), type: historyType(name, each.type) }))
      const mark = {
        id: historyMarkId(key.tenant, key.user, name),
        type: historyType(name),
        at: until,
        data: '{}',
        due: null,
      }
      const notices = inForce !== null && wantsTime(inForce) ? { notices: noticeCursorAt(current, state, until) } : {}
      const save = { ...unchangedSave(state), messages: [...own, mark], ...notices }
      return chain(tx.save(key, view, save), (ranks) => (ranks === null ? CHANGED : null))
    })
  })
}

/**
 * Runs a handler of the host's, then `finish` in one transaction with what the handler has asked of the database. The
 * transaction begins with the handler's first statement: a handler that asks nothing holds none open, however long it
 * takes. Rejects with what the handler or `finish` threw, and then nothing is stored. `onOpen` is awaited before the
 * transaction begins.
 */
async function withTransaction<T>(
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
  // Where nobody waits for the end, its rejection must not count as unhandled.
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
  return storage.openTransaction(finish)
}

async function ended(work: Promise<unknown> | null): Promise<void> {
  await work?.catch(() => undefined)
}

/** What a host does with messages. */
export type SubscriptionHandler = (
  messages: readonly GamificationMessage[],
  context: { readonly tx: HandlerTransaction },
) => unknown

const MOST_MESSAGES = 100
/**
 * How far the stored position may lag behind the newest where no message is for the subscription: messages after the
 * stored position are not removed.
 */
const MOST_BEHIND = 1_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 5 * 60_000
const MOST_IN_ERROR = 500

export interface HandedOver {
  readonly handled: number
  readonly failed: number
  /** Messages were passed over, and there may be more. */
  readonly isMore?: boolean
}

/** Somebody who hands over messages of one subscription. */
export interface HandOver {
  readonly context: Context
  readonly name: string
  /** Tells this process from others. */
  readonly owner: string
  readonly handler: SubscriptionHandler
  readonly isMultiTenant: boolean
}

/** Whether the subscription has anything to do at `now`, without writing anything. */
export async function hasWork(
  { context, owner }: Pick<HandOver, 'context' | 'owner'>,
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

/** Hands over the next messages; the subscription stays this process's. Answers how many the handler has taken. */
export async function handOver(over: HandOver): Promise<HandedOver> {
  const { context, name, owner } = over
  const lease = await takeLease(context, name, owner)
  if (lease === null) return { handled: 0, failed: 0 }
  try {
    const { history } = lease.subscription
    if (history !== null && history.ends === null) {
      await lease.write({ history: await writePage(context, lease.subscription, history) })
    }
    const again = await handAgain(over, lease)
    const next = await handNext(over, lease)
    return { ...next, handled: again.handled + next.handled, failed: again.failed + next.failed }
  } catch (error) {
    // Whoever has it now goes on from what was stored.
    if (error instanceof LostLease) return { handled: 0, failed: 0 }
    throw error
  }
}

async function handNext(over: HandOver, lease: Lease): Promise<HandedOver> {
  const { storage } = over.context
  const { subscription } = lease
  const { name, position: after, alone } = subscription
  // Asked before the messages are read, so that every message up to this position is seen.
  const head = await placeAll(storage)
  const limit = subscription.tries > 0 || after < alone ? 1 : MOST_MESSAGES
  const read = await storage.readMessages({ after, types: typesToRead(subscription), limit })
  let { history } = subscription
  const messages: PlacedMessage[] = []
  for (const each of read) {
    if (history === null) messages.push(each)
    else {
      const sifted = sift(history, name, each)
      history = sifted.history
      if (sifted.message !== null) messages.push(sifted.message)
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
  return hand(over, lease, messages, passed)
}

const NO_FAILURE = { tries: 0, nextAt: null, lastError: null } as const

interface Failure {
  readonly at: number
  readonly tries: number
  readonly error: string
}

interface Attempt {
  readonly messages: readonly PlacedMessage[]
  /** How often they were handed over before. */
  readonly tries: number
  /** Stores what follows in one transaction with the lease, or with what the handler has written. */
  onTaken(tx: OutboxTransaction): Promise<void>
  onFailed(tx: OutboxTransaction, failure: Failure): Promise<void>
}

/** Hands messages to the handler, and stores what became of it. */
async function attempt(over: HandOver, lease: Lease, { messages, tries, ...then }: Attempt): Promise<HandedOver> {
  const { storage, now, logger } = over.context
  const renewing = lease.renewing()
  try {
    await withTransaction(storage, (tx) => tell(over, messages, tx), then.onTaken, renewing.stop)
    lease.wrote()
    return { handled: messages.length, failed: 0 }
  } catch (error) {
    await renewing.stop()
    if (error instanceof LostLease) throw error
    const failure = { at: now(), tries: tries + 1, error: describeError(error) }
    const { name } = over
    logger.error(
      { subscription: name, tries: tries + 1, err: error },
      `The handler of the subscription ${name} failed.`,
    )
    await storage.openTransaction((tx) => then.onFailed(tx, failure))
    lease.wrote()
    return { handled: 0, failed: messages.length }
  }
}

/** Hands over the next messages. `passed`: the subscription once they are taken. */
function hand(
  over: HandOver,
  lease: Lease,
  messages: readonly PlacedMessage[],
  passed: Partial<StoredSubscription>,
): Promise<HandedOver> {
  const { tries, alone, deadLetterAfter } = lease.subscription
  const [first, ...others] = messages
  return attempt(over, lease, {
    messages,
    tries,
    onTaken: (tx) => lease.put(tx, passed),
    onFailed: async (tx, failure) => {
      const isDead = others.length === 0 && deadLetterAfter !== null && failure.tries >= deadLetterAfter
      if (isDead && first !== undefined) {
        await tx.putDeliveries([toDeadLetter(over.name, first, failure)])
        return lease.put(tx, passed)
      }
      const nextAt = failure.at + pauseAfter(failure.tries)
      const position = messages.at(-1)?.position ?? 0
      const { tries, error: lastError } = failure
      await lease.put(tx, { tries, nextAt, alone: Math.max(alone, position), lastError })
    },
  })
}

/** Longer each time, with jitter. */
function pauseAfter(tries: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.75 + Math.random() / 2))
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, MOST_IN_ERROR)
}

/** Messages that were put aside, and are asked for again: one by one. */
async function handAgain(over: HandOver, lease: Lease): Promise<HandedOver> {
  const { storage } = over.context
  const receiver = receiverOf(over.name)
  const waiting = await storage.deliveries({ receiver, state: 'waiting', limit: MOST_MESSAGES })
  let done: HandedOver = { handled: 0, failed: 0 }
  for (const delivery of [...waiting].reverse()) {
    const end = await handOne(over, lease, delivery)
    done = { handled: done.handled + end.handled, failed: done.failed + end.failed }
  }
  return done
}

function handOne(over: HandOver, lease: Lease, delivery: Delivery): Promise<HandedOver> {
  const { messageId, type, at, tenant, user, data, position, tries } = delivery
  const put = async (tx: OutboxTransaction, changes: Partial<Delivery>): Promise<void> => {
    await tx.putDeliveries([{ ...delivery, ...changes }])
    await lease.put(tx, {})
  }
  return attempt(over, lease, {
    messages: [{ id: messageId, type, at, tenant, user, data, position, number: 0, due: null }],
    tries,
    onTaken: (tx) => put(tx, { state: 'done', nextAt: over.context.now(), tries: tries + 1 }),
    onFailed: (tx, failure) =>
      put(tx, { state: 'dead', nextAt: failure.at, tries: failure.tries, log: toLog(failure) }),
  })
}

function toLog({ at, error }: Failure): string {
  return JSON.stringify([{ at, error }])
}

function toDeadLetter(name: string, message: PlacedMessage, failure: Failure): Delivery {
  const { id: messageId, type, at, tenant, user, data, position } = message
  const about = { receiver: receiverOf(name), position, messageId, type, at, tenant, user, data }
  return { ...about, state: 'dead', tries: failure.tries, nextAt: failure.at, log: toLog(failure) }
}

/** Hands over messages; those of a type that this version does not know are passed over. */
function tell(
  { handler, isMultiTenant }: HandOver,
  messages: readonly PlacedMessage[],
  tx: HandlerTransaction,
): unknown {
  const told = messages.flatMap((message) => toToldMessage(message, isMultiTenant))
  return told.length === 0 ? null : handler(told, { tx })
}

/** A message as a host is told it; empty for a type that this version does not know. */
export function toToldMessage(
  { id, type, at, tenant, user, data }: Pick<PlacedMessage, 'id' | 'type' | 'at' | 'tenant' | 'user' | 'data'>,
  isMultiTenant: boolean,
): readonly GamificationMessage[] {
  if (!isMessageType(type)) return []
  const told = {
    id,
    type,
    at: toInstantText(at),
    tenant: toldTenant(tenant, isMultiTenant),
    userId: user,
    data: JSON.parse(data),
  } as GamificationMessage
  return [told]
}
