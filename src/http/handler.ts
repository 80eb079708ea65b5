import type { KeyHolder } from '../engine/answers/wire/keys.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import { readIdempotencyKey } from '../requests/metric-event.ts'
import { readTenant, requireAllowed, unauthorized } from './authorize.ts'
import { type CorsOptions, corsHeaders, isPreflight, toPreflightResponse } from './cors.ts'
import { createDispatch, type Dispatch, type Match } from './dispatch.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from './exchange.ts'
import { readJsonBody } from './json-body.ts'
import { toJsonResponse } from './json-response.ts'
import { Problem, toProblem, toProblemResponse } from './problem.ts'
import { readQuery } from './query.ts'
import type { Api, PreparedCall, RawCall, Route } from './route.ts'
import { createKeyTurns, type KeyTurns } from './turns.ts'

export interface HttpOptions {
  /** The most bytes that a body may have, and a sixteenth of what a batch of events may. Default 256 KiB. */
  readonly bodyLimit?: number
  /** Default: off. */
  readonly cors?: CorsOptions
}

/** What the handler asks of the engine. */
export type Engine = Pick<Gamification<DefinedGame>, 'game' | 'authenticate' | 'forRequest' | 'logger'>

const BODY_LIMIT = 256 * 1_024
/** How keys of single users begin. */
const OF_ONE_USER = 'app_'
/** As many of their requests are handled at once; one more waits for one of them. */
const MOST_OF_ONE_USER = 2

interface Server {
  readonly engine: Engine
  readonly dispatch: Dispatch
  readonly bodyLimit: number
  readonly turns: KeyTurns
}

/** Serves a table of routes. The checks have one order for all of them. */
export function createHandler(
  engine: Engine,
  routes: readonly Route[],
  { bodyLimit = BODY_LIMIT, cors }: HttpOptions,
): HttpHandler {
  const server: Server = {
    engine,
    dispatch: createDispatch(routes),
    bodyLimit,
    turns: createKeyTurns(MOST_OF_ONE_USER),
  }
  if (cors === undefined) return (request) => answer(server, request)
  return async (request) => {
    const headers = corsHeaders(request, cors)
    if (isPreflight(request)) return toPreflightResponse(headers)
    const response = await answer(server, request)
    return response === null ? null : { ...response, headers: { ...response.headers, ...headers } }
  }
}

/** A key of one user is not to keep the process from all others: an admin key is that of a backend, and sends for many. */
function answer(server: Server, request: HttpRequest): Promise<HttpResponse | null> {
  const arrivedAt = performance.now()
  const key = request.header('x-api-key')
  if (key?.startsWith(OF_ONE_USER) !== true) return answerNow(server, request, arrivedAt)
  return server.turns.run(key, () => answerNow(server, request, arrivedAt))
}

async function answerNow(server: Server, request: HttpRequest, arrivedAt: number): Promise<HttpResponse | null> {
  let route: Route | null = null
  let holder: KeyHolder | null = null
  let isRunning = false
  try {
    const [path, query] = split(request.target)
    const match = server.dispatch(request.method, path)
    route = match.route
    const admitted = await admit(server, request, arrivedAt, match, query)
    holder = admitted.holder
    isRunning = true
    const { status, body } = await admitted.call.run(admitted.api, holder)
    return toJsonResponse(status, body)
  } catch (error) {
    const problem = toProblem(error)
    // A fault after something was perhaps stored: an answer of 500 would make clients do it again.
    const isUnknown = problem === null && isRunning && route?.method !== 'GET'
    const response = isUnknown
      ? null
      : toProblemResponse(problem ?? new Problem('internal', 'A fault.'), { holder, statuses: route?.statuses ?? {} })
    if (response === null || response.status >= 500) log(server, request, route, error)
    return response
  }
}

function split(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** Everything that is asked before anything is done. */
async function admit(
  { engine, bodyLimit }: Server,
  request: HttpRequest,
  arrivedAt: number,
  { route, params }: Match,
  query: string,
): Promise<{ readonly call: PreparedCall; readonly api: Api; readonly holder: KeyHolder | null }> {
  const holder = route.isPublic ? null : await authenticate(engine, request, arrivedAt)
  const { rules } = engine.game
  const { multiTenant } = rules
  if (!multiTenant && holder?.kind === 'application' && holder.tenant !== '') throw unauthorized()
  const tenant = multiTenant && !route.isPublic ? readTenant(request, holder) : null
  const readFrom = performance.now()
  const call = route.prepare(await read(request, route, params, query, bodyLimit))
  requireAllowed(holder, call, rules)
  // One deadline for the key and for the call; what the client took to send its body does not count.
  const calls = engine.forRequest(arrivedAt + performance.now() - readFrom)
  return { call, api: tenant === null ? calls : calls.tenant(tenant), holder }
}

async function authenticate(engine: Engine, request: HttpRequest, arrivedAt: number): Promise<KeyHolder> {
  const holder = await engine.authenticate(request.header('x-api-key'), arrivedAt)
  if (holder === null) throw unauthorized()
  return holder
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
    throw new Problem('malformed_request', 'The path has percent-encoding that cannot be read: send it as UTF-8.')
  }
  const idempotencyKey = route.takesIdempotencyKey ? request.header('idempotency-key') : undefined
  readIdempotencyKey(idempotencyKey)
  return { params, query: readQuery(query, route.query), body, idempotencyKey }
}

function log({ engine }: Server, { method }: HttpRequest, route: Route | null, err: unknown): void {
  try {
    engine.logger.error({ method, operation: route?.operationId ?? null, err }, 'A request failed.')
  } catch {
    // A logger that fails has nobody to tell.
  }
}
