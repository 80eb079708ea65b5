import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MESSAGE_TYPES } from '../answers/message-draft.ts'
import { toInstantText } from '../answers/users.ts'
import { GamificationError } from '../errors.ts'
import { invalidOption } from '../options.ts'
import type { Context, CurrentGame } from '../runtime/context.ts'
import { untilWritten } from '../runtime/documents.ts'
import { parse } from '../runtime/input.ts'
import { publicCall } from '../runtime/tracing.ts'
import type { DeadLetter, DeadLetters, RetriedDeadLetters, SubscriptionStatus } from '../shapes/keys.ts'
import { countDeliveries, type Delivery, loadDeliveries, putDeliveries, removeReceiver } from '../sql/deliveries.ts'
import { countMessages } from '../sql/messages.ts'
import { loadDocument, loadDocuments, putDocument, removeDocument } from '../sql/outbox.ts'
import { hint, quote } from '../suggest.ts'
import type { SubscriptionHandler } from './deliver-to-handler.ts'
import { deliverToHandler, NOTHING_DONE, sumDone, toHandlerMessage } from './deliver-to-handler.ts'
import type { DeadLettersRequest, RetryRequest } from './requests.ts'
import { deadLettersRequest, retryRequest, subscribeOptions, subscriptionName } from './requests.ts'
import {
  assignAllPositions,
  deliveryPages,
  IDLE,
  NO_HISTORY,
  OF_WEBHOOKS,
  readSubscription,
  receiverOf,
  type StoredSubscription,
  SUBSCRIPTION,
  toDocument,
} from './stored-subscription.ts'
import type { Done } from './work.ts'

const MOST_COUNTED = 10_000
/** Never due for webhooks: the subscription itself reads the dead letters that it retries. */
const NEVER_DUE = 8.64e15

/** All subscriptions, by name. The webhooks' own position is left out. */
export async function listSubscriptions(context: Context): Promise<readonly SubscriptionStatus[]> {
  const { storage } = context
  await assignAllPositions(storage)
  const stored = (await loadDocuments(storage, SUBSCRIPTION)).filter(({ name }) => name !== OF_WEBHOOKS)
  return Promise.all(stored.map((document) => toStatus(context, readSubscription(document))))
}

async function toStatus({ storage, databaseClock }: Context, stored: StoredSubscription): Promise<SubscriptionStatus> {
  const { name, types, position, attempts, nextAt, lastError, owner, until, history } = stored
  const behind = await countMessages(storage, { after: position, types, most: MOST_COUNTED })
  const { waiting, dead } = await countDeliveries(storage, receiverOf(name))
  return {
    name,
    types,
    position,
    behind,
    deadLetters: waiting + dead,
    attempts,
    nextAttemptAt: nextAt === null ? null : toInstantText(nextAt),
    lastError,
    isActive: owner !== null && (until ?? 0) > databaseClock.leaseNow(),
    isCatchingUp: history !== null,
  }
}

async function listDeadLetters(
  { storage }: Context,
  name: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  isMultiTenant: boolean,
): Promise<DeadLetters> {
  const options = { receiver: receiverOf(name), limit, ...(before && { before }) }
  const states = ['dead', 'waiting'] as const
  const found = await Promise.all(states.map((state) => loadDeliveries(storage, { ...options, state })))
  const page = found
    .flat()
    .sort((left, right) => right.position - left.position)
    .slice(0, limit)
  const deadLetters = page.flatMap((delivery) => toDeadLetter(delivery, isMultiTenant))
  return { deadLetters, next: page.length < limit ? null : (page.at(-1)?.position ?? null) }
}

const failure = z.looseObject({ at: z.number(), error: z.string() })

function toDeadLetter(delivery: Delivery, isMultiTenant: boolean): readonly DeadLetter[] {
  const { position, attempts, state } = delivery
  const last = failure.safeParse(JSON.parse(delivery.log)).data
  return toHandlerMessage({ ...delivery, id: delivery.messageId }, isMultiTenant).map((message) => ({
    message,
    position,
    attempts,
    lastError: last?.error ?? null,
    lastAttemptAt: last === undefined ? null : toInstantText(last.at),
    isRetried: state === 'waiting',
  }))
}

async function retryDeadLetters(
  { storage, messageSignal }: Context,
  name: string,
  ids: readonly string[] | undefined,
): Promise<RetriedDeadLetters> {
  let retried = 0
  for await (const page of deliveryPages(storage, receiverOf(name), ids, 'dead')) {
    const again = page.map((delivery): Delivery => ({ ...delivery, state: 'waiting', nextAt: NEVER_DUE }))
    if (again.length > 0) await storage.transaction((tx) => putDeliveries(tx, again))
    retried += again.length
  }
  messageSignal.notify()
  return { retried }
}

/** Removes a subscription and its dead letters. Returns `false` if there is no subscription with this name. */
async function deleteSubscription({ storage }: Context, name: string): Promise<boolean> {
  return untilWritten(describeSubscription(name), async () => {
    const document = await loadDocument(storage, SUBSCRIPTION, name)
    if (document === null) return false
    return storage.transaction(function* (tx) {
      if (!(yield* removeDocument(tx, document))) return
      yield* removeReceiver(tx, receiverOf(name))
      return true
    })
  })
}

const describeSubscription = (name: string): string => `the subscription ${JSON.stringify(name)}`

/** Manages subscriptions, including subscriptions whose messages another process delivers. */
export interface SubscriptionsApi {
  /** Lists the subscriptions with their progress, by name. */
  list(): Promise<readonly SubscriptionStatus[]>
  /** Lists the messages that failed `deadLetterAfter` times, the newest first. */
  deadLetters(name: string, request?: DeadLettersRequest): Promise<DeadLetters>
  /** Delivers dead letters again, one by one, before the next messages. */
  retry(name: string, request?: RetryRequest): Promise<RetriedDeadLetters>
  /** Ends a subscription for every process and removes its dead letters. Returns `false` if there is none with this name. */
  delete(name: string): Promise<boolean>
}

export interface Subscriptions {
  readonly api: SubscriptionsApi
  subscribe(name: string, options: unknown, handler: SubscriptionHandler): Promise<void>
  readonly overlaps: true
  /** Delivers waiting messages. Returns how many messages the handlers accepted and how many failed. */
  runOnce(): Promise<Done>
  /** Releases the leases, so that other processes continue at once. */
  stop(): Promise<void>
}

/** `wantTypes` stores the message types that subscriptions want now. */
export function createSubscriptions(
  context: Context,
  isMultiTenant: boolean,
  wantTypes: () => Promise<unknown>,
): Subscriptions {
  const owner = randomUUID()
  const handlers = new Map<string, SubscriptionHandler>()
  const running = new Map<string, Promise<Done>>()
  const runOne = (name: string, handler: SubscriptionHandler): Done | Promise<Done> => {
    // A process runs one delivery of a subscription at a time.
    if (running.has(name)) return NOTHING_DONE
    const run = deliverToHandler({ context, name, owner, handler, isMultiTenant }).finally(() => running.delete(name))
    running.set(name, run)
    return run
  }

  return {
    api: createSubscriptionsApi(context, isMultiTenant, async (name) => {
      handlers.delete(name)
      await wantTypes()
    }),
    subscribe: (name, options, handler) =>
      call('subscribe', async () => {
        const known = parse(subscriptionName, name, 'name')
        const wanted = parse(subscribeOptions, options, 'options')
        checkTypes(wanted.types)
        if (typeof handler !== 'function') throw invalidOption('handler', 'a function that takes messages', handler)
        await storeSubscription(context, known, wanted)
        await wantTypes()
        handlers.set(known, handler)
        context.messageSignal.notify()
      }),
    overlaps: true,
    runOnce: async () => {
      if (handlers.size > 0) await assignAllPositions(context.storage)
      return sumDone(await Promise.all([...handlers].map(([name, handler]) => runOne(name, handler))))
    },
    stop: async () => {
      await Promise.allSettled(running.values())
      for (const name of handlers.keys()) await release(context, name, owner)
    },
  }
}

function createSubscriptionsApi(
  context: Context,
  isMultiTenant: boolean,
  onDeleted: (name: string) => Promise<void>,
): SubscriptionsApi {
  return {
    list: () => call('list', () => listSubscriptions(context)),
    deadLetters: (name, request = {}) =>
      call('deadLetters', async () => {
        const asked = parse(deadLettersRequest, request, 'request')
        return listDeadLetters(context, parse(subscriptionName, name, 'name'), asked, isMultiTenant)
      }),
    retry: (name, request = {}) =>
      call('retry', async () => {
        const { ids } = parse(retryRequest, request, 'request')
        return retryDeadLetters(context, parse(subscriptionName, name, 'name'), ids)
      }),
    delete: (name) =>
      call('delete', async () => {
        const isDeleted = await deleteSubscription(context, parse(subscriptionName, name, 'name'))
        await onDeleted(name)
        return isDeleted
      }),
  }
}

function call<T>(name: string, run: () => Promise<T>): Promise<T> {
  return publicCall(`subscriptions.${name}`, 'internal', run)
}

function checkTypes(types: readonly string[]): void {
  const known: readonly string[] = MESSAGE_TYPES
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const message = `There is no message of the type ${quote(type)}${hint(type, known, 'subscribe to another')}`
    throw new GamificationError('invalid_request', message, { issues: [{ path: `types[${index}]`, message }] })
  }
}

async function release(context: Context, name: string, owner: string): Promise<void> {
  try {
    await changeSubscription(context, name, async (stored) => {
      return stored?.owner === owner ? { ...stored, owner: null, until: null } : null
    })
  } catch (err) {
    context.logger.warn(
      { subscription: name, err },
      'The lease of a subscription could not be released. Other processes continue when it expires.',
    )
  }
}

/** Stores a new subscription, or changes an existing one, which keeps its position. */
async function storeSubscription(
  context: Context,
  name: string,
  { from, deadLetterAfter: given, ...wanted }: z.infer<typeof subscribeOptions>,
): Promise<void> {
  const types = [...new Set(wanted.types)].sort()
  const deadLetterAfter = given ?? null
  await changeSubscription(context, name, async (stored) => {
    if (stored === null) {
      const position = await assignAllPositions(context.storage)
      const history = from === 'start' ? NO_HISTORY : null
      return { ...IDLE, name, version: 0, types, position, deadLetterAfter, history }
    }
    const isSame = stored.types.join() === types.join() && stored.deadLetterAfter === deadLetterAfter
    return isSame ? stored : { ...stored, types, deadLetterAfter }
  })
}

/** `change` is called again if another process wrote first. Writes nothing if it returns `null` or the same object. */
async function changeSubscription(
  { storage }: Context,
  name: string,
  change: (stored: StoredSubscription | null) => Promise<StoredSubscription | null>,
): Promise<void> {
  await untilWritten(describeSubscription(name), async () => {
    const document = await loadDocument(storage, SUBSCRIPTION, name)
    const stored = document === null ? null : readSubscription(document)
    const next = await change(stored)
    if (next === null || next === stored) return true
    return (await storage.transaction((tx) => putDocument(tx, toDocument(next)))) || undefined
  })
}

/** From now on, writes messages only of the types that subscriptions and webhooks want. */
export function storeWantedTypes({ storage, games }: Pick<Context, 'storage' | 'games'>): Promise<CurrentGame> {
  return games.changeMessages(async () => {
    const documents = await loadDocuments(storage, SUBSCRIPTION)
    return documents.flatMap((document) => readSubscription(document).types)
  })
}
