import { z } from 'zod'
import { GamificationError } from '../../errors.ts'
import type { FilterDefinition, NoUserAttributes } from '../../game/definition-parts.ts'
import { type Day, toZoneName, WEEKDAYS, type Weekday, weekdaysWithout } from '../../rules/calendar.ts'
import type { Channel, EntryBody, NotificationType, PersonalStreak, ProfilePatch } from '../../rules/entry.ts'
import { LEADERBOARD_CHOICES, type LeaderboardChoice } from '../../rules/game.ts'
import { quoteName } from '../../rules/names.ts'
import {
  attributes,
  dateOrInstant,
  optional,
  type Parsed,
  parse,
  reasonText,
  text,
  upTo,
  userId,
  withoutUndefined,
} from '../../runtime/input.ts'
import { unknownProperty } from '../../suggest.ts'
import type { Takes } from '../takes.ts'

/**
 * Changes to a user. Absent fields stay unchanged. `null` clears a field, but `attributes` and `subscribedToEmails` then
 * stay unchanged, too.
 */
export interface UserUpdate<Attribute extends string = string> {
  readonly email?: string | null
  readonly name?: string | null
  /** IANA name with a `/`, or `UTC`. */
  readonly tz?: string | null
  /**
   * When the user signed up with your app: `YYYY-MM-DD`, or an instant, whose date in UTC counts. From 1900-01-01 to today
   * in the user's time zone.
   */
  readonly signUpDate?: string | null
  /** At most 20, of at most 1,024 characters. */
  readonly deviceTokens?: readonly string[] | null
  /** Default: true when an email is known. True needs an email. */
  readonly subscribedToEmails?: boolean
  /** The official client's spelling of `subscribedToEmails`. */
  readonly subscribeToEmails?: boolean
  /** Merged key by key. */
  readonly attributes?: FilterDefinition<Attribute, NoUserAttributes>
}

/** A user to create or to update in passing; the id is the host's own, 1 to 255 characters. */
export interface UserUpsert<Attribute extends string = string> extends UserUpdate<Attribute> {
  readonly id: string
}

/** The changes. Each notification type that is named is replaced. */
export interface PreferencesUpdate<Metric extends string = string> {
  /** The types to change. `null` clears the user's choice of a type. */
  readonly notifications?: {
    readonly achievement_completed?: readonly Channel[] | null
    readonly recap?: readonly Channel[] | null
    readonly reactivation?: readonly Channel[] | null
    readonly streak_reminder?: readonly Channel[] | null
  }
  /** The settings to change. `null` clears all of them. All but `enabled` need a game with `streak.customization`. */
  readonly streak?: {
    /** If false, the user has no streak. If true again, the streak begins at 0. */
    readonly enabled?: boolean
    /** Default: `OR` if the user has chosen metrics, otherwise the game's mode. */
    readonly evaluationMode?: 'OR' | 'AND' | 'ALL'
    /** The days of a daily streak that count. A change holds from the next date on. */
    readonly on?: readonly Weekday[]
    /** The days off in place of `on`, by number: 0 is Sunday, 6 is Saturday. At most 6; empty for no day off. */
    readonly daysOff?: readonly number[]
    /** Without a threshold, or with 0, any change above 0 counts. */
    readonly metrics?: readonly { readonly key: Metric; readonly threshold?: number }[]
  } | null
  /**
   * `hidden`: the user is on no leaderboard. `anonymous`: others see the place without its user. `null` clears the choice,
   * so that the game's default applies.
   */
  readonly leaderboards?: LeaderboardChoice | null
  /** If `off`, the user is hidden and there are no messages about the user. Events continue to count. */
  readonly gamification?: 'on' | 'off'
}

export interface DeletionRequest {
  /**
   * The rows of the user that stay. `nothing` (the default): no row. `anonymous`: the log stays under a new random id,
   * so that totals and leaderboards do not change. The profile, attributes, idempotency keys and application keys are
   * removed.
   */
  readonly keep?: 'nothing' | 'anonymous'
}

export interface UsersRequest {
  /** A part of the id or of the name; A to Z match a to z. Up to 255 characters. */
  readonly search?: string
  /** Continues after the user with this id: `after` of the previous answer. */
  readonly after?: string
  /** How many, 1 to 100. Default: 50. */
  readonly limit?: number
}

export interface UserEventsRequest {
  /** Continues with older entries: `before` of the previous answer. */
  readonly before?: string
  /** How many, 1 to 1,000. Default: 100. */
  readonly limit?: number
}

export interface SuspensionRequest {
  /** The features that exclude the user. Default: leaderboards, the only one. */
  readonly from?: readonly 'leaderboards'[]
  /** Up to 1,024 characters. Only calls for administration return it. */
  readonly reason?: string
}

/** The two users to merge. */
export interface MergeRequest {
  /** The user that becomes an alias of the other. Its log moves to the other user. */
  readonly from: string
  /** The user that continues. */
  readonly into: string
  /**
   * If true, application keys of `from` stay and open the account of `into`. Default false: the merge deletes them,
   * because anybody who holds a guest's key could otherwise read and write the account.
   */
  readonly keepKeys?: boolean
}

export type ParsedUpdate = Parsed<UserUpdate, never, ParsedAttributes>

export type ParsedUpsert = Parsed<UserUpsert, never, ParsedAttributes>

export type ParsedUsersRequest = Parsed<UsersRequest, 'limit'>

export type ParsedUserEventsRequest = Parsed<UserEventsRequest, 'limit'>

export type ParsedSuspension = Parsed<SuspensionRequest, 'from'>

type ParsedAttributes = {
  readonly attributes?: ReadonlyMap<string, string> | undefined
  readonly signUpDate?: Day | null | undefined
}

const updateFields = {
  email: text(1_024).nullable().optional(),
  name: text(1_024).nullable().optional(),
  tz: text(255).nullable().optional(),
  signUpDate: dateOrInstant.nullable().optional(),
  deviceTokens: z.array(text(1_024)).max(20).nullable().optional(),
  subscribedToEmails: optional(z.boolean()),
  subscribeToEmails: optional(z.boolean()),
  attributes: optional(attributes),
}

const update = z.strictObject(updateFields).meta({ id: 'UpdatedUser' })
true satisfies Takes<typeof update, UserUpdate>
export const userUpdate: z.ZodType<ParsedUpdate> = update

const upsert = z.strictObject({ id: userId, ...updateFields }).meta({ id: 'UpsertedUser' })
true satisfies Takes<typeof upsert, UserUpsert>
export const userUpsert: z.ZodType<ParsedUpsert> = upsert

/** The zone that is named after a city: `Europe/Berlin` for `Berlin`. Returns `null` if there is none. */
function zoneOfCity(city: string): string | null {
  const end = `/${city.trim().replaceAll(' ', '_').toLowerCase()}`
  return Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase().endsWith(end)) ?? null
}

/** Returns the fields that the update sets, or `null` if it sets none. Throws `unknown_time_zone`. */
export function toPatch(update: ParsedUpdate): ProfilePatch | null {
  const { email, name, tz, signUpDate, deviceTokens, attributes: given } = update
  // Not part of the schema, because 403 for another user's data comes first.
  const zone = typeof tz === 'string' ? toZoneName(tz) : tz
  if (typeof tz === 'string' && zone === null) {
    const near = zoneOfCity(tz)
    const help =
      near === null ? 'send an IANA name such as "Europe/London", or leave tz out' : `did you mean "${near}"?`
    const message = `Unknown time zone ${quoteName(tz)}: ${help}${near === null ? '.' : ''}`
    const issues = [{ path: 'tz', message: 'must be an IANA time zone name' }]
    throw new GamificationError('unknown_time_zone', message, { issues })
  }
  const subscribedToEmails = update.subscribedToEmails ?? update.subscribeToEmails
  const named = given === undefined || given.size === 0 ? undefined : given
  const patch = withoutUndefined({
    email,
    name,
    tz: zone,
    signUpDate,
    deviceTokens,
    subscribedToEmails,
    attributes: named,
  })
  return Object.keys(patch).length === 0 ? null : patch
}

export function parseUserId(id: unknown): string {
  return parse(userId, id, 'user id')
}

/** null clears the list. */
const channels = z
  .array(z.enum(['email', 'push']))
  // A client may repeat one of the two, but not at any length.
  .max(10)
  .transform((given) => [...new Set(given)])
  .nullable()
  .optional()

export const NOTIFICATION_TYPES: readonly NotificationType[] = [
  'achievement_completed',
  'recap',
  'reactivation',
  'streak_reminder',
]

/** An unknown type is a mistake over HTTP too. */
type Lists = Parsed<NonNullable<PreferencesUpdate['notifications']>>

const notifications: z.ZodType<Lists, Lists> = z
  .object({ achievement_completed: channels, recap: channels, reactivation: channels, streak_reminder: channels })
  .catchall(z.undefined({ error: ({ path }) => unknownProperty(String(path?.at(-1)), NOTIFICATION_TYPES) }))
  .meta({ additionalProperties: false })

const personalMetric = z.strictObject({
  key: text(255),
  threshold: z.number().min(0).max(1e15).optional(),
})

const isDistinct = (days: readonly unknown[]): boolean => new Set(days).size === days.length

const personalStreakFields = z.strictObject({
  enabled: z.boolean().optional(),
  evaluationMode: z.enum(['OR', 'AND', 'ALL']).optional(),
  on: z.array(z.enum(WEEKDAYS)).min(1).max(WEEKDAYS.length).refine(isDistinct, 'must not repeat a day').optional(),
  daysOff: z.array(z.int().min(0).max(6)).max(6).refine(isDistinct, 'must not repeat a day').optional(),
  metrics: z
    .array(personalMetric)
    .min(1)
    .max(1_000)
    .refine((metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length, 'must not repeat a metric')
    .optional(),
})

const personalStreak = personalStreakFields.refine(({ on, daysOff }) => on === undefined || daysOff === undefined, {
  path: ['daysOff'],
  error: 'says the same as on: send one of the two',
})

type AskedStreak = NonNullable<PreferencesUpdate['streak']>
type AskedMetric = { readonly key: string; readonly threshold?: number | undefined }

export interface ParsedPreferences {
  readonly notifications?: Lists | undefined
  /** null clears all settings. */
  readonly streak?:
    | Parsed<AskedStreak, never, { readonly metrics?: readonly AskedMetric[] | undefined }>
    | null
    | undefined
  readonly leaderboards?: LeaderboardChoice | null | undefined
  readonly gamification?: 'on' | 'off' | undefined
}

const preferences = z.strictObject({
  notifications: notifications.optional(),
  streak: personalStreak.nullable().optional(),
  leaderboards: z.enum(LEADERBOARD_CHOICES).nullable().optional(),
  gamification: z.enum(['on', 'off']).optional(),
})
true satisfies Takes<typeof preferences, PreferencesUpdate>
export const preferencesUpdate: z.ZodType<ParsedPreferences> = preferences

/** The entry that a request asks to record; `userUpserted` if the request names no change. */
export function toPreferencesBody(update: ParsedPreferences): EntryBody {
  const { notifications: lists = {}, streak: asked, leaderboards, gamification } = update
  const named = new Map<NotificationType, readonly Channel[] | null>()
  for (const type of NOTIFICATION_TYPES) {
    const list = lists[type]
    if (list !== undefined) named.set(type, list)
  }
  const { daysOff, on = daysOff && weekdaysWithout(daysOff), ...others } = asked ?? {}
  const streak: PersonalStreak = withoutUndefined({
    ...others,
    on,
    evaluationMode: asked?.evaluationMode === 'ALL' ? 'AND' : asked?.evaluationMode,
    metrics: asked?.metrics && new Map(asked.metrics.map(({ key, threshold }) => [key, threshold || null])),
  })
  const ownStreak = asked === null ? null : Object.keys(streak).length > 0 ? streak : undefined
  const choices = withoutUndefined({ streak: ownStreak, leaderboards, gamification })
  if (named.size === 0 && Object.keys(choices).length === 0) return { kind: 'userUpserted' }
  return { kind: 'preferencesChanged', notifications: named, ...choices }
}

const deletion = z.strictObject({
  keep: z.enum(['nothing', 'anonymous']).default('nothing'),
})
true satisfies Takes<typeof deletion, DeletionRequest>
export const deletionRequest: z.ZodType<Required<DeletionRequest>> = deletion

const users = z.strictObject({
  search: optional(text(255)).meta({ example: 'ann' }),
  after: optional(userId),
  limit: upTo(100, 50),
})
true satisfies Takes<typeof users, UsersRequest>
export const usersRequest: z.ZodType<ParsedUsersRequest> = users

const userEvents = z.strictObject({
  before: optional(text(64)),
  limit: upTo(1_000, 100),
})
true satisfies Takes<typeof userEvents, UserEventsRequest>
export const userEventsRequest: z.ZodType<ParsedUserEventsRequest> = userEvents

const suspension = z.strictObject({
  from: z
    .array(z.enum(['leaderboards']))
    .min(1)
    .max(1)
    .default(['leaderboards']),
  reason: optional(reasonText),
})
true satisfies Takes<typeof suspension, SuspensionRequest>
export const suspensionRequest: z.ZodType<ParsedSuspension> = suspension

const keepKeys = z.boolean().default(false)

const merge = z
  .strictObject({ from: userId, into: userId, keepKeys })
  .refine(({ from, into }) => from !== into, { path: ['into'], error: 'must be another user than from' })
true satisfies Takes<typeof merge, MergeRequest>
export const mergeRequest: z.ZodType<Required<MergeRequest>> = merge

/** Over HTTP the path names `from`. */
export const mergeBody: z.ZodType<Required<Omit<MergeRequest, 'from'>>> = z.strictObject({ into: userId, keepKeys })
