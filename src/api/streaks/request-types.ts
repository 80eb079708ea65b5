export interface FreezesRequest<Streak extends string = string> {
  /** One of the game's `streaks`, which has freezes of its own. Default: its `streak`. */
  readonly streak?: Streak
  /** 1 to 100; a user who is named twice gets two. */
  readonly freezes: readonly { readonly userId: string }[]
}

export interface PausesRequest {
  /** 1 to 100. Local dates `YYYY-MM-DD`, both included: not before today in the user's zone, at most 366 days. */
  readonly pauses: readonly { readonly userId: string; readonly start: string; readonly end: string }[]
}

export interface RestoreRequest<Streak extends string = string> {
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly streak?: Streak
  /** 1 to 100. */
  readonly users: readonly { readonly id: string }[]
}
