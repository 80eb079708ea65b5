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
import { afterDate, beforeDate, type Instant, localDate } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Leaderboard } from '../../rules/game.ts'
import { entryOf, groupOf, isConcealed, nextValue, type Run, rankedAt, toScore } from '../../rules/leaderboard.ts'
import { firstWith } from '../../rules/position.ts'
import { zoneOf } from '../../rules/profile.ts'
import type { LeaderboardEntry, UserState } from '../../rules/state.ts'
import { add } from '../../rules/total.ts'
import type { Call, Context } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { EntryCursor, LoggedValue, RankRequest, Storage } from '../../storage/storage.ts'
import { type EventSteps, readSteps } from '../events/read-events.ts'
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
export async function readUserRanks(
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

/** The rank of one entry, as `readUserRanks` answers it. */
export async function readRank(storage: Storage, user: UserKey, entered: Entered): Promise<number | null> {
  const [rank = null] = isAlive(entered.entry, entered.at) ? await readUserRanks(storage, user, [entered]) : []
  return rank
}

/** Whose log is read, and for which run. */
interface Asked {
  readonly user: UserInGame
  readonly leaderboard: Leaderboard
  readonly run: Run
  /** The user's value in the run; null: there is none, or it is concealed. */
  readonly value: number | null
  readonly pause: YieldTurn
}

/**
 * The newest days on which the user's value in a run changed, oldest first and at most `most`. No row has them, so the
 * log is read from a snapshot: from the newest, then from ones as far back as so many days seem to need, until there are
 * enough. A streak that was lost shows in the next item, which then starts from null.
 */
async function readScoredDays(
  { storage }: Context,
  of: Omit<Asked, 'pause'>,
  most: number,
): Promise<readonly ScoredDay[]> {
  const asked: Asked = { ...of, pause: createPause() }
  const { user, leaderboard, run } = asked
  const end = endOf(leaderboard, run)
  const newest = Math.min(end, user.at)
  for (let until = end; ; ) {
    const start: FoldedSnapshot | null = await readStart((at) => storage.readSnapshot(user.key, at), user, until)
    const steps = { start, last: behind(end) }
    const days = (await readAddedDays(storage, asked, steps)) ?? (await replayDays(storage, asked, steps))
    // Lines before the snapshot may have the same date. Streaks score before their leaderboard starts.
    const whole = days.filter(({ date, before, value }) => {
      return before !== value && date >= run.from && (start === null || start.at <= beforeDate(date))
    })
    if (start === null || whole.length >= most || start.at <= beforeDate(run.from)) return whole.slice(-most)
    const times = Math.max(2, most / Math.max(1, whole.length))
    until = Math.min(start.at - 1, Math.floor(newest - times * (newest - start.at)))
  }
}

/**
 * The days from the added values alone, at a tenth of the cost of a replay. Returns `null` if only a replay gives them:
 * for a streak or hours of the day, or if the values do not lead to the stored value.
 */
async function readAddedDays(
  storage: Storage,
  { user, leaderboard, run, value: stored, pause }: Asked,
  { start, last }: { readonly start: FoldedSnapshot | null; readonly last: EntryCursor },
): Promise<readonly ScoredDay[] | null> {
  const { key, metric, system, startTime, endTime, version } = leaderboard
  const since = Math.max(user.baselineEpoch, start?.state.epoch ?? 0)
  const isSame = [...user.games].every(
    ([epoch, game]) => epoch < since || game.leaderboards.get(key)?.version === version,
  )
  if (!isSame || startTime !== null || endTime !== null) return null
  const stretch = { after: start && { at: start.at, seq: start.seq }, until: last }
  let added: readonly LoggedValue[]
  if (metric !== null) added = await readValuesOf(storage, user.key, metric, stretch, pause)
  else if (system !== null) added = await readAwardedOf(storage, user.key, system, stretch, pause)
  else return null
  const isCounted = ({ seq, date }: LoggedValue): boolean =>
    seq <= user.state.seq && date >= run.from && (run.to === null || date <= run.to)
  const days: ScoredDay[] = []
  let value = start === null ? null : (entryOf(start.state, leaderboard, run.id)?.value ?? null)
  for (const { at, date, value: sum } of sumsOf(added.filter(isCounted))) {
    const before = value
    value = nextValue(leaderboard, before ?? undefined, sum)
    addDay(days, { date, at, before, value })
  }
  return value === stored ? days : null
}

/** What each entry added, all its awards together. */
function sumsOf(values: readonly LoggedValue[]): readonly LoggedValue[] {
  const sums: LoggedValue[] = []
  for (const next of values) {
    const last = sums.at(-1)
    if (last === undefined || compareCursors(last, next) !== 0) sums.push(next)
    else sums[sums.length - 1] = { ...last, value: add(last.value, next.value) }
  }
  return sums
}

async function replayDays(
  storage: Storage,
  { user, leaderboard, run, pause }: Asked,
  steps: EventSteps,
): Promise<readonly ScoredDay[]> {
  const days: ScoredDay[] = []
  const see = (_: UserState, changes: readonly Change[], { at, dating: { date } }: Entry): void => {
    for (const change of changes) {
      if (change.type !== 'leaderboardScored' || change.leaderboard !== leaderboard.key) continue
      const { entry, previous } = change
      const before = previous !== null && isAlive(previous, at) ? previous.value : null
      if (entry.run === run.id) addDay(days, { date, at, before, value: entry.value })
    }
  }
  await readSteps(storage, user.key, user, steps, see, pause)
  return days
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

function addDay(days: ScoredDay[], { date, at, before, value }: ScoredDay): void {
  if (before === value) return
  const last = days.at(-1)
  // A date may come back by a change of zone: it goes on with the day that is open.
  if (last !== undefined && date <= last.date) days[days.length - 1] = { ...last, at, value }
  else days.push({ date, at, before, value })
}

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
    asked.numEvents === 0
      ? []
      : await readScoredDays(call, { user: read, leaderboard, run, value: entry?.value ?? null }, asked.numEvents)
  return {
    ...toLeaderboard(read.game, leaderboard, run, localDate('UTC', read.at)),
    rank,
    value,
    participants,
    history: toScoreHistory(leaderboard, days, { rank, value }),
  }
}
