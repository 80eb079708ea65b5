import {
  FIRST_POSITION,
  isSamePosition,
  type RankedChange,
  type RankedColumns,
} from '../../sql/leaderboard-positions.ts'
import { queries } from '../queries.ts'
import type { Statements } from '../statements.ts'
import { type Blocks, blocksOf } from './levels.ts'
import { mergeWhenSmall, splitWhenLarge } from './sizes.ts'

/** The sizes of new blocks: entries in a block of level 1, and blocks of level 1 in a block of level 2. */
const BUILT_ENTRIES = 56
const BUILT_BLOCKS = 96

/**
 * Counts a change of an entry, already written, in the blocks of its group. A group gets blocks with the first change
 * that `isUnlimited`, and has them for as long as it has entries, whatever the game says later: so the counts stay
 * true.
 */
export function countChange(connection: Statements, { from, to }: RankedChange, isUnlimited: boolean): void {
  // Entries that count for a time only are in no block.
  const left = from?.until === null ? from : null
  const entered = to?.until === null ? to : null
  if (left !== null && entered !== null && left.group_key === entered.group_key) {
    moveWithin(connection, left, entered, isUnlimited)
    return
  }
  if (entered !== null) enter(connection, entered, isUnlimited)
  if (left !== null) leave(connection, left)
}

function enter(connection: Statements, position: RankedColumns, isUnlimited: boolean): void {
  const blocks = blocksOf(connection, position)
  const [block, holder] = [blocks.inner.at(position), blocks.outer.at(position)]
  if (block !== undefined && holder !== undefined) {
    blocks.outer.add(holder, 1)
    splitWhenLarge(blocks, blocks.inner.add(block, 1))
  } else if (isUnlimited) {
    build(blocks)
  }
}

function leave(connection: Statements, position: RankedColumns): void {
  const blocks = blocksOf(connection, position)
  const [block, holder] = [blocks.inner.at(position), blocks.outer.at(position)]
  if (block === undefined || holder === undefined) return
  blocks.outer.add(holder, -1)
  mergeWhenSmall(blocks, blocks.inner.add(block, -1))
}

function moveWithin(connection: Statements, from: RankedColumns, to: RankedColumns, isUnlimited: boolean): void {
  if (isSamePosition(from, to)) return
  const blocks = blocksOf(connection, to)
  const { inner, outer } = blocks
  const [source, target] = [inner.at(from), inner.at(to)]
  if (source === undefined || target === undefined) {
    if (isUnlimited) build(blocks)
    return
  }
  if (isSamePosition(source, target)) return
  // All counts are true before any block is split or merged.
  const [small, large] = [inner.add(source, -1), inner.add(target, 1)]
  const [loser, winner] = [outer.at(from), outer.at(to)]
  if (loser !== undefined && winner !== undefined && !isSamePosition(loser, winner)) {
    outer.add(loser, -1)
    outer.add(winner, 1)
  }
  splitWhenLarge(blocks, large)
  mergeWhenSmall(blocks, small)
}

function build({ connection, group, inner, outer }: Blocks): void {
  const { ranking } = queries
  const size = connection.get(ranking.size, group)?.count ?? 0
  const starts = connection.all(ranking.steps, { ...group, step: BUILT_ENTRIES })
  for (const [index, start] of starts.entries()) {
    inner.insert(index === 0 ? FIRST_POSITION : start, Math.min(BUILT_ENTRIES, size - index * BUILT_ENTRIES))
  }
  for (let first = 0; first < starts.length; first += BUILT_BLOCKS) {
    const start = first === 0 ? FIRST_POSITION : starts[first]
    const count = Math.min(BUILT_BLOCKS * BUILT_ENTRIES, size - first * BUILT_ENTRIES)
    if (start !== undefined) outer.insert(start, count)
  }
}
