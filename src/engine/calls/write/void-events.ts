import { isGamificationError } from '../../../errors.ts'
import { parse } from '../../../requests/input.ts'
import type { EventByKey, EventsOf } from '../../../requests/types/void.ts'
import { voidedEvents, voidRequest } from '../../../requests/void.ts'
import type { WrittenEvent } from '../../../storage.ts'
import type { VoidEventsIssue, VoidEventsResponse } from '../../answers/wire/metric.ts'
import { submit } from '../../record/submit.ts'
import type { Context, Door } from '../../types.ts'
import { findEvents } from './events-to-void.ts'
import { ABOUT_STORAGE } from './import-report.ts'

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
  door: Door,
  { tenant, ...why }: { readonly tenant: string; readonly reason: string | null; readonly revokes: boolean },
  { user, id }: WrittenEvent,
  others: readonly WrittenEvent[],
): Promise<number> {
  const now = context.now()
  const outcome = await submit(context, door, {
    tenant,
    user,
    profile: null,
    body: { kind: 'eventVoided', event: id, ...why },
    createsUser: false,
    voids: others.map((event) => ({ entryId: context.newId(now), event: event.id })),
  })
  return outcome.type === 'recorded' ? (outcome.voided ?? 1) : 0
}
