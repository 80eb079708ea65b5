/** How far a walk over the users is, as it is sent while it goes on. */
export interface StreamProgress {
  /** Users looked at. */
  readonly users: number
  /** Entries of their logs, folded. */
  readonly entries: number
  /** The user looked at last; null: none yet, or all have been. */
  readonly last: { readonly tenant: string; readonly user: string } | null
  /** How many users there are to look at; null: it is not known. */
  readonly of: number | null
}

/** What ends a stream that cannot go on: the body of the same refusal outside of a stream. */
export interface StreamError {
  readonly error: string
  readonly code: string
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

/** A line of a stream: progress any number of times, then exactly one of the others. */
export type StreamLine<Report> =
  | { readonly progress: StreamProgress }
  | { readonly report: Report }
  | { readonly error: StreamError }
