import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { metricId } from '../../game/ids.ts'
import { MOST_ALIASES, requireUser, tooManyAliases } from '../../record/accept/accept-command.ts'
import type { OpenSnapshot } from '../../record/accept/derived-rows.ts'
import { compareCursors, forEachEntry, readInTurns } from '../../record/replay/read-log.ts'
import type { UserAsRead } from '../../record/replay/replay-start.ts'
import { toDateText, toTimeText } from '../../rules/calendar.ts'
import type { Entry, EntryBody, PersonalStreak, ProfilePatch } from '../../rules/entry.ts'
import { type AppliedEntry, startFold } from '../../rules/fold.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import { createPause, type YieldTurn } from '../../runtime/pages.ts'
import type { HeldEvent } from '../../shapes/events.ts'
import type { LogEntry, LoggedProfile, UserEventsResponse } from '../../shapes/users.ts'
import {
  type EntryCursor,
  findEntries,
  type HeldLine,
  loadHeldEvents,
  loadLog,
  type TenantCursor,
} from '../../sql/log.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { Storage } from '../../storage/storage.ts'
import { readCursor, toCursor } from '../cursors.ts'
import { followMerges } from '../users/read-user.ts'
import type { ParsedUserEventsRequest } from '../users/requests.ts'
import type { ParsedHeldRequest } from './requests.ts'

export async function readEvents(
  call: Call,
  named: string,
  { before, limit }: ParsedUserEventsRequest,
): Promise<UserEventsResponse> {
  const after = before === undefined ? {} : { after: readCursor(before, 'before').place }
  let key = { tenant: call.tenant, user: named }
  for (let aliases = 0; aliases <= MOST_ALIASES; aliases += 1) {
    const entries = await loadLog(call.storage, key, { newestFirst: true, limit, ...after })
    const into = await nameOf(call, key, entries[0])
    if (into === null) return toPage(call, key, entries)
    key = { ...key, user: into }
  }
  throw tooManyAliases(named)
}

async function toPage({ storage }: Call, key: UserKey, entries: readonly Entry[]): Promise<UserEventsResponse> {
  const last = entries.at(-1)
  const older = last === undefined ? [] : await loadLog(storage, key, { newestFirst: true, limit: 1, after: last })
  return { entries: entries.map(toLogEntry), before: last === undefined || older.length === 0 ? null : toCursor(last) }
}

/** The user into whom this one was merged, or `null` if the user was not merged. */
async function nameOf({ storage }: Context, key: UserKey, first: Entry | undefined): Promise<string | null> {
  if (first !== undefined) return first.kind === 'userMerged' ? first.into : null
  // A user who is there has a log: an empty page is one behind the last, or behind the only line of another name.
  return requireUser((await loadUser(storage, key)).state, key.user).mergedInto
}

export async function listHeldEvents(
  call: Call,
  { user: named, after, limit }: ParsedHeldRequest,
): Promise<readonly HeldEvent[]> {
  const user = named === undefined ? named : (await followMerges(call, { tenant: call.tenant, user: named })).key.user
  const cursor = after === undefined ? undefined : await cursorOf(call, after, user)
  const lines = await loadHeldEvents(call.storage, call.tenant, { limit, ...withoutUndefined({ user, after: cursor }) })
  return lines.map(toHeldEvent)
}

/**
 * The place of an event, held or not. A page continues after the last event of the previous page, even if that event
 * was approved or voided since.
 */
async function cursorOf({ storage, tenant }: Call, event: string, owner: string | undefined): Promise<TenantCursor> {
  const [found] = await findEntries(storage, tenant, [event])
  if (found !== undefined && found.metric !== null && (owner === undefined || found.user === owner)) {
    const { user, at, seq } = found
    return { user, at, seq }
  }
  const whose = owner === undefined ? 'There is' : `The user ${JSON.stringify(owner)} has`
  throw new GamificationError('unknown_event', `${whose} no event ${JSON.stringify(event)} to continue after.`)
}

function toHeldEvent({ user, event }: HeldLine): HeldEvent {
  const { id, metric, value, attributes, idempotencyKey, at, recordedAt, dating } = event
  return {
    eventId: id,
    userId: user,
    metricId: metricId(metric),
    metric,
    value,
    attributes: Object.fromEntries(attributes),
    idempotencyKey,
    occurredAt: toInstantText(at),
    recordedAt: toInstantText(recordedAt),
    date: toDateText(dating.date),
  }
}

/**
 * Replays a user's log up to the version that was read, and returns each entry with its changes. A `start` of null
 * begins at the first line; a `last` of null ends at the end of the log.
 */
export async function replayEntries(
  storage: Storage,
  key: UserKey,
  { games, baselineEpoch, state: known }: UserAsRead,
  { start, last }: { readonly start: OpenSnapshot | null; readonly last: EntryCursor | null },
  see: (appliedEntry: AppliedEntry) => void,
  pause: YieldTurn = createPause(),
): Promise<void> {
  const fold = startFold(games, baselineEpoch, start?.state, key.user)
  const applyLine = (line: Entry): boolean => {
    const away = last === null ? -1 : compareCursors(line, last)
    if (away <= 0) see(fold.next(line))
    // After the last line no further chunk need be read.
    return away < 0
  }
  await runSteps(forEachEntry(readInTurns(storage, key, known.seq, start, pause), applyLine, start))
}

/** An entry with everything that is kept of it: the same entry can be made of it again. */
export function toLogEntry({ id, seq, at, recordedAt, dating, epoch, profile, by, ...body }: Entry): LogEntry {
  return {
    id,
    seq,
    kind: body.kind,
    at: toInstantText(at),
    recordedAt: toInstantText(recordedAt),
    zone: dating.zone,
    localDate: toDateText(dating.date),
    localTime: toTimeText(dating.time),
    epoch,
    profile: profile === null ? null : toLoggedProfile(profile),
    ...(by === undefined ? {} : { by }),
    ...toFields(id, body),
  }
}

function toLoggedProfile({ attributes, signUpDate, ...rest }: ProfilePatch): LoggedProfile {
  return {
    ...rest,
    ...(signUpDate === undefined ? {} : { signUpDate: signUpDate === null ? null : toDateText(signUpDate) }),
    ...(attributes === undefined ? {} : { attributes: Object.fromEntries(attributes) }),
  }
}

function toFields(id: string, body: EntryBody): Partial<LogEntry> {
  switch (body.kind) {
    case 'eventRecorded': {
      const { newValue, voidedBy, attributes, ...event } = body
      const fields = { ...event, attributes: Object.fromEntries(attributes) }
      if (voidedBy === id) return { ...fields, held: true }
      return voidedBy === undefined ? fields : { ...fields, voidedBy }
    }
    case 'preferencesChanged': {
      const { notifications, streak, ...rest } = body
      const own = streak === undefined ? {} : { streak: streak && toStreak(streak) }
      return { ...rest, notifications: Object.fromEntries(notifications), ...own }
    }
    case 'pointsHeld':
      return { ...body, until: toInstantText(body.until) }
    case 'pointsRefunded': {
      const { of: _, ...rest } = body
      return rest
    }
    case 'redemptionFulfilled':
    case 'redemptionCancelled': {
      const { kind, redemption, redeemed } = body
      return { kind, redemption, redeemed: { ...redeemed, at: toInstantText(redeemed.at) } }
    }
    case 'pauseCreated':
    case 'challengeKept':
    case 'boostGiven':
    case 'boostChanged': {
      const { start, end, ...rest } = body
      return {
        ...rest,
        ...(start === undefined ? {} : { start: toDateText(start) }),
        ...(end === undefined ? {} : { end: end === null ? null : toDateText(end) }),
      }
    }
    default:
      return body
  }
}

function toStreak({ metrics, ...rest }: PersonalStreak): NonNullable<LogEntry['streak']> {
  return metrics === undefined ? rest : { ...rest, metrics: Object.fromEntries(metrics) }
}
