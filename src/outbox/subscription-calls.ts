import { z } from 'zod'
import { toInstantText } from '../engine/answers/user.ts'
import type {
  DeadLetter,
  DeadLetters,
  RetriedDeadLetters,
  SubscriptionStatus,
} from '../engine/answers/wire/subscriptions.ts'
import type { Context } from '../engine/types.ts'
import type { Delivery } from '../storage-outbox.ts'
import { toToldMessage } from './hand-over.ts'
import { placeAll } from './messages.ts'
import {
  OF_WEBHOOKS,
  readSubscription,
  receiverOf,
  type StoredSubscription,
  SUBSCRIPTION,
  toDocument,
} from './stored-subscription.ts'

const MOST_COUNTED = 10_000
const MOST_AT_ONCE = 1_000
const MOST_TRIES = 50
/** Never due: only the subscription itself asks for what it retries. */
const OF_ITS_OWN = 8.64e15

/** In order of name; those of webhooks are told with these. */
export async function listSubscriptions(context: Context): Promise<readonly SubscriptionStatus[]> {
  const { storage } = context
  await placeAll(storage)
  const stored = (await storage.documents(SUBSCRIPTION)).filter(({ name }) => name !== OF_WEBHOOKS)
  return Promise.all(stored.map((document) => toStatus(context, readSubscription(document))))
}

async function toStatus({ storage, databaseClock }: Context, stored: StoredSubscription): Promise<SubscriptionStatus> {
  const { name, types, position, tries, nextAt, lastError, owner, until, history } = stored
  const behind = await storage.countMessages({ after: position, types, most: MOST_COUNTED })
  const { waiting, dead } = await storage.countDeliveries(receiverOf(name))
  return {
    name,
    types,
    position,
    behind,
    deadLetters: waiting + dead,
    tries,
    nextTryAt: nextAt === null ? null : toInstantText(nextAt),
    lastError,
    isActive: owner !== null && (until ?? 0) > databaseClock.leaseNow(),
    isCatchingUp: history !== null,
  }
}

/** What was put aside, the newest first. */
export async function listDeadLetters(
  { storage }: Context,
  name: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  isMultiTenant: boolean,
): Promise<DeadLetters> {
  const place = before === undefined ? {} : { before }
  const receiver = receiverOf(name)
  const found = await Promise.all(
    (['dead', 'waiting'] as const).map((state) => storage.deliveries({ receiver, state, limit, ...place })),
  )
  const page = found
    .flat()
    .sort((left, right) => right.position - left.position)
    .slice(0, limit)
  const deadLetters = page.flatMap((delivery) => toDeadLetter(delivery, isMultiTenant))
  return { deadLetters, next: page.length < limit ? null : (page.at(-1)?.position ?? null) }
}

const tryLog = z.array(z.looseObject({ at: z.number(), error: z.string() }))

function toDeadLetter(delivery: Delivery, isMultiTenant: boolean): readonly DeadLetter[] {
  const { position, tries, state } = delivery
  const last = tryLog.safeParse(JSON.parse(delivery.log)).data?.at(-1)
  return toToldMessage({ ...delivery, id: delivery.messageId }, isMultiTenant).map((message) => ({
    message,
    position,
    tries,
    lastError: last?.error ?? null,
    lastTryAt: last === undefined ? null : toInstantText(last.at),
    isRetried: state === 'waiting',
  }))
}

/** Has what was put aside handed over again; answers how many. */
export async function retryDeadLetters(
  { storage, wake }: Context,
  name: string,
  ids: readonly string[] | undefined,
): Promise<RetriedDeadLetters> {
  const wanted = ids === undefined ? null : new Set(ids)
  const receiver = receiverOf(name)
  let retried = 0
  let before: number | undefined
  for (;;) {
    const place = before === undefined ? {} : { before }
    const page = await storage.deliveries({ receiver, state: 'dead', limit: MOST_AT_ONCE, ...place })
    const own = page.filter(({ messageId }) => wanted === null || wanted.has(messageId))
    if (own.length > 0) {
      const again = own.map((delivery): Delivery => ({ ...delivery, state: 'waiting', nextAt: OF_ITS_OWN }))
      await storage.transact((tx) => tx.putDeliveries(again))
    }
    retried += own.length
    before = page.at(-1)?.position
    if (page.length < MOST_AT_ONCE) break
  }
  wake.ring()
  return { retried }
}

/** Removes a subscription with what it put aside; false: there is none of this name. */
export async function deleteSubscription({ storage }: Context, name: string): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const document = await storage.document(SUBSCRIPTION, name)
    if (document === null) return false
    const { kind, version } = toDocument(readSubscription(document))
    const isRemoved = await storage.transact(async (tx) => {
      if (!(await tx.removeDocument({ kind, name, version }))) return false
      await tx.removeReceiver(receiverOf(name))
      return true
    })
    if (isRemoved) return true
  }
  return false
}
