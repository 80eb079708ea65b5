import type { UserKey } from '../../../src/storage-rows.ts'
import { comparePositionColumns, isSamePosition, type PositionColumns } from '../../sql/leaderboard-positions.ts'
import { toUserColumns } from '../../sql/user-rows.ts'
import { queries } from '../queries.ts'
import type { Statements } from '../statements.ts'
import { type Blocks, blocksOf } from './levels.ts'

const { removal } = queries

/**
 * Moves the start of every block that begins with a user whose entries are gone, so that the id is kept nowhere. Each
 * block holds the same entries as before.
 */
export function forgetStarts(connection: Statements, key: UserKey): void {
  for (const { minus_value, reached_at, user_id, ...group } of connection.all(removal.starts, toUserColumns(key))) {
    const start = { minus_value, reached_at, user_id }
    const tied = connection.get(removal.tied, { ...group, ...start })?.user_id ?? null
    // No entry lies between the two positions.
    const later = tied === null ? { ...start, reached_at: reached_at + 1, user_id: '' } : { ...start, user_id: tied }
    moveStart(blocksOf(connection, group), start, later)
  }
}

function moveStart({ inner, outer }: Blocks, start: PositionColumns, later: PositionColumns): void {
  const [block, holder, next] = [inner.at(start), outer.at(start), inner.next(start)]
  if (block === undefined || holder === undefined) return
  const isFirst = isSamePosition(holder, start)
  inner.remove(start)
  if (next === undefined || comparePositionColumns(later, next) < 0) {
    inner.insert(later, block.count)
    if (!isFirst) return
    outer.remove(start)
    outer.insert(later, holder.count)
    return
  }
  // The block is empty, for no entry lies between `start` and `next`: its range falls to the block before it.
  if (!isFirst) return
  const end = outer.next(start)
  outer.remove(start)
  if (end === undefined || !isSamePosition(next, end)) outer.insert(next, holder.count)
}
