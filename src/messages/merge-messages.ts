import type { Context } from '../runtime/context.ts'
import type { OwnedMessage, WrittenMessage } from '../storage/outbox.ts'
import { type MergedPiece, mergePieces, toPlain } from './merge-pieces.ts'
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
