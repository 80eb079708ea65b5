import { GamificationError, isGamificationError } from '../../errors.ts'
import { metricId } from '../../game/ids.ts'
import { type Accepted, stateAfter, submit } from '../../record/submit.ts'
import { completionsOf } from '../../rules/achievement.ts'
import { type Entry, type EventRecorded, isHeld } from '../../rules/entry.ts'
import type { Context, WriteMode } from '../../runtime/context.ts'
import type { Storage, WrittenEvent } from '../../storage/storage.ts'
import { toUserAchievement } from '../achievements/answer.ts'
import { gameFor, gamesFor, visibleAchievements } from '../achievements/visible.ts'
import { parse } from '../input.ts'
import { followMerges } from '../operate/export-users.ts'
import { toPointsChanges } from '../points/answer.ts'
import { toCurrentStreak, toCurrentStreaks } from '../streaks/answer.ts'
import { ABOUT_STORAGE } from './import-report.ts'
import { toEffects } from './record-event.ts'
import {
  type EventByKey,
  type EventsOf,
  eventSubject,
  readIdempotencyKey,
  voidedEvents,
  voidRequest,
} from './requests.ts'
import type { ApproveEventResponse, VoidEventResponse, VoidEventsIssue, VoidEventsResponse } from './types.ts'

/** How many events one fold voids: it keeps an entry for each until it is saved. */
const MOST_IN_FOLD = 10_000

type Events = readonly [WrittenEvent, ...WrittenEvent[]]

/**
 * The events that count, or are held back, in groups of one user each, which one fold of the log voids together.
 * `begin` makes a context for each page that is read.
 */
async function* findEvents(begin: () => Context, tenant: string, which: EventsOf): AsyncGenerator<Events> {
  const read = 'by' in which ? byKey(tenant, which.by) : await betweenInstants(begin().storage, tenant, which)
  let group: WrittenEvent[] = []
  for (let after: WrittenEvent | null | undefined = null; after !== undefined; ) {
    const page = await read(begin().storage, after)
    after = page.next
    for (const event of page.events) {
      if (group.length === MOST_IN_FOLD || (group[0] !== undefined && group[0].user !== event.user)) {
        yield* toGroup(group)
        group = []
      }
      group.push(event)
    }
  }
  yield* toGroup(group)
}

function toGroup([first, ...others]: readonly WrittenEvent[]): readonly Events[] {
  return first === undefined ? [] : [[first, ...others]]
}

interface Page {
  readonly events: readonly WrittenEvent[]
  /** Absent: there are no more. */
  readonly next: WrittenEvent | undefined
}

type ReadPage = (storage: Storage, after: WrittenEvent | null) => Promise<Page>

function byKey(tenant: string, by: string): ReadPage {
  return async (storage, after) => {
    const events = await storage.eventsBy(tenant, by, after === null ? {} : { after })
    return { events, next: events.at(-1) }
  }
}

async function betweenInstants(
  { readUser }: Pick<Storage, 'readUser'>,
  tenant: string,
  { user: named, between }: Extract<EventsOf, { readonly user: string }>,
): Promise<ReadPage> {
  const { user } = (await followMerges({ readUser }, { tenant, user: named })).key
  const [from, to] = [between.from.getTime(), between.to.getTime()]
  return async (storage, after) => {
    // Lines are counted from 1 on.
    const lines = await storage.readLog({ tenant, user }, { after: after ?? { at: from, seq: 0 } })
    const last = lines.at(-1)
    const events = lines
      .filter((line) => line.at < to && line.kind === 'eventRecorded' && !isVoided(line))
      .map(({ id, at, seq }) => ({ id, user, at, seq }))
    const isOver = last === undefined || last.at >= to
    return { events, next: isOver ? undefined : { id: last.id, user, at: last.at, seq: last.seq } }
  }
}

/** Whether an event is voided for good. One that is held back is not: it would count once it is approved. */
function isVoided(line: Entry & EventRecorded): boolean {
  return line.voidedBy !== undefined && !isHeld(line)
}

/** Reads which event, or events, are to be undone. */
export function readVoided(events: unknown): string | EventByKey | EventsOf {
  return parse(voidedEvents, events, 'event')
}

/** Whether several events are named, by what they have in common. */
export function areSeveral(events: string | EventByKey | EventsOf): events is EventsOf {
  return typeof events === 'object' && ('by' in events || 'between' in events)
}

/** How many users one call takes; the others are for the next call. */
const MOST_USERS = 100

/**
 * Undoes every counting event that one key wrote, or that one user had in a span of time: one user after the other,
 * each in one fold of the log. Where the storage fails on the way, the voids before that stay, and the next call passes
 * them over. `begin` makes the context of one user's call, whose time runs from then on.
 */
export async function voidEvents(
  begin: () => Context,
  mode: WriteMode,
  tenant: string,
  which: EventsOf,
  request: unknown = {},
): Promise<VoidEventsResponse> {
  const { reason = null, revoke: revokes = false } = parse(voidRequest, request, 'options')
  const voided = new Map<string, number>()
  const issues: VoidEventsIssue[] = []
  const answer = (hasMore: boolean): VoidEventsResponse => {
    const users = [...voided].map(([userId, count]) => ({ userId, voided: count }))
    return { voided: users.reduce((sum, user) => sum + user.voided, 0), users, issues, hasMore }
  }

  for await (const [first, ...others] of findEvents(begin, tenant, which)) {
    const { user } = first
    if (!voided.has(user) && (voided.size === MOST_USERS || issues.length === MOST_USERS)) return answer(true)
    try {
      const count = await voidAll(begin(), mode, { tenant, reason, revokes }, first, others)
      // The event was voided by somebody else, or by this transaction, which reads outside of it do not see.
      if (count > 0) voided.set(user, (voided.get(user) ?? 0) + count)
    } catch (error) {
      if (!isGamificationError(error) || ABOUT_STORAGE.has(error.code)) throw error
      issues.push({ userId: user, code: error.code, message: error.message })
    }
  }
  return answer(false)
}

async function voidAll(
  context: Context,
  mode: WriteMode,
  { tenant, ...why }: { readonly tenant: string; readonly reason: string | null; readonly revokes: boolean },
  { user, id }: WrittenEvent,
  others: readonly WrittenEvent[],
): Promise<number> {
  const now = context.now()
  const outcome = await submit(context, mode, {
    tenant,
    user,
    profile: null,
    body: { kind: 'eventVoided', event: id, ...why },
    createsUser: false,
    voids: others.map((event) => ({ entryId: context.newId(now), event: event.id })),
  })
  return outcome.type === 'recorded' ? (outcome.voided ?? 1) : 0
}

/** An event that a call names. */
export interface NamedEvent {
  readonly id: string
  readonly user: string
  readonly metric: string
}

/** Throws `unknown_event`. */
export async function findEvent(context: Context, tenant: string, subject: string | EventByKey): Promise<NamedEvent> {
  const { storage } = context
  if (typeof subject === 'string') {
    const [found] = await storage.findEntries(tenant, [subject])
    if (found !== undefined && found.metric !== null) return { ...found, metric: found.metric }
    throw new GamificationError('unknown_event', `There is no event ${JSON.stringify(subject)}.`)
  }
  const { user, metric } = subject
  const idempotencyKey = readIdempotencyKey(subject.idempotencyKey) ?? ''
  const { found, state } = await storage.readUser({ tenant, user }, { lookups: [{ metric, idempotencyKey }] })
  const into = state?.mergedInto ?? null
  if (into !== null) return findEvent(context, tenant, { ...subject, user: into })
  const [id = null] = found
  if (id !== null) return { id, user, metric }
  const message = `The user ${JSON.stringify(user)} has no event of ${JSON.stringify(metric)} with the idempotency key ${JSON.stringify(idempotencyKey)}.`
  throw new GamificationError('unknown_event', message)
}

/**
 * Undoes an event: it stays in the log, with its idempotency key used, and the user's state is that of the log without
 * it. Voiding again answers the first void.
 */
export async function voidEvent(
  context: Context,
  mode: WriteMode,
  tenant: string,
  subject: string | EventByKey,
  request: unknown = {},
): Promise<VoidEventResponse> {
  const { reason = null, revoke: revokes = false } = parse(voidRequest, request, 'options')
  const found = await findEvent(context, tenant, subject)
  const body = { kind: 'eventVoided', event: found.id, reason, revokes } as const
  const outcome = await submit(context, mode, { tenant, user: found.user, profile: null, body, createsUser: false })
  return toResponse(context, outcome, found)
}

function toResponse(context: Context, outcome: Accepted, { id, metric }: NamedEvent): VoidEventResponse {
  const { user, at } = outcome
  const after = stateAfter(outcome)
  const game = gameFor(context, outcome.game, after)
  const games = gamesFor(context, outcome, after)
  const isNew = outcome.type === 'recorded'
  const before = isNew ? outcome.before : after
  const revoked = visibleAchievements(game, before).filter(
    ({ key }) => before !== null && completionsOf(before, key) > completionsOf(after, key),
  )
  return {
    voidId: outcome.entryId ?? '',
    eventId: id,
    userId: user,
    metricId: game.metrics.get(metric)?.id ?? metricId(metric),
    total: after.totals.get(metric)?.total ?? 0,
    alreadyVoided: !isNew,
    revokedAchievements: revoked.map((achievement) => toUserAchievement(game, achievement, after)),
    currentStreak: toCurrentStreak(game, before, after, at),
    ...toCurrentStreaks(game, before, after, at),
    points: isNew ? toPointsChanges(games, game, outcome) : {},
  }
}

/**
 * Has an event count that a limit holds back, at its own place in the log. Approving again answers the first approval.
 * Throws `event_not_held`.
 */
export async function approveEvent(
  context: Context,
  mode: WriteMode,
  tenant: string,
  event: unknown,
): Promise<ApproveEventResponse> {
  const { id, user, metric } = await findEvent(context, tenant, parse(eventSubject, event, 'event'))
  const body = { kind: 'eventApproved', event: id } as const
  const outcome = await submit(context, mode, { tenant, user, profile: null, body, createsUser: false })
  return {
    approvalId: outcome.entryId ?? '',
    eventId: id,
    userId: user,
    metricId: outcome.game.metrics.get(metric)?.id ?? metricId(metric),
    alreadyApproved: outcome.type !== 'recorded',
    ...toEffects(context, outcome, metric, true),
  }
}
