import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Dating } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isConcealed, isRunOf, rankedAt } from '../../rules/leaderboard.ts'
import { comparePositions, firstWith, LAST_POSITION, type Position } from '../../rules/position.ts'
import type { LeaderboardEntry } from '../../rules/state.ts'
import type { Move, Ranks } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'
import { userKeyText } from '../../storage/rows.ts'
import type { CommitRound, RankAnswer, RankedGroup, RankRequest, Storage } from '../../storage/storage.ts'

/** The ranks of moves before they are known, and of answers without ranks. */
export const NO_RANKS: ReadonlyMap<Move, Ranks> = new Map()

/** `event`: when the event happened; null for entries that report no moves. */
export function movesOf(
  game: Game,
  changes: readonly Change[],
  receivedAt: Instant,
  event: Dating | null,
): readonly Move[] {
  const moves: Move[] = []
  for (const change of changes) {
    if (change.type !== 'leaderboardScored' && change.type !== 'leaderboardLeft') continue
    const from = change.previous
    const to = change.type === 'leaderboardScored' ? change.entry : null
    moves.push(toMove(game, change.leaderboard, { from, to }, receivedAt, event))
  }
  return moves
}

/** At least one of `from` and `to` must be there. */
export function toMove(
  game: Game,
  leaderboard: string,
  { from, to }: Pick<Move, 'from' | 'to'>,
  receivedAt: Instant,
  event: Dating | null,
): Move {
  const definition = game.leaderboards.get(leaderboard)
  // Leaderboards that are not ranked by streak are the same at every moment.
  const at = definition?.rankBy === 'streak' ? rankedAt(definition, receivedAt) : 0
  const isNew = from === null || !isAlive(from, at) || from.value !== to?.value
  return {
    leaderboard,
    run: to?.run ?? from?.run ?? '',
    limit: definition?.maxParticipants ?? null,
    isShared: definition?.isShared ?? false,
    at,
    from,
    to,
    isAnswered:
      event !== null &&
      definition !== undefined &&
      to !== null &&
      // An event of an earlier time may have scored under an earlier definition of the leaderboard.
      isRunOf(definition, to.run) &&
      isNew &&
      !isConcealed(definition, event.date),
  }
}

/** The questions to ask for the ranks of one user's moves. `slack`: how many moves the commit may hold. */
export function toRequests(moves: readonly Move[], slack: number): readonly RankRequest[] {
  const requests = new Map<string, RankRequest & { readonly positions: Omit<Position, 'user'>[] }>()
  for (const { leaderboard, run, limit, isShared, at, from, to, isAnswered } of moves) {
    if (!isAnswered) continue
    const entries = [from, to].filter((entry) => entry !== null)
    for (const entry of isShared ? [...entries, ...entries.map(firstWith)] : entries) {
      const { group, value, reachedAt } = entry
      const id = requestKey({ leaderboard, run, group }, at)
      const request = requests.get(id) ?? { leaderboard, run, group, limit, at, slack, positions: [] }
      requests.set(id, request)
      if (!request.positions.some((position) => position.value === value && position.reachedAt === reachedAt)) {
        request.positions.push({ value, reachedAt })
      }
    }
  }
  return [...requests.values()]
}

export function requestKey({ leaderboard, run, group }: RankedGroup, at: Instant): string {
  return JSON.stringify([leaderboard, run, group, at])
}

export function isAlive({ until }: LeaderboardEntry, at: Instant): boolean {
  return until === null || until > at
}

/** How many users are ranked in a group of a run, also those beyond the limit. */
export async function countParticipants(
  storage: Pick<Storage, 'ranks'>,
  tenant: string,
  { leaderboard, run, group }: RankedGroup,
  at: Instant,
): Promise<number> {
  const request = { leaderboard, run, group, limit: null, at, slack: 0, positions: [LAST_POSITION] }
  const [answer] = await storage.ranks({ tenant, user: '' }, [request])
  return answer?.before[0] ?? 0
}

export interface OrderedMove extends UserKey {
  readonly order: number
  readonly move: Move
}

/** Ranks as if the moves were stored one by one. The database counted once, with none or all of them. */
export function rankMoves(
  round: CommitRound,
  requestsOf: (user: UserKey) => readonly RankRequest[],
  moves: readonly OrderedMove[],
): ReadonlyMap<Move, Ranks> {
  const asked = collectAnswers(round, requestsOf)
  const ranks = new Map<Move, Ranks>()
  const races = new Map<string, Race>()
  const raceOf = (user: UserKey, move: Move, group: string): Race => findRace(races, user, move, group)
  const ordered = [...moves].sort((left, right) => left.order - right.order)
  const isBefore = round.asOf === 'before'
  for (const { move, ...key } of isBefore ? ordered.toReversed() : ordered) {
    // The last assignment holds: backwards it is `from` of a user's first move, forwards `to` of the last.
    const [stored, other] = isBefore ? [move.from, move.to] : [move.to, move.from]
    if (other !== null) raceOf(key, move, other.group).stored.delete(key.user)
    if (stored !== null) raceOf(key, move, stored.group).stored.set(key.user, stored)
  }
  for (const { move, ...key } of ordered.toReversed()) {
    if (move.to !== null) raceOf(key, move, move.to.group).current.delete(key.user)
    if (move.from !== null) raceOf(key, move, move.from.group).current.set(key.user, move.from)
  }
  for (const { move, ...key } of ordered) {
    const { from, to, at, limit, isAnswered } = move
    const before = from === null ? null : raceOf(key, move, from.group)
    const previousRank = isAnswered && from !== null && before !== null ? rankOf(asked, before, key, move, from) : null
    before?.current.delete(key.user)
    if (to === null) continue
    const after = raceOf(key, move, to.group)
    after.current.set(key.user, to)
    if (!isAnswered) continue
    const { answer } = answerOf(asked, key, move, to.group)
    const threshold = limit === null ? 0 : thresholdOf(after, { ...answer, limit, at })
    ranks.set(move, { rank: rankOf(asked, after, key, move, to), previousRank, threshold })
  }
  return ranks
}

function findRace(races: Map<string, Race>, { tenant }: UserKey, { leaderboard, run }: Move, group: string): Race {
  const id = JSON.stringify([tenant, leaderboard, run, group])
  const race = races.get(id) ?? { stored: new Map(), current: new Map() }
  races.set(id, race)
  return race
}

/** The entries of a commit's users in one group of one run: as the database counted them, and as they are by now. */
interface Race {
  readonly stored: Map<string, LeaderboardEntry>
  readonly current: Map<string, LeaderboardEntry>
}

type Answers = ReadonlyMap<string, { readonly request: RankRequest; readonly answer: RankAnswer }>

function collectAnswers({ users }: CommitRound, requestsOf: (user: UserKey) => readonly RankRequest[]): Answers {
  const answers = users.flatMap((user) =>
    requestsOf(user).flatMap((request, index) => {
      const answer = user.ranks[index]
      const id = `${userKeyText(user)} ${requestKey(request, request.at)}`
      return answer === undefined ? [] : [[id, { request, answer }] as const]
    }),
  )
  return new Map(answers)
}

function answerOf(answers: Answers, user: UserKey, { leaderboard, run, at }: Move, group: string) {
  const found = answers.get(`${userKeyText(user)} ${requestKey({ leaderboard, run, group }, at)}`)
  if (found === undefined) throw new RangeError('A move that is answered was asked about')
  return found
}

function toPlace(user: string, { value, reachedAt }: LeaderboardEntry): Position {
  return { value, reachedAt, user }
}

function rankOf(answers: Answers, race: Race, user: UserKey, move: Move, entry: LeaderboardEntry): number | null {
  const { at, limit, isShared } = move
  if (!isAlive(entry, at)) return null
  const placeOf = (asked: LeaderboardEntry): number => {
    const position = toPlace(user.user, asked)
    const { request, answer } = answerOf(answers, user, move, asked.group)
    const { value, reachedAt } = asked
    const index = request.positions.findIndex((each) => each.value === value && each.reachedAt === reachedAt)
    const known = (answer.before[index] ?? 0) - countBefore(race.stored, position, at, null)
    return known + countBefore(race.current, position, at, user.user) + 1
  }
  const place = placeOf(entry)
  if (limit !== null && place > limit) return null
  return isShared ? placeOf(firstWith(entry)) : place
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
