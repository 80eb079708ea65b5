import { type ErrorCode, GamificationError, isGamificationError, reasonsOf } from '../../src/errors.ts'

/** The connection was lost, or did not answer in time. The statement may have been executed. */
export class LostConnection extends Error {
  override readonly name: string = 'LostConnection'
}

/**
 * No connection was available, so nothing was done. `address` is the address that was tried, or `null` if it is not
 * known.
 */
export class NoConnection extends LostConnection {
  override readonly name = 'NoConnection'

  constructor(address: string | null, cause: unknown) {
    const reasons = reasonsOf(cause).join(': ')
    super(
      `Postgres${address === null ? '' : ` at ${address}`} could not be reached: ${reasons || 'no reason was given'}`,
      {
        cause,
      },
    )
  }
}

interface Meaning {
  readonly code: ErrorCode
  /** `reason` is the message of Postgres, or of the pooler or network in between. */
  readonly message: string | ((reason: string) => string)
}

const unusable = (message: Meaning['message']): Meaning => ({ code: 'storage_unusable', message })
const unmigrated = unusable('The database lacks tables or functions of laurels. Call migrate() first.')
const unreadable = unusable('The connection string cannot be read: write postgres://user:password@host/database.')
const readOnly = unusable('The transaction may only read: begin one that may write.')
const broken: Meaning = { code: 'internal', message: 'Postgres refused what laurels asked of it. Nothing was saved.' }
const unreachable: Meaning = {
  code: 'unavailable',
  message: (reason) => `Postgres could not be reached or locked in time: ${reason}. Nothing was saved; try again.`,
}
const unconnected: Meaning = { code: 'unavailable', message: (reason) => `${reason}. Nothing was saved; try again.` }

/** By SQLSTATE. */
const MEANINGS: { readonly [state: string]: Meaning } = {
  '42P01': unmigrated,
  '42883': unmigrated,
  '3F000': unmigrated,
  '42703': unmigrated,
  '28000': unusable(
    (reason) => `Postgres does not let this user in: ${reason}. Look at the user, and at pg_hba.conf of the server.`,
  ),
  '28P01': unusable((reason) => `Postgres did not accept the password: ${reason}. Look at the user and the password.`),
  '3D000': unusable((reason) => `There is no such database: ${reason}. Create it, or give the name of another.`),
  '42501': unusable((reason) => `The user lacks a permission: ${reason}. Grant it, or give another user.`),
  '25P01': unusable(
    'No transaction is open on this connection: BEGIN before the call, and await the call before COMMIT.',
  ),
  '25P02': unusable('A statement of this transaction has failed before: ROLLBACK, and begin again.'),
  '53100': { code: 'storage_full', message: 'Postgres has no room left. Nothing was saved.' },
}

/** Nothing was committed, and the same may succeed a moment later. 55000: the database takes no connections. */
const PASSING: ReadonlySet<string> = new Set([
  '40001',
  '40P01',
  '53200',
  '53300',
  '55000',
  '55P03',
  '57014',
  '57P03',
  '25006',
])

/** The server closed the connection, at a moment that is not known. */
const CLOSING: ReadonlySet<string> = new Set(['57P01', '57P02', '57P05', '25P03', '25P04'])

/** Errors of Node are no instances of `Error` if a test runner such as Jest has globals of its own. */
export function isError(error: unknown): error is Error {
  return error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
}

function stateOf(error: unknown): string | null {
  // Codes of sockets may look like a state: EPIPE.
  if (!(isError(error) && 'code' in error && 'severity' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Returns whether an error is Postgres' own answer, and does not come from the connection to it. */
export function isAnswer(error: unknown): boolean {
  return stateOf(error) !== null
}

const UNDOES: ReadonlyMap<unknown, boolean> = new Map([
  ['ERROR', true],
  ['FATAL', false],
  ['PANIC', false],
])

/**
 * Returns whether an answer proves that the statement was undone. Only severity ERROR does: after FATAL and PANIC the
 * commit may be on disk, whatever the SQLSTATE. Drivers hand on the severity in the server's language, or `null` if
 * that is none of these words.
 */
export function provesUndone(error: unknown): boolean | null {
  if (!(isAnswer(error) && isError(error) && 'severity' in error)) return false
  return UNDOES.get(error.severity) ?? null
}

/** Returns whether the transaction that is open has failed before: Postgres still answers, but takes no statement in it. */
export function isOfFailedTransaction(error: unknown): boolean {
  return stateOf(error) === '25P02'
}

/** Returns whether the connection broke, or none could be had. */
export function isLost(error: unknown): boolean {
  if (error instanceof LostConnection) return true
  if (isGamificationError(error) || !isError(error)) return false
  // These are faults of our own code; a broken connection throws a plain Error.
  const faults = [SyntaxError, TypeError, RangeError, ReferenceError]
  if (faults.some((kind) => error instanceof kind || error.name === kind.name)) return false
  const state = stateOf(error)
  // Postgres itself always gives a state; an error without one comes from the connection.
  return state === null ? true : CLOSING.has(state) || state.startsWith('08')
}

export function isPassing(error: unknown): boolean {
  const state = stateOf(error)
  return state !== null && PASSING.has(state)
}

/** Returns whether the host has to begin its whole transaction again, for which its own code may look at the error. */
function isForHost(error: unknown): boolean {
  return ['40001', '40P01'].includes(stateOf(error) ?? '')
}

/**
 * The error that a call in the host's transaction rejects with. However the call ended, nothing of it is stored before
 * the host's commit.
 */
export function toJoinedError(error: unknown): unknown {
  if (isGamificationError(error)) return error
  if (isForHost(error)) return asThrown(error)
  if (isAnswer(error) && provesUndone(error) === false) {
    return toStorageError(new LostConnection('Postgres closed the connection.', { cause: error }))
  }
  if (stateOf(error) !== '25006') return toStorageError(error)
  return toError(readOnly, error)
}

/** A statement of the host rejects with the driver's error, unless the connection failed. */
export function toHandlerError(error: unknown): unknown {
  return isAnswer(error) && !isLost(error) ? error : toStorageError(error)
}

/** Returns the cause of a transient failure, so that the transaction is retried; otherwise the error. */
export function passingReasonOf(error: unknown): unknown {
  if (!isGamificationError(error) || error.code !== 'unavailable') return error
  return isLost(error.cause) || isPassing(error.cause) ? error.cause : error
}

/**
 * Why two attempts failed, one after the other: that time was over before a connection came says less than the error
 * before. `before` is null if there was none.
 */
export function mostUsefulError(before: unknown, error: unknown): unknown {
  const reason = passingReasonOf(error)
  return before !== null && reason instanceof NoConnection && reason.cause instanceof LostConnection ? before : error
}

export function toStorageError(error: unknown): GamificationError {
  if (isGamificationError(error)) return error
  return toError(meaningOf(error), error)
}

function toError(meaning: Meaning, error: unknown): GamificationError {
  const { code, message } = meaning
  const text = typeof message === 'string' ? message : message(reasonsOf(error).join(': ') || 'no reason was given')
  // A connection string that cannot be read has the password in it, and its error repeats it.
  return new GamificationError(code, text, meaning === unreadable ? {} : { cause: error })
}

function meaningOf(error: unknown): Meaning {
  if (isError(error) && 'code' in error && error.code === 'ERR_INVALID_URL') return unreadable
  if (error instanceof NoConnection) return unconnected
  if (isLost(error) || isPassing(error)) return unreachable
  return MEANINGS[stateOf(error) ?? ''] ?? broken
}

export function endedTransaction(cause?: unknown): GamificationError {
  const message = 'The transaction has ended: make the call, and await it, before it is committed.'
  return new GamificationError('storage_unusable', message, { cause })
}

/**
 * The errors that libraries threw, by the answer of Postgres in them: a host that begins again looks for its library's
 * error.
 */
const thrown = new WeakMap<Error, unknown>()

/** Returns the answer of Postgres that is in a library's error, and remembers that error by it. */
export function unwrapped(error: unknown, answer: Error): Error {
  thrown.set(answer, error)
  return answer
}

/** The error that the host's library threw; the given error if no other is remembered. */
export function asThrown(error: unknown): unknown {
  return (error instanceof Error ? thrown.get(error) : undefined) ?? error
}
