import { isGamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import type { EventByKey, EventsOf } from '../../../requests/types/void.ts'
import { voidedEvents, voidRequest } from '../../../requests/void.ts'
import type { Storage, WrittenEvent } from '../../../storage.ts'
import type { VoidEventsIssue, VoidEventsResponse } from '../../answers/wire/metric.ts'
import { perform } from '../../record/submit.ts'
import type { Context, Door } from '../../types.ts'
import { ABOUT_STORAGE } from './import-report.ts'

/** Reads which event, or events, are to be undone. */
export function readVoided(events: unknown): string | EventByKey | EventsOf {
  return parse(voidedEvents, events, 'event')
}

/** Whether several events are named, by what they have in common. */
export function areSeveral(events: string | EventByKey | EventsOf): events is EventsOf {
  return typeof events === 'object' && ('by' in events || 'between' in events)
}

/** Users of one call; those that are left are for the next one. */
const MOST_USERS = 100
/** Events of one user that are voided by one fold of the log. */
const MOST_IN_FOLD = 10_000

/**
 * Undoes every event that counts of those that one key wrote, or of one user's in a time: each user's in one fold of the
 * log, one user after the other. What is voided stays so when the storage fails on the way, and is passed over next time.
 * `begin` makes the context of one user's call, whose time runs from then on.
 */
export async function voidEvents(
  begin: () => Context,
  door: Door,
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
      const count = await voidAll(begin(), door, { tenant, reason, revokes }, first, others)
      voided.set(user, (voided.get(user) ?? 0) + count)
    } catch (error) {
      if (!isGamificationError(error) || ABOUT_STORAGE.has(error.code)) throw error
      issues.push({ userId: user, code: error.code, message: error.message })
    }
  }
  return answer(false)
}

async function voidAll(
  context: Context,
  door: Door,
  { tenant, ...why }: { readonly tenant: string; readonly reason: string | null; readonly revokes: boolean },
  { user, id }: WrittenEvent,
  others: readonly WrittenEvent[],
): Promise<number> {
  const now = context.now()
  const outcome = await perform(context, door, {
    tenant,
    user,
    profile: null,
    body: { kind: 'eventVoided', event: id, ...why },
    createsUser: false,
    voids: others.map((event) => ({ entryId: context.newId(now), event: event.id })),
  })
  return outcome.type === 'recorded' ? (outcome.voided ?? 1) : 0
}

type Events = readonly [WrittenEvent, ...WrittenEvent[]]

/** The events that count, in groups of one user each. */
async function* findEvents(begin: () => Context, tenant: string, which: EventsOf): AsyncGenerator<Events> {
  const read = 'by' in which ? byKey(tenant, which.by) : betweenInstants(tenant, which)
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

function betweenInstants(tenant: string, { user, between }: Extract<EventsOf, { readonly user: string }>): ReadPage {
  const [from, to] = [between.from.getTime(), between.to.getTime()]
  return async (storage, after) => {
    // Lines are counted from 1 on.
    const lines = await storage.readLog({ tenant, user }, { after: after ?? { at: from, seq: 0 } })
    const last = lines.at(-1)
    const events = lines
      .filter((line) => line.at < to && line.kind === 'eventRecorded' && line.voidedBy === undefined)
      .map(({ id, at, seq }) => ({ id, user, at, seq }))
    const isOver = last === undefined || last.at >= to
    return { events, next: isOver ? undefined : { id: last.id, user, at: last.at, seq: last.seq } }
  }
}
