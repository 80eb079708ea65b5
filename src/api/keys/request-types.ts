/**
 * What a key is for: `read` is every read of its user; `profile` is the fields of the profile and the preferences; the others
 * are all of their kind, or the one that is named. It narrows what the game's `clients` allow, and never widens it.
 */
export type Capability<
  Metric extends string = string,
  Achievement extends string = string,
  Attribute extends string = string,
> =
  | 'read'
  | 'profile'
  | 'attributes'
  | `attributes:${Attribute}`
  | 'events'
  | `events:${Metric}`
  | 'achievements'
  | `achievements:${Achievement}`

export interface ApplicationKeyRequest<Can extends string = Capability> {
  readonly userId: string
  /** 1 to 100. Default: all that the game lets clients do. */
  readonly can?: readonly Can[]
  /** A moment to come, as a `Date` or as ISO 8601 with a zone: from then on it is no key. Default: never. */
  readonly expiresAt?: Date | string
}

/** Which application keys are listed: a page of them, in order of id. */
export interface ApplicationKeysRequest {
  /** Default: those of every user of the tenant. */
  readonly userId?: string
  /** The id of the last key of the page before. */
  readonly after?: string
  /** 1 to 100. Default: 100. */
  readonly limit?: number
}

/** All keys of one user. */
export interface KeysOfUser {
  readonly userId: string
}
