import { toDateText, toTimeText } from '../../rules/calendar.ts'
import type { Entry, EntryBody, PersonalStreak, ProfilePatch } from '../../rules/entry.ts'
import { toInstantText } from './user.ts'
import type { LogEntry, LoggedProfile } from './wire/users.ts'

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

function toBody(entry: EntryBody): Partial<LogEntry> {
  switch (entry.kind) {
    case 'eventRecorded': {
      const { metric, value, idempotencyKey, voidedBy } = entry
      const event = { metric, value, attributes: Object.fromEntries(entry.attributes), idempotencyKey }
      return voidedBy === undefined ? event : { ...event, voidedBy }
    }
    case 'achievementClaimed':
    case 'completionKept':
      return { achievement: entry.achievement }
    case 'preferencesChanged':
      return { notifications: Object.fromEntries(entry.notifications), streak: entry.streak && toStreak(entry.streak) }
    case 'freezesGranted':
      return { count: entry.count }
    case 'pauseCreated':
      return { start: toDateText(entry.start), end: toDateText(entry.end) }
    case 'pauseDeleted':
      return { pause: entry.pause }
    case 'eventApproved':
      return { event: entry.event }
    case 'eventVoided':
      return { event: entry.event, reason: entry.reason, revokes: entry.revokes }
    case 'granted':
      return { achievements: entry.achievements, points: entry.points }
    case 'userSuspended':
      return { from: entry.from, reason: entry.reason }
    case 'userMerged':
      return { into: entry.into }
    case 'userUpserted':
    case 'streakRestored':
    case 'userRestored':
      return {}
    default:
      return entry satisfies never
  }
}

function toStreak({ metrics, ...rest }: PersonalStreak): NonNullable<LogEntry['streak']> {
  return metrics === undefined ? rest : { ...rest, metrics: Object.fromEntries(metrics) }
}
