import { GamificationError } from '../errors.ts'
import { toDateText } from '../rules/calendar.ts'
import type {
  BoostChanged,
  BoostGiven,
  ChallengeKept,
  Channel,
  Entry,
  EntryBody,
  EntryKind,
  NotificationType,
  PersonalStreak,
  ProfilePatch,
} from '../rules/entry.ts'
import type { LeaderboardChoice } from '../rules/game.ts'
import type { UserKey } from '../storage/rows.ts'
import type { EventLookup, UserSave } from '../storage/storage.ts'
import { damagedRow, mapDates, toDay, toJson, toMap, toObject } from './stored-text.ts'
import type { LogTable, UserColumns } from './tables.ts'

// How the tables `log` and `awards` store ids and kinds. The views `view_log` and `view_awards` show both as text.

/** The numbers of the kinds of entries. Stored rows have them, so none changes; a new kind takes the next one. */
export const KIND_NUMBERS: { readonly [Kind in EntryKind]: number } = {
  userUpserted: 0,
  eventRecorded: 1,
  achievementClaimed: 2,
  preferencesChanged: 3,
  completionKept: 4,
  freezesGranted: 5,
  pauseCreated: 6,
  pauseDeleted: 7,
  streakRestored: 8,
  eventVoided: 9,
  eventApproved: 10,
  granted: 11,
  userMerged: 12,
  userSuspended: 13,
  userRestored: 14,
  boostGiven: 15,
  boostChanged: 16,
  boostDeleted: 17,
  pointsAdjusted: 18,
  achievementGranted: 19,
  achievementRevoked: 20,
  streakReset: 21,
  challengeEnrolled: 22,
  challengeAbandoned: 23,
  challengeClaimed: 24,
  challengeReplaced: 25,
  challengeKept: 26,
  pointsSpent: 27,
  pointsHeld: 28,
  holdCaptured: 29,
  holdReleased: 30,
  pointsRefunded: 31,
  rewardRedeemed: 32,
  redemptionFulfilled: 33,
  redemptionCancelled: 34,
}

/**
 * Keys of claims and adjustments are stored under this metric, because no metric has the empty key. A prefix of the
 * idempotency key holds the length and the key of a claim's achievement, or marks an adjustment.
 */
const OF_OTHERS = ''

/** The idempotency key that an entry uses up, as a storage keeps and finds it, or `null` if there is none. */
export function usedKeyOf(body: EntryBody): EventLookup | null {
  if (body.kind === 'eventRecorded') {
    const { metric, idempotencyKey } = body
    return idempotencyKey === null ? null : { metric, idempotencyKey }
  }
  // The first fulfilment or cancellation of a redemption uses its key up.
  if ('redeemed' in body) return { metric: OF_OTHERS, idempotencyKey: `settlement ${body.redemption}` }
  const of = userOfKey(body)
  if (of === null || !('idempotencyKey' in body) || body.idempotencyKey == null) return null
  return { metric: OF_OTHERS, idempotencyKey: `${of} ${body.idempotencyKey}` }
}

function userOfKey(body: EntryBody): string | null {
  switch (body.kind) {
    case 'pointsAdjusted':
      return 'adjustment'
    case 'challengeReplaced':
      return 'replacement'
    case 'pointsSpent':
      return 'spend'
    case 'pointsHeld':
      return 'hold'
    case 'holdCaptured':
      return 'capture'
    case 'pointsRefunded':
      return 'refund'
    case 'rewardRedeemed':
      return 'redemption'
    case 'achievementClaimed':
      return `${body.achievement.length} ${body.achievement}`
    default:
      return null
  }
}

/** The amount that an event adds to its metric, as `asCounted`. */
export const COUNTED_VALUE = `case when new_value is null then value when new_value = '' then 0 else 1 end`

const KINDS: ReadonlyMap<number, EntryKind> = new Map(
  (Object.keys(KIND_NUMBERS) as EntryKind[]).map((kind) => [KIND_NUMBERS[kind], kind]),
)

/** Throws `storage_unusable` for a number of no kind. */
function toKind(number: number): EntryKind {
  const kind = KINDS.get(number)
  if (kind !== undefined) return kind
  throw new GamificationError(
    'storage_unusable',
    `The log has the unknown entry kind ${number}. Restore the row from a backup.`,
  )
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The prefix of an id that is no UUID. With it, even an empty id has more than sixteen bytes. */
const NO_UUID = '0'.repeat(34)

/** An id as hexadecimal digits: the sixteen bytes of a UUID, and of any other id seventeen zero bytes and its UTF-8. */
export function toIdHex(id: string): string {
  if (UUID.test(id)) return id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24)
  return `${NO_UUID}${Buffer.from(id).toString('hex')}`
}

/** The id that `toIdHex` has made digits of; they may be capital letters. */
export function fromIdHex(hex: string): string {
  if (hex.length > 32) return Buffer.from(hex.slice(NO_UUID.length), 'hex').toString()
  const digits = hex.toLowerCase()
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

/** A row whose given columns are ids, with these as `toIdHex` makes them. */
export function withIdsAsHex<Row extends object>(row: Row, columns: readonly string[]): Row {
  const copy: Row = { ...row }
  for (const column of columns) Reflect.set(copy, column, toIdHex(String(Reflect.get(row, column))))
  return copy
}

export type EntryRow = Omit<LogTable, keyof UserColumns>

type ProfileJson = Omit<ProfilePatch, 'attributes' | 'signUpDate'> & {
  readonly attributes?: Readonly<Record<string, string>>
  /** `YYYY-MM-DD`. */
  readonly signUpDate?: string | null
}

/** A personal streak in the log; the metrics keep the order in which they were sent. */
interface PersonalStreakJson extends Omit<PersonalStreak, 'metrics'> {
  readonly metrics?: readonly { readonly key: string; readonly threshold: number | null }[]
}

function toPersonalStreakJson({ metrics, ...rest }: PersonalStreak): PersonalStreakJson {
  if (metrics === undefined) return rest
  return { ...rest, metrics: [...metrics].map(([key, threshold]) => ({ key, threshold })) }
}

function fromPersonalStreakJson({ metrics, ...rest }: PersonalStreakJson): PersonalStreak {
  if (metrics === undefined) return rest
  return { ...rest, metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold])) }
}

interface PreferencesJson {
  readonly notifications: Readonly<Record<string, readonly Channel[] | null>>
  readonly streak?: PersonalStreakJson | null
  readonly leaderboards?: LeaderboardChoice | null
  readonly gamification?: 'on' | 'off'
  readonly own?: true
}

export function toEntryRow(key: UserKey, entry: Entry): LogTable {
  const { metric, value, idempotency_key, new_value, data } = toBodyColumns(entry)
  return {
    tenant_id: key.tenant,
    user_id: key.user,
    at: entry.at,
    seq: entry.seq,
    entry_id: toIdHex(entry.id),
    kind: KIND_NUMBERS[entry.kind],
    epoch: entry.epoch,
    recorded_at: entry.recordedAt === entry.at ? null : entry.recordedAt,
    zone: entry.dating.zone,
    local_date: entry.dating.date,
    local_time: entry.dating.time,
    profile: entry.profile === null ? null : toProfileJson(entry.profile),
    by_key: entry.by ?? null,
    metric,
    value,
    idempotency_key,
    new_value,
    data,
    voided_by: entry.kind !== 'eventRecorded' || entry.voidedBy === undefined ? null : toIdHex(entry.voidedBy),
  }
}

/** Throws `user_damaged` for a row that cannot be read. */
export function fromEntryRow(row: EntryRow): Entry {
  try {
    return toEntry(row)
  } catch (error) {
    throw damagedRow(`The row with seq ${row.seq} of the user's log`, error, 'Restore it from a backup.')
  }
}

function toEntry(row: EntryRow): Entry {
  const { seq, at, recorded_at: recordedAt, epoch } = row
  // Throws for a date outside the calendar.
  toDateText(row.local_date)
  const dating = { zone: row.zone, date: row.local_date, time: row.local_time }
  const profile = row.profile === null ? null : fromProfileJson(row.profile)
  const by = row.by_key === null ? {} : { by: row.by_key }
  const id = fromIdHex(row.entry_id)
  const entry = { ...toBody(row), id, seq, at, recordedAt: recordedAt ?? at, epoch, dating, profile, ...by }
  return row.voided_by === null || entry.kind !== 'eventRecorded'
    ? entry
    : { ...entry, voidedBy: fromIdHex(row.voided_by) }
}

/** Kinds of entries whose members are in the column `data` unchanged, in this order. */
const PLAIN = {
  userUpserted: ['own'],
  achievementClaimed: ['achievement', 'idempotencyKey'],
  pointsAdjusted: ['system', 'amount', 'reason', 'idempotencyKey', 'fromEarned'],
  completionKept: ['achievement', 'count'],
  freezesGranted: ['count', 'streakKey'],
  pauseDeleted: ['pause'],
  streakRestored: ['streakKey'],
  streakReset: ['streakKey'],
  eventVoided: ['event', 'reason', 'revokes'],
  eventApproved: ['event'],
  granted: ['achievements', 'counts', 'points'],
  userMerged: ['into'],
  userSuspended: ['from', 'reason'],
  userRestored: [],
  boostDeleted: ['boost'],
  achievementGranted: ['achievement', 'reason'],
  achievementRevoked: ['achievement', 'reason'],
  challengeEnrolled: ['challenge'],
  challengeAbandoned: ['challenge'],
  challengeClaimed: ['challenge', 'quest'],
  challengeReplaced: ['challenge', 'quest', 'idempotencyKey'],
  pointsSpent: ['system', 'amount', 'reference', 'idempotencyKey'],
  pointsHeld: ['system', 'amount', 'until', 'reference', 'idempotencyKey'],
  holdCaptured: ['hold', 'amount', 'idempotencyKey'],
  holdReleased: ['hold'],
  pointsRefunded: ['spend', 'amount', 'of', 'idempotencyKey'],
  rewardRedeemed: ['reward', 'system', 'amount', 'gives', 'stocked', 'idempotencyKey'],
  redemptionFulfilled: ['redemption', 'redeemed'],
  redemptionCancelled: ['redemption', 'redeemed', 'of'],
} as const satisfies { readonly [Kind in EntryKind]?: readonly (keyof Extract<EntryBody, { readonly kind: Kind }>)[] }

type BodyColumns = Pick<LogTable, 'metric' | 'value' | 'idempotency_key' | 'new_value' | 'data'>

function toBodyColumns(body: EntryBody): BodyColumns {
  const none = { metric: null, value: null, idempotency_key: null, new_value: null, data: null }
  switch (body.kind) {
    case 'eventRecorded': {
      const data = body.attributes.size === 0 ? null : toJson(body.attributes)
      const { metric, value, idempotencyKey, newValue = null } = body
      return { metric, value, idempotency_key: idempotencyKey, new_value: newValue, data }
    }
    case 'preferencesChanged': {
      const { notifications, streak, leaderboards, gamification, own } = body
      const json: PreferencesJson = {
        notifications: toObject(notifications),
        ...(streak === undefined ? {} : { streak: streak && toPersonalStreakJson(streak) }),
        ...(leaderboards === undefined ? {} : { leaderboards }),
        ...(gamification === undefined ? {} : { gamification }),
        ...(own === true ? { own } : {}),
      }
      return { ...none, data: JSON.stringify(json) }
    }
    case 'challengeKept': {
      const { challenge, quest, start, end } = body
      return { ...none, data: JSON.stringify(mapDates({ challenge, quest, start, end }, toDateText)) }
    }
    case 'pauseCreated':
      return { ...none, data: JSON.stringify({ start: toDateText(body.start), end: toDateText(body.end) }) }
    case 'boostGiven':
    case 'boostChanged': {
      const { kind: _, start, end, ...boost } = body
      return { ...none, data: JSON.stringify(mapDates({ ...boost, start, end }, toDateText)) }
    }
    default: {
      const members = PLAIN[body.kind].filter((member) => Reflect.get(body, member) !== undefined)
      const data = Object.fromEntries(members.map((member) => [member, Reflect.get(body, member)]))
      return { ...none, ...toKeyColumns(body), data: members.length === 0 ? null : JSON.stringify(data) }
    }
  }
}

function toKeyColumns(body: EntryBody): Partial<BodyColumns> {
  const used = usedKeyOf(body)
  return used === null ? {} : { metric: used.metric, idempotency_key: used.idempotencyKey }
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map()

function toBody(row: EntryRow): EntryBody {
  const kind = toKind(row.kind)
  const data: unknown = row.data === null ? null : JSON.parse(row.data)
  switch (kind) {
    case 'eventRecorded':
      return {
        kind,
        metric: row.metric ?? '',
        value: toValue(row.value ?? 0),
        attributes: data === null ? NO_ATTRIBUTES : toMap(data as Record<string, string>),
        idempotencyKey: row.idempotency_key,
        ...(row.new_value === null ? {} : { newValue: row.new_value }),
      }
    case 'preferencesChanged': {
      const { notifications, streak, ...rest } = data as PreferencesJson
      return {
        kind,
        notifications: toMap<NotificationType, readonly Channel[] | null>(notifications),
        ...(streak === undefined ? {} : { streak: streak && fromPersonalStreakJson(streak) }),
        ...rest,
      }
    }
    case 'pauseCreated': {
      const { start, end } = data as { readonly start: string; readonly end: string }
      return { kind, start: toDay(start), end: toDay(end) }
    }
    case 'boostGiven':
    case 'boostChanged':
    case 'challengeKept':
      return { kind, ...mapDates(data as object, toDay) } as BoostGiven | BoostChanged | ChallengeKept
    default:
      return { kind, ...(data as object | null) } as Extract<EntryBody, { readonly kind: keyof typeof PLAIN }>
  }
}

/** Postgres has values that are no numbers in JSON: they arrive as text. */
function toValue(value: number): number {
  if (Number.isFinite(value)) return value
  throw new RangeError(`It has ${value} where a value belongs`)
}

function toProfileJson({ attributes, signUpDate, ...rest }: ProfilePatch): string {
  const json: ProfileJson = {
    ...rest,
    ...(signUpDate === undefined ? {} : { signUpDate: signUpDate === null ? null : toDateText(signUpDate) }),
    ...(attributes === undefined ? {} : { attributes: toObject(attributes) }),
  }
  return JSON.stringify(json)
}

function fromProfileJson(text: string): ProfilePatch {
  const { attributes, signUpDate, ...rest } = JSON.parse(text) as ProfileJson
  return {
    ...rest,
    ...(signUpDate === undefined ? {} : { signUpDate: signUpDate === null ? null : toDay(signUpDate) }),
    ...(attributes === undefined ? {} : { attributes: toMap<string, string>(attributes) }),
  }
}

/**
 * The lines that a save changes and adds. Changes are written first: a new line may use an idempotency key that a
 * changed line gives up.
 */
export interface LogLines {
  readonly changed: readonly Entry[]
  /** New lines, with their changes already made. */
  readonly added: readonly Entry[]
}

export function linesOf({ before, appended, updatedEntries }: UserSave): LogLines {
  if (updatedEntries.length === 0) return { changed: updatedEntries, added: appended }
  const stored = before?.seq ?? 0
  const anew = new Map(updatedEntries.filter(({ seq }) => seq > stored).map((entry) => [entry.seq, entry]))
  const added = appended.map((entry) => {
    const changed = anew.get(entry.seq)
    anew.delete(entry.seq)
    return changed ?? entry
  })
  // Changes of lines that are neither stored nor new stay in the list, to fail there as changes of unknown lines.
  return { changed: [...updatedEntries.filter(({ seq }) => seq <= stored), ...anew.values()], added }
}
