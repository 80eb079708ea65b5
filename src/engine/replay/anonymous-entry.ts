import type { Entry, EntryBody, ProfilePatch } from '../../rules/entry.ts'

/** Gives entries new ids, the same one for the same entry whenever it is named. */
export type NewIdOf = (entryId: string, at: number) => string

/**
 * An entry without what tells whose it is: what happened stays, with its instant, its date and its zone, which streaks and
 * sums follow from. Texts that people wrote, keys that callers chose and the ids made of these are gone.
 */
export function toAnonymousEntry(entry: Entry, newIdOf: NewIdOf): Entry {
  const { id, seq, at, recordedAt, epoch, dating, profile } = entry
  const base = { id: newIdOf(id, at), seq, at, recordedAt, epoch, dating, profile: toAnonymousProfile(profile) }
  return { ...base, ...toAnonymousBody(entry, newIdOf) }
}

/** The zone stays: local dates are those in it. */
function toAnonymousProfile(profile: ProfilePatch | null): ProfilePatch | null {
  return profile?.tz === undefined ? null : { tz: profile.tz }
}

function toAnonymousBody(entry: Entry, newIdOf: NewIdOf): EntryBody {
  const { at } = entry
  switch (entry.kind) {
    case 'eventRecorded': {
      const { kind, metric, value, attributes, voidedBy } = entry
      const event = { kind, metric, value, attributes, idempotencyKey: null }
      return voidedBy === undefined ? event : { ...event, voidedBy: newIdOf(voidedBy, at) }
    }
    case 'achievementClaimed':
    case 'completionKept':
      return { kind: entry.kind, achievement: entry.achievement }
    case 'preferencesChanged':
      return { kind: entry.kind, notifications: new Map(), streak: entry.streak }
    case 'freezesGranted':
      return { kind: entry.kind, count: entry.count }
    case 'pauseCreated':
      return { kind: entry.kind, start: entry.start, end: entry.end }
    case 'pauseDeleted':
      return { kind: entry.kind, pause: newIdOf(entry.pause, at) }
    case 'eventApproved':
      return { kind: entry.kind, event: newIdOf(entry.event, at) }
    case 'eventVoided':
      return { kind: entry.kind, event: newIdOf(entry.event, at), reason: null, revokes: entry.revokes }
    case 'granted':
      return { kind: entry.kind, achievements: entry.achievements, points: entry.points }
    case 'userSuspended':
      return { kind: entry.kind, from: entry.from, reason: null }
    // Nobody is made anonymous by another name.
    case 'userMerged':
      return { kind: 'userUpserted' }
    case 'userUpserted':
    case 'streakRestored':
    case 'userRestored':
      return { kind: entry.kind }
    default:
      return entry satisfies never
  }
}
