import { randomInt } from 'node:crypto'
import { toDateText } from '../../src/rules/calendar.ts'
import type { Channel, NotificationType } from '../../src/rules/entry.ts'
import type {
  Freezes,
  LostStreak,
  OwnStreak,
  Pause,
  StreakState,
  Suspension,
  UserState,
} from '../../src/rules/state.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { CounterChange } from '../../src/storage/storage.ts'
import type { SqlTraits } from './database.ts'
import { fromLeaderboardsJson, toLeaderboardsJson } from './leaderboards.ts'
import {
  fromActivityJson,
  fromBoostsJson,
  fromCapsJson,
  fromCooldownsJson,
  fromStreaksJson,
  fromTimersJson,
  toActivityJson,
  toBoostsJson,
  toCapsJson,
  toCooldownsJson,
  toStreaksJson,
  toTimersJson,
} from './rules-json.ts'
import { damagedRow, toDay, toJson, toMap, toObject } from './stored-text.ts'
import type { NoticeColumn, ProfileColumn, StateTable, UserColumns, UsersTable } from './tables.ts'

type DateSums = UserState['dateSums']

/** Sums by metric, then by date. */
type DateSumsJson = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The column `date_sums` of a user's row; null: there are no sums. */
function toDateSumsJson(sums: DateSums): string | null {
  if (sums.size === 0) return null
  const dates = [...sums].map(
    ([metric, list]) => [metric, Object.fromEntries(list.map(({ date, sum }) => [toDateText(date), sum]))] as const,
  )
  return JSON.stringify(toObject(new Map(dates)))
}

function fromDateSumsJson(text: string | null): DateSums {
  if (text === null) return new Map()
  const json = toMap<string, DateSumsJson[string]>(JSON.parse(text))
  return new Map(
    [...json].map(([metric, dates]) => [
      metric,
      Object.entries(dates).map(([date, sum]) => ({ date: toDay(date), sum })),
    ]),
  )
}

/** A personal streak in a user's row and in the log; the metrics keep the order in which they were sent. */
export interface PersonalStreakJson extends Omit<OwnStreak, 'metrics'> {
  readonly metrics?: readonly { readonly key: string; readonly threshold: number | null }[]
}

export function toPersonalStreakJson(streak: OwnStreak): PersonalStreakJson {
  const { enabled, evaluationMode, metrics, on, onSince, onBefore } = streak
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(evaluationMode === undefined ? {} : { evaluationMode }),
    ...(metrics === undefined ? {} : { metrics: [...metrics].map(([key, threshold]) => ({ key, threshold })) }),
    ...(on === undefined ? {} : { on }),
    ...(onSince === undefined ? {} : { onSince }),
    ...(onBefore === undefined ? {} : { onBefore }),
  }
}

export function fromPersonalStreakJson({ metrics, ...rest }: PersonalStreakJson): OwnStreak {
  if (metrics === undefined) return rest
  return { ...rest, metrics: new Map(metrics.map(({ key, threshold }) => [key, threshold])) }
}

type LostJson = Omit<LostStreak, 'started'> & { readonly started: string | null }

/** The column `streak_lost` of a user's row. Its members have one order, because rows are compared by their text. */
function toLostJson(lost: LostStreak | null): string | null {
  if (lost === null) return null
  const { length, last, missed, started, firstAt, extendedAt } = lost
  const date = started === null ? null : toDateText(started)
  const json: LostJson = { length, last, missed, started: date, firstAt, extendedAt }
  return JSON.stringify(json)
}

function fromLostJson(text: string | null): LostStreak | null {
  if (text === null) return null
  const json = JSON.parse(text) as LostJson
  return { ...json, started: json.started === null ? null : toDay(json.started) }
}

interface PauseJson {
  readonly id: string
  readonly start: string
  readonly end: string
}

function toPausesJson(pauses: UserState['pauses']): string {
  if (pauses.length === 0) return '[]'
  const json: PauseJson[] = pauses.map(({ id, start, end }) => ({ id, start: toDateText(start), end: toDateText(end) }))
  return JSON.stringify(json)
}

function fromPausesJson(text: string): UserState['pauses'] {
  const json = JSON.parse(text) as readonly PauseJson[]
  return json.map(({ id, start, end }): Pause => ({ id, start: toDay(start), end: toDay(end) }))
}

export type UserRow = Omit<StateTable, keyof UserColumns>

/** The members of a state that stand in tables of their own names, and not in the user's row. */
export type Progress = Pick<UserState, 'totals' | 'tallies' | 'completions' | 'points'>

interface PeriodSumsJson {
  readonly period: number
  readonly sums: Readonly<Record<string, number>>
}

export const toUserColumns = ({ tenant, user }: UserKey): UserColumns => ({ tenant_id: tenant, user_id: user })
export const toUserKey = ({ tenant_id, user_id }: UserColumns): UserKey => ({ tenant: tenant_id, user: user_id })

/** A user's row without the profile, with the version that was read and the one that follows. */
export interface StateRow extends Omit<StateTable, ProfileColumn> {
  readonly read_version: number
}

/** The columns of a user's row that nearly every entry changes. No index has one of these columns. */
export type StepColumn =
  | 'version'
  | 'seq'
  | 'at'
  | 'streak_open_periods'
  | 'leaderboards'
  | 'date_sums'
  | 'caps'
  | 'cooldowns'

export type StepRow = Pick<StateRow, StepColumn | keyof UserColumns | 'read_version'>

/** The members of a state whose columns are neither in a `StepRow` nor of the profile. */
const SELDOM = Object.keys({
  epoch: true,
  created: true,
  updated: true,
  freezes: true,
  pauses: true,
  mergedInto: true,
  suspended: true,
  boosts: true,
  timers: true,
  streaks: true,
  activity: true,
} satisfies Record<SeldomMember, true>) as readonly SeldomMember[]
type SeldomMember = Exclude<
  keyof UserState,
  | keyof Progress
  | 'profile'
  | 'preferences'
  | 'seq'
  | 'at'
  | 'streak'
  | 'leaderboards'
  | 'dateSums'
  | 'caps'
  | 'cooldowns'
>

const SELDOM_OF_STREAK = Object.keys({
  length: true,
  last: true,
  kept: true,
  started: true,
  firstAt: true,
  extendedAt: true,
  longest: true,
  lost: true,
} satisfies Record<SeldomOfStreak, true>) as readonly SeldomOfStreak[]
type SeldomOfStreak = Exclude<keyof StreakState, 'open'>

/**
 * Returns whether the user's row can differ in the columns of a `StepRow` and of the profile only. Values are compared by
 * reference.
 */
export function isStep(before: UserState, after: UserState): boolean {
  return (
    SELDOM.every((member) => before[member] === after[member]) &&
    SELDOM_OF_STREAK.every((member) => before.streak[member] === after.streak[member])
  )
}

/**
 * A version that no user ever had before: a random one, above those that count up from 1. So two states of one version
 * are the same state, even where the database was brought back to an earlier moment or lives on in two copies.
 */
export function newVersion(): number {
  return randomInt(2 ** 40, 2 ** 47)
}

/** The version that was read, and the one that follows. */
export interface Versions {
  readonly read: number
  readonly next: number
}

export function toStepRow(
  { tenant, user }: UserKey,
  version: Versions,
  { seq, at, streak, leaderboards, dateSums, caps, cooldowns }: UserState,
): StepRow {
  return {
    tenant_id: tenant,
    user_id: user,
    version: version.next,
    seq,
    at,
    streak_open_periods: toOpenPeriods(streak.open),
    leaderboards: toLeaderboardsJson(leaderboards),
    date_sums: toDateSumsJson(dateSums),
    caps: toCapsJson(caps),
    cooldowns: toCooldownsJson(cooldowns),
    read_version: version.read,
  }
}

export function toStateRow(user: UserKey, version: Versions, state: UserState): StateRow {
  const { epoch, created, updated, streak, freezes, pauses, suspended, mergedInto, boosts, timers, streaks, activity } =
    state
  return {
    ...toStepRow(user, version, state),
    epoch,
    created,
    updated,
    streak_length: streak.length,
    streak_last_period: streak.last,
    streak_started: streak.started === null ? null : toDateText(streak.started),
    streak_first_at: streak.firstAt,
    streak_extended_at: streak.extendedAt,
    streak_longest: streak.longest,
    streak_kept_period: streak.kept,
    streak_lost: toLostJson(streak.lost),
    freezes: freezes?.count ?? null,
    freezes_next_earned: freezes?.nextEarned == null ? null : toDateText(freezes.nextEarned),
    pauses: toPausesJson(pauses),
    merged_into: mergedInto,
    suspended: suspended === null ? null : toSuspensionJson(suspended),
    boosts: toBoostsJson(boosts),
    timers: toTimersJson(timers),
    streaks: toStreaksJson(streaks),
    activity: toActivityJson(activity),
  }
}

/** The text that `JSON.stringify` would write, made by hand because every event waits for it. */
function toOpenPeriods(open: StreakState['open']): string {
  const periods = open.map(({ period, sums }) => {
    const sorted = sums.size < 2 ? [...sums] : [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
    return `{"period":${period},"sums":{${sorted.map(([metric, sum]) => `${JSON.stringify(metric)}:${sum}`).join(',')}}}`
  })
  return `[${periods.join(',')}]`
}

export function toProfileColumns(
  traits: Pick<SqlTraits, 'toBoolean'>,
  { profile, preferences }: UserState,
): Pick<UsersTable, ProfileColumn> {
  return {
    email: profile.email,
    name: profile.name,
    tz: profile.tz,
    subscribed_to_emails: profile.subscribedToEmails === null ? null : traits.toBoolean(profile.subscribedToEmails),
    device_tokens: profile.deviceTokens === null ? null : JSON.stringify(profile.deviceTokens),
    attributes: toJson(profile.attributes),
    notifications: toJson(preferences.notifications),
    personal_streak: preferences.streak === null ? null : JSON.stringify(toPersonalStreakJson(preferences.streak)),
  }
}

/** Throws `user_damaged` for a row that cannot be read. */
export function toUserState(row: UserRow, progress: Progress): UserState {
  try {
    return toState(row, progress)
  } catch (error) {
    throw damagedRow('The row of the user in the table users', error, 'Mend it: npx laurels rebuild.')
  }
}

function toState(row: UserRow, progress: Progress): UserState {
  return {
    seq: row.seq,
    at: row.at,
    epoch: row.epoch,
    created: row.created,
    updated: row.updated,
    profile: {
      email: row.email,
      name: row.name,
      tz: row.tz,
      subscribedToEmails: row.subscribed_to_emails === null ? null : Boolean(row.subscribed_to_emails),
      deviceTokens: row.device_tokens === null ? null : (JSON.parse(row.device_tokens) as readonly string[]),
      attributes: toMap<string, string>(JSON.parse(row.attributes)),
    },
    preferences: {
      notifications: toMap<NotificationType, readonly Channel[]>(JSON.parse(row.notifications)),
      streak: row.personal_streak === null ? null : fromPersonalStreakJson(JSON.parse(row.personal_streak)),
    },
    totals: progress.totals,
    tallies: progress.tallies,
    completions: progress.completions,
    points: progress.points,
    streak: toStreak(row),
    freezes: toFreezes(row),
    pauses: fromPausesJson(row.pauses),
    leaderboards: fromLeaderboardsJson(row.leaderboards),
    mergedInto: row.merged_into,
    suspended: row.suspended === null ? null : (JSON.parse(row.suspended) as Suspension),
    dateSums: fromDateSumsJson(row.date_sums),
    boosts: fromBoostsJson(row.boosts),
    caps: fromCapsJson(row.caps),
    cooldowns: fromCooldownsJson(row.cooldowns),
    timers: fromTimersJson(row.timers),
    streaks: fromStreaksJson(row.streaks),
    activity: fromActivityJson(row.activity),
  }
}

/** The members have one order, because rows are compared by their text. */
function toSuspensionJson({ from, reason, since }: Suspension): string {
  return JSON.stringify({ from, reason, since })
}

function toStreak(row: UserRow): StreakState {
  const open = JSON.parse(row.streak_open_periods) as readonly PeriodSumsJson[]
  return {
    length: row.streak_length,
    last: row.streak_last_period,
    kept: row.streak_kept_period,
    started: row.streak_started === null ? null : toDay(row.streak_started),
    firstAt: row.streak_first_at,
    extendedAt: row.streak_extended_at,
    longest: row.streak_longest,
    open: open.map(({ period, sums }) => ({ period, sums: toMap<string, number>(sums) })),
    lost: fromLostJson(row.streak_lost),
  }
}

function toFreezes({ freezes, freezes_next_earned: next }: UserRow): Freezes | null {
  return freezes === null ? null : { count: freezes, nextEarned: next === null ? null : toDay(next) }
}

export type NoticeRow = Pick<UsersTable, NoticeColumn>

export function toNoticeCursor({ notices_sent_until, next_notice_at }: NoticeRow): NoticeCursor | null {
  return notices_sent_until === null ? null : { until: notices_sent_until, due: next_notice_at }
}

export function toNoticeRow(notices: NoticeCursor | null): NoticeRow {
  return { notices_sent_until: notices?.until ?? null, next_notice_at: notices?.due ?? null }
}

/** The parameters of `UserQueries.tell`. */
export interface NoticeChange extends NoticeRow, UserColumns {}

/** What a user adds to the counters of its tenant, `by` times; a merged user adds nothing. */
export function countsOf(
  { completions, points, mergedInto }: Pick<UserState, 'completions' | 'points' | 'mergedInto'>,
  by: 1 | -1,
): readonly CounterChange[] {
  if (mergedInto !== null) return []
  const levels = [...points].flatMap(([system, { level }]) => (level === null ? [] : [JSON.stringify([system, level])]))
  return [
    { kind: 'users', key: '', by },
    ...[...completions.keys()].map((key): CounterChange => ({ kind: 'completions', key, by })),
    ...levels.map((key): CounterChange => ({ kind: 'level', key, by })),
  ]
}
