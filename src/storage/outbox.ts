import type { Instant } from '../rules/calendar.ts'

/** Statements of the host, in the transaction that stores the position of the subscription. */
export interface HandlerTransaction {
  /** Values for `?` on SQLite, `$1` on Postgres. */
  query<Row = unknown>(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>
}

/** A message as written. */
export interface Message {
  /** Derived from what happened: the same again has the same id. A UUID. */
  readonly id: string
  readonly type: string
  /** When it happened. */
  readonly at: Instant
  /** JSON text. */
  readonly data: string
  /** The instant until which the message waits to be merged with others of its id, or `null` if it does not wait. */
  readonly due: Instant | null
}

/** A message and the user it is about. */
export interface OwnedMessage extends Message {
  readonly tenant: string
  /** `null` if it is about no single user. */
  readonly user: string | null
}

export interface WrittenMessage extends OwnedMessage {
  /** With the id it says which row it is. Numbers grow along each user's versions. */
  readonly number: number
}

export interface PlacedMessage extends WrittenMessage {
  readonly position: number
}

export interface ReadMessagesOptions {
  readonly after: number
  readonly types?: readonly string[]
  readonly limit: number
}

/** A small text that several processes write, each on the version that it has read. */
export interface StoredDocument {
  readonly kind: string
  readonly name: string
  readonly text: string
  /** From 1, incremented with each change. It is never used again for a name that was removed in the meantime. */
  readonly version: number
}

/** A message on its way to one receiver: a webhook, or a subscription that put it aside. */
export interface Delivery {
  readonly receiver: string
  readonly position: number
  readonly messageId: string
  readonly type: string
  readonly at: Instant
  readonly tenant: string
  readonly user: string | null
  /** The message's, as JSON text. */
  readonly data: string
  readonly state: 'waiting' | 'done' | 'dead'
  readonly attempts: number
  /** When it is tried next; of one that is done or dead, when it became so, or `null` if that is not known. */
  readonly nextAt: Instant | null
  /** The outcomes of the last attempts, as JSON text. */
  readonly log: string
}

export interface ClaimOptions {
  /** Identifies this claim: no two claims have the same. */
  readonly claim: string
  /** When the claim ends if the delivery is not settled before, by the clock of `leaseNow`. */
  readonly until: Instant
  readonly now: Instant
  /** The time of claims, which is the database's if it has a clock. */
  readonly leaseNow: Instant
  /** True if deliveries about one user go in order. */
  readonly inOrder: boolean
  readonly limit: number
}

/** A delivery after an attempt. */
export interface AttemptedDelivery extends Delivery {
  readonly claim: string
}

export interface DeliveriesOptions {
  readonly receiver: string
  readonly state?: Delivery['state']
  readonly before?: number
  readonly limit: number
}

/** The position up to which the messages that time causes for a user have been sent. */
export interface NoticeCursor {
  /** Everything up to and including this instant. */
  readonly until: Instant
  /** The next instant at which time causes a message, or `null` if there is none. */
  readonly due: Instant | null
}
