import { toDateText, toTimeText } from '../../rules/calendar.ts'
import {
  type Entry,
  type FreezesGranted,
  type Granted,
  isHeld,
  type PersonalStreak,
  type ProfilePatch,
  type StreakRestored,
} from '../../rules/entry.ts'
import { toBoostFields } from '../boosts/answer.ts'
import { toInstantText } from '../users/answer.ts'
import type { LogEntry, LoggedProfile } from '../users/types.ts'

/** An entry with everything that is kept of it: the same entry can be made of it again. */
export function toLogEntry(entry: Entry): LogEntry {
  const { id, seq, at, recordedAt, epoch, dating, profile, kind, by } = entry
  return {
    id,
    seq,
    kind,
    at: toInstantText(at),
    recordedAt: toInstantText(recordedAt),
    zone: dating.zone,
    localDate: toDateText(dating.date),
    localTime: toTimeText(dating.time),
    epoch,
    profile: profile === null ? null : toLoggedProfile(profile),
    ...(by === undefined ? {} : { by }),
    ...toBody(entry),
  }
}

function toLoggedProfile({ attributes, ...rest }: ProfilePatch): LoggedProfile {
  return attributes === undefined ? rest : { ...rest, attributes: Object.fromEntries(attributes) }
}

function toBody(entry: Entry): Partial<LogEntry> {
  switch (entry.kind) {
    case 'eventRecorded': {
      const { metric, value, idempotencyKey, voidedBy } = entry
      const event = { metric, value, attributes: Object.fromEntries(entry.attributes), idempotencyKey }
      if (isHeld(entry)) return { ...event, held: true }
      return voidedBy === undefined ? event : { ...event, voidedBy }
    }
    case 'achievementClaimed': {
      const { achievement, idempotencyKey } = entry
      return idempotencyKey === undefined ? { achievement } : { achievement, idempotencyKey }
    }
    case 'completionKept': {
      const { achievement, count } = entry
      return count === undefined ? { achievement } : { achievement, count }
    }
    case 'preferencesChanged':
      return { notifications: Object.fromEntries(entry.notifications), streak: entry.streak && toStreak(entry.streak) }
    case 'freezesGranted':
      return { count: entry.count, ...whichStreak(entry) }
    case 'pauseCreated':
      return { start: toDateText(entry.start), end: toDateText(entry.end) }
    case 'pauseDeleted':
      return { pause: entry.pause }
    case 'eventApproved':
      return { event: entry.event }
    case 'eventVoided':
      return { event: entry.event, reason: entry.reason, revokes: entry.revokes }
    case 'granted':
      return toGranted(entry)
    case 'userSuspended':
      return { from: entry.from, reason: entry.reason }
    case 'boostGiven':
    case 'boostChanged':
    case 'boostDeleted':
      return toBoostFields(entry)
    case 'userMerged':
      return { into: entry.into }
    case 'streakRestored':
      return whichStreak(entry)
    case 'userUpserted':
    case 'userRestored':
      return {}
    default:
      return entry satisfies never
  }
}

function whichStreak({ streakKey }: FreezesGranted | StreakRestored): Pick<LogEntry, 'streakKey'> {
  return streakKey === undefined ? {} : { streakKey }
}

function toGranted({ achievements, counts, points }: Granted): Partial<LogEntry> {
  return counts === undefined ? { achievements, points } : { achievements, counts, points }
}

function toStreak({ metrics, ...rest }: PersonalStreak): NonNullable<LogEntry['streak']> {
  return metrics === undefined ? rest : { ...rest, metrics: Object.fromEntries(metrics) }
}
