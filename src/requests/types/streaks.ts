export interface FreezesRequest {
  /** 1 to 100; a user who is named twice gets two. */
  readonly freezes: readonly { readonly userId: string }[]
}

export interface PausesRequest {
  /** 1 to 100. Local dates `YYYY-MM-DD`, both included: not before today in the user's zone, at most 366 days. */
  readonly pauses: readonly { readonly userId: string; readonly start: string; readonly end: string }[]
}

export interface RestoreRequest {
  /** 1 to 100. */
  readonly users: readonly { readonly id: string }[]
}
