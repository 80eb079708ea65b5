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

/** The position up to which the messages that time causes for a user have been sent. */
export interface NoticeCursor {
  /** Everything up to and including this instant. */
  readonly until: Instant
  /** The next instant at which time causes a message, or `null` if there is none. */
  readonly due: Instant | null
}
