import type { BlockStart } from '../../sql/blocks/index.ts'
import { isSamePosition } from '../../sql/leaderboard-positions.ts'
import { queries } from '../queries.ts'
import type { BlockLevel, Blocks } from './levels.ts'

/** A block with more entries is split into halves. */
const MOST_ENTRIES = 128
/** At this many entries or fewer a block is merged with a neighbour, if both together hold at most `MERGED_ENTRIES`. */
const FEW_ENTRIES = 16
const MERGED_ENTRIES = 80
/** The same three limits for the number of blocks of level 1 in a block of level 2. */
const MOST_BLOCKS = 128
const FEW_BLOCKS = 16
const MERGED_BLOCKS = 96

const ALWAYS = Number.MAX_SAFE_INTEGER

export function splitWhenLarge({ connection, group, inner, outer }: Blocks, block: BlockStart): void {
  if (block.count <= MOST_ENTRIES) return
  const half = Math.floor(block.count / 2)
  const { minus_value, reached_at, user_id } = block
  const asked = { ...group, minus_value, reached_at, user_id, at: ALWAYS, offset: half, limit: 1 }
  const middle = connection.get(queries.ranking.positions, asked)
  const large = outer.at(block)
  if (middle === undefined || large === undefined) return
  inner.insert(middle, block.count - half)
  inner.add(block, half - block.count)

  const members = inner.between(large, outer.next(large))
  if (members.length <= MOST_BLOCKS) return
  const right = members.slice(Math.floor(members.length / 2))
  const [start] = right
  if (start === undefined) return
  const count = right.reduce((sum, member) => sum + member.count, 0)
  outer.insert(start, count)
  outer.add(large, -count)
}

export function mergeWhenSmall(blocks: Blocks, block: BlockStart): void {
  if (block.count > FEW_ENTRIES) return
  const { inner, outer } = blocks
  const holder = outer.at(block)
  if (holder === undefined) return
  const end = outer.next(holder)
  if (mergeWithin(inner, holder, end, block)) mergeHolders(blocks, holder, end)
  else if (block.count === 0) removeEmpty(blocks, holder, end, block)
}

/** Merges a block with a neighbour that is held by the same block of level 2. */
function mergeWithin(inner: BlockLevel, holder: BlockStart, end: BlockStart | undefined, block: BlockStart): boolean {
  const fits = ({ count }: BlockStart): boolean => block.count === 0 || block.count + count <= MERGED_ENTRIES
  const right = inner.next(block)
  if (right !== undefined && !(end !== undefined && isSamePosition(right, end)) && fits(right)) {
    join(inner, block, right)
    return true
  }
  const left = isSamePosition(block, holder) ? undefined : inner.previous(block)
  if (left === undefined || !fits(left)) return false
  join(inner, left, block)
  return true
}

function mergeHolders({ inner, outer }: Blocks, holder: BlockStart, end: BlockStart | undefined): void {
  const held = inner.between(holder, end).length
  if (held > FEW_BLOCKS) return
  if (end !== undefined && held + inner.between(end, outer.next(end)).length <= MERGED_BLOCKS) {
    join(outer, holder, end)
    return
  }
  const left = outer.previous(holder)
  if (left !== undefined && held + inner.between(left, holder).length <= MERGED_BLOCKS) join(outer, left, holder)
}

/** Removes an empty block that is the only one in its block of level 2, and a block of level 2 with it. */
function removeEmpty(
  { inner, outer }: Blocks,
  holder: BlockStart,
  end: BlockStart | undefined,
  block: BlockStart,
): void {
  const left = outer.previous(holder)
  if (left !== undefined) {
    outer.remove(holder)
    inner.remove(block)
  } else if (end !== undefined) {
    join(outer, holder, end)
    mergeWithin(inner, holder, outer.next(holder), block)
  } else {
    outer.remove(holder)
    inner.remove(block)
  }
}

/** Adds the right one of two neighbours to the left one, and removes it. */
function join(level: BlockLevel, left: BlockStart, right: BlockStart): void {
  level.remove(right)
  level.add(left, right.count)
}
