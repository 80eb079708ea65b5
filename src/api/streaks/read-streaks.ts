import { toExtended, toPauses, toPeriodRow, toStreak, toStreakHistory } from '../../answers/streaks.ts'
import { isGamificationError } from '../../errors.ts'
import { liveInstant } from '../../record/accept/accept-command.ts'
import { readStart } from '../../record/replay/replay-start.ts'
import {
  beforeDate,
  type Day,
  type Frequency,
  firstDayOf,
  isDateInZone,
  localDate,
  type Period,
  periodOf,
} from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import { applyTo, draftOf } from '../../rules/evolve.ts'
import { gameOf, underGame } from '../../rules/fold.ts'
import type { Game, Games, Leaderboard, StreakRule } from '../../rules/game.ts'
import { rankedAt, streakRun, visibleLeaderboards } from '../../rules/leaderboard.ts'
import { settle, settled, settleStreaks } from '../../rules/settle.ts'
import { hasStreak, type UserState, zoneOf } from '../../rules/state.ts'
import { movesWithToday } from '../../rules/streak.ts'
import { canMiss } from '../../rules/streak-days.ts'
import { isAbout, ruleOf, type StreakName, streakOf } from '../../rules/streak-names.ts'
import { isOffLeaderboard } from '../../rules/visibility.ts'
import type { Call, Context, CurrentGame } from '../../runtime/context.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import { readPages } from '../../runtime/pages.ts'
import { maskLines } from '../../runtime/pseudonyms.ts'
import type { StreakRanking, UserStreak, UserStreakLength } from '../../shapes/streaks.ts'
import { loadSnapshot } from '../../sql/read-user.ts'
import {
  loadLongestStreaks,
  type ReadUser,
  type StreakCursor as StoredPlace,
  type StreakLength,
} from '../../sql/user-lists.ts'
import type { StreakPeriod } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { LeaderboardLine } from '../../storage/storage.ts'
import { replayEntries } from '../events/read-events.ts'
import { readRank } from '../leaderboards/read-user-leaderboard.ts'
import { checkStreakName } from '../named-parts.ts'
import { readUser, type UserInGame } from '../users/read-user.ts'
import type { ParsedUserStreakRequest, StreakRankingsRequest, StreaksRequest } from './requests.ts'

/** Follows the periods of a history through changes of zone. */
export interface MovedPeriods {
  /** `entry`: null for what time did after the newest one. */
  see(before: UserState, changes: readonly Change[], entry: Entry | null): void
  /** The periods on the dates that the history shows: first the periods of lost streaks, then of the running one. */
  rows(): readonly StreakPeriod[]
}

/** A period on the date that the history shows, and the date that it has in its row. */
interface MovedPeriod extends StreakPeriod {
  readonly row: Day
  readonly isLonger: boolean
}

/**
 * The periods of the running streak move with it. The periods of a lost streak keep the dates that they had when its
 * last period was added. `most` is the number of newest periods of a streak to follow.
 */
export function followPeriods(games: Games, most: number, key: StreakName = null): MovedPeriods {
  const lost: StreakPeriod[] = []
  let shown: readonly MovedPeriod[] = []
  /** The periods when the last of them was added, or `null` if the zone has not changed since. */
  let added: readonly MovedPeriod[] | null = null

  function add(row: StreakPeriod, game: Game, zone: string): void {
    const others = withoutDouble(makeRoom(shown, row, game, key, zone), row)
    const isLonger = row.length > (others.at(-1)?.length ?? 0)
    shown = [...others, { ...row, row: row.start, isLonger }].slice(-most)
    added = null
  }

  return {
    see: (before, changes, entry) => {
      const draft = draftOf(before)
      const { state } = draft
      let game = gameOf(games, before.seq === 0 && entry !== null ? entry.epoch : before.epoch)
      for (const change of changes) {
        if (change.type === 'gameAdopted') game = gameOf(games, change.epoch)
        const zone = zoneOf(state.profile)
        applyTo(draft, change)
        const newZone = zoneOf(state.profile)
        const row = isAbout(change, key) ? toPeriodRow(change) : null
        if (row !== null) add(row, game, newZone)
        if (streakOf(state, key).length === 0) {
          lost.push(...(added ?? shown))
          shown = []
          added = null
        }
        if (entry !== null && newZone !== zone) {
          added ??= shown
          const from = { zone, today: localDate(zone, entry.at) }
          shown = moveRows(game, key, shown, from, { zone: newZone, today: entry.dating.date })
        }
      }
    },
    rows: () => [...lost, ...shown],
  }
}

/** Makes room for a row: a period that a move took to its date goes back by a period, with all before it. */
function makeRoom(
  periods: readonly MovedPeriod[],
  { start }: StreakPeriod,
  game: Game,
  key: StreakName,
  zone: string,
): readonly MovedPeriod[] {
  const rule = ruleOf(game, key)
  const taken = periods.find((period) => period.start === start)
  if (taken === undefined || rule === null) return periods
  if (taken.row === start) return periods.filter((period) => period !== taken)
  const { frequency } = rule
  const { weekStartsOn } = game
  return periods.map((period) => {
    if (period.start > start) return period
    const before = nextIn(frequency, zone, periodOf(frequency, weekStartsOn, period.start), -1)
    return { ...period, start: firstDayOf(frequency, weekStartsOn, before) }
  })
}

/**
 * A user who travels back over a date and lives it twice has it once: the earlier period of the date is left out,
 * unless it alone made the streak longer. Each period before then takes the date of the next.
 */
function withoutDouble(periods: readonly MovedPeriod[], { start, length, kind }: StreakPeriod): readonly MovedPeriod[] {
  const isDouble = (period: MovedPeriod): boolean =>
    period.row === start && (!period.isLonger || (kind === 'counted' && period.length === length))
  const index = periods.findIndex(isDouble)
  if (index === -1) return periods
  const before = periods
    .slice(0, index)
    .map((period, at) => ({ ...period, start: periods[at + 1]?.start ?? period.start }))
  return [...before, ...periods.slice(index + 1)]
}

type Today = { readonly zone: string; readonly today: Day }

/** Moves each row so that its distance to the new today equals its distance to the old one. The rows ascend. */
function moveRows(
  game: Game,
  key: StreakName,
  rows: readonly MovedPeriod[],
  from: Today,
  to: Today,
): readonly MovedPeriod[] {
  const rule = ruleOf(game, key)
  if (rule === null || !movesWithToday(rule)) return rows
  const { frequency } = rule
  const { weekStartsOn } = game
  const toPeriod = (day: Day): Period => periodOf(frequency, weekStartsOn, day)
  const move = (step: 1 | -1, some: readonly MovedPeriod[]): readonly MovedPeriod[] => {
    let old = toPeriod(from.today)
    let period = toPeriod(to.today)
    return some.map((row) => {
      while ((toPeriod(row.start) - old) * step > 0) {
        old = nextIn(frequency, from.zone, old, step)
        period = nextIn(frequency, to.zone, period, step)
      }
      return { ...row, start: firstDayOf(frequency, weekStartsOn, period) }
    })
  }
  const isAhead = ({ start }: MovedPeriod): boolean => toPeriod(start) > toPeriod(from.today)
  const until = rows.filter((row) => !isAhead(row))
  return [...move(-1, until.toReversed()).toReversed(), ...move(1, rows.filter(isAhead))]
}

function nextIn(frequency: Frequency, zone: string, period: Period, step: 1 | -1): Period {
  let next = period + step
  while (frequency === 'daily' && !isDateInZone(zone, next)) next += step
  return next
}

/** A change of zone takes a period to another date, at most so far away. */
const MOST_DAYS_MOVED = 2

/**
 * The periods of a user's streaks on the dates that the history shows. A change of zone moves the streak and its periods
 * along with today, so that the streak has no gap. Their rows keep the dates on which they counted. If rows are not in
 * place, the log is replayed from a snapshot before the oldest of them. `limit`: how many rows were read at most.
 */
async function readShownPeriods(
  { storage }: Context,
  user: UserInGame,
  limit: number,
  streak?: string,
): Promise<readonly StreakPeriod[]> {
  const { key, game, games, state: known, storedUser, at } = user
  if (areInPlace(game, known, at, storedUser.periods, limit, streak)) return storedUser.periods
  const baselineEpoch = isReplaced(storedUser.state, user) ? 0 : user.baselineEpoch
  const followed = followPeriods(games, limit, streak)
  const read = { games, baselineEpoch, state: known }
  const first = (storedUser.periods.at(-1)?.start ?? Number.NEGATIVE_INFINITY) - MOST_DAYS_MOVED
  const start = await runSteps(readStart((until) => loadSnapshot(storage, key, until), read, beforeDate(first)))
  await replayEntries(storage, key, read, { start, last: null }, ({ before, decided: step, entry }) => {
    followed.see(before, step.changes, entry)
  })
  followed.see(known, settle(game, known, at), null)
  return followed.rows()
}

/**
 * True if the rows, newest first, are on the dates that the history shows: the rows of each streak follow one another
 * without a missing length, up to the streak of now. False for a restored streak too, because rows do not distinguish
 * its gap from the gap of a change of zone.
 */
export function areInPlace(
  game: Game,
  state: UserState,
  at: number,
  rows: readonly StreakPeriod[],
  limit: number,
  streak?: string,
): boolean {
  const rule = ruleOf(game, streak)
  const { weekStartsOn } = game
  const [newest] = rows
  if (rule === null || newest === undefined) return true
  const zone = zoneOf(state.profile)
  const { frequency } = rule
  const toPeriod = ({ start }: StreakPeriod): Period => periodOf(frequency, weekStartsOn, start)
  const { kept, started } = streakOf(state, streak)
  // A row that replaced another may seem to join the streak to the one before it.
  const first = rows.find((row) => row.kind === 'counted' && row.length === 1)
  if (first !== undefined && started !== null && first.start !== started) return false
  const next = settleStreaks(game, state, localDate(zone, at)).find(
    (change) => change.type !== 'freezesEarned' && isAbout(change, streak),
  )
  if (kept !== null && next?.type !== 'streakLost' && toPeriod(newest) !== kept) return false
  return rows.every((row, index) => {
    if (!canMiss(rule, state, toPeriod(row))) return false
    if (row.kind === 'counted' && row.length === 1) return true
    const before = rows[index + 1]
    if (before === undefined) return rows.length >= limit
    const isNext = isAfter(rule, state, toPeriod(before), toPeriod(row))
    return isNext && (before.length === row.length || (row.kind === 'counted' && before.length === row.length - 1))
  })
}

function isAfter(rule: StreakRule, state: UserState, before: Period, period: Period): boolean {
  // Each week has a day that counts.
  if (period - before > 7) return false
  for (let between = before + 1; between < period; between += 1) {
    if (canMiss(rule, state, between)) return false
  }
  return true
}

/** How many dates today may lie before a period that counted in another zone. */
const MOST_AHEAD = 2

export async function readUserStreak(
  call: Call,
  named: string,
  { historyPeriods: periods, includePrivate, streak }: ParsedUserStreakRequest,
): Promise<UserStreak> {
  const limit = periods + MOST_AHEAD
  const options = periods === 0 ? {} : { periods: { limit, streak: streak ?? null } }
  const read = await readUser(call, named, options)
  const { game, state, at } = read
  // A game without a `streak` answers one of length 0; a named one is there or not.
  checkStreakName(game, streak ?? null)
  const answer = toStreak(game, state, at, streak)
  const visible = visibleLeaderboards(game, includePrivate)
  const rank = answer.length === 0 ? null : await readStreakRank(call, read, visible, streak ?? null)
  const counted = periods === 0 ? [] : await readShownPeriods(call, read, limit, streak)
  return {
    ...answer,
    extended: toExtended(game, settled(game, state, at), streak),
    rank,
    pauses: toPauses(state, at),
    streakHistory: periods === 0 ? [] : toStreakHistory(game, state, at, counted, periods, streak),
  }
}

/** The leaderboard has one run, so the state has the entry. */
async function readStreakRank(
  { storage, now }: Context,
  { key: user, game, state }: UserInGame,
  leaderboards: readonly Leaderboard[],
  key: string | null,
): Promise<number | null> {
  const leaderboard = leaderboards.find(
    ({ rankBy, breakdown, streak }) => rankBy === 'streak' && streak === key && breakdown.length === 0,
  )
  if (leaderboard === undefined || isOffLeaderboard(game, state, leaderboard)) return null
  const { id } = streakRun(leaderboard)
  const entry = state.leaderboards.get(leaderboard.key)?.find(({ run }) => run === id)
  return entry === undefined ? null : readRank(storage, user, { leaderboard, entry, at: rankedAt(leaderboard, now()) })
}

export async function rankStreaks(
  call: Call,
  { limit, type }: Required<StreakRankingsRequest>,
): Promise<readonly StreakRanking[]> {
  const by = type === 'active' ? 'length' : 'longest'
  const ranked: (Pick<LeaderboardLine, 'user' | 'name' | 'choice'> & { readonly streakLength: number })[] = []
  let current = await call.games.current(call.storage)
  const readNext = (after: { readonly after?: StoredPlace }) =>
    loadLongestStreaks(call.storage, call.tenant, by, { limit: CHUNK, ...after })
  const placeOf = ({ user, state }: ReadUser): StoredPlace => ({ length: state.streak[by], user })
  // The longest first: many may have expired.
  for await (const { user, state } of readPages(CHUNK, readNext, placeOf)) {
    if (state.epoch > current.epoch) {
      await call.games.refresh(call.storage)
      current = await call.games.current(call.storage)
    }
    const streakLength = readLength(current, state, by, call.now())
    if (streakLength > 0 && !isOffLeaderboard(current.game, state, null)) {
      const { name } = state.profile
      ranked.push({ user, name, choice: state.preferences.leaderboards, streakLength })
    }
    if (ranked.length === limit) break
  }
  const place = { tenant: call.tenant, game: current.game, board: null, leaderboard: type, run: 'streaks' }
  const masked = await maskLines(call.storage, place, ranked)
  return masked.map(({ user, name, isAnonymous, streakLength }) => {
    return { userId: user, name, ...(isAnonymous === true ? { anonymous: true } : {}), streakLength }
  })
}

const NO_PROGRESS = { totals: new Map(), tallies: new Map(), completions: new Map(), points: new Map() }

/** 0 for a streak that has expired, and for a user who wants none. Time makes no streak longer. */
function readLength(
  { game, games, epoch }: CurrentGame,
  stored: ReadUser['state'],
  by: StreakLength,
  now: number,
): number {
  if (game.streak === null || !hasStreak(stored.preferences)) return 0
  const known = { ...NO_PROGRESS, ...stored }
  const at = liveInstant(known, now)
  return settled(game, underGame(games, known, epoch, at).state, at).streak[by]
}

const CHUNK = 250

export async function listStreaks(
  call: Call,
  { userIds }: Required<StreaksRequest>,
): Promise<readonly UserStreakLength[]> {
  const lengths = await Promise.all([...new Set(userIds)].map((user) => readStreakLength(call, user)))
  return lengths.filter((length) => length !== null).sort((left, right) => right.streakLength - left.streakLength)
}

async function readStreakLength(call: Call, user: string): Promise<UserStreakLength | null> {
  try {
    const { game, state, at } = await readUser(call, user)
    const current = settled(game, state, at)
    const streakLength = game.streak === null ? 0 : current.streak.length
    return { userId: user, streakLength, extended: toExtended(game, current) }
  } catch (error) {
    if (isGamificationError(error) && error.code === 'unknown_user') return null
    throw error
  }
}
