import { createHash } from 'node:crypto'
import { z } from 'zod'
import { toLeaderboard, toRanking } from '../api/leaderboards/answer.ts'
import type { LeaderboardWithRankings } from '../api/leaderboards/types.ts'
import { toUser } from '../api/users/answer.ts'
import { mergedMessageId, messageId } from '../game/ids.ts'
import { isAlive } from '../record/ranks/moves.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import type { Game, Leaderboard } from '../rules/game.ts'
import { isRunOf, type Run, rankedAt, runById } from '../rules/leaderboard.ts'
import { comparePositions } from '../rules/position.ts'
import { add } from '../rules/total.ts'
import type { Context } from '../runtime/context.ts'
import type { OwnedMessage, WrittenMessage } from '../storage/outbox.ts'
import type { UserKey } from '../storage/rows.ts'
import type { LeaderboardLine } from '../storage/storage.ts'
import { type BoardPiece, MOST_AWARDS, type PositionPiece, type RankPiece } from './drafts/pieces.ts'

/** A waiting message that several pieces were merged into. */
export type MergedPiece = OwnedMessage

const piece = z.object({ part: z.string(), data: z.looseObject({}), number: z.number().optional() })
const points = z.looseObject({ points: z.looseObject({ added: z.number(), awards: z.array(z.unknown()) }) })

/**
 * Merges pieces into one, in the order in which they were written. A piece that was merged before keeps the number of
 * its first piece, so it does not matter in which steps pieces are merged.
 */
function mergePieces(pieces: readonly WrittenMessage[]): MergedPiece {
  const inOrder = pieces
    .map((each) => {
      const { number = each.number, part, data } = readPiece(each.data)
      return { number, part, data, each }
    })
    .sort((left, right) => left.number - right.number)
  const [first, last] = [inOrder[0], inOrder.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('There is a piece at least')
  const { id, type, due, tenant, user } = last.each
  const data = inOrder.slice(1).reduce<object>((before, after) => mergeData(type, before, after.data), first.data)
  const at = inOrder.reduce((latest, { each }) => Math.max(latest, each.at), first.each.at)
  const merged = JSON.stringify({ part: first.part, data, number: first.number })
  return { id, type, at, data: merged, due, tenant, user }
}

function readPiece(text: string): z.infer<typeof piece> {
  return piece.parse(JSON.parse(text))
}

function mergeData(type: string, before: object, after: object): object {
  if (type === 'leaderboard.rank_changed') return { ...after, from: 'from' in before ? before.from : null }
  if (type !== 'points.changed') return after
  const [left, right] = [points.parse(before), points.parse(after)]
  const added = add(left.points.added, right.points.added)
  const awards = [...left.points.awards, ...right.points.awards].slice(-MOST_AWARDS)
  // The level is told where any of them has changed it: that of the last that did.
  return { ...right, points: { ...left.points, ...right.points, added, awards } }
}

/** The message that a merged piece becomes where nothing has to be asked for it. */
export function toPlain(merged: MergedPiece): OwnedMessage {
  return toWhole(merged, readPiece(merged.data).data)
}

/** The message that a merged piece becomes, with this data. */
function toWhole(merged: MergedPiece, data: object): OwnedMessage {
  const { part } = readPiece(merged.data)
  return { ...merged, id: mergedMessageId(merged.id, part), due: null, data: JSON.stringify(data) }
}

const place = z.object({
  group: z.string(),
  value: z.number(),
  reachedAt: z.number(),
  until: z.number().nullable(),
})
const rankData = z.object({
  user: z.unknown(),
  leaderboard: z.string(),
  run: z.string(),
  from: place.nullable(),
  to: place.nullable(),
})
const boardData: z.ZodType<BoardPiece> = z.object({ leaderboard: z.string(), run: z.string(), group: z.string() })

function readRankPiece({ data }: MergedPiece): Omit<RankPiece, 'user'> & { readonly user?: unknown } {
  return rankData.parse(readPiece(data).data)
}

function readBoardPiece({ data }: MergedPiece): BoardPiece {
  return boardData.parse(readPiece(data).data)
}

const MOST_SHOWN = 10

/**
 * The message with the ranks that both positions have now; empty if they are the same, or if the user is among the first
 * hundred, who get their messages together (`publishTop`).
 */
async function toRankChange(context: Context, piece: MergedPiece): Promise<readonly OwnedMessage[]> {
  const { user: told, leaderboard: key, run: runId, from, to } = readRankPiece(piece)
  const known = await findRun(context, key, runId)
  if (known === null || piece.user === null) return []
  const { game, leaderboard, run } = known
  const user = { tenant: piece.tenant, user: piece.user }
  for (const group of new Set([from?.group, to?.group])) {
    if (group === undefined || piece.due === null) continue
    const isCompared = await publishTop(context, { ...known, tenant: user.tenant, group, due: piece.due })
    if (isCompared(user.user)) return []
  }
  const [previousRank, rank] = await rankPlaces(context, user, leaderboard, runId, [from, to])
  if (rank === previousRank) return []
  const board = toLeaderboard(game, leaderboard, run, localDate('UTC', piece.at))
  const value = to?.value ?? null
  const previousValue = from?.value ?? null
  const ranked = { ...board, rank, value, previousRank, previousValue }
  return [toWhole(piece, { user: told, leaderboard: ranked })]
}

/** The message with the first ten as they are now. */
async function toChangedBoard(context: Context, piece: MergedPiece): Promise<readonly OwnedMessage[]> {
  const { leaderboard: key, run: runId, group } = readBoardPiece(piece)
  const known = await findRun(context, key, runId)
  if (known === null) return []
  const { tenant } = piece
  const told = await readBoard(context, tenant, known, group, context.now())
  return [{ ...toWhole(piece, { leaderboard: told }), user: null }]
}

/** One group of a run with its first ten as they are ranked at an instant. */
export async function readBoard(
  { storage }: Pick<Context, 'storage'>,
  tenant: string,
  { game, leaderboard, run }: FoundRun,
  group: string,
  at: Instant,
): Promise<LeaderboardWithRankings> {
  const page = { limit: leaderboard.maxParticipants, at: rankedAt(leaderboard, at), offset: 0, count: MOST_SHOWN }
  const lines = await storage.leaderboardPage(tenant, { leaderboard: leaderboard.key, run: run.id, group }, page)
  return { ...toLeaderboard(game, leaderboard, run, localDate('UTC', at)), rankings: lines.map(toRanking) }
}

/** null: the game does not have the run any more. */
async function findRun(context: Context, key: string, runId: string): Promise<FoundRun | null> {
  const { game } = await context.games.current()
  const leaderboard = game.leaderboards.get(key)
  if (leaderboard === undefined || !isRunOf(leaderboard, runId)) return null
  return { game, leaderboard, run: runById(leaderboard, runId) }
}

/**
 * The ranks of positions, by how many others stand before each; the user's own entry, wherever it is by now, does not
 * count.
 */
async function rankPlaces(
  { storage, now }: Context,
  user: UserKey,
  leaderboard: Leaderboard,
  run: string,
  places: readonly [PositionPiece | null, PositionPiece | null],
): Promise<readonly [number | null, number | null]> {
  const at = leaderboard.rankBy === 'streak' ? rankedAt(leaderboard, now()) : 0
  const { key, maxParticipants: limit } = leaderboard
  const [own] = await storage.leaderboardEntries(user.tenant, key, run, [user.user])
  const rankOf = async (place: PositionPiece | null): Promise<number | null> => {
    if (place === null || !isAlive({ ...place, run }, at)) return null
    const { group, value, reachedAt } = place
    // With a slack of 1, since the user's own entry may be among those counted.
    const request = { leaderboard: key, run, group, limit, at, slack: 1, positions: [{ value, reachedAt }] }
    const [answer] = await storage.ranks(user, [request])
    const counted = answer?.before[0]
    if (counted === undefined) throw new RangeError('A position that was asked about has no answer')
    const isCounted =
      own !== undefined &&
      own.group === group &&
      isAlive(own, at) &&
      comparePositions(own, { value, reachedAt, user: user.user }) < 0
    const before = isCounted ? counted - 1 : counted
    return limit === null || before < limit ? before + 1 : null
  }
  const [from, to] = places
  return [await rankOf(from), await rankOf(to)]
}

/*
 * A user's rank changes when others act. So, for each quarter of an hour in which somebody moved on a board, the worker
 * compares the ranks of its first hundred with those of the quarter before, which it keeps in a document. Users whose
 * rank has changed get a message. The messages and the document are one commit. Users outside the first hundred get a
 * message when they act (`toRankChange`).
 */

const RANKS = 'ranks'
const MOST_RANKED = 100
/** Users who have left the first hundred are looked for among so many. */
const MOST_READ = 200
const KEPT_RUNS = 3
const MOST_TRIES = 20

/** Users as `toMark` has them, so that no id of a user outlives the user here. */
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

/** One group of a run, at the end of a quarter of an hour. */
export interface TopRequest extends FoundRun {
  readonly tenant: string
  readonly group: string
  readonly due: Instant
}

/**
 * Publishes how the ranks of the first hundred have changed, once for each quarter of an hour. Returns whether a user was
 * among those who were compared, and so needs no other message.
 */
async function publishTop(context: Context, request: TopRequest): Promise<(user: string) => boolean> {
  const { storage, messageSignal } = context
  const { tenant, leaderboard, run, group, due } = request
  const name = JSON.stringify([tenant, leaderboard.key, group])
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const document = await storage.document(RANKS, name)
    const stored = document === null ? {} : (runs.safeParse(JSON.parse(document.text)).data ?? {})
    const known = stored[run.id]
    if (known !== undefined && known.due >= due) return isAmong(tenant, known.compared)

    const at = rankedAt(leaderboard, context.now())
    const page = { limit: null, at, offset: 0, count: MOST_READ }
    const lines = await storage.leaderboardPage(tenant, { leaderboard: leaderboard.key, run: run.id, group }, page)
    const before = new Map((known?.ranks ?? []).map(([mark, value], index) => [mark, { rank: index + 1, value }]))
    const { messages, compared } = await compare(context, request, lines, before)
    const top = lines.slice(0, Math.min(MOST_RANKED, leaderboard.maxParticipants ?? MOST_RANKED))
    const ranks = top.map(({ user, value }) => [toMark(tenant, user), value] as const)
    const all = Object.entries({ ...stored, [run.id]: { due, ranks, compared } })
    const newest = all.sort(([left], [right]) => (left < right ? -1 : 1)).slice(-KEPT_RUNS)
    const text = JSON.stringify(Object.fromEntries(newest))
    const isWritten = await storage.openTransaction(async (tx) => {
      if (!(await tx.putDocument({ kind: RANKS, name, version: document?.version ?? 0, text }))) return false
      await tx.putMessages(messages)
      return true
    })
    if (!isWritten) continue
    if (messages.length > 0) messageSignal.notify()
    return isAmong(tenant, compared)
  }
  return () => false
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
  for (const [index, { user, value }] of lines.entries()) {
    const mark = toMark(tenant, user)
    const previous = before.get(mark)
    if (previous === undefined) continue
    compared.push(mark)
    const rank = index < (leaderboard.maxParticipants ?? lines.length) ? index + 1 : null
    if (rank === previous.rank) continue
    const { state } = await storage.readUser({ tenant, user })
    if (state === null) continue
    const ranked = { ...board, rank, value, previousRank: previous.rank, previousValue: previous.value }
    const data = JSON.stringify({ user: toUser(game, { tenant, user }, state), leaderboard: ranked })
    const id = mergedMessageId(messageId(tenant, user, type, leaderboard.key, run.id, due), RANKS)
    messages.push({ id, type, at: due, due: null, tenant, user, data })
  }
  return { messages, compared }
}

function isAmong(tenant: string, compared: readonly string[]): (user: string) => boolean {
  const all = new Set(compared)
  return (user) => all.has(toMark(tenant, user))
}

function toMark(tenant: string, user: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, user]))
    .digest('base64url')
    .slice(0, 16)
}

const MOST_PIECES = 500

/**
 * Makes one message of the pieces of each quarter of an hour that is over. Answers how many were made; null: there is
 * nothing to merge, or others were faster with all of it.
 */
export async function mergeDue(context: Context): Promise<number | null> {
  const { storage, now } = context
  const pieces = await storage.dueMessages(now(), MOST_PIECES)
  if (pieces.length === 0) return null
  const groups = new Map<string, WrittenMessage[]>()
  for (const piece of pieces) {
    const group = groups.get(piece.id)
    if (group === undefined) groups.set(piece.id, [piece])
    else group.push(piece)
  }
  const all = [...groups.values()]
  // The last group may have more pieces than were read.
  const open = pieces.length < MOST_PIECES ? null : all.at(-1)
  let [made, replaced] = [0, 0]
  for (const group of all) {
    const merged = mergePieces(group)
    const written = group === open ? [merged] : await finish(context, merged)
    if (!(await storage.openTransaction((tx) => tx.replaceMessages(group, written)))) continue
    replaced += 1
    if (group !== open) made += written.length
  }
  if (made > 0) context.messageSignal.notify()
  return replaced === 0 ? null : made
}

/** The message that is told; empty: nothing is, for in the end nothing has changed. */
async function finish(context: Context, piece: MergedPiece): Promise<readonly OwnedMessage[]> {
  switch (piece.type) {
    case 'leaderboard.rank_changed':
      return toRankChange(context, piece)
    case 'leaderboard.changed':
      return toChangedBoard(context, piece)
    default:
      return [toPlain(piece)]
  }
}
