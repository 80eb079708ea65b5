import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MESSAGE_TYPES } from '../engine/answers/messages/types.ts'
import type { DeadLetters, RetriedDeadLetters, SubscriptionStatus } from '../engine/answers/wire/subscriptions.ts'
import { foreseen } from '../engine/fault.ts'
import { tracedCall } from '../engine/tracing.ts'
import type { Context, CurrentGame } from '../engine/types.ts'
import { GamificationError } from '../errors.ts'
import { hint, quote } from '../game/suggest.ts'
import { invalidOption } from '../options.ts'
import { parse } from '../requests/input.ts'
import { deadLettersRequest, retryRequest, subscribeOptions, subscriptionName } from '../requests/subscriptions.ts'
import type { DeadLettersRequest, RetryRequest } from '../requests/types/subscriptions.ts'
import { type HandedOver, handOver, hasWork, type SubscriptionHandler } from './hand-over.ts'
import { placeAll } from './messages.ts'
import {
  NO_HISTORY,
  readSubscription,
  type StoredSubscription,
  SUBSCRIPTION,
  toDocument,
} from './stored-subscription.ts'
import { deleteSubscription, listDeadLetters, listSubscriptions, retryDeadLetters } from './subscription-calls.ts'

/** What there is to ask of subscriptions, whichever process hands over their messages. */
export interface SubscriptionsApi {
  /** How far each is, in order of name. */
  list(): Promise<readonly SubscriptionStatus[]>
  /** Messages that were put aside after as many tries as the subscription gives them, the newest first. */
  deadLetters(name: string, request?: DeadLettersRequest): Promise<DeadLetters>
  /** Has messages that were put aside handed over again, one by one, before those that come next. */
  retry(name: string, request?: RetryRequest): Promise<RetriedDeadLetters>
  /** Ends it for every process, with what it put aside; false: there is none of this name. */
  delete(name: string): Promise<boolean>
}

export interface Subscriptions {
  readonly api: SubscriptionsApi
  subscribe(name: string, options: unknown, handler: SubscriptionHandler): Promise<void>
  readonly overlaps: true
  /** Hands over what waits; answers how many messages handlers took, and how many failed. */
  runOnce(): Promise<HandedOver>
  /** Lets other processes go on at once. */
  stop(): Promise<void>
}

/** `wantTypes`: has the types written that subscriptions ask for. */
export function createSubscriptions(
  context: Context,
  isMultiTenant: boolean,
  wantTypes: () => Promise<unknown>,
): Subscriptions {
  const owner = randomUUID()
  const handlers = new Map<string, SubscriptionHandler>()
  /** By subscription, the run that is under way in this process. */
  const running = new Map<string, Promise<HandedOver>>()

  const runOne = async (name: string): Promise<HandedOver> => {
    const handler = handlers.get(name)
    const none = { handled: 0, failed: 0 }
    if (handler === undefined) return none
    const document = await context.storage.document(SUBSCRIPTION, name)
    if (document === null || !(await hasWork({ context, owner }, readSubscription(document)))) return none
    return handOver({ context, name, owner, handler, isMultiTenant })
  }

  const api: SubscriptionsApi = {
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
        handlers.delete(name)
        await wantTypes()
        return isDeleted
      }),
  }

  return {
    api,
    subscribe: (name, options, handler) =>
      call('subscribe', async () => {
        const known = parse(subscriptionName, name, 'name')
        const { types, from, deadLetterAfter = null } = parse(subscribeOptions, options, 'options')
        checkTypes(types)
        if (typeof handler !== 'function') throw invalidOption('handler', 'a function that takes messages', handler)
        await storeSubscription(context, known, { types, from, deadLetterAfter })
        await wantTypes()
        handlers.set(known, handler)
        context.wake.ring()
      }),
    overlaps: true,
    runOnce: async () => {
      if (handlers.size > 0) await placeAll(context.storage)
      const all = await Promise.all(
        [...handlers.keys()].map((name): HandedOver | Promise<HandedOver> => {
          // Of one subscription a process does one thing at a time.
          if (running.has(name)) return { handled: 0, failed: 0 }
          const run = runOne(name).finally(() => running.delete(name))
          running.set(name, run)
          return run
        }),
      )
      return {
        handled: all.reduce((sum, { handled }) => sum + handled, 0),
        failed: all.reduce((sum, { failed }) => sum + failed, 0),
        isMore: all.some(({ isMore }) => isMore === true),
      }
    },
    stop: async () => {
      await Promise.allSettled(running.values())
      for (const name of handlers.keys()) await release(context, name, owner)
    },
  }
}

function call<T>(name: string, run: () => Promise<T>): Promise<T> {
  return tracedCall(`subscriptions.${name}`, () => foreseen('internal', run))
}

function checkTypes(types: readonly string[]): void {
  const known: readonly string[] = MESSAGE_TYPES
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const message = `There is no message of the type ${quote(type)}${hint(type, known, 'subscribe to another')}`
    throw new GamificationError('invalid_request', message, { issues: [{ path: `types[${index}]`, message }] })
  }
}

/** A lease that is not given back ends by itself. */
async function release(context: Context, name: string, owner: string): Promise<void> {
  try {
    const document = await context.storage.document(SUBSCRIPTION, name)
    if (document === null || readSubscription(document).owner !== owner) return
    await changeSubscription(context, name, async (stored) => {
      return stored?.owner === owner ? { ...stored, owner: null, until: null } : null
    })
  } catch (err) {
    context.logger.warn(
      { subscription: name, err },
      'A subscription goes on in other processes when its lease has ended.',
    )
  }
}

const MOST_TRIES = 50

/** What a subscription asks for. */
export interface WantedSubscription {
  readonly types: readonly string[]
  readonly from: 'now' | 'start'
  readonly deadLetterAfter: number | null
}

/** Stores a subscription, or what has changed of one that is there, which goes on from where it is. */
export async function storeSubscription(context: Context, name: string, wanted: WantedSubscription): Promise<void> {
  const types = [...new Set(wanted.types)].sort()
  const { deadLetterAfter } = wanted
  await changeSubscription(context, name, async (stored) => {
    if (stored === null) return begin(context, name, { ...wanted, types })
    const isSame = stored.types.join() === types.join() && stored.deadLetterAfter === deadLetterAfter
    return isSame ? stored : { ...stored, types, deadLetterAfter }
  })
}

async function begin(
  { storage }: Context,
  name: string,
  { types, from, deadLetterAfter }: WantedSubscription,
): Promise<StoredSubscription> {
  return {
    name,
    version: 0,
    types,
    position: await placeAll(storage),
    owner: null,
    until: null,
    tries: 0,
    nextAt: null,
    lastError: null,
    alone: 0,
    deadLetterAfter,
    history: from === 'start' ? NO_HISTORY : null,
  }
}

/**
 * Writes what `change` makes of a subscription, again where somebody else was faster; the same object, or null, writes
 * nothing.
 */
export async function changeSubscription(
  { storage }: Context,
  name: string,
  change: (stored: StoredSubscription | null) => Promise<StoredSubscription | null>,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const document = await storage.document(SUBSCRIPTION, name)
    const stored = document === null ? null : readSubscription(document)
    const next = await change(stored)
    if (next === null || next === stored) return
    if (await storage.transact((tx) => tx.putDocument(toDocument(next)))) return
  }
  const message = `The subscription ${JSON.stringify(name)} is changed by others all the time. Nothing was stored; try again.`
  throw new GamificationError('unavailable', message)
}

const wantedTypes = z.looseObject({ types: z.array(z.string()) })

/** Has the types of messages written from now on that subscriptions ask for, webhooks among them, and no others. */
export function storeWantedTypes({ storage, games }: Pick<Context, 'storage' | 'games'>): Promise<CurrentGame> {
  return games.changeMessages(async () => {
    const documents = await storage.documents(SUBSCRIPTION)
    return documents.flatMap(({ text }) => wantedTypes.parse(JSON.parse(text)).types)
  })
}
