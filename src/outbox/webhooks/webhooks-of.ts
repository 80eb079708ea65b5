import { MESSAGE_TYPES } from '../../engine/answers/messages/types.ts'
import type { Context } from '../../engine/types.ts'
import { createWebhooks, type Webhooks } from './create-webhooks.ts'
import { createSender } from './send.ts'
import { createVault } from './vault.ts'

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
    vault: secretKey === undefined ? null : createVault(secretKey),
    allowInternal,
    multiTenant,
    knownTypes: MESSAGE_TYPES,
    wantTypes,
  })
}
