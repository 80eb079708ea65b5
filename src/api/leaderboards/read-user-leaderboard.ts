import type { FoldedSnapshot } from '../../record/accept/derived-rows.ts'
import { countParticipants, isAlive } from '../../record/ranks/ranks.ts'
import { behind, createPause } from '../../record/replay/read-log.ts'
import { readStart } from '../../record/replay/replay.ts'
import { afterDate, beforeDate, type Instant, localDate } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Folded } from '../../rules/fold.ts'
import type { Leaderboard } from '../../rules/game.ts'
import { groupOf, isConcealed, type Run, rankedAt, toScore } from '../../rules/leaderboard.ts'
import { firstWith } from '../../rules/position.ts'
import { type LeaderboardEntry, zoneOf } from '../../rules/state.ts'
import type { Call, Context } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { RankRequest, Storage } from '../../storage/storage.ts'
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

export async function readRank(storage: Storage, user: UserKey, entered: Entered): Promise<number | null> {
  const [rank = null] = isAlive(entered.entry, entered.at) ? await readUserRanks(storage, user, [entered]) : []
  return rank
}

type Scored = Extract<Change, { readonly type: 'leaderboardScored' }>

/**
 * The newest days on which the user's value in a run changed, oldest first and at most `most`. No row has them, so the
 * log is replayed from a snapshot: from the newest, then from one as far back as so many days seem to need, until there
 * are enough. A streak that was lost shows in the next item, which then starts from null.
 */
async function readScoredDays(
  { storage }: Context,
  user: UserInGame,
  leaderboard: Leaderboard,
  run: Run,
  most: number,
): Promise<readonly ScoredDay[]> {
  const pause = createPause()
  // The instant after which a run does not change. Under an earlier game the leaderboard may have ended later.
  const isOpen = run.to === null || run.to === leaderboard.end
  const end = isOpen ? Number.MAX_SAFE_INTEGER : afterDate(run.to + MOST_LATER)
  const newest = Math.min(end, user.at)
  for (let until = end; ; ) {
    const start: FoldedSnapshot | null = await readStart((at) => storage.readSnapshot(user.key, at), user, until)
    const days: ScoredDay[] = []
    const see = ({ entry, step }: Folded): void => {
      for (const change of step.changes) {
        const isOfBoard = change.type === 'leaderboardScored' && change.leaderboard === leaderboard.key
        if (isOfBoard && change.entry.run === run.id) addScored(days, entry, change)
      }
    }
    await readSteps(storage, user.key, user, { start, last: behind(end) }, see, pause)
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
 * How many days later a run may have ended under an earlier game: a start on another day of the month clips the ends of
 * months differently.
 */
const MOST_LATER = 3

function addScored(days: ScoredDay[], { at, dating: { date } }: Entry, { entry: { value }, previous }: Scored): void {
  const before = previous !== null && isAlive(previous, at) ? previous.value : null
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
  const isHidden = isConcealed(leaderboard, today)
  const users = isHidden ? [] : [read.key.user]
  const [entry] = await call.storage.leaderboardEntries(call.tenant, name, run.id, users)
  const rank = entry === undefined ? null : await readRank(call.storage, read.key, { leaderboard, entry, at })
  const value = entry === undefined || !isAlive(entry, at) ? null : toScore(leaderboard, entry.value)
  const group = entry?.group ?? groupOf(leaderboard, read.state.profile.attributes)
  const place = { leaderboard: name, run: run.id, group }
  const participants = isHidden ? 0 : await countParticipants(call.storage, call.tenant, place, at)
  const days = asked.numEvents === 0 ? [] : await readScoredDays(call, read, leaderboard, run, asked.numEvents)
  return {
    ...toLeaderboard(read.game, leaderboard, run, localDate('UTC', read.at)),
    rank,
    value,
    participants,
    history: toScoreHistory(leaderboard, days, { rank, value }),
  }
}
