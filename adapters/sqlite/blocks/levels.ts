import type { BlockStart, LevelNumber } from '../../sql/blocks/index.ts'
import { LAST_POSITION, type PositionColumns } from '../../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'
import { queries } from '../queries.ts'
import type { Statements } from '../statements.ts'

/** The blocks of one group, which are counted within the transaction that changes its entries. */
export interface Blocks {
  readonly connection: Statements
  readonly group: LeaderboardColumns
  /** Level 1: blocks of entries. */
  readonly inner: BlockLevel
  /** Level 2: blocks of blocks. Each begins where one of level 1 begins. */
  readonly outer: BlockLevel
}

/** `start`: where a block begins. */
export interface BlockLevel {
  /** The block that a position lies in; there is none only where the group has no blocks. */
  at(position: PositionColumns): BlockStart | undefined
  next(start: PositionColumns): BlockStart | undefined
  previous(start: PositionColumns): BlockStart | undefined
  /** The blocks from one start on, up to another start or to the end. */
  between(start: PositionColumns, end: PositionColumns | undefined): readonly BlockStart[]
  insert(start: PositionColumns, count: number): void
  /** Returns the block as it then is. */
  add(block: BlockStart, by: number): BlockStart
  remove(start: PositionColumns): void
}

export function blocksOf(connection: Statements, group: LeaderboardColumns): Blocks {
  return { connection, group, inner: levelOf(connection, group, 1), outer: levelOf(connection, group, 2) }
}

function levelOf(connection: Statements, group: LeaderboardColumns, level: LevelNumber): BlockLevel {
  const { blocks } = queries
  const { tenant_id, leaderboard, run, group_key } = group
  const keyOf = ({ minus_value, reached_at, user_id }: PositionColumns) => {
    return { tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id }
  }
  return {
    at: (position) => connection.get(blocks.at, keyOf(position)),
    next: (start) => connection.get(blocks.next, keyOf(start)),
    previous: (start) => connection.get(blocks.previous, keyOf(start)),
    between: (start, end = LAST_POSITION) => {
      const { minus_value, reached_at, user_id } = end
      const until = { end_minus_value: minus_value, end_reached_at: reached_at, end_user_id: user_id }
      return connection.all(blocks.between, { ...keyOf(start), ...until })
    },
    insert: (start, count) => {
      connection.run(blocks.insert, { ...keyOf(start), count })
    },
    add: (block, by) => {
      connection.run(blocks.add, { ...keyOf(block), by })
      return { ...block, count: block.count + by }
    },
    remove: (start) => {
      connection.run(blocks.remove, keyOf(start))
    },
  }
}
