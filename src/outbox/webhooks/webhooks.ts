import { MESSAGE_TYPES } from '../../engine/answers/messages/types.ts'
import type { Context } from '../../engine/types.ts'
import { createCalls, type WebhooksApi } from './calls.ts'
import type { WebhooksContext } from './context.ts'
import { createDeliverer, type Delivered } from './deliver.ts'
import { fanOut } from './fan-out.ts'
import { createRegistry } from './registry.ts'
import { createSecretBox } from './secrets.ts'
import { createSender } from './send.ts'

export interface Webhooks {
  readonly api: WebhooksApi
  readonly worker: WebhooksWorker
}

export interface WebhooksWorker {
  /** Makes deliveries of messages, and sends those that are due. */
  runOnce(): Promise<Delivered>
  /** Waits until something under way has ended; false where nothing is. */
  ended(): Promise<boolean>
  /** Waits for what is under way. */
  stop(): Promise<void>
  /** Starts no more requests, and aborts those that are still in flight after this time. */
  endWithin(ms: number): void
}

/** Batches of messages that become deliveries before anything is sent. */
const MOST_BATCHES = 10

export function createWebhooks(context: WebhooksContext): Webhooks {
  const { storage, now } = context
  const registry = createRegistry(context)
  const { runOnce, ended, drained, endWithin } = createDeliverer(context, registry)

  return {
    api: createCalls(context, registry),
    worker: {
      runOnce: async () => {
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          if ((await fanOut(storage, await registry.read(), now())) === 0) break
        }
        return runOnce()
      },
      ended,
      stop: drained,
      endWithin,
    },
  }
}

export interface WebhooksOptions {
  /** Secrets are stored encrypted with it: 32 characters or more. Without it there are no webhooks. */
  readonly secretKey?: string
  /** Whether webhooks may lead to this machine and its network, as while developing. Default false. */
  readonly allowInternal?: boolean
}

/** The webhooks of an engine. `wantTypes`: has the types written that they ask for. */
export function webhooksOf(
  context: Context,
  { secretKey, allowInternal = false }: WebhooksOptions,
  multiTenant: boolean,
  wantTypes: () => Promise<void>,
): Webhooks {
  const { storage, now, databaseClock, newId, logger } = context
  return createWebhooks({
    storage,
    now,
    leaseNow: databaseClock.leaseNow,
    newId,
    logger,
    random: Math.random,
    send: createSender(),
    secretBox: secretKey === undefined ? null : createSecretBox(secretKey),
    allowInternal,
    multiTenant,
    knownTypes: MESSAGE_TYPES,
    wantTypes,
  })
}
