import { z } from 'zod'
import { mergedMessageId } from '../game/ids.ts'
import { add } from '../rules/total.ts'
import type { Context } from '../runtime/context.ts'
import type { OwnedMessage, WrittenMessage } from '../storage/outbox.ts'
import { MOST_AWARDS } from './drafts/pieces.ts'
import { toChangedBoard, toRankChange } from './rank-messages.ts'

const MOST_PIECES = 500

/**
 * Merges the pieces of each quarter of an hour that is over into one message. Returns the number of messages, or `null` if
 * there is nothing to merge or other processes merged it.
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

/** The messages to publish. The list is empty if the changes cancel out. */
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
