import {
  ADD_TO_BLOCK,
  BLOCK_AT,
  BLOCK_ENTRIES,
  BLOCKS_IN_ORDER,
  BLOCKS_OF_USER,
  type Block,
  compareBlocks,
  FEW_ENTRIES,
  INSERT_BLOCK,
  MOST_ENTRIES,
  NEXT_BLOCK,
  PREVIOUS_BLOCK,
  RANK_BY_BLOCKS,
  REMOVE_BLOCKS,
} from '../../src/sql/leaderboard-blocks.ts'
import {
  COUNT_BETWEEN,
  comparePositionColumns,
  FIRST_POSITION,
  firstNotBefore,
  LAST_COLUMNS,
  type LeaderboardColumns,
  type PositionColumns,
  type PositionRange,
  type RankedChange,
  type RankedColumns,
  READ_BLOCK_STARTS,
} from '../../src/sql/leaderboards.ts'
import type { Drift } from '../../src/storage/audit.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type { Statement } from '../../src/storage/statements.ts'

interface CachedBlocks {
  readonly starts: readonly PositionColumns[]
  readonly counts: number[]
}

/**
 * Keeps the blocks of groups between transactions: without it, events on leaderboards without a limit take 1.7 times the
 * processor. The connection clears it once another connection has written, or a transaction was rolled back.
 */
export interface BlockCache {
  /** Undefined if the group's blocks are not kept. */
  of(group: LeaderboardColumns, read: () => readonly Block[]): CachedBlocks | undefined
  /** Blocks of the group are made again. */
  forget(group: LeaderboardColumns): void
  clear(): void
}

/** Reading all blocks of a group takes longer than to ask about a few of them. */
export const ASKED_BEFORE = 8
const MOST_GROUPS = 10_000

/** `askedBefore`: how often a group is asked about before its blocks are kept; `Infinity`: they never are. */
export function createBlockCache(askedBefore: number): BlockCache {
  const groups = new Map<string, { asked: number; cached?: CachedBlocks }>()
  return {
    of: (group, read) => {
      const id = groupId(group)
      const found = groups.get(id) ?? { asked: 0 }
      if (groups.size >= MOST_GROUPS) groups.clear()
      groups.set(id, found)
      found.asked += 1
      if (found.cached !== undefined || found.asked <= askedBefore) return found.cached
      const blocks = read()
      found.cached = { starts: blocks, counts: blocks.map(({ count }) => count) }
      return found.cached
    },
    forget: (group) => void groups.delete(groupId(group)),
    clear: () => groups.clear(),
  }
}

/** The index of the block that a position lies in; -1 if there are no blocks. */
function indexAt({ starts }: CachedBlocks, position: PositionColumns): number {
  return firstNotBefore(starts, (start) => comparePositionColumns(start, position) <= 0) - 1
}

/** Different for different groups, because a run has no line break. */
export function groupId({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): string {
  return `${run}\n${tenant_id.length} ${leaderboard.length} ${tenant_id}${leaderboard}${group_key}`
}

export interface BlockConnection extends Statements {
  readonly blocks: BlockCache
}

/**
 * Counts a change of an entry, already written, in the blocks of its group. A group gets blocks with the first change
 * that `isUnlimited`, and has them for as long as it has entries, whatever the game says later: so the counts stay
 * true.
 */
export function countChange(connection: BlockConnection, { from, to }: RankedChange, isUnlimited: boolean): void {
  // Entries that count for a time only are in no block.
  const left = from?.until === null ? from : null
  const entered = to?.until === null ? to : null
  const source = left && blockAt(connection, left)
  // A group without blocks has none for either position.
  const hasNone = left !== null && !source && left.group_key === entered?.group_key
  const target = hasNone ? undefined : entered && blockAt(connection, entered)
  if (left?.group_key === entered?.group_key && source && target && comparePositionColumns(source, target) === 0) return
  if (left !== null && source) add(connection, left, source, -1)
  if (entered !== null && target) add(connection, entered, target, 1)
  // Both counts are true before any block is made again.
  if (left !== null && source) resize(connection, left, { ...source, count: source.count - 1 })
  if (entered !== null && target) resize(connection, entered, { ...target, count: target.count + 1 })
  if (entered !== null && !target && isUnlimited) recount(connection, entered, FIRST_POSITION, LAST_COLUMNS)
}

function blockAt(connection: BlockConnection, position: RankedColumns): Block | undefined {
  const cached = cachedBlocks(connection, position)
  if (cached === undefined) return connection.get(BLOCK_AT, position)
  const index = indexAt(cached, position)
  const start = cached.starts[index]
  return start && { ...start, count: cached.counts[index] ?? 0 }
}

function add(connection: BlockConnection, group: LeaderboardColumns, block: Block, by: number): void {
  // Read this first: a later read includes the change.
  const cached = cachedBlocks(connection, group)
  connection.run(ADD_TO_BLOCK, { ...group, ...block, by })
  if (cached === undefined) return
  const index = indexAt(cached, block)
  cached.counts[index] = (cached.counts[index] ?? 0) + by
}

function cachedBlocks(connection: BlockConnection, group: LeaderboardColumns): CachedBlocks | undefined {
  return connection.blocks.of(group, () => connection.all(BLOCKS_IN_ORDER, group))
}

/** How many entries that always count come before a position; undefined in a group without blocks. */
export function countInBlocks(
  connection: BlockConnection,
  group: LeaderboardColumns,
  position: PositionColumns,
): number | undefined {
  const cached = cachedBlocks(connection, group)
  const { minus_value, reached_at, user_id } = position
  if (cached === undefined) return connection.get(RANK_BY_BLOCKS, { ...group, minus_value, reached_at, user_id })?.count
  const index = indexAt(cached, position)
  const start = cached.starts[index]
  if (start === undefined) return undefined
  let before = connection.get(COUNT_BETWEEN, toRange(group, start, position))?.count ?? 0
  for (let each = 0; each < index; each += 1) before += cached.counts[each] ?? 0
  return before
}

/** Makes a block again that has become too large or too small, perhaps together with a neighbour. */
function resize(connection: BlockConnection, group: RankedColumns, changed: Block): void {
  if (changed.count > FEW_ENTRIES && changed.count <= MOST_ENTRIES) return
  const block = connection.get(BLOCK_AT, { ...group, ...changed })
  if (block === undefined) return
  const [previous, next] = [connection.get(PREVIOUS_BLOCK, { ...group, ...block }), nextOf(connection, group, block)]
  const fits = (neighbour: Block | undefined): neighbour is Block =>
    neighbour !== undefined && (block.count === 0 || block.count + neighbour.count <= BLOCK_ENTRIES)
  if (block.count > MOST_ENTRIES) recount(connection, group, block, next)
  else if (fits(previous)) recount(connection, group, previous, next)
  else if (fits(next)) recount(connection, group, block, nextOf(connection, group, next))
  else if (block.count === 0) recount(connection, group, block, next)
}

function nextOf(connection: BlockConnection, group: LeaderboardColumns, start: PositionColumns): Block | undefined {
  return connection.get(NEXT_BLOCK, { ...group, ...start })
}

/** Makes the blocks again from one position to another. The first block begins where the range begins. */
function recount(
  connection: BlockConnection,
  group: LeaderboardColumns,
  start: PositionColumns,
  end: PositionColumns = LAST_COLUMNS,
): void {
  const range = toRange(group, start, end)
  const total = connection.get(COUNT_BETWEEN, range)?.count ?? 0
  const step = Math.ceil(total / Math.max(1, Math.round(total / BLOCK_ENTRIES)))
  const made = total === 0 ? [] : connection.all(READ_BLOCK_STARTS, { ...range, step })
  connection.run(REMOVE_BLOCKS, range)
  connection.blocks.forget(group)
  for (const [index, first] of made.entries()) {
    const { minus_value, reached_at, user_id } = index === 0 ? start : first
    const count = Math.min(step, total - index * step)
    connection.run(INSERT_BLOCK, { ...group, minus_value, reached_at, user_id, count })
  }
}

function toRange(
  group: LeaderboardColumns,
  { minus_value, reached_at, user_id }: PositionColumns,
  end: PositionColumns,
): PositionRange {
  const until = { end_minus_value: end.minus_value, end_reached_at: end.reached_at, end_user_id: end.user_id }
  return { ...group, minus_value, reached_at, user_id, ...until }
}

/** Makes every block again that begins with a user whose entries are gone, so that the id is kept nowhere. */
export function forgetStarts(connection: BlockConnection, key: UserKey): void {
  for (const start of connection.all(BLOCKS_OF_USER, key)) {
    const previous = connection.get(PREVIOUS_BLOCK, start)
    recount(connection, start, previous ?? FIRST_POSITION, connection.get(NEXT_BLOCK, start))
  }
}

/** Within a transaction; counts every entry of the group. */
export function compareGroup(connection: BlockConnection, group: LeaderboardColumns): readonly Drift[] {
  const stored = connection.all(BLOCKS_IN_ORDER, group)
  const later = stored.filter((block) => comparePositionColumns(block, FIRST_POSITION) > 0)
  const starts: readonly PositionColumns[] = [FIRST_POSITION, ...later]
  const counted = starts.map(({ minus_value, reached_at, user_id }, index) => {
    const start = { minus_value, reached_at, user_id }
    const range = toRange(group, start, starts[index + 1] ?? LAST_COLUMNS)
    return { ...start, count: connection.get(COUNT_BETWEEN, range)?.count ?? 0 }
  })
  return compareBlocks(group, stored, counted)
}

export function repairBlocks(connection: BlockConnection, group: LeaderboardColumns): readonly Drift[] {
  const drift = compareGroup(connection, group)
  if (drift.length > 0) recount(connection, group, FIRST_POSITION, LAST_COLUMNS)
  return drift
}

/** Runs statements, and prepares each once. */
export interface Statements {
  run<Params>(statement: Statement<Params, unknown>, params: Params): number
  get<Params, Row>(statement: Statement<Params, Row>, params: Params): Row | undefined
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): readonly Row[]
}
