import { randomInt } from 'node:crypto'
import { toDateText } from '../rules/calendar.ts'
import type { Channel, NotificationType, PersonalStreak } from '../rules/entry.ts'
import type { LeaderboardChoice } from '../rules/game.ts'
import { emptyState, type Freezes, NO_STREAK, type StreakState, type UserState } from '../rules/state.ts'
import type { NoticeCursor } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import type { CounterChange } from '../storage/storage.ts'
import { fromChallengesText, toChallengesText } from './challenge-text.ts'
import type { SqlTraits } from './database.ts'
import { parseStateText, stateText } from './state-text.ts'
import { damagedRow, toDay, toJson, toMap } from './stored-text.ts'
import type { NoticeColumn, StateTable, UserColumns, UsersTable } from './tables.ts'

export type UserRow = Omit<StateTable, keyof UserColumns>

/** The members of a state that are stored in tables of their own names, and not in the user's row. */
export type StoredProgress = Pick<UserState, 'totals' | 'tallies' | 'completions' | 'points'>

export const toUserColumns = ({ tenant, user }: UserKey): UserColumns => ({ tenant_id: tenant, user_id: user })

/** A user's row, with the version that was read and the one that follows. */
export interface StateRow extends StateTable {
  readonly read_version: number
}

const NO_MAP = new Map<string, never>()

/** A part of a state as a text, or `null` if it is empty. */
function toText(part: object | null): string | null {
  return isEmpty(part) ? null : stateText(part)
}

function isEmpty(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === null
  if (part instanceof Map) return part.size === 0
  return Array.isArray(part) ? part.length === 0 : Object.values(part).every(isEmpty)
}

/** Throws if the text is not a map, or a list if `empty` is one. */
function fromText<Part extends object | null>(text: string | null, empty: Part): Part {
  if (text === null) return empty
  const part = parseStateText(text)
  const isOther = part instanceof Map !== empty instanceof Map || Array.isArray(part) !== Array.isArray(empty)
  if (isOther || typeof part !== 'object') throw new TypeError(`${text.slice(0, 40)} is no part of a state`)
  return part as Part
}

/** Members of a state that change with nearly every entry. No index has a column of theirs. */
const FREQUENT: ReadonlySet<string> = new Set([
  ...['seq', 'at', 'leaderboards', 'dateSums', 'caps', 'cooldowns', 'challenges', 'wallets', 'streak'],
  ...['totals', 'tallies', 'completions', 'points'],
])

const FREQUENT_PARTS = ['leaderboards', 'date_sums', 'caps', 'cooldowns', 'challenges', 'wallets'] as const

type FrequentColumn = 'version' | 'seq' | 'at' | 'streak_open_periods' | (typeof FREQUENT_PARTS)[number]

/** The columns of the members that change with nearly every entry. */
export const FREQUENT_COLUMNS: readonly FrequentColumn[] = [
  'version',
  'seq',
  'at',
  'streak_open_periods',
  ...FREQUENT_PARTS,
]

/** Members of a state, and of its streak, whose columns are not in `FREQUENT_COLUMNS`. */
const SELDOM = membersOf(emptyState(0, 0)).filter((name) => !FREQUENT.has(name))
const SELDOM_OF_STREAK = membersOf(NO_STREAK).filter((name) => name !== 'open')

function membersOf<Whole extends object>(whole: Whole): readonly (keyof Whole)[] {
  return Object.keys(whole) as (keyof Whole)[]
}

/** The part of a user's row that `FREQUENT_COLUMNS` names, with its key. */
export type FrequentRow = Pick<StateRow, keyof UserColumns | 'read_version' | FrequentColumn>

/** Returns whether the user's row can differ in `FREQUENT_COLUMNS` only. Values are compared by reference. */
export function changesFrequentOnly(before: UserState, after: UserState): boolean {
  return hasSame(SELDOM, before, after) && hasSame(SELDOM_OF_STREAK, before.streak, after.streak)
}

function hasSame<Whole>(names: readonly (keyof Whole)[], left: Whole, right: Whole): boolean {
  for (const name of names) if (left[name] !== right[name]) return false
  return true
}

/**
 * A version that no user ever had before: a random one, above the versions that count up from 1. So two states of one
 * version are the same state, even if the database was restored to an earlier moment or continues as two copies.
 */
export function newVersion(): number {
  return randomInt(2 ** 40, 2 ** 47)
}

/** The version that was read, and the one that follows. */
interface Versions {
  readonly read: number
  readonly next: number
}

export function toFrequentRow({ tenant, user }: UserKey, version: Versions, state: UserState): FrequentRow {
  return {
    tenant_id: tenant,
    user_id: user,
    version: version.next,
    seq: state.seq,
    at: state.at,
    streak_open_periods: toText(state.streak.open),
    leaderboards: toText(state.leaderboards),
    date_sums: toText(state.dateSums),
    caps: toText(state.caps),
    cooldowns: toText(state.cooldowns),
    challenges: toChallengesText(state.challenges),
    wallets: toText(state.wallets),
    read_version: version.read,
  }
}

export function toStateRow(
  { toBoolean }: Pick<SqlTraits, 'toBoolean'>,
  key: UserKey,
  version: Versions,
  state: UserState,
): StateRow {
  const { profile, preferences, streak, freezes } = state
  return {
    ...toFrequentRow(key, version, state),
    epoch: state.epoch,
    created: state.created,
    updated: state.updated,
    email: profile.email,
    name: profile.name,
    tz: profile.tz,
    subscribed_to_emails: profile.subscribedToEmails === null ? null : toBoolean(profile.subscribedToEmails),
    device_tokens: profile.deviceTokens === null ? null : JSON.stringify(profile.deviceTokens),
    sign_up_date: profile.signUpDate === null ? null : toDateText(profile.signUpDate),
    attributes: toJson(profile.attributes),
    notifications: toJson(preferences.notifications),
    personal_streak: preferences.streak === null ? null : stateText(preferences.streak),
    leaderboard_choice: preferences.leaderboards,
    gamification: preferences.gamification === 'on' ? null : preferences.gamification,
    streak_length: streak.length,
    streak_last_period: streak.last,
    streak_started: streak.started === null ? null : toDateText(streak.started),
    streak_first_at: streak.firstAt,
    streak_extended_at: streak.extendedAt,
    streak_longest: streak.longest,
    streak_kept_period: streak.kept,
    streak_lost: toText(streak.lost),
    freezes: freezes?.count ?? null,
    freezes_next_earned: freezes?.nextEarned == null ? null : toDateText(freezes.nextEarned),
    merged_into: state.mergedInto,
    ...toPartColumns(state, OTHER_PARTS),
  }
}

/** Members of a state that are stored as texts, by column, with their empty values. */
const PARTS = {
  pauses: ['pauses', []],
  leaderboards: ['leaderboards', NO_MAP],
  suspended: ['suspended', null],
  date_sums: ['dateSums', NO_MAP],
  boosts: ['boosts', []],
  caps: ['caps', NO_MAP],
  cooldowns: ['cooldowns', NO_MAP],
  wallets: ['wallets', NO_MAP],
  redeemed: ['redeemed', NO_MAP],
  timers: ['timers', NO_MAP],
  streaks: ['streaks', NO_MAP],
  earlier_days: ['earlierDays', NO_MAP],
  resets: ['resets', NO_MAP],
  activity: ['activity', { dates: [], completedIn: NO_MAP }],
} as const satisfies { readonly [Column in keyof UserRow]?: readonly [keyof UserState, object | null] }

type PartColumn = keyof typeof PARTS
type PartName = (typeof PARTS)[PartColumn][0]
// `entries` cannot say that each column has its own member.
const PART_ENTRIES = Object.entries(PARTS) as readonly [PartColumn, readonly [PartName, object | null]][]

type FrequentPart = (typeof FREQUENT_PARTS)[number]
const isOther = (column: PartColumn): column is Exclude<PartColumn, FrequentPart> =>
  !FREQUENT_PARTS.some((part) => part === column)
const OTHER_PARTS = PART_ENTRIES.map(([column]) => column).filter(isOther)

function toPartColumns<Column extends PartColumn>(
  state: UserState,
  columns: readonly Column[],
): { readonly [Name in Column]: string | null } {
  const texts: Partial<Record<Column, string | null>> = {}
  for (const column of columns) texts[column] = toText(state[PARTS[column][0]])
  return texts as { readonly [Name in Column]: string | null }
}

function toParts(row: UserRow): Pick<UserState, PartName> {
  const parts: Partial<Record<PartName, object | null>> = {}
  for (const [column, [name, empty]] of PART_ENTRIES) parts[name] = fromText(row[column], empty)
  return parts as Pick<UserState, PartName>
}

/** Throws `user_damaged` for a row that cannot be read. */
export function toUserState(user: string, row: UserRow, progress: StoredProgress): UserState {
  try {
    return toState(user, row, progress)
  } catch (error) {
    throw damagedRow('The row of the user in the table users', error, 'Mend it: npx laurels rebuild.')
  }
}

function toState(user: string, row: UserRow, progress: StoredProgress): UserState {
  return {
    user,
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
      signUpDate: row.sign_up_date === null ? null : toDay(row.sign_up_date),
      attributes: toMap<string, string>(JSON.parse(row.attributes)),
    },
    preferences: {
      notifications: toMap<NotificationType, readonly Channel[]>(JSON.parse(row.notifications)),
      streak: fromText<PersonalStreak | null>(row.personal_streak, null),
      leaderboards: row.leaderboard_choice as LeaderboardChoice | null,
      gamification: row.gamification === 'off' ? 'off' : 'on',
    },
    ...progress,
    streak: toStreak(row),
    freezes: toFreezes(row),
    mergedInto: row.merged_into,
    challenges: fromChallengesText(row.challenges),
    ...toParts(row),
  }
}

function toStreak(row: UserRow): StreakState {
  return {
    length: row.streak_length,
    last: row.streak_last_period,
    kept: row.streak_kept_period,
    started: row.streak_started === null ? null : toDay(row.streak_started),
    firstAt: row.streak_first_at,
    extendedAt: row.streak_extended_at,
    longest: row.streak_longest,
    open: fromText<StreakState['open']>(row.streak_open_periods, []),
    lost: fromText<StreakState['lost']>(row.streak_lost, null),
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

/** A user's share of the counters of its tenant, `by` times; a merged user adds nothing. */
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
