import type { Instant } from '../rules/calendar.ts'
import { compareCodePoints } from '../rules/position.ts'
import type { Completion, PointsBalance, RunningTotal } from '../rules/state.ts'
import type { Snapshot, StreakPeriod, UserKey } from '../storage/rows.ts'
import type { Lookup } from '../storage/saves.ts'
import { type Part, type Parts, part, type Reader, type Statement } from '../storage/statements.ts'
import { type Eventually, mapAnswer, type Steps, wait } from '../storage/steps.ts'
import type { LockUserOptions, Storage, StoredUser, UserTransaction } from '../storage/storage.ts'
import { type AwardRow, fromAwardRow } from './awards.ts'
import { fromWindowRow, WINDOWS, type WindowRow } from './challenges.ts'
import { OF_USER, type SqlTraits, statement } from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import { NEWEST_EPOCH } from './games.ts'
import {
  ALL_ENTRIES,
  ENTRIES_OF_LEADERBOARD,
  type EntryColumns,
  FIND_ENTRY,
  fromLeaderboardEntriesRow,
  toKeyText,
} from './leaderboards.ts'
import { findPart } from './log.ts'
import {
  fromMovementRow,
  MOVEMENTS,
  MOVEMENTS_BEFORE,
  type MovementCursor,
  type MovementRow,
  OF_SPENDS,
} from './movements.ts'
import { fromRedemptionRow, REDEMPTIONS_OF_USER, type RedemptionRow } from './redemptions.ts'
import { toDay } from './stored-text.ts'
import type { StreakPeriodsTable, UserColumns } from './tables.ts'
import {
  type NoticeRow,
  type StoredProgress,
  toNoticeCursor,
  toUserColumns,
  toUserState,
  type UserRow,
} from './user-rows.ts'
import { type CachedUser, LOAD_USER } from './users.ts'

export interface ReadUserOptions {
  /** The newest awards of one system, or of all when `system` is absent; every one without `limit`. */
  readonly awards?: { readonly system?: string; readonly limit?: number }
  /** The newest movements of spendable points, of one system before a place; all without `limit`. */
  readonly movements?: {
    readonly of?: { readonly system: string; readonly before: MovementCursor }
    readonly limit?: number
  }
  /**
   * The newest periods of a streak, by its key, or null for the game's `streak`; all periods without `limit`. Without
   * `streak`, the periods of all streaks, in no order.
   */
  readonly periods?: { readonly limit?: number; readonly streak?: string | null }
  /** The newest windows of challenges; all without `limit`. */
  readonly challenges?: { readonly limit?: number }
  readonly redemptions?: Record<never, never>
  /** Entries of leaderboards: of one, of one run, or all. */
  readonly leaderboards?: { readonly leaderboard?: string; readonly run?: string }
  /** As in `UserRequest`. */
  readonly lookups?: readonly (Lookup | null)[]
  readonly spends?: readonly string[]
}

/** A row of `totals`, `tallies`, `completions` or `points`, as `kind` says. */
export interface ProgressRow {
  readonly kind: 'total' | 'tally' | 'completion' | 'points'
  readonly key: string
  /** The total; for a completion its instant. */
  readonly amount: number
  /** The highest mark of a total, or how often an achievement was completed, else 0. */
  readonly highest: number
  /** The entry of a completion, or the level of points, else null. */
  readonly note: string | null
}

type Limited = UserKey & { readonly limit: number }
type PeriodRow = Omit<StreakPeriodsTable, keyof UserColumns>

/** Reads all four tables with one statement, because every event loads its user. */
export const PROGRESS: Statement<UserKey, ProgressRow> = statement(
  `select 'total' as kind, metric as key, total as amount, highest, null as note from laurels.totals where ${OF_USER}
    union all select 'tally', rule_id, total, highest, null from laurels.tallies where ${OF_USER}
    union all select 'completion', achievement, at, count, entry_id from laurels.completions where ${OF_USER}
    union all select 'points', system, total, 0, level from laurels.points where ${OF_USER}`,
)

const awardsText = ({ toHex }: SqlTraits, condition = ''): string => {
  const ids = ['award_id', 'trigger_id', 'entry_id'].map((id) => `${toHex(id)} as ${id}`)
  return `select system, at, seq, ordinal, awarded, total, boosts, ${ids.join(', ')} from laurels.awards
    where ${OF_USER} ${condition} order by at desc, seq desc, ordinal desc limit :limit`
}
const AWARDS = statement<Limited, AwardRow>((traits) => awardsText(traits))
const AWARDS_OF_SYSTEM = statement<Limited & { readonly system: string }, AwardRow>((traits) =>
  awardsText(traits, 'and system = :system'),
)

const periodsText = (condition: string): string =>
  `select streak, start_date, length, kind from laurels.streak_periods
    where ${OF_USER} ${condition} order by start_date desc limit :limit`
const ALL_PERIODS = statement<Limited, PeriodRow>(periodsText(''))
const PERIODS_OF_STREAK = statement<Limited & { readonly streak: string }, PeriodRow>(
  periodsText('and streak = :streak'),
)

/** The snapshot of the most lines whose last line is at an instant or before it. */
const NEWEST_SNAPSHOT: Statement<UserKey & { readonly until: number }, Snapshot> = statement(
  `select lines, at, seq, baseline, state from laurels.snapshots
    where ${OF_USER} and at <= :until order by lines desc limit 1`,
)

export function toProgress(rows: readonly ProgressRow[]): StoredProgress {
  const totals = new Map<string, RunningTotal>()
  const tallies = new Map<string, RunningTotal>()
  const completions = new Map<string, Completion>()
  const points = new Map<string, PointsBalance>()
  for (const { kind, key, amount, highest, note } of rows) {
    if (kind === 'total') totals.set(key, { total: amount, highest })
    else if (kind === 'tally') tallies.set(key, { total: amount, highest })
    else if (kind === 'points') points.set(key, { total: amount, level: note })
    else completions.set(key, { at: amount, entryId: note ?? '', count: highest })
  }
  return { totals, tallies, completions, points }
}

/** The state in a user's rows; `row` is undefined if there is no such user. */
export function toLoadedState(
  user: string,
  row: (UserRow & NoticeRow) | undefined,
  progress: readonly ProgressRow[],
): CachedUser {
  if (row === undefined) return { state: null, version: 0, notices: null }
  return { state: toUserState(user, row, toProgress(progress)), version: row.version, notices: toNoticeCursor(row) }
}

/** More rows than any user has: SQLite and Postgres have no common word for "all". */
const ALL = Number.MAX_SAFE_INTEGER

interface UserParts extends Parts {
  readonly epoch: Part<{ readonly epoch: number | null }>
  readonly user: Part<UserRow & NoticeRow>
  readonly progress: Part<ProgressRow>
  readonly awards: Part<AwardRow>
  readonly movements: Part<MovementRow>
  readonly spent: Part<MovementRow>
  readonly periods: Part<PeriodRow>
  readonly windows: Part<WindowRow>
  readonly redemptions: Part<RedemptionRow>
  readonly entries: Part<EntryColumns>
}

/** The user at one moment, with the newest epoch. `state` is `null` if the user does not exist. */
export function loadUser(storage: Pick<Storage, 'read'>, key: UserKey, options?: ReadUserOptions): Promise<StoredUser>
export function loadUser(reader: Pick<Reader, 'read'>, key: UserKey, options?: ReadUserOptions): Eventually<StoredUser>
export function loadUser(
  { read }: Pick<Reader, 'read'>,
  { tenant, user }: UserKey,
  options: ReadUserOptions = {},
): Eventually<StoredUser> {
  const { lookups = [] } = options
  const key = { tenant, user }
  const found = lookups.map((lookup, n) => (lookup === null ? null : ([`found${n}`, findPart(key, lookup)] as const)))
  const parts = { ...userParts(key, options), ...Object.fromEntries(found.filter((each) => each !== null)) }
  return mapAnswer(read(parts), (rows) => ({
    ...toLoadedState(user, rows.user[0], rows.progress),
    epoch: rows.epoch[0]?.epoch ?? 0,
    awards: rows.awards.map(fromAwardRow),
    movements: rows.movements.map(fromMovementRow),
    ...(options.spends === undefined ? {} : { spent: rows.spent.map(fromMovementRow) }),
    periods: rows.periods.map(toPeriod),
    challenges: rows.windows.map(fromWindowRow),
    redemptions: rows.redemptions.map(fromRedemptionRow),
    leaderboards: rows.entries
      .map(fromLeaderboardEntriesRow)
      .filter(({ run }) => options.leaderboards?.run === undefined || options.leaderboards.run === run)
      .sort(compareRuns),
    found: found.map((each) => {
      const [line] = each === null ? [] : ((rows as FoundRows)[each[0]] ?? [])
      return line === undefined ? null : fromIdHex(line.entry_id)
    }),
  }))
}

/** Locks the user, then reads it: nothing of it changes until the transaction ends. */
export function* lockAndLoadUser(
  tx: UserTransaction,
  key: UserKey,
  { withNames = false, ...options }: ReadUserOptions & LockUserOptions = {},
): Steps<StoredUser> {
  yield* wait(tx.lockUser(key, { withNames }))
  return yield* wait(loadUser(tx, key, options))
}

/** The snapshot of the most lines whose last line is not after an instant; `null` if there is none. */
export function loadSnapshot(storage: Pick<Storage, 'all'>, key: UserKey, until: Instant): Promise<Snapshot | null>
export function loadSnapshot(reader: Pick<Reader, 'all'>, key: UserKey, until: Instant): Eventually<Snapshot | null>
export function loadSnapshot(
  { all }: Pick<Reader, 'all'>,
  { tenant, user }: UserKey,
  until: Instant,
): Eventually<Snapshot | null> {
  return mapAnswer(all(NEWEST_SNAPSHOT, { tenant, user, until }), ([snapshot]) => snapshot ?? null)
}

type FoundRows = { readonly [name: string]: readonly { readonly entry_id: string }[] | undefined }

function userParts(key: UserKey, options: ReadUserOptions): UserParts {
  const { awards, movements, periods, challenges, redemptions, leaderboards, spends } = options
  return {
    epoch: part(NEWEST_EPOCH, {}),
    user: part(LOAD_USER, key),
    progress: part(PROGRESS, key),
    awards: awards === undefined ? null : awardsPart(key, awards),
    movements: movements === undefined ? null : movementsPart(key, movements),
    spent: spends === undefined ? null : part(OF_SPENDS, { ...key, spends: JSON.stringify(spends) }),
    periods: periods === undefined ? null : periodsPart(key, periods),
    windows: challenges === undefined ? null : part(WINDOWS, { ...key, limit: challenges.limit ?? ALL }),
    redemptions: redemptions === undefined ? null : part(REDEMPTIONS_OF_USER, key),
    entries: leaderboards === undefined ? null : entriesPart(key, leaderboards),
  }
}

function awardsPart(key: UserKey, { system, limit = ALL }: NonNullable<ReadUserOptions['awards']>): Part<AwardRow> {
  return system === undefined ? part(AWARDS, { ...key, limit }) : part(AWARDS_OF_SYSTEM, { ...key, limit, system })
}

function movementsPart(
  key: UserKey,
  { of, limit = ALL }: NonNullable<ReadUserOptions['movements']>,
): Part<MovementRow> {
  if (of === undefined) return part(MOVEMENTS, { ...key, limit })
  return part(MOVEMENTS_BEFORE, { ...key, limit, system: of.system, ...of.before })
}

function periodsPart(key: UserKey, { streak, limit = ALL }: NonNullable<ReadUserOptions['periods']>): Part<PeriodRow> {
  const asked = { ...key, limit }
  return streak === undefined ? part(ALL_PERIODS, asked) : part(PERIODS_OF_STREAK, { ...asked, streak: streak ?? '' })
}

function entriesPart(
  key: UserKey,
  { leaderboard, run }: NonNullable<ReadUserOptions['leaderboards']>,
): Part<EntryColumns> {
  const columns = toUserColumns(key)
  if (leaderboard === undefined) return part(ALL_ENTRIES, columns)
  const asked = { ...columns, leaderboard: toKeyText(leaderboard) }
  return run === undefined ? part(ENTRIES_OF_LEADERBOARD, asked) : part(FIND_ENTRY, { ...asked, run })
}

/** Long keys are stored as hashes, so the database cannot order them. */
function compareRuns(
  left: { readonly leaderboard: string; readonly run: string },
  right: { readonly leaderboard: string; readonly run: string },
): number {
  return compareCodePoints(left.leaderboard, right.leaderboard) || compareCodePoints(left.run, right.run)
}

function toPeriod({ streak, start_date, length, kind }: PeriodRow): StreakPeriod {
  const period = { start: toDay(start_date), length, kind }
  return streak === '' ? period : { ...period, streak }
}
