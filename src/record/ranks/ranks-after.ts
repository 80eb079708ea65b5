import type { Instant } from '../../rules/calendar.ts'
import { comparePositions, type Position } from '../../rules/position.ts'
import type { LeaderboardEntry } from '../../rules/state.ts'
import type { Move, Ranks } from '../../runtime/context.ts'
import { userKeyText } from '../../runtime/user-key.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { CommitRound, RankAnswer, RankRequest } from '../../storage/storage.ts'
import { isAlive, requestKey } from './moves.ts'

/** A move of some user, in the order of arrival among all of a commit. */
export interface OrderedMove extends UserKey {
  readonly order: number
  readonly move: Move
}

/**
 * The ranks that each move led to: everybody in the commit sees the moves that came before. The database counted once,
 * at one moment, with none of the commit's moves or with all of them; how they follow one another is worked out here.
 */
export function rankMoves(
  round: CommitRound,
  requestsOf: (user: UserKey) => readonly RankRequest[],
  moves: readonly OrderedMove[],
): ReadonlyMap<Move, Ranks> {
  const asked = collectAnswers(round, requestsOf)
  const races = new Map<string, Race>()
  const raceOf = ({ tenant }: UserKey, { leaderboard, run }: Move, group: string): Race => {
    const id = JSON.stringify([tenant, leaderboard, run, group])
    const race = races.get(id) ?? { stored: new Map(), current: new Map() }
    races.set(id, race)
    return race
  }
  const ordered = [...moves].sort((left, right) => left.order - right.order)
  for (const { move, ...key } of round.asOf === 'before' ? [...ordered].reverse() : ordered) {
    // What is set later holds: backwards that is `from` of a user's first move, forwards `to` of the last.
    const stored = round.asOf === 'before' ? move.from : move.to
    const other = round.asOf === 'before' ? move.to : move.from
    if (other !== null) raceOf(key, move, other.group).stored.delete(key.user)
    if (stored !== null) raceOf(key, move, stored.group).stored.set(key.user, stored)
  }
  for (const { move, ...key } of [...ordered].reverse()) {
    if (move.to !== null) raceOf(key, move, move.to.group).current.delete(key.user)
    if (move.from !== null) raceOf(key, move, move.from.group).current.set(key.user, move.from)
  }

  const ranks = new Map<Move, Ranks>()
  for (const { move, ...key } of ordered) {
    const { from, to, at, limit, isAnswered } = move
    const before = from === null ? null : raceOf(key, move, from.group)
    const previousRank = isAnswered && from !== null && before !== null ? rankOf(asked, before, key, move, from) : null
    before?.current.delete(key.user)
    if (to === null) continue
    const after = raceOf(key, move, to.group)
    after.current.set(key.user, to)
    if (!isAnswered) continue
    const { last, first } = asked.lastOf(key, move, to.group)
    const threshold = limit === null ? 0 : thresholdOf(after, { last, first, limit, at })
    ranks.set(move, { rank: rankOf(asked, after, key, move, to), previousRank, threshold })
  }
  return ranks
}

/** The entries of a commit's users in one group of one run: as the database counted them, and as they are by now. */
interface Race {
  readonly stored: Map<string, LeaderboardEntry>
  readonly current: Map<string, LeaderboardEntry>
}

interface Answers {
  countOf(user: UserKey, move: Move, entry: LeaderboardEntry): number
  lastOf(user: UserKey, move: Move, group: string): Pick<RankAnswer, 'last' | 'first'>
}

function collectAnswers({ users }: CommitRound, requestsOf: (user: UserKey) => readonly RankRequest[]): Answers {
  const ranks = new Map<string, readonly [RankRequest, RankAnswer][]>()
  for (const user of users) {
    const answered = requestsOf(user).flatMap((request, index): [RankRequest, RankAnswer][] => {
      const rank = user.ranks[index]
      return rank === undefined ? [] : [[request, rank]]
    })
    ranks.set(userKeyText(user), answered)
  }
  const find = (user: UserKey, { leaderboard, run, at }: Move, group: string): [RankRequest, RankAnswer] => {
    const id = requestKey({ leaderboard, run, group }, at)
    const found = ranks.get(userKeyText(user))?.find(([request]) => requestKey(request, request.at) === id)
    if (found === undefined) throw new RangeError('A move that is answered was asked about')
    return found
  }
  return {
    countOf: (user, move, { group, value, reachedAt }) => {
      const [{ positions }, { before }] = find(user, move, group)
      const index = positions.findIndex((position) => position.value === value && position.reachedAt === reachedAt)
      return before[index] ?? 0
    },
    lastOf: (user, move, group) => find(user, move, group)[1],
  }
}

function toPlace(user: string, { value, reachedAt }: LeaderboardEntry): Position {
  return { value, reachedAt, user }
}

function rankOf(answers: Answers, race: Race, user: UserKey, move: Move, entry: LeaderboardEntry): number | null {
  const { at, limit } = move
  if (!isAlive(entry, at)) return null
  const position = toPlace(user.user, entry)
  const known = answers.countOf(user, move, entry) - countBefore(race.stored, position, at, null)
  const rank = known + countBefore(race.current, position, at, user.user) + 1
  return limit === null || rank <= limit ? rank : null
}

function countBefore(
  entries: ReadonlyMap<string, LeaderboardEntry>,
  position: Position,
  at: Instant,
  except: string | null,
): number {
  let count = 0
  for (const [user, entry] of entries) {
    if (user === except || entry.value < position.value || !isAlive(entry, at)) continue
    if (entry.value > position.value || comparePositions(toPlace(user, entry), position) < 0) count += 1
  }
  return count
}

function thresholdOf(
  race: Race,
  { last, first, limit, at }: Pick<RankAnswer, 'last' | 'first'> & { readonly limit: number; readonly at: Instant },
): number {
  const [start] = last
  const isStored = (position: Position): boolean => {
    const stored = race.stored.get(position.user)
    return stored !== undefined && stored.value === position.value && stored.reachedAt === position.reachedAt
  }
  const alive = (entries: ReadonlyMap<string, LeaderboardEntry>): Position[] =>
    [...entries].filter(([, entry]) => isAlive(entry, at)).map(([user, entry]) => toPlace(user, entry))
  const isSkipped = (position: Position): boolean =>
    start !== undefined && first > 0 && comparePositions(position, start) < 0
  const current = alive(race.current)
  const skipped = first - alive(race.stored).filter(isSkipped).length + current.filter(isSkipped).length
  const around = [
    ...last.filter((position) => !isStored(position)),
    ...current.filter((position) => !isSkipped(position)),
  ]
  return around.sort(comparePositions)[limit - 1 - skipped]?.value ?? 0
}
