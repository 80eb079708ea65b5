/** Which keys an answer can have: those of the game, where it is known. */
export interface GameKeys {
  readonly metrics: string
  readonly achievements: string
  readonly points: string
  readonly leaderboards: string
}

/** Some of these keys, each with a value; those of a game that is not known are any texts. */
export type ByKey<Key extends string, Value> = string extends Key
  ? { readonly [key: string]: Value }
  : { readonly [Each in Key]?: Value }
