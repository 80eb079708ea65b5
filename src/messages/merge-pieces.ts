import { z } from 'zod'
import { mergedMessageId } from '../game/ids.ts'
import { add } from '../rules/total.ts'
import type { OwnedMessage, WrittenMessage } from '../storage/outbox.ts'
import { MOST_AWARDS } from './drafts/pieces.ts'

/** A message that several pieces were merged into. It still waits for the end of its quarter of an hour. */
export type MergedPiece = OwnedMessage

/** A stored piece. `number`: the number of the first piece if it was merged before. */
interface StoredPiece {
  readonly part: string
  readonly data: object
  readonly number?: number | undefined
}

const piece: z.ZodType<StoredPiece> = z.object({
  part: z.string(),
  data: z.looseObject({}),
  number: z.number().optional(),
})
const points = z.looseObject({ points: z.looseObject({ added: z.number(), awards: z.array(z.unknown()) }) })

/**
 * Merges pieces in the order in which they were written. A merged piece keeps the number of its first piece, so the result
 * does not depend on the steps of merging.
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

export function readPiece(text: string): StoredPiece {
  return piece.parse(JSON.parse(text))
}

function mergeData(type: string, before: object, after: object): object {
  if (type === 'leaderboard.rank_changed') return { ...after, from: 'from' in before ? before.from : null }
  if (type !== 'points.changed') return after
  const [left, right] = [points.parse(before), points.parse(after)]
  const added = add(left.points.added, right.points.added)
  const awards = [...left.points.awards, ...right.points.awards].slice(-MOST_AWARDS)
  // If any piece changed the level, the message has the level of the last one that did.
  return { ...right, points: { ...left.points, ...right.points, added, awards } }
}

/** The final message of a merged piece that needs no query. */
export function toPlain(merged: MergedPiece): OwnedMessage {
  return toWhole(merged, readPiece(merged.data).data)
}

/** The final message of a merged piece, with this data. */
export function toWhole(merged: MergedPiece, data: object): OwnedMessage {
  const { part } = readPiece(merged.data)
  return { ...merged, id: mergedMessageId(merged.id, part), due: null, data: JSON.stringify(data) }
}
