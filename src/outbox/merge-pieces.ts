import { z } from 'zod'
import { type BoardPiece, MOST_AWARDS, type RankPiece } from '../engine/answers/messages/pieces.ts'
import { mergedMessageId } from '../game/ids.ts'
import { add } from '../rules/total.ts'
import type { OwnedMessage, WrittenMessage } from '../storage-outbox.ts'

/** A message that waits, and says what several said. */
export type MergedPiece = OwnedMessage

const piece = z.object({ part: z.string(), data: z.looseObject({}) })
const points = z.looseObject({ points: z.looseObject({ added: z.number(), awards: z.array(z.unknown()) }) })

/** One piece that says what all of these say, in their order. It does not matter in which steps pieces are merged. */
export function mergePieces(pieces: readonly WrittenMessage[]): MergedPiece {
  const [first, ...others] = pieces
  if (first === undefined) throw new RangeError('There is a piece at least')
  const merged = others.reduce<OwnedMessage>((before, after) => mergeTwo(before, after), first)
  const { id, type, at, data, due, tenant, user } = merged
  return { id, type, at, data, due, tenant, user }
}

function mergeTwo(before: OwnedMessage, after: OwnedMessage): OwnedMessage {
  const [left, right] = [readPiece(before.data), readPiece(after.data)]
  const data = mergeData(before.type, left.data, right.data)
  return { ...after, at: Math.max(before.at, after.at), data: JSON.stringify({ part: left.part, data }) }
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

/** The same with other data. */
export function toWhole(merged: MergedPiece, data: object): OwnedMessage {
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

export function readRankPiece({ data }: MergedPiece): Omit<RankPiece, 'user'> & { readonly user?: unknown } {
  return rankData.parse(readPiece(data).data)
}

export function readBoardPiece({ data }: MergedPiece): BoardPiece {
  return boardData.parse(readPiece(data).data)
}
