import { hash, randomBytes } from 'node:crypto'
import type { Aggregation, Every } from '../rules/game.ts'
import type {
  StoredCriterion,
  StoredDefinition,
  StoredEvery,
  StoredLeaderboard,
  StoredTrigger,
} from './stored-definition.ts'

/** The project's own namespace. Changing it changes every id that was ever answered or stored. */
const NAMESPACE = namespaceOf('fc37e453-184f-49b0-aef2-89f06193b059')

/** The UUID of 32 or more hexadecimal digits. Its version and its variant replace six bits. */
function toUuid(digits: string, version: number): string {
  const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) & 3]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${version}${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

export function namespaceOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** The UUID version 5 of a name (its UTF-8) in a namespace (RFC 9562, section 5.5). */
export function uuidv5(namespace: Uint8Array, name: string): string {
  // `hash` takes a third of the time that `createHash` does, and each award waits for an id.
  return toUuid(hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'hex'), 5)
}

/** The parts are joined as the JSON text of a list, so that no two lists give the same text. */
export function derivedId(kind: string, ...parts: readonly (string | number)[]): string {
  return uuidv5(NAMESPACE, JSON.stringify([kind, ...parts]))
}

export const metricId = (key: string): string => derivedId('metric', key)
export const achievementId = (key: string): string => derivedId('achievement', key)
export const pointsSystemId = (key: string): string => derivedId('points_system', key)
export const levelId = (system: string, key: string): string => derivedId('level', system, key)
export const boostId = (system: string, key: string): string => derivedId('boost', system, key)
export const challengeId = (key: string): string => derivedId('challenge', key)
/** The id of a quest, under which its points are awarded. */
export const questId = (challenge: string, quest: string): string => derivedId('quest', challenge, quest)
export const rewardId = (key: string): string => derivedId('reward', key)
export const leaderboardId = (key: string): string => derivedId('leaderboard', key)
/** Users and events may each have an attribute of one key. */
export const attributeId = (type: 'user' | 'event', key: string): string => derivedId('attribute', type, key)

/** The id of a criterion. It is derived from the condition, so a changed criterion has a new id. */
export function criterionId(achievement: string, criterion: StoredCriterion): string {
  const { eventAttributes = {}, ...rest } = { eventAttributes: undefined, ...criterion }
  return derivedId(
    'criterion',
    achievement,
    JSON.stringify([sortedFilters<unknown>(rest), sortedFilters(eventAttributes)]),
  )
}

/** True if a user is in the control group. The answer never changes, and members stay when the share grows. */
export function isInControlGroup(
  { tenant, user }: { readonly tenant: string; readonly user: string },
  ratio: number,
): boolean {
  const digest = hash('sha256', JSON.stringify(['control', tenant, user]), 'buffer')
  return digest.readUIntBE(0, 6) < ratio * 2 ** 48
}

/** Equal for two definitions whose scores are comparable. The first date of a run marks its start. */
export function leaderboardVersion(stored: StoredLeaderboard, definition: StoredDefinition): string {
  const { rankBy } = stored
  const { startTime = '', endTime = '' } = stored.rankBy === 'streak' ? {} : stored
  const subject = {
    metric: () => (stored.rankBy === 'metric' ? stored.metric : ''),
    points: () => (stored.rankBy === 'points' ? stored.system : ''),
    streak: () => JSON.stringify(streakSubject(stored, definition)),
  }[rankBy]()
  const run = stored.rankBy === 'streak' || stored.run === undefined ? [] : [stored.run.unit, stored.run.interval]
  const { aggregation, isLowest } = scoresOf(stored, definition)
  const of = stored.rankBy === 'metric' ? definition.metrics[stored.metric]?.of : undefined
  const kind = [...(aggregation === 'sum' ? [] : [aggregation]), of ?? [], isLowest ? 'lowest' : []].flat()
  return derivedId('leaderboard_version', rankBy, subject, startTime, endTime, ...run, ...kind).slice(0, 8)
}

export function scoresOf(
  stored: StoredLeaderboard,
  { metrics }: StoredDefinition,
): { readonly aggregation: Aggregation; readonly isLowest: boolean } {
  if (stored.rankBy === 'streak') return { aggregation: 'sum', isLowest: false }
  const aggregation = (stored.rankBy === 'metric' ? metrics[stored.metric]?.aggregation : undefined) ?? 'sum'
  const { order = aggregation === 'min' ? 'lowest' : 'highest' } = stored
  return { aggregation, isLowest: order === 'lowest' }
}

function streakSubject(stored: StoredLeaderboard, { streak, streaks, weekStartsOn }: StoredDefinition): string[] {
  const key = stored.rankBy === 'streak' ? stored.streak : undefined
  const { frequency = '' } = (key === undefined ? streak : streaks?.[key]) ?? {}
  return [frequency, frequency === 'weekly' ? weekStartsOn : '', ...(key === undefined ? [] : [key])]
}

/**
 * A trigger's id is derived from its key within its system, or from its condition if it has no key. Its status, points
 * and dates are no part of it, so that tuning these keeps what users have reached. `ordinal` distinguishes triggers of
 * one system with the same condition.
 */
export function triggerId(system: string, trigger: StoredTrigger, ordinal: number): string {
  if (trigger.key !== undefined) return derivedId('trigger', system, 'key', trigger.key)
  return derivedId('trigger', system, 'content', triggerContent(trigger), ordinal)
}

/** The condition of a trigger, as text: equal for two triggers with the same condition. */
export function triggerContent(trigger: StoredTrigger): string {
  const user = sortedFilters(trigger.userAttributes)
  switch (trigger.type) {
    case 'metric':
      return JSON.stringify(['metric', trigger.metric, trigger.threshold, sortedFilters(trigger.eventAttributes), user])
    case 'achievement':
      return JSON.stringify(['achievement', trigger.achievement, user])
    case 'streak':
      return JSON.stringify(['streak', trigger.length, user, ...(trigger.streak === undefined ? [] : [trigger.streak])])
    case 'user_creation':
      return JSON.stringify(['user_creation', user])
    case 'time': {
      const { unit, count } = toEvery(trigger.every)
      return JSON.stringify(['time', unit, count, user])
    }
  }
}

export function toEvery(every: StoredEvery): Every {
  return 'hours' in every ? { unit: 'hour', count: every.hours } : { unit: 'day', count: every.days }
}

function sortedFilters<Value>(filters: { readonly [attribute: string]: Value }): [string, Value][] {
  return Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The id of a completion. `count`: its number, for an achievement that repeats. */
export function completionId(tenant: string, user: string, achievement: string, count = 1): string {
  const parts = count > 1 ? [tenant, user, achievement, count] : [tenant, user, achievement]
  return derivedId('completion', ...parts)
}

/** A quest pays into several systems by one trigger. */
export function awardId(entryId: string, system: string, trigger: string): string {
  return derivedId('award', entryId, system, trigger)
}

/** The id of an imported event with an idempotency key, the same in whatever order a history is imported. */
export function importedEventId(tenant: string, user: string, metric: string, idempotencyKey: string): string {
  return derivedId('event', tenant, user, metric, idempotencyKey)
}

/** The id of an adjustment of points with an idempotency key. Its second half is of the contents alone. */
export function adjustmentId(
  { tenant, user }: { readonly tenant: string; readonly user: string },
  ...contents: readonly [
    idempotencyKey: string,
    system: string,
    amount: number,
    reason: string,
    from?: 'earned' | undefined,
  ]
): string {
  const own = derivedId('adjustment', tenant, user, contents[0])
  return `${own.slice(0, 18)}${derivedId('adjustment', ...contents.filter((each) => each !== undefined)).slice(18)}`
}

/**
 * The id of an entry about points with an idempotency key, such as a spend. Its second half is of the contents alone, as
 * `isSameAdjustment` compares them.
 */
export function keyedEntryId(
  kind: 'spend' | 'hold' | 'capture' | 'refund',
  { tenant, user }: { readonly tenant: string; readonly user: string },
  idempotencyKey: string,
  ...contents: readonly (string | number)[]
): string {
  const own = derivedId(kind, tenant, user, idempotencyKey)
  return `${own.slice(0, 18)}${derivedId(kind, idempotencyKey, ...contents).slice(18)}`
}

/** True if two adjustments have the same contents, perhaps under two names of one user. */
export function isSameAdjustment(id: string, other: string | null): boolean {
  return id.slice(18) === other?.slice(18)
}

/** The id of a message. Publishing it again gives the same id. `user`: empty if the message is about no single user. */
export function messageId(
  tenant: string,
  user: string,
  type: string,
  ...occurrence: readonly (string | number)[]
): string {
  return derivedId('message', tenant, user, type, ...occurrence)
}

export function revokedMessageId(id: string): string {
  return derivedId('message', id, 'revoked')
}

/** The id of the message that pieces were merged into. `part` is the part of the first piece. */
export function mergedMessageId(id: string, part: string): string {
  return derivedId('message', id, 'merged', part)
}

export function historyMarkId(tenant: string, user: string, subscription: string): string {
  return derivedId('history', tenant, user, subscription)
}

/** The id of an award that a time trigger paid at an instant, before an entry stores it. */
export function timedAwardId(tenant: string, user: string, trigger: string, at: number): string {
  return derivedId('award', tenant, user, trigger, at)
}

/** Returns so many random hexadecimal digits. */
type RandomDigits = (count: number) => string

const POOL_BYTES = 4_096
let pool = ''
let used = 0

/** Random digits in small pieces: asking the system for each costs more than making the id. */
function pooledDigits(count: number): string {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex')
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

// Shared by all engines of the process, so that their ids never go back either.
let lastTime = -1
let counter = 0

/**
 * A UUID version 7 (RFC 9562, section 5.7). Each is greater than the one before in this process, also within one
 * millisecond and when the clock goes back: a 12-bit counter follows the time, and borrows from it when it is full.
 */
export function uuidv7(nowMs: number, random: RandomDigits = pooledDigits): string {
  const now = Math.max(0, Math.floor(nowMs))
  if (now > lastTime) {
    lastTime = now
    // Half of the range is left to count up.
    counter = Number.parseInt(random(3), 16) & 0x7ff
  } else if (counter < 0xfff) {
    counter += 1
  } else {
    lastTime += 1
    counter = 0
  }
  // The version replaces the 0.
  return toUuid(`${toDigits(lastTime, 12)}0${toDigits(counter, 3)}${random(16)}`, 7)
}

function toDigits(value: number, count: number): string {
  return value.toString(16).padStart(count, '0')
}
