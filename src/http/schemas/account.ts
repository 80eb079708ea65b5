import { z } from 'zod'
import type { DeadLetter, DeadLetters, SubscriptionStatus } from '../../engine/answers/wire/subscriptions.ts'
import type { Tenant, TenantsResponse } from '../../engine/answers/wire/users.ts'
import { count, instant, type ShapeOf } from './parts.ts'

export const subscriptionStatusSchema: z.ZodType<SubscriptionStatus> = z
  .strictObject({
    name: z.string(),
    types: z.array(z.string()),
    position: count.describe('Everything up to it was handed over.'),
    behind: count.describe('How many messages wait; no more than 10,000 are counted.'),
    deadLetters: count.describe('How many were put aside.'),
    tries: count.describe('How often handing over what comes next has failed.'),
    nextTryAt: instant.nullable(),
    lastError: z.string().nullable(),
    isActive: z.boolean().describe('Whether a process hands over its messages now.'),
    isCatchingUp: z.boolean().describe('Whether what was before the subscription is still handed over.'),
  } satisfies ShapeOf<SubscriptionStatus>)
  .meta({ id: 'SubscriptionStatus', description: 'How far a subscription is.' })

/** Each type of message has data of its own. */
const message = z.looseObject({ id: z.string(), type: z.string() }) as unknown as z.ZodType<DeadLetter['message']>

const deadLetter: z.ZodType<DeadLetter> = z
  .strictObject({
    message,
    position: count,
    tries: count,
    lastError: z.string().nullable(),
    lastTryAt: instant.nullable(),
    isRetried: z.boolean().describe('Whether it waits to be handed over again.'),
  } satisfies ShapeOf<DeadLetter>)
  .meta({ id: 'DeadLetter', description: 'A message that a subscription put aside.' })

export const deadLettersSchema: z.ZodType<DeadLetters> = z
  .strictObject({
    deadLetters: z.array(deadLetter),
    next: count.nullable().describe('To be sent as `before` for the next page; null: there are no more.'),
  } satisfies ShapeOf<DeadLetters>)
  .meta({ id: 'DeadLetters', description: 'What a subscription put aside, the newest first.' })

export const retriedSchema: z.ZodType<{ readonly retried: number }> = z
  .strictObject({ retried: count })
  .meta({ id: 'RetriedDeadLetters', description: 'How many messages are handed over again.' })

const tenant: z.ZodType<Tenant> = z.strictObject({ id: z.string(), users: count } satisfies ShapeOf<Tenant>)

export const tenantsResponseSchema: z.ZodType<TenantsResponse> = z
  .strictObject({
    tenants: z.array(tenant),
    after: z.string().nullable().describe('To be sent as `after` for the next page; null: there are no more.'),
  } satisfies ShapeOf<TenantsResponse>)
  .meta({ id: 'TenantsResponse', description: 'Tenants that have users, in order of id.' })
