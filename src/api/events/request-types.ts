import type { FilterDefinition, NoEventAttributes } from '../../game/definition.ts'
import type { UserUpsert } from '../users/user-request-types.ts'

/** A metric event: what a user did, and how much of it. */
export interface MetricEventRequest<UserAttribute extends string = string, EventAttribute extends string = string> {
  /** The user that triggered it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /** Added to the user's total: finite, at most 1e15 in magnitude, may be negative or 0. */
  readonly value: number
  readonly attributes?: FilterDefinition<EventAttribute, NoEventAttributes>
  /** 1 to 255 visible ASCII characters; a second event of the user and metric with the same one is a replay. */
  readonly idempotencyKey?: string
  /** When it happened: from 1970 to five minutes after the clock. Default: now. */
  readonly occurredAt?: Date
  /** Whether private leaderboards are in the answer. Default true. */
  readonly includePrivate?: boolean
}

/** What `metrics.event` takes, with the metric's key. */
export interface EventBatchItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends Omit<MetricEventRequest<UserAttribute, EventAttribute>, 'includePrivate'> {
  /** The metric's. */
  readonly key: Metric
}

/** A completion that `import` takes: of an achievement with the trigger `api`. */
export interface ImportCompletion<Achievement extends string = string, UserAttribute extends string = string> {
  readonly achievement: Achievement
  /** The user who completed it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /** When the user completed it. An achievement that repeats is completed once for each instant. */
  readonly occurredAt: Date
  /** Tells completions apart that have the same user, achievement and instant. */
  readonly idempotencyKey?: string
}

/** What `metrics.event` takes, with the metric's key. */
export interface ImportItem<
  Metric extends string = string,
  UserAttribute extends string = string,
  EventAttribute extends string = string,
> extends Omit<MetricEventRequest<UserAttribute, EventAttribute>, 'includePrivate'> {
  readonly metric: Metric
}
