import { gameFor, gamesFor, toNewAchievements, toProgressed } from '../../answers/achievements.ts'
import { toMovedQuests } from '../../answers/challenges.ts'
import { toEventLeaderboards } from '../../answers/leaderboards.ts'
import { toPointsChanges } from '../../answers/points.ts'
import { toCurrentStreak, toCurrentStreaks } from '../../answers/streaks.ts'
import { GamificationError } from '../../errors.ts'
import { metricId } from '../../game/ids.ts'
import { type Accepted, type Submission, stateAfter, submit } from '../../record/write-modes.ts'
import type { Instant } from '../../rules/calendar.ts'
import { underGame } from '../../rules/fold.ts'
import type { ListedProgress } from '../../rules/progress.ts'
import { settled } from '../../rules/settle.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import type { MetricEventResponse } from '../../shapes/events.ts'
import type { Steps } from '../../storage/steps.ts'
import { toPatch } from '../users/requests.ts'
import { checkValue, type ParsedEvent, type ParsedEventRequest, readIdempotencyKey } from './requests.ts'

const GREATEST_LEAD = 5 * 60_000

/** Throws `occurred_at_out_of_range`. Returns `null` if it is absent. */
export function readOccurredAt(occurredAt: Date | undefined, now: Instant): Instant | null {
  if (occurredAt === undefined) return null
  const at = occurredAt.getTime()
  if (at >= 0 && at <= now + GREATEST_LEAD) return at
  const message = `occurredAt is ${occurredAt.toISOString()}: it must lie between 1970 and five minutes from now.`
  throw new GamificationError('occurred_at_out_of_range', message)
}

/** Records a parsed event. Throws `invalid_idempotency_key`. `-0` counts as 0. */
export function submitEvent(
  call: WriteCall,
  metric: string,
  event: ParsedEvent,
  options: Pick<Submission, 'entryId'> = {},
): Steps<Accepted> {
  const { user, value, attributes: given = new Map() } = event
  const idempotencyKey = readIdempotencyKey(event.idempotencyKey)
  checkValue(value)
  return submit(call, {
    user: user.id,
    profile: toPatch(user),
    body: { kind: 'eventRecorded', metric, value: value === 0 ? 0 : value, attributes: given, idempotencyKey },
    createsUser: true,
    occurredAt: readOccurredAt(event.occurredAt, call.now()),
    ...options,
  })
}

export function* recordEvent(call: WriteCall, key: string, event: ParsedEventRequest): Steps<MetricEventResponse> {
  const { includePrivate, progress: listed = 'nearest' } = event
  const idempotencyKey = readIdempotencyKey(event.idempotencyKey)
  const outcome = yield* submitEvent(call, key, event)
  const isNew = outcome.type === 'recorded'
  return {
    metricId: outcome.game.metrics.get(key)?.id ?? metricId(key),
    eventId: outcome.entryId ?? '',
    ...toEffects(call, outcome, key, { includePrivate, listed }),
    ...(idempotencyKey === null ? {} : { idempotentReplayed: !isNew, idempotencyKey }),
    ...(isNew && outcome.isHeld ? { held: true } : {}),
  }
}

export function toEffects(
  call: Call,
  outcome: Accepted,
  metric: string,
  { includePrivate, listed }: { readonly includePrivate: boolean; readonly listed: ListedProgress },
): Omit<MetricEventResponse, 'eventId' | 'metricId'> {
  const { at } = outcome
  const after = stateAfter(outcome)
  const game = gameFor(call, outcome.game, after)
  const games = gamesFor(call, outcome, after)
  const isNew = outcome.type === 'recorded'
  const before = isNew ? outcome.before : after
  // As a read has it: the days of an earlier game held until now.
  const known = before === null ? null : underGame(games, before, after.epoch, at).state
  const shown = settled(game, after, at)
  const previous = known === after ? shown : known && settled(game, known, at)
  const { changes = null, state = after } = (isNew ? outcome.own : undefined) ?? {}
  const own = changes && { changes, state: settled(game, underGame(games, state, after.epoch, at).state, at) }
  return {
    total: after.totals.get(metric)?.total ?? 0,
    achievements: toNewAchievements(game, before, after, isNew ? outcome.completions : []),
    ...toProgressed(game, previous, shown, { metric, listed, at }),
    ...(isNew ? toMovedQuests(game, previous, shown, at, own) : {}),
    currentStreak: toCurrentStreak(game, previous, shown, at),
    ...toCurrentStreaks(game, previous, shown, at),
    points: isNew ? toPointsChanges(games, game, outcome) : {},
    leaderboards: isNew ? toEventLeaderboards(outcome, includePrivate) : {},
  }
}
