/* Formats of texts and numbers in answers. The tags are keywords of the JSON Schemas that are made from these types. */

/**
 * @format uuid
 * @pattern ^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$
 */
export type Uuid = string

/**
 * ISO 8601 in UTC, with milliseconds.
 *
 * @format date-time
 * @pattern ^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$
 */
export type InstantText = string

/**
 * `YYYY-MM-DD`.
 *
 * @format date
 * @pattern ^\d{4}-\d{2}-\d{2}$
 */
export type DateText = string

/**
 * `HH:MM`.
 *
 * @pattern ^([01]\d|2[0-3]):[0-5]\d$
 */
export type TimeOfDay = string

/**
 * @integer
 * @minimum -9007199254740991
 * @maximum 9007199254740991
 */
export type Integer = number

/**
 * A number of things.
 *
 * @integer
 * @minimum 0
 * @maximum 9007199254740991
 */
export type Count = number

/**
 * 1, 2, 3 …
 *
 * @integer
 * @minimum 1
 * @maximum 9007199254740991
 */
export type Positive = number

/**
 * @minimum 0
 * @maximum 100
 */
export type Percentage = number

/**
 * The value that a leaderboard ranks by. With `wholeNumbers` the HTTP API answers a whole number.
 *
 * @score
 */
export type Score = number

/** The keys that an answer can have: the keys of the game, if it is known. */
export interface GameKeys {
  readonly metrics: string
  readonly achievements: string
  readonly points: string
  readonly leaderboards: string
  readonly streaks: string
  readonly challenges: string
  readonly rewards: string
}

/**
 * Some of these keys, each with a value; of a game that is not known they are any texts. It takes over from `Partial`
 * that a known key may be missing, and is no conditional type, so that answers about one game are answers about any.
 */
export type ByKey<Key extends string, Value> = { readonly [Each in keyof Partial<Record<Key, unknown>>]: Value }
