import type { RefusalCode } from './rules/refuse.ts'

/** Every code a `GamificationError` can carry. Stable: hosts may switch on it. */
export type ErrorCode =
  | RefusalCode
  /** A request, argument or option has the wrong shape or an unknown property; `issues` gives the path. */
  | 'invalid_request'
  /** Empty, over 255 characters, or not visible ASCII. */
  | 'invalid_idempotency_key'
  /** The key was used for another adjustment of the user. */
  | 'idempotency_key_reused'
  /** The game's definition has mistakes; `issues` lists them all. Or something else was given in place of a game. */
  | 'invalid_game'
  | 'unknown_user'
  | 'unknown_event'
  /** An export was imported over a user who has another history. */
  | 'user_exists'
  | 'unknown_level'
  /** All of the reward are taken. */
  | 'out_of_stock'
  | 'unknown_redemption'
  /** The redemption was fulfilled or cancelled before. */
  | 'redemption_closed'
  | 'unknown_trigger'
  | 'unknown_leaderboard'
  | 'unknown_time_zone'
  | 'occurred_at_out_of_range'
  /** The event is not held back: it was voided, or counts already. */
  | 'event_not_held'
  | 'tenant_required'
  /** There are as many admin keys as there may be. */
  | 'too_many_admin_keys'
  | 'unknown_admin_key'
  | 'unknown_webhook'
  /** There are as many webhooks as there may be. */
  | 'too_many_webhooks'
  /** The webhook is disabled, by a call or because its receiver answered 410: make it active first. */
  | 'webhook_disabled'
  /** `createGamification` was given no `webhooks.secretKey`, without which no secret can be stored. */
  | 'webhooks_disabled'
  /** The storage cannot be used: not a database, a newer schema, a missing driver or migration. */
  | 'storage_unusable'
  /** Rows of one user cannot be read, or lines of the user's log are missing; nothing was saved. */
  | 'user_damaged'
  /** The storage could not be reached or locked in time, and nothing was committed. Safe to try again. */
  | 'unavailable'
  /** The storage is full, and nothing was committed. */
  | 'storage_full'
  /** The connection was lost around the commit, and it could not be settled whether it happened. */
  | 'outcome_unknown'
  /** `close()` was called. */
  | 'closed'
  /** A fault of this library, or of a value from the host, such as a clock that fails. */
  | 'internal'

/** One mistake in a request. */
export interface Issue {
  /** The path, such as `points.xp.triggers[0].metric`. Empty for the whole value. */
  readonly path: string
  readonly message: string
}

export interface GamificationErrorOptions {
  readonly issues?: readonly Issue[]
  readonly cause?: unknown
}

/** The only error class of the library. `code` is for programs; `message` tells people the problem and its remedy. */
export class GamificationError extends Error {
  override readonly name = 'GamificationError'
  readonly code: ErrorCode
  /**
   * The mistakes: all of a game's definition, or the first 20 of a request. The message says how many more there are.
   */
  readonly issues: readonly Issue[]

  constructor(code: ErrorCode, message: string, options: GamificationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.issues = options.issues ?? []
  }
}

export function isGamificationError(error: unknown): error is GamificationError {
  return error instanceof GamificationError
}

/** Returns whether an error is about all calls of a batch. Any other may be the fault of one call, so the batch is split. */
export function isAboutAll(error: unknown): boolean {
  return isGamificationError(error) && error.code !== 'internal' && error.code !== 'user_damaged'
}

const MOST_REASONS = 5

/** The messages of an error and of its causes, outermost first. For a message, without repetitions. */
export function reasonsOf(error: unknown): readonly string[] {
  const reasons: string[] = []
  const visit = (each: unknown): void => {
    if (!(each instanceof Error) || reasons.length >= MOST_REASONS) return
    const message = each.message.trim().replace(/\.$/, '')
    if (message !== '' && !reasons.some((reason) => reason.includes(message))) reasons.push(message)
    // Each attempted address has an error of its own.
    if (each instanceof AggregateError) for (const part of each.errors) visit(part)
    if (each.cause !== each) visit(each.cause)
  }
  visit(error)
  return reasons
}

/** The remedy for an unknown user in-process. The command line replaces it with its own. */
export const CREATE_USER = 'create it first, with users.create or an event.'
