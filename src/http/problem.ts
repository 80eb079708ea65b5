import { type ErrorCode, GamificationError, type Issue } from '../errors.ts'
import { HTTP_STATUSES } from '../http-status.ts'
import type { Problem as ProblemBody } from '../shapes/operate.ts'
import { type HttpResponse, toJsonResponse } from './exchange.ts'
import { type Caller, isOneUser } from './options.ts'

/** Codes for a request that is wrong as such; in-process it cannot happen. */
const REQUEST_STATUSES = {
  malformed_request: 400,
  unauthorized: 401,
  too_many_requests: 429,
  forbidden: 403,
  unknown_path: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
}

export type ProblemCode = keyof typeof REQUEST_STATUSES | ErrorCode

/** The status of each code, or `null` if the connection is closed. */
const STATUSES: Record<ProblemCode, number | null> = { ...REQUEST_STATUSES, ...HTTP_STATUSES }

const RETRY_AFTER_SECONDS = '1'

/** Messages without internal details, which only the log has. */
const INSIDE: { readonly [Code in ProblemCode]?: string } = {
  unavailable: 'The database could not be reached or locked in time. Nothing was saved; try again.',
  storage_full: 'The database has no room left. Nothing was saved.',
  closed: 'The server is being closed. Nothing was saved; try again.',
}
const UNKNOWN =
  'The connection to the database was lost: it is not known whether the last step was stored. Do it again.'
const FAULT = 'Something went wrong here; the log of the server says what.'

/** Messages for single users, which do not list the other parts of the game. */
const TO_ONE_USER: { readonly [Code in ProblemCode]?: string } = {
  unknown_metric: 'There is no such metric.',
  unknown_attribute: 'There is no such attribute: leave it out.',
  unknown_points_system: 'There is no such points system.',
  unknown_leaderboard: 'There is no such leaderboard.',
  achievement_not_accessible: 'The achievement is not for this user.',
}

/** A request that is refused before, or instead of, anything being done. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly code: ProblemCode
  readonly issues: readonly Issue[]
  readonly headers: { readonly [name: string]: string }

  constructor(
    code: ProblemCode,
    message: string,
    { issues = [], headers = {} }: Partial<Pick<HttpProblem, 'issues' | 'headers'>> = {},
  ) {
    super(message)
    this.code = code
    this.issues = issues
    this.headers = headers
  }
}

export type StatusOverrides = { readonly [Code in ProblemCode]?: number }

/** Returns the problem of a deliberate error, or `null` for a fault. */
export function toProblem(error: unknown): HttpProblem | null {
  if (error instanceof HttpProblem) return error
  if (!(error instanceof GamificationError)) return null
  // Thrown by the server itself from within a call.
  if (error.cause instanceof HttpProblem) return error.cause
  return new HttpProblem(error.code, error.message, { issues: error.issues })
}

export interface Addressee {
  readonly caller: Caller | null
  readonly statuses: StatusOverrides
}

/** A `status` of null means that the outcome is not known. */
export function toProblemBody(
  problem: HttpProblem,
  { caller, statuses }: Addressee,
): { readonly status: number | null; readonly body: ProblemBody } {
  const { code, issues } = problem
  const status = statuses[code] ?? STATUSES[code]
  const error = status === null ? UNKNOWN : messageOf(problem, status, caller)
  return { status, body: issues.length === 0 ? { error, code } : { error, code, issues } }
}

/** Returns `null` if the connection must be closed. */
export function toProblemResponse(problem: HttpProblem, addressee: Addressee): HttpResponse | null {
  const { headers } = problem
  const { status, body } = toProblemBody(problem, addressee)
  if (status === null) return null
  return toJsonResponse(status, body, status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS, ...headers } : headers)
}

function messageOf({ code, message }: HttpProblem, status: number, caller: Caller | null): string {
  if (status >= 500) return INSIDE[code] ?? FAULT
  return isOneUser(caller) ? (TO_ONE_USER[code] ?? message) : message
}
