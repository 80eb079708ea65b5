import { z } from 'zod'
import { MOST_AWARDS, readPiece, toWhole } from '../answers/message-pieces.ts'
import { isTurnedOff } from '../rules/visibility.ts'
import type { Context } from '../runtime/context.ts'
import { loadDueMessages, replaceMessages } from '../sql/messages.ts'
import { loadUser } from '../sql/read-user.ts'
import type { OwnedMessage, WrittenMessage } from '../storage/outbox.ts'
import { toChangedBoard, toRankChange } from './rank-messages.ts'

/*
 * Messages about frequent changes are published once in a quarter of an hour. A save writes a piece of such a message
 * (`src/answers/message-pieces.ts`), with the end of the quarter as `due`. All pieces of one message share one id. Once
 * the quarter is over, the worker replaces them by the message, in one transaction.
 */

const MOST_PIECES = 500

/** Merges the pieces of each quarter that is over. Returns the number of messages, or `null` if nothing was merged. */
export async function mergeDue(context: Context): Promise<number | null> {
  const { storage, now } = context
  const pieces = await loadDueMessages(storage, now(), MOST_PIECES)
  const groups = [...Map.groupBy(pieces, ({ id }) => id).values()]
  // The last group may have more pieces than were read.
  const open = pieces.length < MOST_PIECES ? null : groups.at(-1)
  let [made, replaced] = [0, 0]
  for (const group of groups) {
    const merged = mergePieces(group)
    const written = group === open ? [merged] : await finish(context, merged)
    if (!(await storage.transaction((tx) => replaceMessages(tx, group, written)))) continue
    replaced += 1
    if (group !== open) made += written.length
  }
  if (made > 0) context.messageSignal.notify()
  return replaced === 0 ? null : made
}

/** The messages to publish. The list is empty if the changes cancel out. */
async function finish(context: Context, piece: OwnedMessage): Promise<readonly OwnedMessage[]> {
  const { tenant, user } = piece
  const state = user === null ? null : (await loadUser(context.storage, { tenant, user })).state
  // The user may have turned the game off since the piece was written.
  if (state !== null && isTurnedOff(state)) return []
  switch (piece.type) {
    case 'leaderboard.rank_changed':
      return toRankChange(context, piece, state)
    case 'leaderboard.changed':
      return toChangedBoard(context, piece)
    default:
      return [toWhole(piece, readPiece(piece.data).data)]
  }
}

/** A merged piece keeps the number of its first piece, so the result does not depend on the steps of merging. */
function mergePieces(pieces: readonly WrittenMessage[]): OwnedMessage {
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

const points = z.looseObject({ points: z.looseObject({ added: z.number(), awards: z.array(z.unknown()) }) })

function mergeData(type: string, before: object, after: object): object {
  if (type === 'leaderboard.rank_changed') return { ...after, from: 'from' in before ? before.from : null }
  if (type !== 'points.changed') return after
  const [left, right] = [points.parse(before), points.parse(after)]
  const added = left.points.added + right.points.added
  const awards = [...left.points.awards, ...right.points.awards].slice(-MOST_AWARDS)
  // If any piece changed the level, the message has the level of the last one that did.
  return { ...right, points: { ...left.points, ...right.points, added, awards } }
}
