import type { BlockStart, LevelNumber } from '../../sql/blocks/index.ts'
import { FIRST_POSITION, isSamePosition, LAST_POSITION, type PositionColumns } from '../../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../../sql/leaderboard-rows.ts'
import { queries } from '../queries.ts'
import type { Statements } from '../statements.ts'
import { type BlockCache, blockAt, type CountedBlocks, type CountedLevel, indexAt } from './cache.ts'

/** What blocks ask of a connection. */
export interface BlockConnection extends Statements {
  readonly blocks: BlockCache
}

/** The blocks of one group, which are counted within the transaction that changes its entries. */
export interface Blocks {
  readonly connection: BlockConnection
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

export function blocksOf(connection: BlockConnection, group: LeaderboardColumns): Blocks {
  return { connection, group, inner: levelOf(connection, group, 1), outer: levelOf(connection, group, 2) }
}

/**
 * The kept blocks of a group, which need not be read; undefined where they are not kept. A group may have no blocks.
 */
export function keptBlocks(connection: BlockConnection, group: LeaderboardColumns): CountedBlocks | undefined {
  return connection.blocks.of(group, (level) => levelOf(connection, group, level).between(FIRST_POSITION, undefined))
}

function levelOf(connection: BlockConnection, group: LeaderboardColumns, level: LevelNumber): BlockLevel {
  const { blocks } = queries
  const { tenant_id, leaderboard, run, group_key } = group
  const keyOf = ({ minus_value, reached_at, user_id }: PositionColumns) => {
    return { tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id }
  }
  const keptLevel = (): CountedLevel | undefined => {
    const kept = keptBlocks(connection, group)
    return level === 1 ? kept?.inner : kept?.outer
  }
  return {
    at: (position) => {
      const kept = keptLevel()
      if (kept === undefined) return connection.get(blocks.at, keyOf(position))
      return blockAt(kept, indexAt(kept, position))
    },
    next: (start) => {
      const kept = keptLevel()
      if (kept === undefined) return connection.get(blocks.next, keyOf(start))
      return blockAt(kept, indexAt(kept, start) + 1)
    },
    previous: (start) => {
      const kept = keptLevel()
      if (kept === undefined) return connection.get(blocks.previous, keyOf(start))
      const index = indexAt(kept, start)
      const found = blockAt(kept, index)
      return found !== undefined && isSamePosition(found, start) ? blockAt(kept, index - 1) : found
    },
    between: (start, end = LAST_POSITION) => {
      const { minus_value, reached_at, user_id } = end
      const until = { end_minus_value: minus_value, end_reached_at: reached_at, end_user_id: user_id }
      return connection.all(blocks.between, { ...keyOf(start), ...until })
    },
    insert: (start, count) => {
      connection.run(blocks.insert, { ...keyOf(start), count })
      connection.blocks.note({ group, level, start, by: count })
    },
    add: (block, by) => {
      connection.run(blocks.add, { ...keyOf(block), by })
      connection.blocks.note({ group, level, start: block, by })
      return { ...block, count: block.count + by }
    },
    remove: (start) => {
      connection.run(blocks.remove, keyOf(start))
      connection.blocks.note({ group, level, start, by: null })
    },
  }
}
