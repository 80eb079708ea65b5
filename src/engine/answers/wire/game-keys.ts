/** Which keys an answer can have: those of the game, where it is known. */
export interface GameKeys {
  readonly metrics: string
  readonly achievements: string
  readonly points: string
  readonly leaderboards: string
  readonly streaks: string
}

/**
 * Some of these keys, each with a value; of a game that is not known they are any texts. It takes over from `Partial`
 * that a known key may be missing, and is no conditional type, so that answers about one game are answers about any.
 */
export type ByKey<Key extends string, Value> = { readonly [Each in keyof Partial<Record<Key, unknown>>]: Value }
