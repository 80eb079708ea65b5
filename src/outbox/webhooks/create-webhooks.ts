import { createCalls, type WebhooksApi } from './calls.ts'
import type { WebhooksContext } from './context.ts'
import { createDeliverer, type Delivered } from './deliver.ts'
import { fanOut } from './fan-out.ts'
import { createRegistry } from './registry.ts'

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
          if ((await fanOut(storage, registry, now())) === 0) break
        }
        return runOnce()
      },
      ended,
      stop: drained,
      endWithin,
    },
  }
}
