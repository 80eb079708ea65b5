import { toServiceText } from '../answers/closed-enums.ts'
import { type WholeNumbers, withWholeNumbers } from '../answers/whole-numbers.ts'
import { readIdempotencyKey } from '../api/events/requests.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import { describeGiven } from '../options.ts'
import type { Problem as ProblemBody } from '../shapes/operate.ts'
import { createTurns, type Turns } from '../storage/turns.ts'
import { readSession, readTenant, requireAccess, requireAllowed, requireOwnPage, unauthorized } from './authorize.ts'
import { type Cors, corsHeaders, isPreflight, toPreflightResponse } from './cors.ts'
import { createDispatch, type Dispatch, type Match, type OtherApi } from './dispatch.ts'
import { type HttpHandler, type HttpRequest, type HttpResponse, toJsonResponse, toStreamResponse } from './exchange.ts'
import { readJsonBody } from './json-body.ts'
import type { Caller, HttpOptions, RateLimit, SessionOptions, SessionReaders } from './options.ts'
import { isOneUser } from './options.ts'
import { HttpProblem, toProblem, toProblemBody, toProblemResponse } from './problem.ts'
import { readQuery } from './query.ts'
import type { AccountApi, Api, PreparedCall, RawCall, Route } from './route.ts'

/** Throws 429 if the host says that the caller has to wait, and a `TypeError` for a wrong answer of the host. */
async function requireRate(rateLimit: RateLimit, caller: Caller): Promise<void> {
  // The host has let these in by name.
  if (caller.kind === 'console') return
  const limited = await rateLimit(caller)
  if (limited === null || limited === undefined) return
  const seconds = Math.ceil(limited.retryAfter)
  if (!(seconds >= 0 && Number.isFinite(seconds))) {
    throw new TypeError(
      `The option rateLimit answered ${describeGiven(limited)}: answer null, or { retryAfter } in seconds.`,
    )
  }
  throw new HttpProblem('too_many_requests', `There were too many requests: send this again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** Limits how many requests of one key are handled at once. The others of that key wait, in the order of their arrival. */
type KeyTurns = <T>(key: string, handle: () => Promise<T>) => Promise<T>

function createKeyTurns(most: number): KeyTurns {
  /** Only of keys that have requests under way. */
  const keys = new Map<string, Turns>()

  return async (key, handle) => {
    const own = keys.get(key) ?? createTurns(most)
    keys.set(key, own)
    try {
      return await own.take(handle)
    } finally {
      if (own.isIdle()) keys.delete(key)
    }
  }
}

/** Answers a request of the user whose session the host reads from `own`; as `HttpHandler` otherwise. */
export type SessionHandler<Request> = (request: HttpRequest, own: Request) => Promise<HttpResponse | null>

export type Engine = Pick<
  Gamification<DefinedGame>,
  'game' | 'authenticate' | 'forRequest' | 'health' | 'logger' | keyof AccountApi
>

const BODY_LIMIT = 256 * 1_024
const OF_ONE_USER = 'app_'
/** As many of their requests are handled at once; one more waits for one of them. */
const MOST_OF_ONE_USER = 2

/** True if strict clients of the hosted service read the answers (`toServiceText`). */
interface Closing {
  readonly closesEnums?: boolean
}

export interface Server extends Required<Closing> {
  readonly engine: Engine
  /** The calls of the engine that belong to no tenant. */
  readonly account: AccountApi & Pick<Engine, 'health'>
  readonly dispatch: Dispatch
  readonly bodyLimit: number
  readonly turns: KeyTurns
  readonly rateLimit: RateLimit | null
  readonly wholeNumbers: WholeNumbers | null
}

/** Serves a table of routes to the holders of keys. The checks have one order for all of them. */
export function createHandler(
  engine: Engine,
  routes: readonly Route[],
  { cors, ...options }: HttpOptions & Closing = {},
  other: OtherApi | null = null,
): HttpHandler {
  const server = createServer(engine, routes, options, other)
  return (request) =>
    withCors(cors && { ...cors, credentials: false }, request, () => {
      const arrivedAt = performance.now()
      const find = (): Promise<Caller> => authenticate(engine, request, arrivedAt)
      const key = request.header('x-api-key')
      // A backend's own key sends for many users.
      if (key?.startsWith(OF_ONE_USER) !== true) return answer(server, request, arrivedAt, find)
      // By key too, so that one key does not have many lookups at once.
      return server.turns(key, () =>
        inTurnOf(server, find(), (found) => answer(server, request, arrivedAt, () => found)),
      )
    })
}

/** Serves a table of routes to users of the host's own session, with the rights of their application keys. */
export function createSessionHandler<Request>(
  engine: Engine,
  routes: readonly Route[],
  { origins, ...options }: SessionOptions & SessionReaders<Request>,
): SessionHandler<Request> {
  const server = createServer(engine, routes, options)
  return (request, own) =>
    withCors(origins && { origins, credentials: true }, request, () => {
      const found = Promise.resolve().then(() => {
        requireOwnPage(request, origins)
        return readSession(options, own, engine.game.rules.multiTenant)
      })
      return inTurnOf(server, found, (caller) => answer(server, request, performance.now(), () => caller))
    })
}

export function createServer(
  engine: Engine,
  routes: readonly Route[],
  options: Omit<HttpOptions, 'cors'> & Closing = {},
  other: OtherApi | null = null,
): Server {
  const { bodyLimit = BODY_LIMIT, rateLimit = null, wholeNumbers = null, closesEnums = false } = options
  const turns = createKeyTurns(MOST_OF_ONE_USER)
  const dispatch = createDispatch(routes, other)
  const account = accountOf(engine)
  return { engine, account, dispatch, turns, bodyLimit, rateLimit, wholeNumbers, closesEnums }
}

function accountOf(engine: Engine): Server['account'] {
  const { webhooks, games, adminKeys, subscriptions, tenants, verify, rebuild, whatIf, apply, health } = engine
  return { webhooks, games, adminKeys, subscriptions, tenants, verify, rebuild, whatIf, apply, health }
}

function withCors(
  cors: Cors | undefined,
  request: HttpRequest,
  handle: () => Promise<HttpResponse | null>,
): Promise<HttpResponse | null> {
  return cors === undefined ? handle() : withCorsHeaders(cors, request, handle)
}

async function withCorsHeaders(
  cors: Cors,
  request: HttpRequest,
  handle: () => Promise<HttpResponse | null>,
): Promise<HttpResponse | null> {
  const headers = corsHeaders(request, cors)
  if (isPreflight(request)) return toPreflightResponse(headers)
  const response = await handle()
  return response === null ? null : { ...response, headers: { ...response.headers, ...headers } }
}

/** Limits how many requests of one user are handled at once, over all keys and sessions of the user. */
async function inTurnOf<T>(
  { turns }: Server,
  found: Promise<Caller>,
  handle: (found: Promise<Caller>) => Promise<T>,
): Promise<T> {
  const user = await found.then(
    (caller) => (isOneUser(caller) ? JSON.stringify([caller.tenant, caller.userId]) : null),
    () => null,
  )
  return user === null ? handle(found) : turns(user, () => handle(found))
}

/** Answers a request to a table of routes; `find` throws if the caller is unknown. */
export async function answer(
  server: Server,
  request: HttpRequest,
  arrivedAt: number,
  find: () => Promise<Caller>,
): Promise<HttpResponse | null> {
  let route: Route | null = null
  let caller: Caller | null = null
  let isRunning = false
  try {
    const [path, query] = split(request.target)
    const match = server.dispatch(request.method, path)
    route = match.route
    caller = route.isPublic ? null : await find()
    if (caller?.kind === 'console') requireAccess(caller, route)
    if (caller !== null && server.rateLimit !== null) await requireRate(server.rateLimit, caller)
    const { call, api } = await admit(server, request, arrivedAt, match, query, caller)
    isRunning = true
    const { status, body, stream } = await call.run(api, caller)
    if (stream === undefined) {
      const { wholeNumbers, closesEnums } = server
      const answered = wholeNumbers === null ? body : withWholeNumbers(body, wholeNumbers)
      return closesEnums ? toJsonResponse(status, answered, null, toServiceText) : toJsonResponse(status, answered)
    }
    const toLine = (error: unknown): ProblemBody => logFailure(server, request, match.route, caller, error)
    return toStreamResponse(status, stream.lines(toLine))
  } catch (error) {
    const problem = toProblem(error)
    // A fault after something was perhaps stored: an answer of 500 would make clients do it again.
    const isUnknown = problem === null && isRunning && route?.changes === true
    const response = isUnknown
      ? null
      : toProblemResponse(problem ?? new HttpProblem('internal', 'A fault.'), {
          caller,
          statuses: route?.statuses ?? {},
        })
    if (response === null || response.status >= 500) log(server, request, route, error)
    return response
  }
}

function split(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

async function admit(
  { engine, account, bodyLimit, wholeNumbers }: Server,
  request: HttpRequest,
  arrivedAt: number,
  { route, params }: Match,
  query: string,
  caller: Caller | null,
): Promise<{ readonly call: PreparedCall; readonly api: Api }> {
  const { rules } = engine.game
  const { multiTenant } = rules
  if (!multiTenant && caller?.kind === 'application' && caller.tenant !== '') throw unauthorized()
  const tenant = multiTenant && !route.isPublic ? readTenant(request, caller) : null
  const readFrom = performance.now()
  const call = route.prepare(await read(request, route, ownParams(route, params, caller), query, bodyLimit))
  requireAllowed(caller, call, rules)
  // One deadline for the key and for the call; the time in which the client sent its body does not count.
  const by = caller !== null && 'keyId' in caller ? caller.keyId : null
  // A merge can end the key after it was checked.
  const confirm = caller?.kind === 'application' ? () => confirmKey(engine, request, arrivedAt) : null
  const options = { by, isClient: isOneUser(caller), confirm }
  const calls = engine.forRequest(arrivedAt + performance.now() - readFrom, options)
  const served = { base: request.base ?? '', wholeNumbers }
  const own = { tenantId: tenant ?? '', served }
  // Each use case parses its own arguments, so routes pass them on unread.
  const api: unknown = Object.assign(tenant === null ? calls : calls.tenant(tenant), account, own)
  return { call, api: api as Api }
}

/** In the path of a session's request `me` is its user. */
function ownParams({ path }: Route, params: Match['params'], caller: Caller | null): Match['params'] {
  const isOwn = caller?.kind === 'session' && path.startsWith('/users/{id}') && params?.id === 'me'
  return isOwn ? { ...params, id: caller.userId } : params
}

/** The last line of a stream that failed. The steps that were done stay, and the client may repeat the call. */
function logFailure(
  server: Server,
  request: HttpRequest,
  route: Route,
  caller: Caller | null,
  error: unknown,
): ProblemBody {
  const problem = toProblem(error) ?? new HttpProblem('internal', 'A fault.')
  const { status, body } = toProblemBody(problem, { caller, statuses: route.statuses })
  if (status === null || status >= 500) log(server, request, route, error)
  return body
}

async function authenticate(engine: Engine, request: HttpRequest, arrivedAt: number): Promise<Caller> {
  const holder = await engine.authenticate(request.header('x-api-key'), arrivedAt)
  if (holder === null) throw unauthorized()
  return holder
}

async function confirmKey(engine: Engine, request: HttpRequest, arrivedAt: number): Promise<void> {
  await authenticate(engine, request, arrivedAt)
}

async function read(
  request: HttpRequest,
  route: Route,
  params: Match['params'],
  query: string,
  bodyLimit: number,
): Promise<RawCall> {
  const body = route.bodySchema === null ? undefined : await readJsonBody(request, bodyLimit * route.bodyFactor)
  if (params === null) {
    throw new HttpProblem('malformed_request', 'The path has percent-encoding that cannot be read: send it as UTF-8.')
  }
  const idempotencyKey = readIdempotencyKey(route.takesIdempotencyKey ? request.header('idempotency-key') : undefined)
  return { params, query: readQuery(query, route.query), body, idempotencyKey }
}

function log({ engine }: Server, { method }: HttpRequest, route: Route | null, err: unknown): void {
  try {
    engine.logger.error({ method, operation: route?.operationId ?? null, err }, 'A request failed.')
  } catch {
    // There is no other place to report the failure of a logger.
  }
}
