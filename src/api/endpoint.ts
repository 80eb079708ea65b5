import type { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { JsonSchema, SchemaName } from '../shapes/schema-names.ts'

/** The groups of routes in the OpenAPI documents. */
export const TAGS = {
  Account: 'Admin keys, tenants and stored games: they belong to no single tenant.',
  Achievements: 'Achievements of the game, and their completion.',
  'Application API keys': 'Keys for one user each, which an app may hold.',
  Boosts: 'Multipliers of points for a time, for all users or for some.',
  Challenges: 'Challenges of the game: enrolments, rewards and quests of users.',
  Configuration: 'The deployed game. Its code defines it, so these routes only read.',
  Console: 'For the pages of the console.',
  Description: 'The OpenAPI document and the health of the server.',
  Events: 'Recorded events: void them, or approve events that are held back.',
  Leaderboards: 'Leaderboards of the game, their runs and their ranks.',
  Metrics: 'Metric events: what users did, and how much of it.',
  Overview: 'Activity and state of one tenant, for operators.',
  Points: 'Points systems, their levels and boosts, what users spend, and how points are spread over users.',
  Rewards: 'The catalogue: rewards that users buy with points, and their redemptions.',
  Streaks: "Users' streaks: rankings, freezes, pauses and restored streaks.",
  Subscriptions: 'Progress of subscriptions, and messages that their handlers could not process.',
  Users: 'Users, their preferences and their progress.',
  Walks: 'Operations over all users: verify, rebuild, what-if and apply. They answer line by line.',
  Webhooks: 'Webhooks and their deliveries.',
} as const

export type Tag = keyof typeof TAGS

/** The tag of routes that show the game. No HTTP call can change it. */
export const CONFIGURATION_TAG = 'Configuration'

export type Rules = DefinedGame['rules']

/**
 * The rights that the game gives clients. If `null`, keys may do everything for their own user, and sessions may read.
 */
export type Clients = DefinedGame['rules']['clients']

type ProfileField = NonNullable<Clients>['profile'] extends ReadonlySet<infer Field> ? Field : never

/** An effect of a call on its user. The rights of the client and of the key are checked for each. */
export type Action =
  | { readonly type: 'read' }
  | { readonly type: 'event'; readonly metric: string; readonly value: number }
  | { readonly type: 'eventAttribute'; readonly metric: string; readonly attribute: string }
  | { readonly type: 'occurredAt' }
  | { readonly type: 'achievement'; readonly achievement: string }
  | { readonly type: 'challenge'; readonly challenge: string }
  | { readonly type: 'reward'; readonly reward: string }
  | { readonly type: 'field'; readonly field: ProfileField }
  /** The user's own choice, which no game takes away. */
  | { readonly type: 'choice'; readonly choice: 'leaderboards' | 'gamification' }
  | { readonly type: 'attribute'; readonly attribute: string }
  /** Creates or updates the user, and asserts nothing. */
  | { readonly type: 'user' }
  | { readonly type: 'other' }

export const READ: readonly Action[] = [{ type: 'read' }]
export const OTHER: readonly Action[] = [{ type: 'other' }]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type NamesOf<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | NamesOf<Rest>
    : never

export interface RouteCall<Path extends string = string, Read = unknown> {
  readonly params: { readonly [Name in NamesOf<Path>]: string }
  readonly query: { readonly [name: string]: unknown }
  /** The body as sent, without unknown properties: the use case parses it. */
  readonly body: object
  /** The body as the route's schema has parsed it. */
  readonly read: Read
  /** The key in the header or in the body. */
  readonly idempotencyKey: string | null
}

/** The rights of application keys on a route. */
export interface ApplicationKeys<Path extends string = string, Read = unknown> {
  readonly may: string
  users(call: RouteCall<Path, Read>): readonly string[]
  /** The effects of a call. Default: for GET a read, otherwise a action that a game with `clients` never allows. */
  actions?(call: RouteCall<Path, Read>): readonly Action[]
  /** True if the game hides the requested object from application keys. Default: never. */
  isPrivate?(call: RouteCall<Path, Read>, game: Rules): boolean
}

/** The rights of application keys on a path below `/users/{id}`. */
export const ownUser: { readonly may: string; users(call: Pick<RouteCall, 'params'>): readonly string[] } = {
  may: 'its own user',
  users: ({ params }) => [params.id ?? ''],
}

export const anyUser: ApplicationKeys = { may: 'any', users: () => [] }

/**
 * A tool for agents. Its description is the summary of the route, and its input has the arguments before the request, by
 * their names, and the members of the request.
 */
export interface Tool {
  readonly name: string
  /** False if it takes nothing away. Default: true for calls that write. */
  readonly isDestructive?: boolean
  /** True if the same call again changes nothing. Default: true for calls that read. */
  readonly isIdempotent?: boolean
  /** Members of the request that show people: only agents that may see personal data have them. */
  readonly personal?: readonly string[]
}

/** A route of an operation, as data. The HTTP layer makes the route. */
export interface Endpoint<Path extends string = string, Read = unknown, Answered = unknown> {
  readonly at: `${Method} ${Path}`
  readonly tag: Tag
  readonly summary: string
  /** Default: `admin` for operations below `admin`, otherwise `application`. */
  readonly api?: 'application' | 'admin'
  /** Default: the operation's name with `_` for `.`, without `admin.`. */
  readonly operationId?: string
  readonly answers: { readonly [status: number]: readonly [description: string, schema: SchemaName | JsonSchema] }
  /** Default: the schema of the argument that follows the parameters of the path. Needed if HTTP takes less. */
  readonly querySchema?: z.ZodType
  /** The same for methods with a body. A body that it refuses never reaches the operation. */
  readonly bodySchema?: z.ZodType<Read>
  readonly example?: unknown
  /** The tool that makes the same call. Default: none. */
  readonly tool?: Tool
  /** Another check of the body that needs no look-up. Throws. */
  check?(body: Read): void
  /** All arguments of the call. Default: the parameters of the path, then the query or the body. */
  toArguments?(call: RouteCall<Path, Read>): readonly unknown[]
  /** True if the header `Idempotency-Key` sets `idempotencyKey` of the last argument. */
  readonly takesIdempotencyKey?: true
  /** True if the caller's rights set `includePrivate` of the last argument. */
  readonly hidesPrivate?: true
  /** True if the user of an application key or session sets `viewer` of the last argument. */
  readonly takesViewer?: true
  /** Application keys and sessions may not call it without this. */
  readonly applicationKeys?: ApplicationKeys<Path, Read>
  /** False if read-only callers may call it. Default: true for all methods but GET. */
  readonly changes?: boolean
  /** The limit of its body, as a multiple of the usual limit. */
  readonly bodyFactor?: number
  /** True if it can answer 404. Default: true if its path has a parameter. */
  readonly canMiss?: boolean
  /** True if it can answer 409, for example because the balance is too low. Default: false. */
  readonly canConflict?: true
  /** Codes that it answers with another status. */
  readonly statuses?: { readonly [Code in ErrorCode]?: number }
  /** Default: the first status in `answers`. */
  status?(answer: Answered, body: Read): number
}

/** The API that has the route of the operation with this name. */
export function apiOf(name: string, { api }: Pick<Endpoint, 'api'>): 'application' | 'admin' {
  return api ?? (name.startsWith('admin.') ? 'admin' : 'application')
}

/** The schema that `npm run schemas` makes from the type of that name. */
export function schemaOf(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

export function listOf(items: SchemaName | JsonSchema): JsonSchema {
  return { type: 'array', items: typeof items === 'string' ? schemaOf(items) : items }
}

/** Answers of a call that carries out the items of a list that it can. */
export function bulkAnswers(description: string, name: SchemaName): Endpoint['answers'] {
  return { 200: ['Nothing was done; the issues say why.', name], 201: [description, name] }
}

/** 201 if at least one item was carried out. */
export function bulkStatus(done: number): number {
  return done > 0 ? 201 : 200
}

export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: schemas }
}

export function objectOf(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [name]: schema }, required: [name], additionalProperties: false }
}
