import { createHash } from 'node:crypto'
import { GamificationError } from '../errors.ts'
import { describeGiven } from '../options.ts'
import type { Game } from '../rules/game.ts'
import { compileGame } from './compile.ts'
import type { AchievementDefinition, ClientsDefinition, GameDefinition, MetricDefinition } from './definition.ts'
import type { NoTenants } from './definition-parts.ts'
import { requireNode } from './node-version.ts'
import { readDefinition } from './read-definition.ts'
import type { StoredClients, StoredDefinition } from './stored-definition.ts'

/**
 * The SHA-256 of a game, in hex. Games with the same fingerprint behave alike. The order of properties does not matter;
 * the order of lists does, and so does the order of keys that answers list. A property that a later version adds must
 * be left out here while it has its default. Otherwise every stored game would look like a new one.
 */
export function fingerprintOf(definition: StoredDefinition): string {
  const ordered = {
    ...definition,
    metrics: Object.entries(definition.metrics),
    achievements: Object.entries(definition.achievements),
    points: Object.entries(definition.points),
    leaderboards: Object.entries(definition.leaderboards),
    ...(definition.challenges === undefined ? {} : { challenges: orderChallenges(definition.challenges) }),
    ...(definition.rewards === undefined ? {} : { rewards: Object.entries(definition.rewards) }),
    eventAttributes: definition.eventAttributes.toSorted(),
    userAttributes: definition.userAttributes.toSorted(),
    ...(definition.streaks === undefined ? {} : { streaks: Object.entries(definition.streaks) }),
    ...(definition.clients === undefined ? {} : { clients: orderClients(definition.clients) }),
  }
  return createHash('sha256').update(canonicalText(ordered)).digest('hex')
}

/** Answers list the quests of a pool in their order. */
function orderChallenges(challenges: NonNullable<StoredDefinition['challenges']>): unknown {
  return Object.entries(challenges).map(([key, { pool, ...challenge }]) =>
    pool === undefined ? [key, challenge] : [key, challenge, Object.entries(pool)],
  )
}

function orderClients({ events, achievements, challenges, redeem, attributes, profile }: StoredClients): StoredClients {
  return {
    events: Object.fromEntries(
      Object.entries(events).map(([metric, { attributes, ...bounds }]) => [
        metric,
        attributes === undefined ? bounds : { ...bounds, attributes: attributes.toSorted() },
      ]),
    ),
    achievements: achievements.toSorted(),
    challenges: challenges.toSorted(),
    ...(redeem === undefined ? {} : { redeem: redeem.toSorted() }),
    attributes: attributes.toSorted(),
    profile: profile.toSorted(),
  }
}

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`).join()}}`
}

declare const KEYS: unique symbol

/** The keys of a game, for types only. */
interface Keys<M, A, P, L, EA, UA, AA, S, MT, Q, W> {
  readonly metrics: M
  readonly achievements: A
  readonly points: P
  readonly leaderboards: L
  readonly eventAttributes: EA
  readonly userAttributes: UA
  readonly apiAchievements: AA
  readonly streaks: S
  readonly multiTenant: MT
  readonly challenges: Q
  readonly rewards: W
}

/** A game without mistakes. Frozen; its parameters are its keys. */
export interface DefinedGame<
  M extends string = string,
  A extends string = string,
  P extends string = string,
  L extends string = string,
  EA extends string = string,
  UA extends string = string,
  AA extends string = string,
  S extends string = string,
  MT extends boolean = boolean,
  Q extends string = string,
  W extends string = string,
> {
  /** The host's definition with the defaults filled in, as JSON data. */
  readonly definition: StoredDefinition
  /** SHA-256 of the definition, in hex. Tells games apart. */
  readonly fingerprint: string
  /** The game as the rules see it. */
  readonly rules: Game
  readonly [KEYS]?: Keys<M, A, P, L, EA, UA, AA, S, MT, Q, W>
}

/** The trigger of each achievement, inferred to find the achievements that the host completes. */
type Kinds = { readonly [key: string]: AchievementDefinition['trigger'] }

interface OfKinds<K extends Kinds> {
  readonly achievements?: { readonly [Key in keyof K]: { readonly trigger: K[Key] } }
}

type Tiers = { readonly [key: string]: unknown }

interface OfTiers<T extends Tiers> {
  readonly achievements?: { readonly [Key in keyof T]: { readonly tiers?: T[Key] } }
}

/** The aggregation of each metric, inferred to find the metrics that rise in steps. */
type Aggregations = { readonly [key: string]: unknown }

interface OfAggregations<G extends Aggregations> {
  readonly metrics: {
    readonly [Key in keyof G]: Omit<MetricDefinition, 'aggregation'> & { readonly aggregation?: G[Key] }
  }
}

type Levels = { readonly [key: string]: unknown }

interface OfLevels<V extends Levels> {
  readonly points?: { readonly [Key in keyof V]: { readonly levels?: V[Key] } }
}

/** `xp.gold`; any text if the systems are not known. */
type LevelKeys<V extends Levels> = string extends keyof V
  ? string
  : { [Key in keyof V & string]: unknown extends V[Key] ? never : `${Key}.${keyof V[Key] & string}` }[keyof V & string]

/** The metrics that triggers can count. */
type SteppedKeys<M extends string, G extends Aggregations> = string extends M
  ? M
  : { [Key in M]: Key extends keyof G ? ([G[Key]] extends ['min' | 'last'] ? never : Key) : Key }[M]

/** The achievement keys of a game. An achievement with tiers has the keys of its tiers, such as `writer.bronze`. */
type TieredKeys<A extends string, T extends Tiers> = string extends A
  ? // The keys are not known.
    A
  : { [Key in A]: Key extends keyof T ? KeysWithin<Key, T[Key]> : Key }[A]

/** `unknown`: it has no tiers. */
type KeysWithin<Key extends string, Own> = unknown extends Own
  ? Key
  : [Own] extends [undefined]
    ? Key
    : `${Key}.${keyof Own & string}`

/** The rights of clients. They complete only achievements that the host could complete. */
interface OfClients<
  M extends string,
  AA extends string,
  UA extends string,
  EA extends string,
  Q extends string,
  W extends string,
> {
  readonly clients?: ClientsDefinition<M, AA, UA, EA, Q, W>
}

/** True if it has tenants; inferred, so that `tenant()` does not compile without them. */
interface OfTenants<MT extends boolean> {
  readonly multiTenant?: MT
}

type ApiKeys<K extends Kinds> = { [Key in keyof K]: 'api' extends K[Key] ? Key : never }[keyof K] & string

type AllKeys<G> =
  G extends DefinedGame<
    infer M,
    infer A,
    infer P,
    infer L,
    infer EA,
    infer UA,
    infer AA,
    infer S,
    infer MT,
    infer Q,
    infer W
  >
    ? Keys<M, A, P, L, EA, UA, AA, S, MT, Q, W>
    : never

export type MetricKey<G> = AllKeys<G>['metrics']
export type AchievementKey<G> = AllKeys<G>['achievements']
/** The achievements that `achievements.complete` takes. */
export type ApiAchievementKey<G> = AllKeys<G>['apiAchievements']
export type PointsKey<G> = AllKeys<G>['points']
/** The keys of the game's `streaks`. */
export type StreakKey<G> = AllKeys<G>['streaks']
export type ChallengeKey<G> = AllKeys<G>['challenges']
/** The keys of the game's `rewards`. */
export type RewardKey<G> = AllKeys<G>['rewards']
export type LeaderboardKey<G> = AllKeys<G>['leaderboards']
export type EventAttribute<G> = AllKeys<G>['eventAttributes']
export type UserAttribute<G> = AllKeys<G>['userAttributes']

/** The tenant of a call; in a game that is known to have none, a sentence that says so. */
export type TenantId<G> = [AllKeys<G>['multiTenant']] extends [false] ? NoTenants : string

/** The keys that answers about a game have. */
export interface KeysOf<G> {
  readonly metrics: MetricKey<G>
  readonly achievements: AchievementKey<G>
  readonly points: PointsKey<G>
  readonly leaderboards: LeaderboardKey<G>
  readonly streaks: StreakKey<G>
  readonly challenges: ChallengeKey<G>
  readonly rewards: RewardKey<G>
}

/**
 * Checks and compiles a game. Throws one `GamificationError` with the code `invalid_game` whose `issues` list every
 * mistake with its path. The host's object is neither changed nor kept.
 */
export function defineGame<
  M extends string = never,
  A extends string = never,
  P extends string = never,
  L extends string = never,
  EA extends string = never,
  UA extends string = never,
  K extends Kinds = Record<never, never>,
  S extends string = never,
  T extends Tiers = Record<never, never>,
  MT extends boolean = false,
  G extends Aggregations = Record<never, never>,
  V extends Levels = Record<never, never>,
  Q extends string = never,
  W extends string = never,
>(
  definition: GameDefinition<
    M,
    A,
    P,
    L,
    EA,
    UA,
    S,
    TieredKeys<NoInfer<A>, NoInfer<T>>,
    SteppedKeys<NoInfer<M>, NoInfer<G>>,
    LevelKeys<NoInfer<V>>,
    Q,
    W
  > &
    OfLevels<V> &
    OfAggregations<G> &
    OfKinds<K> &
    OfTiers<T> &
    OfTenants<MT> &
    OfClients<NoInfer<M>, NoInfer<ApiKeys<K>>, NoInfer<UA>, NoInfer<EA>, NoInfer<Q>, NoInfer<W>>,
): DefinedGame<M, TieredKeys<A, T>, P, L, NoInfer<EA>, NoInfer<UA>, ApiKeys<K>, S, NoInfer<MT>, Q, W> {
  requireNode()
  return compileDefinition(readDefinition(definition))
}

/** The second half of `defineGame`, for callers that yield between the halves. */
export function compileDefinition(
  definition: StoredDefinition,
): Readonly<Pick<DefinedGame, 'definition' | 'fingerprint' | 'rules'>> {
  return Object.freeze({ definition, fingerprint: fingerprintOf(definition), rules: compileGame(definition) })
}

/** Throws if the value is not a game that `defineGame` returned; `place` names the option. */
export function requireDefined(game: unknown, place: string): asserts game is DefinedGame {
  const isDefined = typeof game === 'object' && game !== null && 'rules' in game && 'fingerprint' in game
  if (isDefined) return
  const message = `${place} was given ${describeGiven(game)}: pass it what defineGame({ … }) returns.`
  throw new GamificationError('invalid_game', message)
}
