import { z } from 'zod'
import type { Webhook, WebhookDelivery, WebhookTry } from '../../api/keys/types.ts'
import { toInstantText } from '../../api/users/answer.ts'
import type { Delivery } from '../../storage/outbox.ts'
import { visibleTenant } from '../drafts/draft.ts'
import type { StoredWebhook } from './stored-webhook.ts'

/** One attempt of a delivery, as it is stored. */
export interface Try {
  readonly at: number
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

/** The last attempts, the newest last, and the beginning of the last response. */
export interface Tries {
  readonly tries: readonly Try[]
  readonly answer: string
}

const MOST_KEPT = 10
const NO_TRIES: Tries = { tries: [], answer: '' }

const schema: z.ZodType<Tries> = z.object({
  tries: z.array(
    z.object({ at: z.number(), status: z.number().nullable(), ms: z.number(), error: z.string().nullable() }),
  ),
  answer: z.string(),
})

export const NO_LOG: string = JSON.stringify(NO_TRIES)

function readTries(log: string): Tries {
  return schema.safeParse(JSON.parse(log)).data ?? NO_TRIES
}

export function withTry(log: string, made: Try, answer: string): string {
  return JSON.stringify({ tries: [...readTries(log).tries, made].slice(-MOST_KEPT), answer })
}

/** Contains nothing about its secrets. */
export function toWebhook(stored: StoredWebhook, deliveries: Webhook['deliveries']): Webhook {
  const { id, name, url, types, order, serviceSignature, allowInternal, disabled, createdAt } = stored
  return {
    id,
    name,
    url,
    types,
    order,
    serviceSignature,
    allowInternal,
    status: disabled === null ? 'active' : 'disabled',
    disabled: disabled === null ? null : { at: toInstantText(disabled.at), because: disabled.because },
    created: toInstantText(createdAt),
    deliveries,
  }
}

export function toWebhookDelivery(delivery: Delivery, multiTenant: boolean): WebhookDelivery {
  const { messageId: id, type, at, tenant, user, state, tries, nextAt } = delivery
  return {
    id,
    type,
    at: toInstantText(at),
    tenant: visibleTenant(tenant, multiTenant),
    userId: user,
    state,
    tries,
    nextTryAt: state !== 'waiting' || nextAt === null ? null : toInstantText(nextAt),
    lastTry: lastTryOf(delivery),
  }
}

function lastTryOf({ log }: Delivery): WebhookTry | null {
  const { tries, answer } = readTries(log)
  const last = tries.at(-1)
  if (last === undefined) return null
  return { at: toInstantText(last.at), status: last.status, durationMs: last.ms, error: last.error, answer }
}
