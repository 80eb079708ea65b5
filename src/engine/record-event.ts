import { z } from 'zod'
import { GamificationError } from '../errors.ts'
import { metricId } from '../game/ids.ts'
import type { Instant } from '../rules/calendar.ts'
import { refuseValue } from '../rules/refuse.ts'
import { toNewAchievements } from './answers/achievement.ts'
import { toPointsChanges } from './answers/points.ts'
import { toCurrentStreak } from './answers/streak.ts'
import type { Context } from './context.ts'
import { attributes, parse, text } from './input.ts'
import { type Accepted, perform, stateAfter, type Wish } from './perform.ts'
import { type ParsedUpsert, toPatch, type UserUpsert, userUpsert } from './user-input.ts'
import type { MetricEventResponse } from './wire.ts'

/** A metric event (specification 4.3). */
export interface MetricEventRequest<UserAttribute extends string = string, EventAttribute extends string = string> {
  /** The user that triggered it; created or updated in the same transaction. */
  readonly user: UserUpsert<UserAttribute>
  /** Added to the user's total: finite, at most 1e15 in magnitude, may be negative or 0. */
  readonly value: number
  readonly attributes?: { readonly [Name in EventAttribute]?: string }
  /** 1 to 255 visible ASCII characters; a second event of the user and metric with the same one is a replay. */
  readonly idempotencyKey?: string
  /** When it happened: from 1970 to five minutes after the clock. Default: now (decisions, section 6). */
  readonly occurredAt?: Date
}

const GREATEST_LEAD = 5 * 60_000
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** An event that was read but for its key and instant. */
export interface ParsedEvent {
  readonly user: ParsedUpsert
  readonly value: number
  readonly attributes?: ReadonlyMap<string, string> | undefined
  readonly idempotencyKey?: unknown
  readonly occurredAt?: Date | undefined
}

export const metricKey: z.ZodString = text(255)

const eventFields = {
  user: userUpsert,
  value: z.number({ error: 'must be a finite number' }),
  attributes: attributes.optional(),
  idempotencyKey: z.unknown().optional(),
  occurredAt: z.date({ error: 'must be a valid Date' }).optional(),
}

export const eventRequest: z.ZodType<ParsedEvent> = z.object(eventFields)
/** An event with its metric's key beside it. */
export const importItem: z.ZodType<ParsedEvent & { readonly metric: string }> = z.object({
  metric: metricKey,
  ...eventFields,
})

/** Throws `invalid_idempotency_key`. Absent: null. */
export function readIdempotencyKey(key: unknown): string | null {
  if (key === undefined) return null
  if (typeof key === 'string' && VISIBLE_ASCII.test(key)) return key
  const message = 'The idempotency key must have 1 to 255 visible ASCII characters (no spaces).'
  throw new GamificationError('invalid_idempotency_key', message)
}

/** Throws `occurred_at_out_of_range`. Absent: null. */
export function readOccurredAt(occurredAt: Date | undefined, now: Instant): Instant | null {
  if (occurredAt === undefined) return null
  const at = occurredAt.getTime()
  if (at >= 0 && at <= now + GREATEST_LEAD) return at
  const message = `occurredAt is ${occurredAt.toISOString()}: it must lie between 1970 and five minutes from now.`
  throw new GamificationError('occurred_at_out_of_range', message)
}

export type EventOptions = Pick<Wish, 'entryId' | 'isNotified' | 'record'>

/** Records a parsed event. `-0` counts as 0. */
export function performEvent(
  context: Context,
  tenant: string,
  metric: string,
  event: ParsedEvent,
  options: EventOptions = {},
): Promise<Accepted> {
  const { user, value, attributes: given = new Map() } = event
  const idempotencyKey = readIdempotencyKey(event.idempotencyKey)
  const refusal = refuseValue(value)
  if (refusal !== null) throw new GamificationError(refusal.code, refusal.message)
  return perform(context, {
    tenant,
    user: user.id,
    profile: toPatch(user),
    body: { kind: 'eventRecorded', metric, value: value === 0 ? 0 : value, attributes: given, idempotencyKey },
    createsUser: true,
    occurredAt: readOccurredAt(event.occurredAt, context.now()),
    ...options,
  })
}

/** Specification 4.3. */
export async function recordEvent(
  context: Context,
  tenant: string,
  metric: unknown,
  request: unknown,
): Promise<MetricEventResponse> {
  const key = parse(metricKey, metric, 'metric key')
  const event = parse(eventRequest, request, 'metric event')
  const outcome = await performEvent(context, tenant, key, event)
  return toResponse(outcome, key, readIdempotencyKey(event.idempotencyKey))
}

function toResponse(outcome: Accepted, metric: string, idempotencyKey: string | null): MetricEventResponse {
  const { game, games, at } = outcome
  const after = stateAfter(outcome)
  const isNew = outcome.type === 'recorded'
  const before = isNew ? outcome.before : after
  const response: MetricEventResponse = {
    metricId: game.metrics.get(metric)?.id ?? metricId(metric),
    eventId: outcome.entryId ?? '',
    total: after.totals.get(metric)?.total ?? 0,
    achievements: toNewAchievements(game, before, after),
    currentStreak: toCurrentStreak(game, before, after, at),
    points: isNew ? toPointsChanges(games, game, before, after, outcome.awards) : {},
    leaderboards: {},
  }
  return idempotencyKey === null ? response : { ...response, idempotentReplayed: !isNew, idempotencyKey }
}
