import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import type { StoredDocument } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'

/** The kind of the documents that store subscriptions, each under its name. */
export const SUBSCRIPTION = 'subscription'

/** The name under which webhooks store their position. */
export const OF_WEBHOOKS = 'webhooks'

/** The progress of a subscription's history, page by page of users. */
export interface History {
  /** The last user who was listed. `null`: none yet. */
  readonly listed: UserKey | null
  /** The users of the current page whose history is not delivered yet. */
  readonly page: readonly UserKey[]
  /** The last position of the page's history. `null`: the page is not written yet. */
  readonly ends: number | null
  /** Whether the page is the last one. */
  readonly isLast: boolean
}

/** A history without a written page. */
export const NO_HISTORY: History = { listed: null, page: [], ends: null, isLast: false }

const userKey = z.strictObject({ tenant: z.string(), user: z.string() })

const history: z.ZodType<History> = z.strictObject({
  listed: userKey.nullable(),
  page: z.array(userKey),
  ends: z.number().nullable(),
  isLast: z.boolean(),
})

const schema = z.looseObject({
  types: z.array(z.string()),
  position: z.number(),
  owner: z.string().nullable(),
  until: z.number().nullable(),
  tries: z.number(),
  nextAt: z.number().nullable(),
  lastError: z.string().nullable(),
  alone: z.number().default(0),
  deadLetterAfter: z.number().nullable().default(null),
  history: history.nullable().default(null),
})

/** The progress of a subscription, and the process that delivers its messages. */
export interface StoredSubscription {
  readonly name: string
  /** The version of the document. 0: it is not stored yet. */
  readonly version: number
  /** Types of messages, sorted. */
  readonly types: readonly string[]
  /** Everything up to and including it was delivered. */
  readonly position: number
  /** The process with the lease, which ends at `until`. `null`: none has it. */
  readonly owner: string | null
  readonly until: number | null
  /** How often the delivery of the next messages failed. */
  readonly tries: number
  /** The time of the next attempt. `null`: nothing failed. */
  readonly nextAt: number | null
  readonly lastError: string | null
  /** Up to this position messages are delivered one by one, because they failed together. */
  readonly alone: number
  /** After so many attempts a message becomes a dead letter. `null`: never. */
  readonly deadLetterAfter: number | null
  /** `null`: no history is left to deliver. */
  readonly history: History | null
}

export function readSubscription({ name, version, text }: StoredDocument): StoredSubscription {
  const parsed = schema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const message = `The stored subscription ${JSON.stringify(name)} is damaged, or a newer version of laurels wrote it.`
    throw new GamificationError('internal', message, { cause: parsed.error })
  }
  return { ...parsed.data, name, version }
}

export function toDocument({ name, version, ...subscription }: StoredSubscription): StoredDocument {
  return { kind: SUBSCRIPTION, name, version, text: JSON.stringify(subscription) }
}

/** The receiver under which dead letters of a subscription are stored. */
export function receiverOf(name: string): string {
  return `subscription:${name}`
}
