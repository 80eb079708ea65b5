// Keys that a definition refers to, and what the compiler says where the game has none.

/** A key of the game. If the game has no such keys, the type is a text that the compiler prints as the error. */
export type Declared<Key extends string, Missing extends string> = [Key] extends [never] ? Missing : Key

export type NoSteppedMetrics =
  'The game has no metric whose total rises in steps: triggers need `sum`, `max` or `distinct`.'
export type NoMetrics = 'The game has no metrics: add one to `metrics` first.'
export type NoAchievements = 'The game has no achievements: add one to `achievements` first.'
export type NoSystems = 'The game has no points systems: add one to `points` first.'
export type NoLevels = 'The game has no levels: add some to a points system first.'
export type NoApiAchievements = "No achievement of the game has the trigger 'api', so none can be completed by a call."
export type NoLeaderboards = 'The game has no leaderboards: add one to `leaderboards` first.'
export type NoStreaks = 'The game has no named streaks: add one to `streaks` first.'
export type NoEventAttributes = 'The game has no event attributes: list them in `eventAttributes` first.'
export type NoTenants = 'The game has no tenants: add `multiTenant: true` first.'
export type NoUserAttributes = 'The game has no user attributes: list them in `userAttributes` first.'

/** Attributes and the exact values that all of them must have. */
export type FilterDefinition<Attribute extends string, Missing extends string = never> = [Attribute] extends [never]
  ? // `{}` would accept anything: a game without attributes has no filters.
    { readonly [attribute: string]: Missing }
  : { readonly [Key in Attribute]?: string }
