import { z } from 'zod'
import { ALL_TYPES } from '../game/message-types.ts'
import { optional, type Parsed, text, upTo } from '../runtime/input.ts'

/** The types of messages that a webhook gets, and their address. */
export interface WebhookRequest<Type extends string = string> {
  /** `https://`, at most 2,048 characters, without a user and a password in it. `http://` needs `allowInternal`. */
  readonly url: string
  /** 1 to 100 types of messages, such as `achievement.completed`. */
  readonly types: readonly Type[]
  /**
   * The signing secret: `whsec_` and base64 of 24 to 64 bytes, or 24 to 255 visible ASCII characters. Default: a new
   * one.
   */
  readonly secret?: string
  /** For people: 1 to 255 characters. */
  readonly name?: string | null
  /**
   * `user`: sends the messages of one user in order, each after the previous one is delivered or dead. `none`: in any
   * order. Default `user`.
   */
  readonly order?: 'user' | 'none'
  /**
   * For a receiver that was written for the hosted service: sends its signature too (`X-Trophy-Signature`), and the fields of
   * `data` beside `type`. Default false.
   */
  readonly serviceSignature?: boolean
  /**
   * If true, the URL may lead to this machine and its network, and begin with `http://`. Not over HTTP. Default false.
   */
  readonly allowInternal?: boolean
}

/** Absent fields keep their values. A URL of another origin resets `allowInternal`, unless the update sets it. */
export interface WebhookUpdate<Type extends string = string> extends Partial<Omit<WebhookRequest<Type>, 'secret'>> {
  /** `disabled`: sending stops, and waiting messages are put aside. `active`: sending restarts with new messages. */
  readonly status?: 'active' | 'disabled'
}

export interface WebhookDeliveriesRequest {
  /** 1 to 100. Default 50. */
  readonly limit?: number
  /** Continues with older items: `before` of the previous answer. */
  readonly before?: number
  /** Default: all of them. */
  readonly state?: 'waiting' | 'done' | 'dead'
}

/** The deliveries to send again: of these messages, or all in one state. Default: all that are dead. */
export interface WebhookReplayRequest {
  /** Ids of messages, 1 to 100. */
  readonly ids?: readonly string[]
  readonly state?: 'done' | 'dead'
}

export interface SecretRotation {
  /** The new secret. Default: one is made. */
  readonly secret?: string
  /** The hours in which the old secret signs too, 0 to 168. Default 24. */
  readonly overlapHours?: number
}

/** The types of messages that a subscription gets, and its start. */
export interface SubscribeOptions<Type extends string> {
  readonly types: readonly Type[]
  /**
   * `start`: also delivers messages of the past, made from the logs, without `….changed` messages and emails. Used only
   * when the subscription is new. Default `now`.
   */
  readonly from?: 'now' | 'start'
  /** After how many attempts a message is put aside, so that others continue. Default: never. */
  readonly deadLetterAfter?: number
}

export interface DeadLettersRequest {
  /** 1 to 1,000; default 100. */
  readonly limit?: number
  /** Returns messages before this position, the newest first. */
  readonly before?: number
}

export interface RetryRequest {
  /** Ids of messages; default: all that were put aside. */
  readonly ids?: readonly string[]
}

export interface WorkOptions {
  /** Stops the work; running parts finish first. */
  readonly signal?: AbortSignal
  /**
   * How often `work` polls for messages of other processes and for work that is due, in milliseconds. Default 1,000.
   */
  readonly pollMs?: number
}

const MOST_TYPES = 100
const MOST_IDS = 100

export const webhookId: z.ZodType<string> = z.uuid('must be the id of a webhook: a UUID')

const url = text(2_048)
/** `checkTypes` says which type was probably meant. */
const types = z
  .array(text(64).meta({ enum: [...ALL_TYPES] }))
  .min(1)
  .max(MOST_TYPES)
/** `checkSecret` refuses a wrong one, without its text. */
const secret = optional(
  text(255).meta({ pattern: '^(whsec_[A-Za-z0-9+/]{32,86}={0,2}|(?!whsec_)[\\x21-\\x7e]{24,255})$' }),
)
/** Not over HTTP. */
const allowInternal = optional(z.boolean())

const fields = {
  url,
  types,
  name: text(255).nullish(),
  order: optional(z.enum(['user', 'none'])),
  serviceSignature: optional(z.boolean()),
}
const changed = {
  ...fields,
  url: optional(url),
  types: optional(types),
  status: optional(z.enum(['active', 'disabled'])),
}

export const webhookBody: z.ZodType<Parsed<WebhookRequest>> = z.strictObject({ ...fields, secret })
export const webhookRequest: z.ZodType<Parsed<WebhookRequest>> = z.strictObject({ ...fields, secret, allowInternal })
export const webhookUpdateBody: z.ZodType<Parsed<WebhookUpdate>> = z.strictObject(changed)
export const webhookUpdate: z.ZodType<Parsed<WebhookUpdate>> = z.strictObject({ ...changed, allowInternal })

export const webhookDeliveriesRequest: z.ZodType<Parsed<WebhookDeliveriesRequest, 'limit'>> = z.strictObject({
  limit: upTo(100, 50).meta({ description: 'How many, 1 to 100. Default 50.' }),
  before: optional(z.number().int().min(1)).meta({ description: '`before` of the answer before.' }),
  state: optional(z.enum(['waiting', 'done', 'dead'])).meta({
    description: '`waiting`, `done` or `dead`. Default: all of them.',
    example: 'dead',
  }),
})

export const webhookReplayRequest: z.ZodType<Parsed<WebhookReplayRequest>> = z
  .strictObject({
    ids: optional(z.array(z.uuid('must be the id of a message: a UUID')).min(1).max(MOST_IDS)),
    state: optional(z.enum(['done', 'dead'])),
  })
  .refine(({ ids, state }) => ids === undefined || state === undefined, {
    error: 'must have ids or state, not both',
  })

export const secretRotation: z.ZodType<Parsed<SecretRotation, 'overlapHours'>> = z.strictObject({
  secret,
  overlapHours: z.number().min(0).max(168).default(24),
})

const MOST_DEAD_LETTERS = 1_000
/** A name that webhooks keep their own progress under. */
const RESERVED = 'webhooks'

/** The name of a subscription: 1 to 100 characters. */
export const subscriptionName: z.ZodString = text(100).check((context) => {
  if (context.value !== RESERVED) return
  context.issues.push({
    code: 'custom',
    message: `must not be '${RESERVED}', which webhooks have`,
    input: context.value,
  })
})

export const subscribeOptions: z.ZodType<Parsed<SubscribeOptions<string>, 'from'>> = z.strictObject({
  types: z.array(text(100)).min(1).max(MOST_TYPES),
  from: z.enum(['now', 'start']).default('now'),
  deadLetterAfter: optional(z.int().min(1).max(1_000_000)),
})

export const deadLettersRequest: z.ZodType<Parsed<DeadLettersRequest, 'limit'>> = z.strictObject({
  limit: upTo(MOST_DEAD_LETTERS, 100).meta({ description: 'How many, 1 to 1,000. Default 100.' }),
  before: optional(z.int().min(1)).meta({ description: '`next` of the answer before.' }),
})

export const retryRequest: z.ZodType<Parsed<RetryRequest>> = z.strictObject({
  ids: optional(z.array(text(100)).max(MOST_DEAD_LETTERS)),
})

export const workOptions: z.ZodType<Parsed<WorkOptions, 'pollMs'>> = z.strictObject({
  signal: optional(z.instanceof(AbortSignal, { error: 'must be an AbortSignal' })),
  pollMs: z.number().min(1).max(3_600_000).default(1_000),
})
