import { z } from 'zod'
import { type Day, isTimeZone, parseTime, WEEKDAYS } from '../../rules/calendar.ts'
import { type Channel, type Entry, holdEvent, type NotificationType, type ProfilePatch } from '../../rules/entry.ts'
import { LEADERBOARD_CHOICES } from '../../rules/game.ts'
import { isWithinBounds } from '../../rules/total.ts'
import { attributes, date, instant, isRecord, tenantId, text, userId } from '../../runtime/input.ts'
import type { ApplyPolicy } from '../../shapes/operate.ts'
import type { GameCause } from '../../storage/storage.ts'
import { boostName, multiplier, rounding } from '../boosts/requests.ts'
import { NOTIFICATION_TYPES } from '../users/requests.ts'
import { policy } from './requests.ts'

const count = z.int().min(0)
const key = text(255)
const id = text(255)
const number = z.number().refine(isWithinBounds, 'must be between -1e15 and 1e15')
const moment = instant.transform((given) => given.getTime())
const time: z.ZodType<number, string> = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/, 'must be a time of day, HH:MM:SS.sss')
  .transform((given) => parseTime(given))

const zone = text(255).refine(isTimeZone, 'must be an IANA time zone name')

/** Unset fields are absent, as in the entry itself. */
const profile: z.ZodType<ProfilePatch> = z.strictObject({
  email: z.string().nullable().exactOptional(),
  name: z.string().nullable().exactOptional(),
  tz: zone.nullable().exactOptional(),
  subscribedToEmails: z.boolean().exactOptional(),
  deviceTokens: z.array(z.string()).nullable().exactOptional(),
  signUpDate: date.nullable().exactOptional(),
  attributes: attributes.exactOptional(),
})

/** An object read into a map: `__proto__` is an ordinary name there. */
function mapOf<Value>(value: z.ZodType<Value>): z.ZodType<ReadonlyMap<string, Value>> {
  return z
    .custom<object>((given) => isRecord(given), 'must be an object')
    .transform((given) => Object.entries(given))
    .pipe(z.array(z.tuple([z.string(), value])))
    .transform((entries) => new Map(entries))
}

const channels: z.ZodType<Channel[]> = z.array(z.enum(['email', 'push']))
const notifications = mapOf(channels.nullable()).transform((given, context) => {
  const known = new Map<NotificationType, readonly Channel[] | null>()
  for (const [name, value] of given) {
    const type = NOTIFICATION_TYPES.find((each) => each === name)
    if (type !== undefined) known.set(type, value)
    else {
      const message = `must be one of ${NOTIFICATION_TYPES.join(', ')}`
      context.issues.push({ code: 'custom', message, input: name })
    }
  }
  return known
})

const personalStreak = z.strictObject({
  enabled: z.boolean().exactOptional(),
  evaluationMode: z.enum(['OR', 'AND']).exactOptional(),
  on: z.array(z.enum(WEEKDAYS)).exactOptional(),
  metrics: mapOf(z.number().nullable()).exactOptional(),
})

const place = {
  id,
  seq: z.int().min(1),
  at: moment,
  recordedAt: moment,
  zone,
  localDate: date,
  localTime: time,
  epoch: z.int().min(1),
  profile: profile.nullable(),
  by: id.exactOptional(),
}

const reason = z.string().nullable()
const own = z.literal(true).exactOptional()
const streakKey = key.exactOptional()
const idempotencyKey = z.string().exactOptional()

function lineOf<const Kind extends Entry['kind'], Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.strictObject({ ...place, kind: z.literal(kind), ...fields })
}

const reference = z.string().exactOptional()
const gives = z.strictObject({
  achievement: key.nullable(),
  freezes: z.int().min(0),
  boost: z.strictObject({ system: key, name: boostName, multiplier, rounding, days: count }).nullable(),
})

const stocked = z.literal(true).exactOptional()
const redeemed = z.strictObject({ reward: key, system: key, amount: count, at: moment, stocked })

/** Empty without a pool. */
const questKey = z.union([key, z.literal('')])

const kinds = z.discriminatedUnion('kind', [
  lineOf('userUpserted', { own }),
  lineOf('eventRecorded', {
    metric: key,
    value: number,
    attributes,
    idempotencyKey: z.string().nullable(),
    voidedBy: id.exactOptional(),
    held: z.literal(true).exactOptional(),
  }),
  lineOf('achievementClaimed', { achievement: key, idempotencyKey }),
  lineOf('completionKept', { achievement: key, count: count.exactOptional() }),
  lineOf('preferencesChanged', {
    notifications,
    streak: personalStreak.nullable().exactOptional(),
    leaderboards: z.enum(LEADERBOARD_CHOICES).nullable().exactOptional(),
    gamification: z.enum(['on', 'off']).exactOptional(),
    own,
  }),
  lineOf('freezesGranted', { count, streakKey }),
  lineOf('pauseCreated', { start: date, end: date }),
  lineOf('pauseDeleted', { pause: id }),
  lineOf('streakRestored', { streakKey }),
  lineOf('streakReset', { streakKey }),
  lineOf('eventApproved', { event: id }),
  lineOf('eventVoided', { event: id, reason, revokes: z.boolean() }),
  lineOf('granted', {
    achievements: z.array(key),
    counts: z.array(z.strictObject({ achievement: key, count })).exactOptional(),
    points: z.array(z.strictObject({ system: key, trigger: id, points: z.number() })),
  }),
  lineOf('userSuspended', { from: z.array(z.literal('leaderboards')), reason }),
  lineOf('userRestored', {}),
  lineOf('boostGiven', { system: key, name: boostName, start: date, end: date.nullable(), multiplier, rounding }),
  lineOf('boostChanged', {
    boost: id,
    name: boostName.exactOptional(),
    start: date.exactOptional(),
    end: date.nullable().exactOptional(),
    multiplier: multiplier.exactOptional(),
    rounding: rounding.exactOptional(),
  }),
  lineOf('boostDeleted', { boost: id }),
  lineOf('pointsAdjusted', {
    system: key,
    amount: z.int(),
    reason,
    idempotencyKey,
    fromEarned: z.literal(true).exactOptional(),
  }),
  lineOf('achievementGranted', { achievement: key, reason }),
  lineOf('achievementRevoked', { achievement: key, reason }),
  lineOf('challengeEnrolled', { challenge: key }),
  lineOf('challengeAbandoned', { challenge: key }),
  lineOf('challengeClaimed', { challenge: key, quest: questKey }),
  lineOf('challengeReplaced', { challenge: key, quest: questKey, idempotencyKey }),
  lineOf('challengeKept', { challenge: key, quest: questKey, start: date, end: date.nullable() }),
  lineOf('pointsSpent', { system: key, amount: count, reference, idempotencyKey }),
  lineOf('pointsHeld', { system: key, amount: count, until: moment, reference, idempotencyKey }),
  lineOf('holdCaptured', { hold: id, amount: count.exactOptional(), idempotencyKey }),
  lineOf('holdReleased', { hold: id }),
  lineOf('pointsRefunded', { spend: id, amount: count, idempotencyKey }),
  lineOf('rewardRedeemed', { reward: key, system: key, amount: count, gives, stocked, idempotencyKey }),
  lineOf('redemptionFulfilled', { redemption: id, redeemed }),
  lineOf('redemptionCancelled', { redemption: id, redeemed }),
  lineOf('userMerged', { into: userId }),
])

const entry: z.ZodType<Entry> = kinds.transform(({ zone, localDate, localTime, ...rest }) => {
  const dating = { zone, date: localDate satisfies Day, time: localTime }
  if (rest.kind !== 'eventRecorded') return { ...rest, dating }
  const { held, ...event } = rest
  return held === undefined ? { ...event, dating } : holdEvent({ ...event, dating })
})

/** Empty in a game without tenants. */
const tenant = z.union([z.literal(''), tenantId])

export interface ExportedGameLine {
  readonly laurels: 'game'
  readonly epoch: number
  readonly policy: ApplyPolicy
  readonly cause: GameCause
  readonly fingerprint: string
  readonly createdAt: number
  readonly definition: Readonly<Record<string, unknown>>
}

/** The properties of a line that an import needs. */
export const exportLine: z.ZodType<
  | { readonly laurels: 'export' }
  | ExportedGameLine
  | { readonly laurels: 'user'; readonly tenant: string; readonly id: string; readonly entries: number }
  | { readonly laurels: 'entry'; readonly entry: Entry }
  | { readonly laurels: 'end'; readonly of: 'user' | 'export'; readonly complete?: boolean; readonly users?: number }
> = z.discriminatedUnion('laurels', [
  z.strictObject({ laurels: z.literal('export'), version: z.literal(1), tenant: tenant.nullable() }),
  z.strictObject({
    laurels: z.literal('game'),
    epoch: z.int().min(1),
    policy,
    cause: z.enum(['start', 'return', 'apply', 'boosts', 'messages']),
    fingerprint: z.string(),
    createdAt: moment,
    definition: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({ laurels: z.literal('user'), version: z.literal(1), tenant, id: userId, entries: count }),
  z.strictObject({ laurels: z.literal('entry'), entry }),
  z.strictObject({
    laurels: z.literal('end'),
    of: z.enum(['user', 'export']),
    id: z.string().exactOptional(),
    entries: count.exactOptional(),
    complete: z.boolean().exactOptional(),
    users: count.exactOptional(),
  }),
])
