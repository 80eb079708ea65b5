import type { FilterDefinition, NoUserAttributes } from '../../game/definition.ts'

/** What a call may say about a user. Absent: unchanged; null: cleared. */
export interface UserUpdate<Attribute extends string = string> {
  readonly email?: string | null
  readonly name?: string | null
  /** IANA name with a `/`, or `UTC`. */
  readonly tz?: string | null
  /** At most 20, of at most 1,024 characters. */
  readonly deviceTokens?: readonly string[] | null
  /** Default: true when an email is known. True needs an email. */
  readonly subscribedToEmails?: boolean
  /** The official client's spelling of `subscribedToEmails`. */
  readonly subscribeToEmails?: boolean
  /** Merged key by key. */
  readonly attributes?: FilterDefinition<Attribute, NoUserAttributes>
}

/** A user to create or to update in passing; the id is the host's own, 1 to 255 characters. */
export interface UserUpsert<Attribute extends string = string> extends UserUpdate<Attribute> {
  readonly id: string
}
