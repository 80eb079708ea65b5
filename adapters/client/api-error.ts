import type { Issue } from '../../src/errors.ts'

/** What an `ApiError` is made of. */
export interface ApiProblem {
  readonly status: number | null
  readonly code: string
  readonly issues?: readonly Issue[]
  readonly idempotencyKey?: string | null
  readonly cause?: unknown
}

/** A call that was refused, or that nobody answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Of the answer; null: there was none that could be read. */
  readonly status: number | null
  /** As the server names it: `unknown_user`, `forbidden`. `no_answer` where there was none, `unreadable_answer`. */
  readonly code: string
  /** What is wrong with the request, and where. */
  readonly issues: readonly Issue[]
  /** Of the event that was sent: send it again with the same key, and it counts once. null: none was sent. */
  readonly idempotencyKey: string | null

  constructor(message: string, { status, code, issues = [], idempotencyKey = null, cause }: ApiProblem) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.issues = issues
    this.idempotencyKey = idempotencyKey
  }
}
