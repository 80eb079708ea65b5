import type { FoldedSnapshot } from '../../record/accept/snapshot.ts'
import { countParticipants, isAlive } from '../../record/ranks/ranks.ts'
import {
  behind,
  compareCursors,
  createPause,
  readAwardedOf,
  readValuesOf,
  type YieldTurn,
} from '../../record/replay/read-log.ts'
import { readStart } from '../../record/replay/replay.ts'
import { afterDate, beforeDate, type Day, type Instant, localDate } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Leaderboard } from '../../rules/game.ts'
import {
  entryOf,
  groupOf,
  isConcealed,
  nextValue,
  type Run,
  rankedAt,
  runOn,
  toScore,
} from '../../rules/leaderboard.ts'
import { firstWith } from '../../rules/position.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { LeaderboardEntry, UserState } from '../../rules/state.ts'
import { add } from '../../rules/total.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { stateText, type UserKey } from '../../storage/rows.ts'
import type { EntryCursor, LoggedValue, RankRequest, Storage } from '../../storage/storage.ts'
import { readSteps } from '../events/read-events.ts'
import { gameKey, parse } from '../input.ts'
import { findRun, knownLeaderboard } from '../known.ts'
import { readUser, type UserInGame } from '../users/read-user.ts'
import { parseUserId } from '../users/requests.ts'
import { type ScoredDay, toLeaderboard, toScoreHistory } from './answer.ts'
import { userLeaderboardRequest } from './requests.ts'
import type { UserLeaderboard } from './types.ts'

/** An entry of a user. The rank is that at the instant `at`. */
export interface Entered {
  readonly leaderboard: Leaderboard
  readonly entry: LeaderboardEntry
  readonly at: Instant
}

/** The ranks of a user's entries, in their order; null: the streak has expired, or the entry is beyond the limit. */
export async function readRanks(
  storage: Storage,
  user: UserKey,
  entered: readonly Entered[],
): Promise<readonly (number | null)[]> {
  const requests = entered.map(({ leaderboard: { key, maxParticipants, isShared }, entry, at }): RankRequest => {
    const { run, group, value, reachedAt } = entry
    const positions = [{ value, reachedAt }, ...(isShared ? [firstWith({ value })] : [])]
    return { leaderboard: key, run, group, limit: maxParticipants, at, slack: 0, positions }
  })
  const ranks = await storage.ranks(user, requests)
  return entered.map(({ leaderboard: { maxParticipants: limit }, entry, at }, index) => {
    // A user who shares a rank is ranked if the own position is within the limit.
    const [before, shared = before] = ranks[index]?.before ?? []
    if (before === undefined || shared === undefined) {
      throw new RangeError('A position that was asked about has no answer')
    }
    return isAlive(entry, at) && (limit === null || before < limit) ? shared + 1 : null
  })
}

/** The rank of one entry, as `readRanks` answers it. */
export async function readRank(storage: Storage, user: UserKey, entered: Entered): Promise<number | null> {
  const [rank = null] = isAlive(entered.entry, entered.at) ? await readRanks(storage, user, [entered]) : []
  return rank
}

type Scored = Extract<Change, { readonly type: 'leaderboardScored' }>

/** Whose log is read, and for which run. */
interface Asked {
  readonly user: UserInGame
  readonly leaderboard: Leaderboard
  readonly run: Run
  /** Shared by all parts that are read. */
  readonly pause: YieldTurn
}

/** The lines behind a snapshot (null: from the first on), up to another (null: to the last that is there). */
interface Between {
  readonly start: FoldedSnapshot | null
  readonly end: FoldedSnapshot | null
}

/**
 * The newest days on which the user's value in a run changed, oldest first and at most `most`. No row has them, so they
 * are made from the log: the lines behind the newest snapshot, then those between it and the one before, until there
 * are enough. A streak that was lost shows in the next item, which then starts from null.
 */
async function readScoredDays(
  { storage }: Context,
  of: Omit<Asked, 'pause'>,
  most: number,
): Promise<readonly ScoredDay[]> {
  const asked: Asked = { ...of, pause: createPause() }
  const { user, leaderboard, run } = asked
  const until = endOf(leaderboard, run)
  const days: ScoredDay[] = []
  let end: FoldedSnapshot | null = null
  for (;;) {
    const start: FoldedSnapshot | null = await readStart(
      (at) => storage.readSnapshot(user.key, at),
      user,
      end === null ? until : end.at - 1,
    )
    const part: readonly ScoredDay[] | null =
      (await readAdded(storage, asked, { start, end })) ?? (await readFolded(storage, asked, { start, end }))
    // Somebody has changed lines before those that were read: the log is read as a whole.
    if (part === null) break
    for (const day of days.splice(0, days.length, ...part)) addDay(days, day)
    // Lines before the snapshot may have the same date, so one day more is needed.
    const whole = shown(days).filter(({ date }) => start === null || start.at <= beforeDate(date))
    if (start === null || whole.length >= most || start.at <= beforeDate(run.from)) return whole.slice(-most)
    end = start
  }
  return shown((await readFolded(storage, asked, { start: null, end: null })) ?? []).slice(-most)

  // Streaks score before their leaderboard starts; these days are not shown.
  function shown(all: readonly ScoredDay[]): readonly ScoredDay[] {
    return all.filter(({ date, before, value }) => before !== value && date >= run.from)
  }
}

/**
 * The days of a leaderboard ranked by a metric or points, from the added values alone, without a replay. Returns `null`
 * if they do not give all days: the game changed, or they do not lead to the value at the end.
 */
async function readAdded(
  storage: Storage,
  { user, leaderboard, run, pause }: Asked,
  { start, end }: Between,
): Promise<readonly ScoredDay[] | null> {
  const { metric, system, startTime, endTime } = leaderboard
  const last = end?.state ?? user.state
  if (start === null || start.state.epoch !== user.epoch || last.epoch !== user.epoch) return null
  if (startTime !== null || endTime !== null) return null
  const current = entryOf(last, leaderboard, run.id)
  // A state forgets runs that are over.
  if (current === null && last.leaderboards.has(leaderboard.key)) return null
  const stretch = { after: { at: start.at, seq: start.seq }, until: end ?? behind(endOf(leaderboard, run)) }
  const readValues = async (): Promise<readonly LoggedValue[] | null> => {
    if (metric !== null) return readValuesOf(storage, user.key, metric, stretch, pause)
    return system === null ? null : readAwardedOf(storage, user.key, system, stretch, pause)
  }
  const values = await readValues()
  if (values === null) return null
  const days: ScoredDay[] = []
  let value = entryOf(start.state, leaderboard, run.id)?.value ?? null
  // Most lines have the date of the line before.
  let known: { readonly date: Day; readonly isOfRun: boolean } | null = null
  const isOfRun = (date: Day): boolean => {
    if (known?.date !== date) known = { date, isOfRun: runOn(leaderboard, date)?.id === run.id }
    return known.isOfRun
  }
  const isCounted = (line: LoggedValue): boolean =>
    line.seq <= user.state.seq && (end === null || compareCursors(line, end) <= 0) && isOfRun(line.date)
  for (const { at, date, sum } of sumsOf(values.filter(isCounted))) {
    const before = value
    value = nextValue(leaderboard, before ?? undefined, sum)
    if (before !== value) addDay(days, { date, at, before, value })
  }
  return value === (current?.value ?? null) ? days : null
}

/** What each entry added, all its awards together. */
function sumsOf(
  values: readonly LoggedValue[],
): readonly (EntryCursor & { readonly date: Day; readonly sum: number })[] {
  const sums: (EntryCursor & { readonly date: Day; sum: number })[] = []
  for (const { at, seq, date, value } of values) {
    const last = sums.at(-1)
    if (last !== undefined && compareCursors(last, { at, seq }) === 0) last.sum = add(last.sum, value)
    else sums.push({ at, seq, date, sum: value })
  }
  return sums
}

/** null: the lines do not lead to the state of the snapshot at their end. */
async function readFolded(
  storage: Storage,
  { user, leaderboard, run, pause }: Asked,
  { start, end }: Between,
): Promise<readonly ScoredDay[] | null> {
  const days: ScoredDay[] = []
  const last = end ?? behind(endOf(leaderboard, run))
  const see = (_: UserState, changes: readonly Change[], entry: Entry): void => {
    for (const change of changes) {
      const isOfBoard = change.type === 'leaderboardScored' && change.leaderboard === leaderboard.key
      if (isOfBoard && change.entry.run === run.id) addScored(days, entry, change)
    }
  }
  const state = await readSteps(storage, user.key, user, { start, last }, see, pause)
  const leadsToEnd = end === null || (state !== null && stateText(state) === stateText(end.state))
  return leadsToEnd ? days : null
}

/**
 * How many days later a run may have ended under an earlier game: a start on another day of the month clips the ends of
 * months differently.
 */
const MOST_LATER = 3

/** The instant after which a run does not change. Under an earlier game the leaderboard may have ended later. */
function endOf({ end }: Leaderboard, { to }: Run): Instant {
  return to === null || to === end ? Number.MAX_SAFE_INTEGER : afterDate(to + MOST_LATER)
}

function addScored(days: ScoredDay[], { at, dating: { date } }: Entry, { entry: { value }, previous }: Scored): void {
  const before = previous !== null && isAlive(previous, at) ? previous.value : null
  if (before !== value) addDay(days, { date, at, before, value })
}

function addDay(days: ScoredDay[], { date, at, before, value }: ScoredDay): void {
  const last = days.at(-1)
  // A date may come back by a change of zone: it goes on with the day that is open.
  if (last !== undefined && date <= last.date) days[days.length - 1] = { ...last, at, value }
  else days.push({ date, at, before, value })
}

/** One run of a leaderboard as it is for a user: the current one is that of the user's own date. */
export async function readUserLeaderboard(
  call: Call,
  id: unknown,
  key: unknown,
  request: unknown = {},
): Promise<UserLeaderboard> {
  const named = parseUserId(id)
  const name = parse(gameKey, key, 'leaderboard key')
  const asked = parse(userLeaderboardRequest, request, 'request')
  const read = await readUser(call, named)
  const leaderboard = knownLeaderboard(read.game, name, asked.includePrivate)
  const today = localDate(zoneOf(read.state.profile), read.at)
  const run = findRun(leaderboard, asked.run, today)
  const at = rankedAt(leaderboard, call.now())
  const users = isConcealed(leaderboard, today) ? [] : [read.key.user]
  const [entry] = await call.storage.leaderboardEntries(call.tenant, name, run.id, users)
  const rank = entry === undefined ? null : await readRank(call.storage, read.key, { leaderboard, entry, at })
  const value = entry === undefined || !isAlive(entry, at) ? null : toScore(leaderboard, entry.value)
  const group = entry?.group ?? groupOf(leaderboard, read.state.profile.attributes)
  const participants = isConcealed(leaderboard, today)
    ? 0
    : await countParticipants(call.storage, call.tenant, { leaderboard: name, run: run.id, group }, at)
  const days =
    asked.numEvents === 0 ? [] : await readScoredDays(call, { user: read, leaderboard, run }, asked.numEvents)
  return {
    ...toLeaderboard(read.game, leaderboard, run, localDate('UTC', read.at)),
    rank,
    value,
    participants,
    history: toScoreHistory(leaderboard, days, { rank, value }),
  }
}
