import type { Issue } from '../../../errors.ts'
import type { Count } from './formats.ts'
/** How far a walk over the users is, as it is sent while it goes on. */
export interface StreamProgress {
  /** How many users were looked at. */
  readonly users: Count
  /** How many entries their logs have. */
  readonly entries: Count
  /** The user looked at last; null: none yet, or all have been. */
  readonly last: { readonly tenant: string; readonly user: string } | null
  /** How many users there are to look at; null: it is not known. */
  readonly of: Count | null
}

/** The body of every error answer of every route. */
export interface Problem {
  /** For people: what is wrong, and how to mend it. */
  readonly error: string
  /** For programs; stable. */
  readonly code: string
  /**
   * On a schema violation: the first 20 mistakes.
   *
   * @maxItems 20
   */
  readonly issues?: readonly Issue[]
}

/** What ends a stream that cannot go on: the body of the same refusal outside of a stream. */
export type StreamError = Problem

/** A line of a stream: progress any number of times, then exactly one of the others. */
export type StreamLine<Report> =
  | { readonly progress: StreamProgress }
  | { readonly report: Report }
  | { readonly error: StreamError }
