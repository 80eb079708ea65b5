import type { Instant } from '../../rules/calendar.ts'
import type { Change } from '../../rules/change.ts'
import type { Dating } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isConcealed, isRunOf, rankedAt } from '../../rules/leaderboard.ts'
import { comparePositions, firstWith, LAST_POSITION, type Position } from '../../rules/position.ts'
import type { LeaderboardEntry } from '../../rules/state.ts'
import type { Move, Ranks } from '../../runtime/command.ts'
import { type UserKey, userKeyText } from '../../storage/rows.ts'
import type { RankAnswer, RankedGroup, RankRequest, SaveGroup, Storage } from '../../storage/storage.ts'

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

/** The questions to ask for the ranks of one user's moves. `margin`: how many moves the commit may hold. */
export function toRequests(moves: readonly Move[], margin: number): readonly RankRequest[] {
  if (moves.length === 0) return []
  const requests = new Map<string, RankRequest & { readonly positions: Omit<Position, 'user'>[] }>()
  for (const { leaderboard, run, limit, isShared, at, from, to, isAnswered } of moves) {
    if (!isAnswered) continue
    const entries = [from, to].filter((entry) => entry !== null)
    for (const entry of isShared ? [...entries, ...entries.map(firstWith)] : entries) {
      const { group, value, reachedAt } = entry
      const id = requestKey({ leaderboard, run, group }, at)
      const request = requests.get(id) ?? { leaderboard, run, group, limit, at, margin, positions: [] }
      requests.set(id, request)
      if (!request.positions.some((position) => position.value === value && position.reachedAt === reachedAt)) {
        request.positions.push({ value, reachedAt })
      }
    }
  }
  return [...requests.values()]
}

/** Different for different requests: only the last part has any text, and the length of the one before. */
export function requestKey({ leaderboard, run, group }: RankedGroup, at: Instant): string {
  return `${at} ${run} ${group.length} ${group}${leaderboard}`
}

export function isAlive({ until }: LeaderboardEntry, at: Instant): boolean {
  return until === null || until > at
}

/** How many users are ranked in a group of a run, also those beyond the limit. */
export async function countParticipants(
  storage: Pick<Storage, 'ranks'>,
  tenant: string,
  group: RankedGroup,
  at: Instant,
): Promise<number> {
  const [count = 0] = await countInGroups(storage, tenant, [group], at)
  return count
}

/** The same of several groups, in their order. */
export async function countInGroups(
  storage: Pick<Storage, 'ranks'>,
  tenant: string,
  groups: readonly RankedGroup[],
  at: Instant,
): Promise<readonly number[]> {
  const requests = groups.map(({ leaderboard, run, group }): RankRequest => {
    return { leaderboard, run, group, limit: null, at, margin: 0, positions: [LAST_POSITION] }
  })
  const answers = await storage.ranks({ tenant, user: '' }, requests)
  return answers.map(({ before }) => before[0] ?? 0)
}

export interface OrderedMove extends UserKey {
  readonly order: number
  readonly move: Move
}

/** A move with the text of its leaderboard's run, which is looked up many times. */
interface KeyedMove extends OrderedMove {
  readonly runKey: string
}

function toKeyed(each: OrderedMove): KeyedMove {
  const { leaderboard, run } = each.move
  return { ...each, runKey: JSON.stringify([each.tenant, leaderboard, run]) }
}

/** The entries of a commit's users, by user, in each group of each run. */
type Standings = Map<string, Standing>
type Standing = Map<string, LeaderboardEntry & { readonly user: string }>

type Answers = ReadonlyMap<string, { readonly request: RankRequest; readonly answer: RankAnswer }>

interface Counts {
  readonly answers: Answers
  /** As the database counted them. */
  readonly counted: Standings
  /** The current ranks. */
  readonly current: Standings
}

/** Ranks as if the moves were stored one by one. The database counted once, with none or all of them. */
export function rankMoves(
  saveGroup: SaveGroup,
  requestsOf: (user: UserKey) => readonly RankRequest[],
  moves: readonly OrderedMove[],
): ReadonlyMap<Move, Ranks> {
  const counts: Counts = { answers: collectAnswers(saveGroup, requestsOf), counted: new Map(), current: new Map() }
  const ordered = [...moves].sort((left, right) => left.order - right.order).map(toKeyed)
  const backwards = ordered.toReversed()
  for (const each of backwards) moveIn(counts.current, each, 'back')
  if (saveGroup.asOf === 'before') for (const each of backwards) moveIn(counts.counted, each, 'back')
  else for (const each of ordered) moveIn(counts.counted, each)
  const ranks = new Map<Move, Ranks>()
  for (const each of ordered) {
    const { move } = each
    const { from, to, isAnswered } = move
    const previousRank = isAnswered && from !== null ? rankOf(counts, each, from) : null
    moveIn(counts.current, each)
    if (!isAnswered || to === null) continue
    ranks.set(move, { rank: rankOf(counts, each, to), previousRank, threshold: thresholdOf(counts, each, to.group) })
  }
  return ranks
}

function moveIn(standings: Standings, each: KeyedMove, direction?: 'back'): void {
  const { user, move } = each
  const [left, entered] = direction === 'back' ? [move.to, move.from] : [move.from, move.to]
  if (left !== null) entriesIn(standings, each, left.group).delete(user)
  if (entered !== null) entriesIn(standings, each, entered.group).set(user, { ...entered, user })
}

function entriesIn(standings: Standings, { runKey }: KeyedMove, group: string): Standing {
  const id = `${runKey}${group}`
  const known = standings.get(id)
  if (known !== undefined) return known
  const entries: Standing = new Map()
  standings.set(id, entries)
  return entries
}

function collectAnswers({ users }: SaveGroup, requestsOf: (user: UserKey) => readonly RankRequest[]): Answers {
  const answers = users.flatMap((user) =>
    requestsOf(user).flatMap((request, index) => {
      const answer = user.ranks[index]
      const id = `${userKeyText(user)} ${requestKey(request, request.at)}`
      return answer === undefined ? [] : [[id, { request, answer }] as const]
    }),
  )
  return new Map(answers)
}

function answerOf({ answers }: Counts, { move, ...user }: OrderedMove, group: string) {
  const { leaderboard, run, at } = move
  const found = answers.get(`${userKeyText(user)} ${requestKey({ leaderboard, run, group }, at)}`)
  if (found === undefined) throw new RangeError('A move that is answered was asked about')
  return found
}

function rankOf(counts: Counts, each: KeyedMove, entry: LeaderboardEntry): number | null {
  const { at, limit, isShared } = each.move
  if (!isAlive(entry, at)) return null
  const place = rankBefore(counts, each, entry)
  if (limit !== null && place > limit) return null
  return isShared ? rankBefore(counts, each, firstWith(entry)) : place
}

function rankBefore(counts: Counts, each: KeyedMove, entry: LeaderboardEntry): number {
  const { value, reachedAt, group } = entry
  const { request, answer } = answerOf(counts, each, group)
  const index = request.positions.findIndex((asked) => asked.value === value && asked.reachedAt === reachedAt)
  const position = { ...entry, user: each.user }
  const ahead = (standings: Standings): number => {
    let count = 0
    for (const other of entriesIn(standings, each, group).values()) {
      if (comparePositions(other, position) < 0 && isAlive(other, each.move.at)) count += 1
    }
    return count
  }
  return (answer.before[index] ?? 0) - ahead(counts.counted) + ahead(counts.current) + 1
}

/** The value of the last who ranks; 0: the leaderboard is not full, or has no limit. */
function thresholdOf(counts: Counts, each: KeyedMove, group: string): number {
  const { at, limit } = each.move
  if (limit === null) return 0
  const { last, first } = answerOf(counts, each, group).answer
  const [start] = last
  const counted = entriesIn(counts.counted, each, group)
  const alive = (entries: Standing): readonly Position[] => [...entries.values()].filter((entry) => isAlive(entry, at))
  const isCounted = ({ user, value, reachedAt }: Position): boolean => {
    const known = counted.get(user)
    return known?.value === value && known.reachedAt === reachedAt
  }
  const isSkipped = (position: Position): boolean =>
    start !== undefined && first > 0 && comparePositions(position, start) < 0
  const known = alive(counted)
  const current = alive(entriesIn(counts.current, each, group))
  const near = current.filter((position) => !isSkipped(position))
  const knownSkipped = known.filter(isSkipped).length
  const others = knownSkipped === known.length ? last : last.filter((position) => !isCounted(position))
  // Most users are far from the limit.
  const around = near.length === 0 ? others : [...others, ...near].sort(comparePositions)
  return around[limit - 1 - (first - knownSkipped + current.length - near.length)]?.value ?? 0
}
