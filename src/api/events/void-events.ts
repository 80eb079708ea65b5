import { gameFor, toUserAchievement, visibleAchievements } from '../../answers/achievements.ts'
import { GamificationError, isGamificationError } from '../../errors.ts'
import { metricId } from '../../game/ids.ts'
import { MOST_ALIASES, tooManyAliases } from '../../record/accept/accept-command.ts'
import { stateAfter, submit } from '../../record/write-modes.ts'
import { completionsOf } from '../../rules/achievement.ts'
import { type Entry, isHeld } from '../../rules/entry.ts'
import type { Call, WriteCall } from '../../runtime/context.ts'
import type { Parsed } from '../../runtime/input.ts'
import { type After, readPages } from '../../runtime/pages.ts'
import { startCall } from '../../runtime/start-call.ts'
import type {
  ApproveEventResponse,
  VoidEventResponse,
  VoidEventsIssue,
  VoidEventsResponse,
} from '../../shapes/events.ts'
import { type EntryCursor, findEntries, loadEventsBy, loadLog, type WrittenEvent } from '../../sql/log.ts'
import { loadUser } from '../../sql/read-user.ts'
import { CHUNK } from '../../storage/reads.ts'
import { runSteps } from '../../storage/steps.ts'
import { ABOUT_STORAGE } from '../bulk-items.ts'
import { followMerges } from '../users/read-user.ts'
import { toEffects } from './record-event.ts'
import * as requests from './requests.ts'

type ParsedVoid = Parsed<requests.VoidRequest>

/** How many events one replay voids: it keeps an entry for each until it is saved. */
const MOST_IN_REPLAY = 10_000

/**
 * The events that count, or are held back, in groups of one user each, which one replay of the log voids together.
 * `begin` makes the call of each page.
 */
async function* findEvents(begin: () => Call, which: requests.ParsedEventsOf): AsyncGenerator<readonly WrittenEvent[]> {
  let group: WrittenEvent[] = []
  for await (const event of 'by' in which ? eventsOfKey(begin, which.by) : eventsBetween(begin, which)) {
    if (group.length === MOST_IN_REPLAY || (group[0] !== undefined && group[0].user !== event.user)) {
      yield group
      group = []
    }
    group.push(event)
  }
  yield group
}

function eventsOfKey(begin: () => Call, by: string): AsyncGenerator<WrittenEvent> {
  const read = (after: After<WrittenEvent>): Promise<readonly WrittenEvent[]> => {
    const { storage, tenant } = begin()
    return loadEventsBy(storage, tenant, by, after)
  }
  return readPages(CHUNK, read, (last) => last)
}

async function* eventsBetween(
  begin: () => Call,
  { user: named, between }: Extract<requests.ParsedEventsOf, { readonly user: string }>,
): AsyncGenerator<WrittenEvent> {
  const { storage, tenant } = begin()
  const { user } = (await followMerges({ storage }, { tenant, user: named })).key
  // Lines are counted from 1 on.
  let last: EntryCursor | undefined = { at: between.from.getTime(), seq: 0 }
  while (last !== undefined) {
    const lines: readonly Entry[] = await loadLog(begin().storage, { tenant, user }, { after: last })
    for (const line of lines) {
      if (line.at >= between.to.getTime()) return
      // A held event is not voided for good: it counts once it is approved.
      const counts = line.kind === 'eventRecorded' && (line.voidedBy === undefined || isHeld(line))
      if (counts) yield { id: line.id, user, at: line.at, seq: line.seq }
    }
    last = lines.at(-1)
  }
}

/** Voids one event, or several: these are named by their key, or by their user and time. */
export async function voidAny(
  call: WriteCall,
  events: string | requests.ParsedEventByKey | requests.ParsedEventsOf,
  request: ParsedVoid,
): Promise<VoidEventResponse | VoidEventsResponse> {
  const areSeveral = typeof events === 'object' && ('by' in events || 'between' in events)
  if (!areSeveral) return voidEvent(call, events, request)
  const { by, tenant, mode } = call
  if (mode.isDryRun === true) {
    throw new GamificationError('invalid_request', 'dryRun is for one event: leave it out to void several.')
  }
  return voidEvents(() => ({ ...startCall(call, { by }), tenant, mode }), events, request)
}

/** How many users one call takes; the others are for the next call. */
const MOST_USERS = 100

/** Undoes the events of one user after the other. `begin` makes the call of one user, with a deadline of its own. */
async function voidEvents(
  begin: () => WriteCall,
  which: requests.ParsedEventsOf,
  request: ParsedVoid,
): Promise<VoidEventsResponse> {
  const { reason = null, revoke: revokes = false } = request
  const voided = new Map<string, number>()
  const issues: VoidEventsIssue[] = []
  const answer = (hasMore: boolean): VoidEventsResponse => {
    const users = [...voided].map(([userId, count]) => ({ userId, voided: count }))
    return { voided: users.reduce((sum, user) => sum + user.voided, 0), users, issues, hasMore }
  }

  for await (const [first, ...others] of findEvents(begin, which)) {
    if (first === undefined) break
    const { user } = first
    if (!voided.has(user) && (voided.size === MOST_USERS || issues.length === MOST_USERS)) return answer(true)
    try {
      const count = await voidAll(begin(), { reason, revokes }, first, others)
      // Another call has voided the event, or this transaction has, which reads outside of it do not see.
      if (count > 0) voided.set(user, (voided.get(user) ?? 0) + count)
    } catch (error) {
      if (!isGamificationError(error) || ABOUT_STORAGE.has(error.code)) throw error
      issues.push({ userId: user, code: error.code, message: error.message })
    }
  }
  return answer(false)
}

async function voidAll(
  call: WriteCall,
  why: { readonly reason: string | null; readonly revokes: boolean },
  { user, id }: WrittenEvent,
  others: readonly WrittenEvent[],
): Promise<number> {
  const now = call.now()
  const body = { kind: 'eventVoided', event: id, ...why } as const
  const voids = others.map((event) => ({ entryId: call.newId(now), event: event.id }))
  const outcome = await runSteps(submit(call, { user, body, voids }))
  return outcome.type === 'recorded' ? (outcome.voided ?? 1) : 0
}

/** Throws `unknown_event`. */
async function findEvent(
  call: Call,
  subject: string | requests.ParsedEventByKey,
): Promise<{ readonly id: string; readonly user: string; readonly metric: string }> {
  const { storage, tenant } = call
  if (typeof subject === 'string') {
    const [found] = await findEntries(storage, tenant, [subject])
    if (found !== undefined && found.metric !== null) return { ...found, metric: found.metric }
    throw new GamificationError('unknown_event', `There is no event ${JSON.stringify(subject)}.`)
  }
  const { metric } = subject
  const idempotencyKey = requests.readIdempotencyKey(subject.idempotencyKey) ?? ''
  let { user } = subject
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const { found, state } = await loadUser(storage, { tenant, user }, { lookups: [{ metric, idempotencyKey }] })
    const into = state?.mergedInto ?? null
    if (into === null) {
      const [id = null] = found
      if (id !== null) return { id, user, metric }
      throw withoutEvent(user, metric, idempotencyKey)
    }
    user = into
  }
  throw tooManyAliases(subject.user)
}

function withoutEvent(user: string, metric: string, idempotencyKey: string): GamificationError {
  const message = `The user ${JSON.stringify(user)} has no event of ${JSON.stringify(metric)} with the idempotency key ${JSON.stringify(idempotencyKey)}.`
  return new GamificationError('unknown_event', message)
}

async function voidEvent(
  call: WriteCall,
  subject: string | requests.ParsedEventByKey,
  request: ParsedVoid,
): Promise<VoidEventResponse> {
  const { reason = null, revoke: revokes = false } = request
  const { id, user, metric } = await findEvent(call, subject)
  const body = { kind: 'eventVoided', event: id, reason, revokes } as const
  const outcome = await runSteps(submit(call, { user, body }))
  const after = stateAfter(outcome)
  const before = outcome.type === 'recorded' ? outcome.before : after
  const game = gameFor(call, outcome.game, after)
  const revoked = visibleAchievements(game, before).filter(
    ({ key }) => before !== null && completionsOf(before, key) > completionsOf(after, key),
  )
  const { total, currentStreak, streaks, points } = toEffects(call, outcome, metric, {
    includePrivate: true,
    listed: 'nearest',
  })
  return {
    voidId: outcome.entryId ?? '',
    eventId: id,
    userId: outcome.user,
    metricId: game.metrics.get(metric)?.id ?? metricId(metric),
    total,
    alreadyVoided: outcome.type !== 'recorded',
    revokedAchievements: revoked.map((achievement) => toUserAchievement(game, achievement, after, outcome.at)),
    currentStreak,
    ...(streaks === undefined ? {} : { streaks }),
    points,
  }
}

export async function approveEvent(
  call: WriteCall,
  event: string | requests.ParsedEventByKey,
): Promise<ApproveEventResponse> {
  const { id, user, metric } = await findEvent(call, event)
  const body = { kind: 'eventApproved', event: id } as const
  const outcome = await runSteps(submit(call, { user, body }))
  return {
    approvalId: outcome.entryId ?? '',
    eventId: id,
    userId: user,
    metricId: outcome.game.metrics.get(metric)?.id ?? metricId(metric),
    alreadyApproved: outcome.type !== 'recorded',
    ...toEffects(call, outcome, metric, { includePrivate: true, listed: 'nearest' }),
  }
}
