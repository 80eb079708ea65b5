import { toDateText } from '../../src/rules/calendar.ts'
import type { NotificationChannel, NotificationType } from '../../src/rules/entry.ts'
import type { StreakState, UserState } from '../../src/rules/state.ts'
import type { UserKey } from '../../src/storage.ts'
import { fromPersonalStreakJson, toPersonalStreakJson } from './personal-streak.ts'
import type { ProfileColumn, StreaksTable, UserColumns, UsersTable } from './tables.ts'
import { toDay, toJson, toMap, toObject } from './text.ts'
import type { SqlTraits } from './traits.ts'

/** A user's row with that of the streak beside it, all null where there is none. */
export type UserRow = Omit<UsersTable, keyof UserColumns> & {
  [Column in keyof Omit<StreaksTable, keyof UserColumns>]: StreaksTable[Column] | null
}

/** What `user-rows` leaves to the tables of their own. */
export type Progress = Pick<UserState, 'totals' | 'tallies' | 'completions' | 'points'>

interface PeriodSumsJson {
  readonly period: number
  readonly sums: Readonly<Record<string, number>>
}

export const toUserColumns = ({ tenant, user }: UserKey): UserColumns => ({ tenant_id: tenant, user_id: user })

export function toCourseRow(key: UserKey, version: number, state: UserState): Omit<UsersTable, ProfileColumn> {
  const { seq, at, epoch, created, updated } = state
  return { ...toUserColumns(key), version, seq, at, epoch, created, updated }
}

export function toProfileColumns(
  traits: SqlTraits,
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

export function toStreakRow(key: UserKey, streak: StreakState): StreaksTable {
  return {
    ...toUserColumns(key),
    length: streak.length,
    last_period: streak.last,
    started: streak.started === null ? null : toDateText(streak.started),
    first_at: streak.firstAt,
    longest: streak.longest,
    open_periods: JSON.stringify(streak.open.map(({ period, sums }) => ({ period, sums: toObject(sums) }))),
  }
}

export function toUserState(row: UserRow, progress: Progress): UserState {
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
      notifications: toMap<NotificationType, readonly NotificationChannel[]>(JSON.parse(row.notifications)),
      streak: row.personal_streak === null ? null : fromPersonalStreakJson(JSON.parse(row.personal_streak)),
    },
    ...progress,
    streak: toStreak(row),
  }
}

function toStreak(row: UserRow): StreakState {
  const open = JSON.parse(row.open_periods ?? '[]') as readonly PeriodSumsJson[]
  return {
    length: row.length ?? 0,
    last: row.last_period,
    started: row.started === null ? null : toDay(row.started),
    firstAt: row.first_at,
    longest: row.longest ?? 0,
    open: open.map(({ period, sums }) => ({ period, sums: toMap<string, number>(sums) })),
  }
}
