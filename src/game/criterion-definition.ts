import type {
  Declared,
  FilterDefinition,
  NoAchievements,
  NoEventAttributes,
  NoLevels,
  NoMetrics,
  NoSystems,
} from './declared.ts'

/** A number of consecutive local dates of the user, 1 to 31. */
export interface WithinDefinition {
  readonly days: number
}

/** Which events count, and over how many dates. Default: all events of the metric. */
interface CountedDefinition<EA extends string> {
  readonly eventAttributes?: FilterDefinition<EA, NoEventAttributes>
  readonly within?: WithinDefinition
}

/** What a user must reach once. A streak that is lost later takes nothing back. */
export type CriterionDefinition<
  M extends string = string,
  A extends string = string,
  EA extends string = string,
  S extends string = string,
  P extends string = string,
  V extends string = string,
> =
  /** The metric's total. `within` needs the aggregation `sum`. */
  | (CountedDefinition<EA> & { readonly metric: Declared<M, NoMetrics>; readonly value: number })
  /** The number of events of a metric, whatever their values. */
  | (CountedDefinition<EA> & { readonly events: Declared<M, NoMetrics>; readonly count: number })
  /** One of `streaks`, or `streak` for the game's own. */
  | { readonly streak: S | 'streak'; readonly length: number }
  /** A points system and one of its levels, such as `xp.gold`. */
  | { readonly level: Declared<V, NoLevels> }
  | { readonly points: Declared<P, NoSystems>; readonly total: number }
  | { readonly achievement: Declared<A, NoAchievements> }
  /** Local dates since the user was created. It is looked at with each entry of the user. */
  | { readonly membership: { readonly days: number } }
