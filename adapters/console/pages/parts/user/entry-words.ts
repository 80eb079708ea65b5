import type { LogEntry } from '../../types.ts'
import { formatChange, formatDate, formatNumber, plural } from '../format.ts'

/** Names by key. */
export interface Names {
  readonly metrics: ReadonlyMap<string, string>
  readonly achievements: ReadonlyMap<string, string>
}

/** Describes an entry in a sentence. */
export function describeEntry(entry: LogEntry, { metrics, achievements }: Names): string {
  const achievement = achievements.get(entry.achievement ?? '') ?? entry.achievement ?? ''
  const ofStreak = entry.streakKey === undefined ? '' : ` of the streak ${entry.streakKey}`
  switch (entry.kind) {
    case 'eventRecorded':
      return `${formatChange(entry.value ?? 0)} ${metrics.get(entry.metric ?? '') ?? entry.metric ?? ''}`
    case 'userUpserted':
      return entry.profile === null ? 'The user was seen' : `Profile: ${describeProfile(entry.profile)}`
    case 'achievementClaimed':
      return `${achievement} was completed by a call`
    case 'completionKept':
      return `${achievement} is kept, though what led to it has changed since`
    case 'preferencesChanged':
      return 'The preferences were changed'
    case 'freezesGranted':
      return `${plural(entry.count ?? 1, 'freeze')}${ofStreak} given`
    case 'pauseCreated':
      return `The streak is paused from ${formatDate(entry.start ?? '')} to ${formatDate(entry.end ?? '')}`
    case 'pauseDeleted':
      return 'A pause was ended'
    case 'streakRestored':
      return `The streak${entry.streakKey === undefined ? '' : ` ${entry.streakKey}`} was restored`
    case 'eventVoided':
      return `An event was voided${because(entry)}`
    case 'eventApproved':
      return 'An event that was held back was approved'
    case 'granted':
      return `A newer game granted ${describeGrant(entry, achievements)}`
    case 'userSuspended':
      return `Suspended from leaderboards${because(entry)}`
    case 'userRestored':
      return 'Back on leaderboards'
    case 'boostGiven':
      return `A boost of ×${formatNumber(entry.multiplier ?? 1)} was given: ${entry.name ?? ''}`
    case 'boostChanged':
      return 'A boost was changed'
    case 'boostDeleted':
      return 'A boost was taken away'
    case 'pointsAdjusted':
      return `Support adjusted ${entry.system ?? ''} by ${formatChange(entry.amount ?? 0)}${because(entry)}`
    case 'achievementGranted':
      return `Support granted ${achievement}${because(entry)}`
    case 'achievementRevoked':
      return `Support revoked ${achievement}${because(entry)}`
    case 'userMerged':
      return `Merged into ${entry.into ?? ''}`
    default:
      return entry.kind
  }
}

function because({ reason }: LogEntry): string {
  return reason ? `: ${reason}` : ''
}

function describeProfile({ attributes = {}, ...profile }: NonNullable<LogEntry['profile']>): string {
  const said = [...Object.entries(profile), ...Object.entries(attributes)]
  return said.map(([name, value]) => `${name} ${value === null ? 'cleared' : `is ${describeValue(value)}`}`).join(', ')
}

function describeValue(value: unknown): string {
  return Array.isArray(value) ? plural(value.length, 'item') : String(value)
}

function describeGrant({ achievements = [], points = [] }: LogEntry, names: Names['achievements']): string {
  const given = [
    ...achievements.map((key) => names.get(key) ?? key),
    ...points.map(({ system, points: count }) => `${formatNumber(count)} ${system}`),
  ]
  return given.length === 0 ? 'nothing' : given.join(', ')
}
