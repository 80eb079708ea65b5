/** The subject of an explanation: one of the three. */
export type ExplainRequest<
  Metric extends string = string,
  Achievement extends string = string,
  Streak extends string = string,
> = ExplainAchievement<Achievement> | ExplainEvent<Metric> | ExplainStreak<Streak>

/** Why the user has the achievement, or not. */
export interface ExplainAchievement<Achievement extends string = string> {
  readonly achievement: Achievement
}

/** What an event did and what it did not count for, by its id or by the idempotency key that was sent with it. */
export interface ExplainEvent<Metric extends string = string> {
  readonly event: string | { readonly metric: Metric; readonly idempotencyKey: string }
}

/** What became of the streak in the period of a local date, `YYYY-MM-DD`. */
export interface ExplainStreak<Streak extends string = string> {
  readonly streak: string
  /** One of the game's `streaks`. Default: its `streak`. */
  readonly key?: Streak
}
