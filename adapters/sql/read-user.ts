import { compareCodePoints } from '../../src/rules/position.ts'
import type { Completion, PointsBalance, RunningTotal } from '../../src/rules/state.ts'
import type { StreakPeriod, UserKey } from '../../src/storage/rows.ts'
import type { LoadedUser, ReadUserOptions, UserView } from '../../src/storage/storage.ts'
import { chain, type Eventually } from '../../src/storage/sync-or-async.ts'
import { type AwardRow, fromAwardRow } from './awards.ts'
import {
  compiler,
  OF_USER,
  type Part,
  type Parts,
  part,
  type SqlTraits,
  type Statement,
  type Together,
} from './database.ts'
import { fromIdHex } from './entry-rows.ts'
import type { GameQueries } from './games.ts'
import {
  type EntryColumns,
  fromLeaderboardEntriesRow,
  type LeaderboardEntryQueries,
  toKeyText,
} from './leaderboards.ts'
import type { LogQueries } from './log.ts'
import { toDay } from './stored-text.ts'
import type { NamedStreakPeriodsTable, StreakPeriodsTable, UserColumns } from './tables.ts'
import { type NoticeRow, type Progress, toNoticeCursor, toUserColumns, toUserState, type UserRow } from './user-rows.ts'
import type { UserQueries } from './users.ts'

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

type Limited = UserColumns & { readonly limit: number }
type PeriodRow = Omit<StreakPeriodsTable, keyof UserColumns>
type NamedPeriodRow = Omit<NamedStreakPeriodsTable, keyof UserColumns>

export interface ViewQueries {
  /** Reads all four tables with one statement, because every event loads its user. */
  readonly progress: Statement<UserColumns, ProgressRow>
  readonly awards: Statement<Limited, AwardRow>
  readonly awardsOfSystem: Statement<Limited & { readonly system: string }, AwardRow>
  readonly periods: Statement<Limited, PeriodRow>
  readonly periodsOfStreak: Statement<Limited & { readonly streak: string }, NamedPeriodRow>
  readonly namedPeriods: Statement<UserColumns, NamedPeriodRow>
}

export function viewQueries(traits: SqlTraits): ViewQueries {
  const sql = compiler(traits)
  const ids = ['award_id', 'trigger_id', 'entry_id'].map((id) => `${traits.toHex(id)} as ${id}`)
  const awards = `select system, at, seq, ordinal, awarded, total, boosts, ${ids.join(', ')} from laurels.awards
    where ${OF_USER}`
  const newestFirst = 'order by at desc, seq desc, ordinal desc limit :limit'
  const named = `select streak, start_date, length, kind from laurels.named_streak_periods where ${OF_USER}`
  return {
    progress: sql(
      `select 'total' as kind, metric as key, total as amount, highest, null as note from laurels.totals where ${OF_USER}
        union all select 'tally', rule_id, total, highest, null from laurels.tallies where ${OF_USER}
        union all select 'completion', achievement, at, count, entry_id from laurels.completions where ${OF_USER}
        union all select 'points', system, total, 0, level from laurels.points where ${OF_USER}`,
    ),
    awards: sql(`${awards} ${newestFirst}`),
    awardsOfSystem: sql(`${awards} and system = :system ${newestFirst}`),
    periods: sql(
      `select start_date, length, kind from laurels.streak_periods where ${OF_USER} order by start_date desc limit :limit`,
    ),
    periodsOfStreak: sql(`${named} and streak = :streak order by start_date desc limit :limit`),
    namedPeriods: sql(named),
  }
}

export function toProgress(rows: readonly ProgressRow[]): Progress {
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
  row: (UserRow & NoticeRow) | undefined,
  progress: readonly ProgressRow[],
): Pick<LoadedUser, 'state' | 'version' | 'notices'> {
  if (row === undefined) return { state: null, version: 0, notices: null }
  return { state: toUserState(row, toProgress(progress)), version: row.version, notices: toNoticeCursor(row) }
}

interface ViewSource {
  readonly games: GameQueries
  readonly users: UserQueries
  readonly log: LogQueries
  readonly views: ViewQueries
  readonly entries: LeaderboardEntryQueries
}

/** More rows than any user has: SQLite and Postgres have no common word for "all". */
const ALL = Number.MAX_SAFE_INTEGER

interface ViewParts extends Parts {
  readonly epoch: Part<{ readonly epoch: number | null }>
  readonly user: Part<UserRow & NoticeRow>
  readonly progress: Part<ProgressRow>
  readonly awards: Part<AwardRow>
  readonly periods: Part<PeriodRow>
  readonly named: Part<NamedPeriodRow>
  readonly entries: Part<EntryColumns>
}

export function readUser(
  queries: ViewSource,
  together: Together,
  key: UserKey,
  options: ReadUserOptions,
): Eventually<UserView> {
  const { lookups = [] } = options
  const columns = toUserColumns(key)
  const found = lookups.map((lookup, n) => {
    if (lookup === null) return null
    const { metric } = lookup
    const read =
      'newValue' in lookup
        ? part(queries.log.findByValue, { ...columns, metric, new_value: lookup.newValue })
        : part(queries.log.findByKey, { ...columns, metric, idempotency_key: lookup.idempotencyKey })
    return [`found${n}`, read] as const
  })
  const parts = {
    ...viewParts(queries, columns, options),
    ...Object.fromEntries(found.filter((each) => each !== null)),
  }
  return chain(together(parts), (rows) => ({
    ...toLoadedState(rows.user[0], rows.progress),
    epoch: rows.epoch[0]?.epoch ?? 0,
    awards: rows.awards.map(fromAwardRow),
    periods: [...rows.periods.map(toPeriod), ...rows.named.map(toNamedPeriod)],
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

type FoundRows = { readonly [name: string]: readonly { readonly entry_id: string }[] | undefined }

function viewParts(
  { games, users, views, entries }: ViewSource,
  columns: UserColumns,
  { awards, periods, leaderboards }: ReadUserOptions,
): ViewParts {
  const { system, limit: newest = ALL } = awards ?? {}
  const { streak, limit = ALL } = periods ?? {}
  return {
    epoch: part(games.newest, {}),
    user: part(users.load, columns),
    progress: part(views.progress, columns),
    awards:
      awards === undefined
        ? null
        : system === undefined
          ? part(views.awards, { ...columns, limit: newest })
          : part(views.awardsOfSystem, { ...columns, limit: newest, system }),
    periods: periods === undefined || typeof streak === 'string' ? null : part(views.periods, { ...columns, limit }),
    named:
      periods === undefined || streak === null
        ? null
        : streak === undefined
          ? part(views.namedPeriods, columns)
          : part(views.periodsOfStreak, { ...columns, streak, limit }),
    entries: leaderboards === undefined ? null : entriesPart(entries, columns, leaderboards),
  }
}

function entriesPart(
  { find, ofUser, ofLeaderboard }: LeaderboardEntryQueries,
  columns: UserColumns,
  { leaderboard, run }: NonNullable<ReadUserOptions['leaderboards']>,
): Part<EntryColumns> {
  if (leaderboard === undefined) return part(ofUser, columns)
  const asked = { ...columns, leaderboard: toKeyText(leaderboard) }
  return run === undefined ? part(ofLeaderboard, asked) : part(find, { ...asked, run })
}

/** Long keys are stored as hashes, so the database cannot order them. */
function compareRuns(
  left: { readonly leaderboard: string; readonly run: string },
  right: { readonly leaderboard: string; readonly run: string },
): number {
  return compareCodePoints(left.leaderboard, right.leaderboard) || compareCodePoints(left.run, right.run)
}

function toPeriod({ start_date, length, kind }: PeriodRow): StreakPeriod {
  return { start: toDay(start_date), length, kind }
}

function toNamedPeriod({ streak, ...row }: NamedPeriodRow): StreakPeriod {
  return { ...toPeriod(row), streak }
}
