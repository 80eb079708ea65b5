import type { LogEntry } from '../../types.ts'
import { countOf, formatChange, formatDate, formatNumber } from '../format.ts'

/** Names by key. */
export interface Names {
  readonly metrics: ReadonlyMap<string, string>
  readonly achievements: ReadonlyMap<string, string>
  readonly challenges: ReadonlyMap<string, string>
}

/** Describes an entry in a sentence. */
export function describeEntry(entry: LogEntry, names: Names): string {
  return SENTENCES[entry.kind]?.(entry, names) ?? entry.kind
}

const SENTENCES: { readonly [kind: string]: (entry: LogEntry, names: Names) => string } = {
  eventRecorded: ({ value, metric = '' }, { metrics }) =>
    `${formatChange(value ?? 0)} ${metrics.get(metric) ?? metric}`,
  userUpserted: ({ profile }) => (profile === null ? 'The user was seen' : `Profile: ${describeProfile(profile)}`),
  achievementClaimed: (entry, names) => `${nameOf(entry, names)} was completed by a call`,
  completionKept: (entry, names) => `${nameOf(entry, names)} is kept, though what led to it has changed since`,
  preferencesChanged: describeChoices,
  freezesGranted: ({ count, streakKey }) =>
    `${countOf(count ?? 1, 'freeze')}${streakKey === undefined ? '' : ` of the streak ${streakKey}`} given`,
  pauseCreated: ({ start, end }) => `The streak is paused from ${formatDate(start ?? '')} to ${formatDate(end ?? '')}`,
  pauseDeleted: () => 'A pause was ended',
  streakRestored: ({ streakKey }) => `The streak${streakKey === undefined ? '' : ` ${streakKey}`} was restored`,
  streakReset: ({ streakKey }) => `The streak${streakKey === undefined ? '' : ` ${streakKey}`} was reset`,
  eventVoided: (entry) => `An event was voided${because(entry)}`,
  eventApproved: () => 'An event that was held back was approved',
  granted: (entry, names) => `A newer game granted ${describeGrant(entry, names.achievements)}`,
  userSuspended: (entry) => `Suspended from leaderboards${because(entry)}`,
  userRestored: () => 'Back on leaderboards',
  boostGiven: ({ multiplier, name }) => `A boost of ×${formatNumber(multiplier ?? 1)} was given: ${name ?? ''}`,
  boostChanged: () => 'A boost was changed',
  boostDeleted: () => 'A boost was taken away',
  pointsAdjusted: (entry) =>
    `Support adjusted ${entry.system ?? ''} by ${formatChange(entry.amount ?? 0)}${because(entry)}`,
  achievementGranted: (entry, names) => `Support granted ${nameOf(entry, names)}${because(entry)}`,
  achievementRevoked: (entry, names) => `Support revoked ${nameOf(entry, names)}${because(entry)}`,
  pointsSpent: (entry) => `Spent ${pointsOf(entry)}${aboutReference(entry)}`,
  pointsHeld: (entry) => `Held ${pointsOf(entry)}${aboutReference(entry)}`,
  holdCaptured: ({ amount }) => `Captured ${amount === undefined ? 'a hold' : `${amount} of a hold`}`,
  holdReleased: () => 'A hold was released',
  pointsRefunded: ({ amount }) => `Refunded ${amount ?? 0} of a spend`,
  rewardRedeemed: (entry) => `Redeemed ${entry.reward ?? ''} for ${pointsOf(entry)}`,
  redemptionFulfilled: () => 'A redemption was fulfilled',
  redemptionCancelled: () => 'A redemption was cancelled',
  challengeEnrolled: (entry, names) => `The user enrolled in ${challengeOf(entry, names)}`,
  challengeAbandoned: (entry, names) => `The user left ${challengeOf(entry, names)}`,
  challengeClaimed: (entry, names) => `The reward of ${challengeOf(entry, names)} was claimed`,
  challengeReplaced: (entry, names) => `A quest was replaced: ${challengeOf(entry, names)}`,
  challengeKept: (entry, names) =>
    `${challengeOf(entry, names)} stays completed, though what led to it has changed since`,
  userMerged: ({ into }) => `Merged into ${into ?? ''}`,
}

function pointsOf({ amount = 0, system = '' }: LogEntry): string {
  return `${amount} ${system}`
}

function aboutReference({ reference }: LogEntry): string {
  return reference ? `: ${reference}` : ''
}

function describeChoices({ leaderboards, gamification, own }: LogEntry): string {
  const choices = [
    ...(leaderboards === undefined ? [] : [`leaderboards: ${leaderboards ?? 'no choice'}`]),
    ...(gamification === undefined ? [] : [`game: ${gamification}`]),
  ]
  const who = own ? ' by the user' : ''
  return `The preferences were changed${who}${choices.length === 0 ? '' : ` (${choices.join(', ')})`}`
}

function nameOf({ achievement = '' }: LogEntry, { achievements }: Names): string {
  return achievements.get(achievement) ?? achievement
}

/** `Daily quests, p20` */
function challengeOf({ challenge = '', quest = '' }: LogEntry, { challenges }: Names): string {
  const name = challenges.get(challenge) ?? challenge
  return quest === '' ? name : `${name}, ${quest}`
}

function because({ reason }: LogEntry): string {
  return reason ? `: ${reason}` : ''
}

function describeProfile({ attributes = {}, ...profile }: NonNullable<LogEntry['profile']>): string {
  const said = [...Object.entries(profile), ...Object.entries(attributes)]
  return said.map(([name, value]) => `${name} ${value === null ? 'cleared' : `is ${describeValue(value)}`}`).join(', ')
}

function describeValue(value: unknown): string {
  return Array.isArray(value) ? countOf(value.length, 'item') : String(value)
}

function describeGrant({ achievements = [], points = [] }: LogEntry, names: Names['achievements']): string {
  const given = [
    ...achievements.map((key) => names.get(key) ?? key),
    ...points.map(({ system, points: count }) => `${formatNumber(count)} ${system}`),
  ]
  return given.length === 0 ? 'nothing' : given.join(', ')
}
