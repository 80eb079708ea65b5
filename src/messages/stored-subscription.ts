import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import type { StoredDocument } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'

/** The kind of the documents that subscriptions are kept in, each under its name. */
export const SUBSCRIPTION = 'subscription'

/** Under this name webhooks keep how far they are. */
export const OF_WEBHOOKS = 'webhooks'

/** How far what was before a subscription is handed over, a page of users after the other. */
export interface History {
  /** The last user who was listed; null: nobody yet. */
  readonly listed: UserKey | null
  /** Who was listed last, without those whose history was handed over. */
  readonly page: readonly UserKey[]
  /** The position up to which the history of the page lies; null: no page is written. */
  readonly ends: number | null
  /** Whether nobody is listed after the page. */
  readonly isLast: boolean
}

/** A history of which nothing is written yet. */
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

/** How far a subscription is, and which process hands over its messages. */
export interface StoredSubscription {
  readonly name: string
  /** Of the document; 0: it is not stored yet. */
  readonly version: number
  /** Types of messages, sorted. */
  readonly types: readonly string[]
  /** Everything up to and including it was handed over. */
  readonly position: number
  /** The process that hands over, until an instant; null: none does. */
  readonly owner: string | null
  readonly until: number | null
  /** How often handing over what comes next has failed. */
  readonly tries: number
  /** When it is tried again; null: nothing has failed. */
  readonly nextAt: number | null
  readonly lastError: string | null
  /** Up to this position messages are handed over one by one, because they failed together. */
  readonly alone: number
  /** After how many tries a message is put aside; null: never. */
  readonly deadLetterAfter: number | null
  /** null: nothing from before it is to be handed over any more. */
  readonly history: History | null
}

export function readSubscription({ name, version, text }: StoredDocument): StoredSubscription {
  const parsed = schema.safeParse(JSON.parse(text))
  if (!parsed.success) {
    const message = `The stored subscription ${JSON.stringify(name)} is broken, or of a newer version of laurels.`
    throw new GamificationError('internal', message, { cause: parsed.error })
  }
  return { ...parsed.data, name, version }
}

export function toDocument({ name, version, ...subscription }: StoredSubscription): StoredDocument {
  return { kind: SUBSCRIPTION, name, version, text: JSON.stringify(subscription) }
}

/** What dead letters of a subscription are kept under. */
export function receiverOf(name: string): string {
  return `subscription:${name}`
}
