import { createHash } from 'node:crypto'
import { z } from 'zod'
import { shareRanks, toLeaderboard, toRankings } from '../answers/leaderboards.ts'
import { type PositionPiece, readPiece, toWhole } from '../answers/message-pieces.ts'
import { toUser } from '../answers/users.ts'
import { mergedMessageId, messageId } from '../game/ids.ts'
import { countParticipants, isAlive } from '../record/ranks/ranks.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import type { Game, Leaderboard } from '../rules/game.ts'
import { isRunOf, type Run, rankedAt, runById, toScore } from '../rules/leaderboard.ts'
import { comparePositions, firstWith } from '../rules/position.ts'
import type { UserState } from '../rules/state.ts'
import { isHidden, isMasked, isOffLeaderboard } from '../rules/visibility.ts'
import type { Context } from '../runtime/context.ts'
import { untilWritten } from '../runtime/documents.ts'
import { maskLines } from '../runtime/pseudonyms.ts'
import type { LeaderboardWithRankings } from '../shapes/leaderboards.ts'
import { loadLeaderboardEntries } from '../sql/leaderboards.ts'
import { putMessages } from '../sql/messages.ts'
import { loadDocument, putDocument } from '../sql/outbox.ts'
import { loadUser } from '../sql/read-user.ts'
import type { OwnedMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import type { LeaderboardLine } from '../storage/storage.ts'

const place = z.object({ group: z.string(), value: z.number(), reachedAt: z.number(), until: z.number().nullable() })
const rankData = z.object({
  user: z.unknown(),
  leaderboard: z.string(),
  run: z.string(),
  from: place.nullable(),
  to: place.nullable(),
})
const boardData = z.object({ leaderboard: z.string(), run: z.string(), group: z.string() })

const MOST_SHOWN = 10

/**
 * The message with both ranks in their current state. Empty if they are equal, or if `publishTop` writes one for the
 * user. `state`: the user's, or `null` if the user is unknown.
 */
export async function toRankChange(
  context: Context,
  piece: OwnedMessage,
  state: UserState | null,
): Promise<readonly OwnedMessage[]> {
  const { user: about, leaderboard: key, run: runId, from, to } = rankData.parse(readPiece(piece.data).data)
  const known = await findRun(context, key, runId)
  if (known === null || piece.user === null || state === null) return []
  const { game, leaderboard, run } = known
  const user = { tenant: piece.tenant, user: piece.user }
  for (const group of new Set([from?.group, to?.group])) {
    if (group === undefined || piece.due === null) continue
    const compared = await publishTop(context, { ...known, tenant: user.tenant, group, due: piece.due })
    if (compared.includes(toMark(user.tenant, user.user))) return []
  }
  // These have no place, and others may have moved up.
  if (state.mergedInto !== null || isOffLeaderboard(game, state, leaderboard)) return []
  const [previousRank, rank] = await rankPlaces(context, user, leaderboard, runId, [from, to])
  if (rank === previousRank) return []
  const board = toLeaderboard(game, leaderboard, run, localDate('UTC', piece.at))
  const value = to === null ? null : toScore(leaderboard, to.value)
  const previousValue = from === null ? null : toScore(leaderboard, from.value)
  const ranked = { ...board, rank, value, previousRank, previousValue, ...toAnonymous(game, state, leaderboard) }
  return [toWhole(piece, { user: about, leaderboard: ranked })]
}

/** The message with the first ten in their current state. */
export async function toChangedBoard(context: Context, piece: OwnedMessage): Promise<readonly OwnedMessage[]> {
  const { leaderboard: key, run: runId, group } = boardData.parse(readPiece(piece.data).data)
  const known = await findRun(context, key, runId)
  if (known === null) return []
  const { tenant } = piece
  const board = await readBoard(context, tenant, known, group, context.now())
  return [{ ...toWhole(piece, { leaderboard: board }), user: null }]
}

/** One group of a run with its first ten, as ranked at an instant. */
export async function readBoard(
  { storage }: Pick<Context, 'storage'>,
  tenant: string,
  { game, leaderboard, run }: FoundRun,
  group: string,
  at: Instant,
): Promise<LeaderboardWithRankings> {
  const place = { leaderboard: leaderboard.key, run: run.id, group }
  const moment = rankedAt(leaderboard, at)
  const page = { limit: leaderboard.maxParticipants, at: moment, offset: 0, count: MOST_SHOWN }
  const lines = await storage.leaderboardPage(tenant, place, page)
  const participants = await countParticipants(storage, tenant, place, moment)
  const board = toLeaderboard(game, leaderboard, run, localDate('UTC', at))
  const masked = await maskLines(
    storage,
    { tenant, game, board: leaderboard, leaderboard: leaderboard.key, run: run.id },
    lines,
  )
  return { ...board, participants, rankings: toRankings(leaderboard, masked) }
}

/** A message about a user's rank has the user, who may be shown it. Others may not. */
function toAnonymous(game: Game, { preferences }: UserState, leaderboard: Leaderboard): { readonly anonymous?: true } {
  return isMasked(game, preferences.leaderboards, leaderboard) ? { anonymous: true } : {}
}

async function findRun(context: Context, key: string, runId: string): Promise<FoundRun | null> {
  const { game } = await context.games.current()
  const leaderboard = game.leaderboards.get(key)
  if (leaderboard === undefined || !isRunOf(leaderboard, runId)) return null
  return { game, leaderboard, run: runById(leaderboard, runId) }
}

/** The ranks of two positions among all other users: the user's own current entry does not count. */
async function rankPlaces(
  { storage, now }: Context,
  user: UserKey,
  leaderboard: Leaderboard,
  run: string,
  places: readonly [PositionPiece | null, PositionPiece | null],
): Promise<readonly [number | null, number | null]> {
  const at = leaderboard.rankBy === 'streak' ? rankedAt(leaderboard, now()) : 0
  const { key, maxParticipants: limit } = leaderboard
  const [own] = await loadLeaderboardEntries(storage, user.tenant, key, run, [user.user])
  const rankOf = async (place: PositionPiece | null): Promise<number | null> => {
    if (place === null || !isAlive({ ...place, run }, at)) return null
    const { group, value, reachedAt } = place
    const positions = [{ value, reachedAt }, ...(leaderboard.isShared ? [firstWith({ value })] : [])]
    // With a margin of 1, since the user's own entry may be among those counted.
    const request = { leaderboard: key, run, group, limit, at, margin: 1, positions }
    const [answer] = await storage.ranks(user, [request])
    const isRanked = own !== undefined && own.group === group && isAlive(own, at)
    const others = positions.map((position, index) => {
      const counted = answer?.before[index] ?? 0
      return isRanked && comparePositions(own, { ...position, user: user.user }) < 0 ? counted - 1 : counted
    })
    const [before = 0, shared = before] = others
    return limit === null || before < limit ? shared + 1 : null
  }
  const [from, to] = places
  return [await rankOf(from), await rankOf(to)]
}

/*
 * A user's rank also changes when other users act. So after each quarter of an hour with a move on a leaderboard, the
 * worker compares the ranks of the first hundred with their ranks a quarter of an hour before. It stores the ranks in a
 * document. Users whose rank changed get a message. One transaction writes the messages and the document. Users outside
 * the first hundred get a message when they act themselves (`toRankChange`).
 */

const RANKS = 'ranks'
const MOST_RANKED = 100
/** Users who left the first hundred are searched for within this many places. */
const MOST_READ = 200
const KEPT_RUNS = 3

/** Users by `toMark`, so that the document keeps no id of a deleted user. */
const marks = z.array(z.string())
const runs = z.record(
  z.string(),
  z.object({ due: z.number(), ranks: z.array(z.tuple([z.string(), z.number()])), compared: marks }),
)

export interface FoundRun {
  readonly game: Game
  readonly leaderboard: Leaderboard
  readonly run: Run
}

export interface TopRequest extends FoundRun {
  readonly tenant: string
  readonly group: string
  readonly due: Instant
}

/** Compares the first hundred once a quarter. Returns the marks of the users compared, who need no other message. */
async function publishTop(context: Context, request: TopRequest): Promise<readonly string[]> {
  const { storage, messageSignal } = context
  const { tenant, leaderboard, run, group, due } = request
  const name = JSON.stringify([tenant, leaderboard.key, group])
  return untilWritten('the ranks of a leaderboard', async () => {
    const document = await loadDocument(storage, RANKS, name)
    const stored = document === null ? {} : (runs.safeParse(JSON.parse(document.text)).data ?? {})
    const known = stored[run.id]
    if (known !== undefined && known.due >= due) return known.compared

    const at = rankedAt(leaderboard, context.now())
    const page = { limit: null, at, offset: 0, count: MOST_READ }
    const lines = await storage.leaderboardPage(tenant, { leaderboard: leaderboard.key, run: run.id, group }, page)
    const earlier = (known?.ranks ?? []).map(([mark, value], index) => ({ mark, value, rank: index + 1 }))
    const ranksBefore = ranksOf(leaderboard, earlier)
    const before = new Map(earlier.map(({ mark, value }, index) => [mark, { rank: ranksBefore[index] ?? 1, value }]))
    const { messages, compared } = await compare(context, request, lines, before)
    const top = lines.slice(0, Math.min(MOST_RANKED, leaderboard.maxParticipants ?? MOST_RANKED))
    const ranks = top.map(({ user, value }) => [toMark(tenant, user), value] as const)
    const all = Object.entries({ ...stored, [run.id]: { due, ranks, compared } })
    const newest = all.sort(([left], [right]) => (left < right ? -1 : 1)).slice(-KEPT_RUNS)
    const text = JSON.stringify(Object.fromEntries(newest))
    const isWritten = await storage.transaction(function* (tx) {
      if (!(yield* putDocument(tx, { kind: RANKS, name, version: document?.version ?? 0, text }))) return false
      yield* putMessages(tx, messages)
      return true
    })
    if (!isWritten) return
    if (messages.length > 0) messageSignal.notify()
    return compared
  })
}

interface Compared {
  readonly messages: readonly OwnedMessage[]
  readonly compared: readonly string[]
}

async function compare(
  { storage }: Context,
  { tenant, game, leaderboard, run, due }: TopRequest,
  lines: readonly LeaderboardLine[],
  before: ReadonlyMap<string, { readonly rank: number; readonly value: number }>,
): Promise<Compared> {
  const messages: OwnedMessage[] = []
  const compared: string[] = []
  const type = 'leaderboard.rank_changed'
  const board = toLeaderboard(game, leaderboard, run, localDate('UTC', due))
  const ranks = ranksOf(leaderboard, lines)
  for (const [index, { user, value }] of lines.entries()) {
    const mark = toMark(tenant, user)
    const previous = before.get(mark)
    if (previous === undefined) continue
    compared.push(mark)
    const rank = index < (leaderboard.maxParticipants ?? lines.length) ? (ranks[index] ?? null) : null
    if (rank === previous.rank) continue
    const { state } = await loadUser(storage, { tenant, user })
    if (state === null || isHidden(game, state.preferences, leaderboard)) continue
    const scores = { value: toScore(leaderboard, value), previousValue: toScore(leaderboard, previous.value) }
    const ranked = { ...board, rank, previousRank: previous.rank, ...scores, ...toAnonymous(game, state, leaderboard) }
    const data = JSON.stringify({ user: toUser(game, { tenant, user }, state), leaderboard: ranked })
    const id = mergedMessageId(messageId(tenant, user, type, leaderboard.key, run.id, due), RANKS)
    messages.push({ id, type, at: due, due: null, tenant, user, data })
  }
  return { messages, compared }
}

function ranksOf(
  { isShared }: Leaderboard,
  lines: readonly { readonly value: number; readonly rank: number }[],
): readonly number[] {
  return isShared ? shareRanks(lines, 1) : lines.map(({ rank }) => rank)
}

function toMark(tenant: string, user: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('base64url')
    .slice(0, 16)
}
