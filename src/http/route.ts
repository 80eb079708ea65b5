import type { z } from 'zod'
import { parse, parseBody } from '../api/input.ts'
import type { Health } from '../api/operate/types.ts'
import type { GamificationApi } from '../api/tenant-api.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import type { Caller } from './callers.ts'
import { type Deed, OTHER, READ } from './capabilities.ts'
import type { IntegerScores } from './options.ts'
import type { StatusOverrides } from './problem.ts'
import type { JsonSchema } from './schemas.ts'
import type { Stream } from './stream.ts'

/** What is of all tenants. */
export type AccountApi = Pick<
  Gamification<DefinedGame>,
  'webhooks' | 'games' | 'adminKeys' | 'subscriptions' | 'tenants' | 'verify' | 'rebuild' | 'whatIf' | 'apply'
>

/** What the use-cases of one tenant are called by, and how the engine is. */
export interface Api extends GamificationApi<DefinedGame>, AccountApi {
  /** Empty in a game without tenants. */
  readonly tenantId: string
  readonly served: Served
  health(): Promise<Health>
}

/** How the API is served of which a request asks something. */
export interface Served {
  /** As in `HttpRequest`. */
  readonly base: string
  /** null: scores are answered as they are. */
  readonly integerScores: IntegerScores | null
}

/** The game of this process, as its rules see it. */
export type Rules = DefinedGame['rules']

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How the text of a query parameter is read: as it is, as a whole number, or as the list of all its values. */
export type QueryKind = 'text' | 'integer' | 'list' | 'uuid-list'

export interface QueryParameter {
  readonly kind: QueryKind
  readonly description: string
  readonly required?: boolean
  /** As a person would write it in a URL. */
  readonly example?: string
}

/** Everything but the behaviour: what dispatch, the OpenAPI document and the tests' matrices are made of. */
export interface RouteDescription {
  readonly operationId: string
  readonly method: Method
  /** With parameters in braces: `/users/{id}/metrics/{key}`. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly params: { readonly [name: string]: ParamDescription }
  readonly query: { readonly [name: string]: QueryParameter }
  readonly querySchema: z.ZodType | null
  readonly bodySchema: z.ZodType | null
  readonly takesIdempotencyKey: boolean
  /** Whether it changes anything: where not, who may only read may call it too. */
  readonly changes: boolean
  /** How many times as many bytes as others its body may have. */
  readonly bodyFactor: number
  /** Whether it can be called without any key. */
  readonly isPublic: boolean
  /** What an application key may do with it; absent: nothing. */
  readonly applicationKeys?: string
  /** The answers when all is well, by status. */
  readonly answers: { readonly [status: number]: RouteAnswer }
  /** The statuses that are particular to the route; the others any route can answer. */
  readonly errors: readonly number[]
  readonly statuses: StatusOverrides
}

export interface RouteAnswer {
  readonly description: string
  readonly schema: JsonSchema
  /** Absent: JSON. Else lines of it, each of this schema. */
  readonly type?: 'application/x-ndjson'
}

export interface ParamDescription {
  readonly schema: z.ZodType
  readonly description: string
}

/** A request that could be read, not yet held against the schemas. */
export interface RawCall {
  readonly params: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  /** Read already; null: none was sent. */
  readonly idempotencyKey: string | null
}

/** A request as the route's schemas want it. */
export interface RouteCall<Body, Read = unknown> {
  readonly params: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  /** As it came, without fields that nobody knows, and of the right shape: the use-case reads it itself. */
  readonly body: Body
  /** What the schema has read of the body. */
  readonly read: Read
  /** As the handler has read it. */
  readonly idempotencyKey: string | null
}

export interface RouteResult {
  readonly status: number
  readonly body: unknown
  /** There in place of a body that is whole. */
  readonly stream?: Stream
}

/** A request that is ready to be carried out. */
export interface PreparedCall {
  /** The users that it names; null: application keys may not make it, whomever it names. */
  readonly users: readonly string[] | null
  /** Whether the game keeps application keys from what it asks for, whomever it names. */
  isPrivate(game: Rules): boolean
  /** What it would do: asked of those who may not do everything. */
  readonly deeds: readonly Deed[]
  /** `caller`: null where the route is public. */
  run(api: Api, caller: Caller | null): Promise<RouteResult>
}

/** The tag of routes that show the game, which nothing over HTTP can change. */
export const CONFIGURATION = 'Configuration'

export interface Route extends RouteDescription {
  /** Holds a request against the schemas. Throws `invalid_request` with every mistake. */
  prepare(call: RawCall): PreparedCall
}

export interface RouteSpec<Body, Read = unknown> {
  readonly operationId: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly params?: { readonly [name: string]: ParamDescription }
  readonly query?: { readonly [name: string]: QueryParameter }
  readonly querySchema?: z.ZodType
  /** What it refuses never reaches `run`, whose `Body` says what it accepts. */
  readonly bodySchema?: z.ZodType<Read>
  /** What else can be said of a body without looking anything up. Throws. */
  readonly check?: (body: Body) => void
  readonly takesIdempotencyKey?: boolean
  /** Default: all but GET do. */
  readonly changes?: boolean
  readonly bodyFactor?: number
  readonly isPublic?: boolean
  /** Absent: application keys may not call it. */
  readonly applicationKeys?: ApplicationKeys<Body>
  readonly answers: RouteDescription['answers']
  readonly errors?: readonly number[]
  readonly statuses?: StatusOverrides
  run(api: Api, call: RouteCall<Body, Read>, caller: Caller | null): Promise<RouteResult>
}

/** What application keys may do with a route. */
export interface ApplicationKeys<Body> {
  /** In words. */
  readonly may: string
  /** The users that a call names. */
  users(call: RouteCall<Body>): readonly string[]
  /** What a call does. Default: where it reads, that; else something that a game with `clients` lets nobody do. */
  deeds?(call: RouteCall<Body>): readonly Deed[]
  /** Whether the game keeps them from what is asked for. Default: never. */
  isPrivate?(call: RouteCall<Body>, game: Rules): boolean
}

export function route<Body = undefined, Read = unknown>(spec: RouteSpec<Body, Read>): Route {
  const { params = {}, query = {}, querySchema = null, bodySchema = null, applicationKeys } = spec
  return {
    operationId: spec.operationId,
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    tag: spec.tag,
    params,
    query,
    querySchema,
    bodySchema,
    takesIdempotencyKey: spec.takesIdempotencyKey ?? false,
    changes: spec.changes ?? spec.method !== 'GET',
    bodyFactor: spec.bodyFactor ?? 1,
    isPublic: spec.isPublic ?? false,
    ...(applicationKeys === undefined ? {} : { applicationKeys: applicationKeys.may }),
    answers: spec.answers,
    errors: spec.errors ?? [],
    statuses: spec.statuses ?? {},
    prepare: (raw) => {
      for (const [name, { schema, description }] of Object.entries(params)) parse(schema, raw.params[name], description)
      if (querySchema !== null) parse(querySchema, raw.query, 'query')
      const { body, data } =
        bodySchema === null ? { body: raw.body, data: undefined } : parseBody<unknown>(bodySchema, raw.body)
      // The schema has just accepted the body. Without a schema there is no body.
      const call = { ...raw, body: body as Body, read: data as Read }
      spec.check?.(call.body)
      return {
        users: applicationKeys?.users(call) ?? null,
        deeds: applicationKeys?.deeds?.(call) ?? (spec.method === 'GET' ? READ : OTHER),
        isPrivate: (game) => applicationKeys?.isPrivate?.(call, game) ?? false,
        run: (api, caller) => spec.run(api, call, caller),
      }
    },
  }
}

export async function ok(answer: Promise<unknown>): Promise<RouteResult> {
  return { status: 200, body: await answer }
}

export async function created(answer: Promise<unknown>): Promise<RouteResult> {
  return { status: 201, body: await answer }
}

/** A table of routes, and how it is told. */
export interface HttpApi {
  readonly title: string
  /** What it is for, in a sentence. */
  readonly description: string
  /** What tells who calls. */
  readonly callers: 'keys' | 'sessions'
  /** Where it is mounted unless the host says otherwise. */
  readonly prefix: string
  readonly routes: readonly Route[]
}
