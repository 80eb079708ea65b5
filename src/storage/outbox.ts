import type { Instant } from '../rules/calendar.ts'
import type { UserKey } from './rows.ts'

/**
 * Storage of messages on their way out of the process. A message is written by `commit` with what caused it
 * (`UserSave.messages`), without a position; readers give positions first (`assignPositions`).
 */
export interface StorageOutbox {
  /**
   * Gives the next positions, from 1, to at most `limit` stored messages that have none and do not wait (`due` is
   * null). Positions follow the order of the writes; messages of one user follow the order of that user's versions.
   * Never gives a position below one that was ever visible, in whatever order transactions commit. Returns how many it
   * gave.
   */
  assignPositions(limit: number): Promise<number>

  /** The newest position that was given; 0 if there is none. */
  newestPosition(): Promise<number>

  /**
   * Messages with positions after the given one, in order of position, of these types (all without `types`), at most
   * `limit`.
   */
  readMessages(options: ReadMessagesOptions): Promise<readonly PlacedMessage[]>

  /** How many messages of these types have positions after the given one; counts no further than `most`. */
  countMessages(options: {
    readonly after: number
    readonly types: readonly string[]
    readonly most: number
  }): Promise<number>

  /**
   * Messages without a position whose `due` has come (`due` <= `now`), in order of (due, id, number), at most `limit`.
   * Messages with one id are due at one time.
   */
  dueMessages(now: Instant, limit: number): Promise<readonly WrittenMessage[]>

  /**
   * Removes at most `limit` messages with positions up to and including this one that are older (`at`) than `before`;
   * returns how many.
   */
  removeMessages(upTo: number, before: Instant, limit: number): Promise<number>

  /** Documents of one kind, in order of name. */
  documents(kind: string): Promise<readonly StoredDocument[]>

  /** One document, or `null` if there is none. */
  document(kind: string, name: string): Promise<StoredDocument | null>

  /**
   * Users whose `due` (`NoticeCursor`) has come, in order of it, then of (tenant, user): at most `limit`. Omits users without a sent
   * notice.
   */
  dueUsers(now: Instant, limit: number): Promise<readonly UserKey[]>

  /**
   * When the first of these is due, also if that is in the past: a user (`NoticeCursor`), a waiting message, a waiting
   * delivery, or a message that needs a position. `null` if there is none.
   */
  nextDue(): Promise<Instant | null>

  /** Which of these receivers have a waiting delivery that is due at `now` and not claimed beyond `leaseNow`. */
  dueReceivers(receivers: readonly string[], due: Pick<ClaimOptions, 'now' | 'leaseNow'>): Promise<readonly string[]>

  /**
   * Claims at most `limit` waiting deliveries of one receiver that are due, and returns them in order of (nextAt,
   * position). Skips a delivery that is claimed beyond `leaseNow`, and, with `inOrder`, one for which an earlier one (by
   * position) of the same tenant and user waits, claimed or not. At most one of
   * several concurrent calls claims a delivery, and none waits for another.
   */
  claimDeliveries(receiver: string, options: ClaimOptions): Promise<readonly Delivery[]>

  /**
   * Stores the result of claimed deliveries (`state`, `attempts`, `nextAt`, `log`), and ends their claims. Skips a
   * delivery that was removed, or that has lost this claim.
   */
  saveAttempts(attempted: readonly AttemptedDelivery[]): Promise<void>

  /**
   * Makes deliveries of a receiver wait again, due at `now` and with `attempts` 0. Skips deliveries that wait already.
   * Returns how many it changed.
   */
  replayDeliveries(receiver: string, positions: readonly number[], now: Instant): Promise<number>

  /**
   * Deliveries of a receiver, the newest (highest position) first, at most `limit`, below the position `before`; of one
   * state if it is named.
   */
  deliveries(options: DeliveriesOptions): Promise<readonly Delivery[]>

  /** Counts a receiver's deliveries by state. */
  countDeliveries(receiver: string): Promise<{ readonly [State in Delivery['state']]: number }>

  /**
   * Removes at most `limit` deliveries that are done or dead, of messages older (`at`) than `before`, and became so
   * before that too (`nextAt`, if it is known); returns how many.
   */
  removeDeliveries(before: Instant, limit: number): Promise<number>
}

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
