import { z } from 'zod'
import type { WholeNumbers } from '../answers/whole-numbers.ts'
import {
  type Action,
  type ApplicationKeys,
  type Method,
  OTHER,
  READ,
  type RouteCall,
  type Rules,
  schemaOf,
  type Tag,
} from '../api/endpoint.ts'
import type { GamificationApi } from '../api/operations.ts'
import { redemptionId } from '../api/rewards/requests.ts'
import { GamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import { subscriptionName, webhookId } from '../messages/requests.ts'
import { gameKey, parse, parseBody, userId } from '../runtime/input.ts'
import type { Health } from '../shapes/operate.ts'
import type { JsonSchema, SchemaName } from '../shapes/schema-names.ts'
import { type Caller, isOneUser } from './options.ts'
import type { StatusOverrides } from './problem.ts'
import { type QueryParameter, queryOf } from './query.ts'
import type { Stream } from './stream.ts'

/** Calls that belong to no tenant. */
export type AccountApi = Pick<
  Gamification<DefinedGame>,
  'webhooks' | 'games' | 'adminKeys' | 'subscriptions' | 'tenants' | 'verify' | 'rebuild' | 'whatIf' | 'apply'
>

/** The same calls with arguments of any type: each use case parses its own arguments. */
type Unread<T> = {
  readonly [Name in keyof T]: T[Name] extends (...given: never[]) => Promise<infer Answer>
    ? (...given: readonly unknown[]) => Promise<Answer>
    : Unread<T[Name]>
}

/** The use cases of one tenant and of the account, and how the engine is served. */
export interface Api extends Unread<GamificationApi<DefinedGame> & AccountApi> {
  /** Empty in a game without tenants. */
  readonly tenantId: string
  readonly served: Served
  health(): Promise<Health>
}

/** How the API that a request asks is served. */
export interface Served {
  readonly base: string
  readonly wholeNumbers: WholeNumbers | null
}

export interface Route {
  readonly operationId: string
  readonly method: Method
  /** With parameters in braces: `/users/{id}/metrics/{key}`. */
  readonly path: string
  readonly summary: string
  readonly tag: Tag
  readonly params: { readonly [name: string]: ParamDescription }
  readonly query: { readonly [name: string]: QueryParameter }
  readonly querySchema: z.ZodType | null
  readonly bodySchema: z.ZodType | null
  /** The descriptions of members of the query or the body that have none in their schema. */
  readonly texts: { readonly [member: string]: string }
  readonly example?: unknown
  readonly takesIdempotencyKey: boolean
  /** False if read-only callers may call it. Default: true for all methods but GET. */
  readonly changes: boolean
  /** The limit of its body, as a multiple of the usual limit. */
  readonly bodyFactor: number
  readonly isPublic: boolean
  /** True if it can answer 404. Default: true if its path has a parameter. */
  readonly canMiss: boolean
  /** True if it can answer 409. */
  readonly canConflict: boolean
  /** The rights of an application key on this route, in words. Absent if there is nothing. */
  readonly applicationKeys?: string
  readonly answers: { readonly [status: number]: RouteAnswer }
  /** Codes that this route answers with another status. */
  readonly statuses: StatusOverrides
  /** Checks a request against the schemas. Throws `invalid_request` with every mistake. */
  prepare(call: RawCall): PreparedCall
}

export interface RouteAnswer {
  readonly description: string
  readonly schema: JsonSchema
  /** JSON if absent. Otherwise lines of JSON, each of this schema. */
  readonly type?: 'application/x-ndjson'
}

export interface ParamDescription {
  readonly schema: z.ZodType
  readonly description: string
}

export interface RawCall {
  readonly params: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  readonly idempotencyKey: string | null
}

export interface RouteResult {
  readonly status: number
  readonly body: unknown
  /** Replaces the body. */
  readonly stream?: Stream
}

export interface PreparedCall {
  /** The users that it names, or `null` if application keys may not make it. */
  readonly users: readonly string[] | null
  /** True if the game hides the requested object from application keys. */
  isPrivate(game: Rules): boolean
  /** The effects of the call: a restricted caller must be allowed each of them. */
  readonly actions: readonly Action[]
  run(api: Api, caller: Caller | null): Promise<RouteResult>
}

type Settings =
  | 'querySchema'
  | 'example'
  | 'takesIdempotencyKey'
  | 'changes'
  | 'bodyFactor'
  | 'isPublic'
  | 'canConflict'

export interface RouteSpec<Path extends string, Read, Answer>
  extends Pick<Route, 'summary' | 'answers'>,
    Partial<Pick<Route, Settings | 'tag' | 'texts' | 'canMiss' | 'statuses'>> {
  /** A body that it refuses never reaches `run`. */
  readonly bodySchema?: z.ZodType<Read>
  /** Another check of the body that needs no look-up. Throws. */
  readonly check?: (body: Read) => void
  readonly applicationKeys?: ApplicationKeys<Path, Read>
  /**
   * Default: the call that the operation is named after, with the parameters of the path, then the query or the body.
   * `webhooks_list` is `api.webhooks.list`.
   */
  run?(api: Api, call: RouteCall<Path, Read>, caller: Caller | null): Promise<Answer>
  /** Default: the first status in `answers`. */
  status?(answer: Answer, body: Read): number
}

const DEFAULTS = {
  takesIdempotencyKey: false,
  bodyFactor: 1,
  isPublic: false,
  canConflict: false,
  statuses: {},
  texts: {},
}

/**
 * Makes routes with a tag. A route is named by its method and path: `GET /users/{id}`. `keys`: what application keys may
 * do with routes that do not say it.
 */
export function routesOf(tag: Tag, keys?: ApplicationKeys) {
  return <const Path extends string, Read, Answer>(
    name: `${Method} ${Path}`,
    operationId: string,
    given: RouteSpec<Path, Read, Answer>,
  ): Route => {
    const { applicationKeys: own, check, run, status, ...spec } = given
    const applicationKeys: ApplicationKeys<Path, Read> | undefined = own ?? keys
    const [method, path] = name.split(' ') as [Method, Path]
    const params = paramsOf(path)
    const { bodySchema = null, querySchema = null } = spec
    const standard = Number(Object.keys(given.answers)[0])
    let query: Route['query'] | null = null
    const prepared = {
      ...given,
      run: run ?? ((api: Api, call: RouteCall<Path, Read>) => runNamed<Answer>(api, operationId, given, call)),
      ...(applicationKeys && { applicationKeys }),
      method,
      params: Object.entries(params),
      status: status ?? (() => standard),
    }
    return {
      ...DEFAULTS,
      changes: method !== 'GET',
      canMiss: Object.keys(params).length > 0,
      tag,
      ...spec,
      ...(applicationKeys === undefined ? {} : { applicationKeys: applicationKeys.may }),
      ...{ operationId, method, path, params, bodySchema, querySchema },
      // Made when it is needed first, because a process that starts needs none.
      get query() {
        query ??= querySchema === null ? {} : queryOf(querySchema)
        return query
      },
      prepare: (raw) => prepare(raw, prepared),
    }
  }
}

/** A route as its requests need it. */
type Prepared<Path extends string, Read, Answer> = RouteSpec<Path, Read, Answer> &
  Required<Pick<RouteSpec<Path, Read, Answer>, 'run' | 'status'>> & {
    readonly method: Method
    readonly params: readonly (readonly [name: string, param: ParamDescription])[]
  }

function prepare<Path extends string, Read, Answer>(
  raw: RawCall,
  {
    method,
    params,
    querySchema,
    bodySchema,
    answers,
    applicationKeys,
    check,
    run,
    status,
  }: Prepared<Path, Read, Answer>,
): PreparedCall {
  for (const [key, param] of params) parse(param.schema, raw.params[key], param.description)
  if (querySchema) parse(querySchema, raw.query, 'query')
  const { body, data } = bodySchema ? parseBody<unknown>(bodySchema, raw.body) : { body: raw.body, data: undefined }
  // The schemas have accepted the request. Without a schema there is no body.
  const idempotencyKey = idempotencyKeyOf(raw.idempotencyKey, data)
  const call = { ...raw, body, read: data, idempotencyKey } as RouteCall<Path, Read>
  check?.(call.read)
  return {
    users: applicationKeys?.users(call) ?? null,
    actions: applicationKeys?.actions?.(call) ?? (method === 'GET' ? READ : OTHER),
    isPrivate: (game) => applicationKeys?.isPrivate?.(call, game) ?? false,
    run: async (api, caller) => {
      const answer = await run(api, call, caller)
      const answered = status(answer, call.read)
      const isStream = answers[answered]?.type !== undefined
      return isStream
        ? { status: answered, body: answer, stream: answer as Stream }
        : { status: answered, body: answer }
    },
  }
}

/** The key of the header, or of the body if the route takes one there. Throws `invalid_request` if both are given and differ. */
function idempotencyKeyOf(inHeader: string | null, body: unknown): string | null {
  const inBody = (body as { readonly idempotencyKey?: string } | undefined)?.idempotencyKey ?? null
  if (inHeader === null || inBody === null || inHeader === inBody) return inHeader ?? inBody
  const help = 'send one of them, or the same key twice. Nothing was saved.'
  throw new GamificationError(
    'invalid_request',
    `The header Idempotency-Key and idempotencyKey in the body differ: ${help}`,
  )
}

function runNamed<Answer>(
  api: Api,
  operationId: string,
  { querySchema, bodySchema }: Pick<RouteSpec<string, unknown, Answer>, 'querySchema' | 'bodySchema'>,
  { params, query, body }: RouteCall,
): Promise<Answer> {
  const names = operationId.split('_')
  const call = names.reduce<unknown>((part, name) => Reflect.get(Object(part), name), api)
  if (typeof call !== 'function') throw new RangeError(`There is no call for the operation ${operationId}.`)
  return call(...Object.values(params), ...(querySchema ? [query] : bodySchema ? [body] : []))
}

export function ok(description: string, schema: SchemaName | JsonSchema): Route['answers'] {
  return { 200: toAnswer(description, schema) }
}

export function created(description: string, schema: SchemaName | JsonSchema): Route['answers'] {
  return { 201: toAnswer(description, schema) }
}

export function toAnswer(description: string, schema: SchemaName | JsonSchema): RouteAnswer {
  return { description, schema: typeof schema === 'string' ? schemaOf(schema) : schema }
}

const key = (description: string): ParamDescription => ({ schema: gameKey, description })
const ofGame = (one: string): ParamDescription => key(`id of ${one}, or its key if it has one`)

/** The parameters of paths, by the segment before them. */
const PARAMS: { readonly [place: string]: ParamDescription } = {
  'attributes/{id}': ofGame('an attribute'),
  'metrics/{id}': ofGame('a metric'),
  'points/{id}': ofGame('a points system'),
  'levels/{id}': ofGame('a level'),
  'triggers/{id}': ofGame('a trigger'),
  'leaderboards/{id}': ofGame('a leaderboard'),
  'achievements/{id}': ofGame('an achievement'),
  'users/{id}': { schema: userId, description: 'user id' },
  'metrics/{key}': key('metric key'),
  'achievements/{key}': key('achievement key'),
  'challenges/{key}': key('challenge key'),
  'rewards/{key}': key('reward key'),
  'redemptions/{id}': { schema: redemptionId, description: 'id of a redemption' },
  'points/{key}': key('points system key'),
  'holds/{id}': { schema: z.string().max(255), description: 'id of a hold' },
  'spends/{id}': { schema: z.string().max(255), description: 'id of a spend' },
  'points/{systemId}': key('id or key of a points system'),
  'streaks/{key}': key('key of a named streak'),
  'leaderboards/{key}': key('leaderboard key'),
  'boosts/{id}': { schema: z.uuid('must be a UUID'), description: 'id of a boost' },
  'webhooks/{id}': { schema: webhookId, description: 'id of a webhook' },
  'subscriptions/{name}': { schema: subscriptionName, description: 'name of a subscription' },
}

function paramsOf(path: string): Route['params'] {
  const found = [...path.matchAll(/[\w-]+\/\{(\w+)\}/g)].flatMap(([place, name = '']) => {
    const param = PARAMS[place]
    return param === undefined ? [] : [[name, param] as const]
  })
  return Object.fromEntries(found)
}

/** Private leaderboards are hidden from application keys. */
export function seesPrivate(caller: Caller | null): boolean {
  return caller !== null && !isOneUser(caller)
}

/** The user of an application key or session, who sees the own place on leaderboards by name. */
export function viewerOf(caller: Caller | null): { readonly viewer?: string } {
  return isOneUser(caller) ? { viewer: caller.userId } : {}
}

export interface HttpApi {
  readonly title: string
  /** Its purpose, in a sentence. */
  readonly description: string
  /** How callers identify themselves. */
  readonly callers: 'keys' | 'sessions'
  /** True if its answers have values of the hosted service only (`toServiceText`). */
  readonly closesEnums: boolean
  /** The default mount point. */
  readonly prefix: string
  readonly routes: readonly Route[]
}
