import { z } from 'zod'
import { type BoardPiece, MOST_AWARDS, type RankPiece } from '../engine/answers/messages/pieces.ts'
import { mergedMessageId } from '../game/ids.ts'
import { add } from '../rules/total.ts'
import type { OwnedMessage, WrittenMessage } from '../storage-outbox.ts'

/** A waiting message that several pieces were merged into. */
export type MergedPiece = OwnedMessage

const piece = z.object({ part: z.string(), data: z.looseObject({}), number: z.number().optional() })
const points = z.looseObject({ points: z.looseObject({ added: z.number(), awards: z.array(z.unknown()) }) })

/**
 * Merges pieces into one, in the order in which they were written. A piece that was merged before keeps the number of
 * its first piece, so it does not matter in which steps pieces are merged.
 */
export function mergePieces(pieces: readonly WrittenMessage[]): MergedPiece {
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
