import type { WholeNumbers } from '../../answers/whole-numbers.ts'
import type { Context } from '../../runtime/context.ts'
import { createWebhooksApi, type WebhooksApi } from './calls.ts'
import { createDeliverer, type Deliverer } from './deliver.ts'
import { fanOut } from './fan-out.ts'
import { readRegistered, type WebhooksContext } from './registry.ts'
import { createSender } from './send.ts'
import { createSecretBox } from './stored-webhook.ts'

export interface Webhooks {
  readonly api: WebhooksApi
  /** `runOnce` first creates the deliveries of new messages. */
  readonly worker: Deliverer
}

/** The most batches of messages that become deliveries before requests are sent. */
const MOST_BATCHES = 10

export function createWebhooks(context: WebhooksContext): Webhooks {
  const { storage, now } = context
  const deliverer = createDeliverer(context)
  return {
    api: createWebhooksApi(context),
    worker: {
      ...deliverer,
      runOnce: async () => {
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
          if ((await fanOut(storage, await readRegistered(storage), now())) === 0) break
        }
        return deliverer.runOnce()
      },
    },
  }
}

export interface WebhooksOptions {
  /** Encrypts the stored secrets: 32 characters or more. Without it there are no webhooks. */
  readonly secretKey?: string
  /** Allows webhooks to this machine and its network, and `http://`, for development. Default `false`. */
  readonly allowInternal?: boolean
  /** Makes the scores of leaderboards whole numbers. Default: they keep their decimals. */
  readonly wholeNumbers?: WholeNumbers
}

export function webhooksOf(
  context: Context,
  { secretKey, allowInternal = false, wholeNumbers }: WebhooksOptions,
  multiTenant: boolean,
  wantTypes: () => Promise<void>,
): Webhooks {
  const secretBox = secretKey === undefined ? null : createSecretBox(secretKey)
  const sending = {
    random: Math.random,
    send: createSender(),
    secretBox,
    allowInternal,
    wholeNumbers: wholeNumbers ?? null,
  }
  return createWebhooks({ ...context, ...sending, multiTenant, wantTypes })
}
