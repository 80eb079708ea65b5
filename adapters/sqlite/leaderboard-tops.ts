import {
  comparePositionColumns,
  FIRST_POSITION,
  firstNotBefore,
  type LeaderboardColumns,
  type PositionColumns,
  type RankedChange,
  type RankedColumns,
  READ_POSITIONS,
} from '../../src/sql/leaderboards.ts'
import { groupId, type Statements } from './leaderboard-blocks.ts'

/**
 * Keeps the best entries of groups with a limit between transactions: without it, an event on a leaderboard takes more than
 * twice as long. The connection clears it once another connection has written, or a transaction was rolled back.
 */
export interface TopCache {
  /** The best entries of a group in order, at least `count` of them or all, or `null` if they are not kept. */
  of(connection: Statements, group: LeaderboardColumns, count: number): readonly PositionColumns[] | null
  /** Changes the kept entries as a change of the table has. */
  move(change: RankedChange): void
  clear(): void
}

/** Reading the best entries takes longer than counting them a few times. */
export const COUNTED_BEFORE = 3
/** Higher limits are counted. */
const MOST_COUNT = 10_000
/** The entries of all groups together take about 10 MB. */
const MOST_ENTRIES = 100_000

interface Top {
  asked: number
  /** The first entries of the group's order. */
  entries: PositionColumns[]
  /** The most entries that are kept; 0 before they are read. */
  most: number
  /** True if the group has no other entries. */
  isWhole: boolean
  /** True if one of them counts for a time only: then their order does not say who ranks. */
  isTemporary: boolean
}

/** `countedBefore`: how often a group is asked about before its entries are kept; `Infinity`: they never are. */
export function createTopCache(countedBefore: number): TopCache {
  const tops = new Map<string, Top>()
  let kept = 0
  const clear = (): void => {
    tops.clear()
    kept = 0
  }
  return {
    of: (connection, group, count) => {
      if (count > MOST_COUNT) return null
      const id = groupId(group)
      const top = tops.get(id) ?? { asked: 0, entries: [], most: 0, isWhole: false, isTemporary: false }
      top.asked += 1
      if (kept > MOST_ENTRIES || tops.size > MOST_ENTRIES) clear()
      tops.set(id, top)
      if (top.asked <= countedBefore || top.isTemporary) return null
      if (top.isWhole || top.entries.length >= count) return top.entries
      kept -= top.most
      read(connection, group, top, count)
      kept += top.most
      return top.isTemporary ? null : top.entries
    },
    move: ({ from, to }) => {
      if (tops.size === 0) return
      const left = from && tops.get(groupId(from))
      const entered = from?.group_key === to?.group_key ? left : to && tops.get(groupId(to))
      if (left && left === entered && from !== null && to !== null && shift(left, from, to)) return
      if (from !== null && left) leave(left, from)
      if (to !== null && entered) enter(entered, to)
    },
    clear,
  }
}

function read(connection: Statements, group: LeaderboardColumns, top: Top, count: number): void {
  // Some of them can leave before they are read again.
  top.most = Math.ceil(count * 1.5) + 50
  // The earliest moment, so that entries are read that do not count now.
  const asked = { ...group, ...FIRST_POSITION, at: Number.MIN_SAFE_INTEGER, limit: top.most, offset: 0 }
  const entries = connection.all(READ_POSITIONS, asked)
  top.isTemporary = entries.some(({ until }) => until !== null)
  top.entries = top.isTemporary ? [] : [...entries]
  top.isWhole = !top.isTemporary && entries.length < top.most
}

/** Moves an entry past those between its two places. Returns false if one of these is not among the kept ones. */
function shift({ entries, isWhole }: Top, from: RankedColumns, to: RankedColumns): boolean {
  const old = indexIn(entries, from)
  const next = indexIn(entries, to)
  if (entries[old]?.user_id !== from.user_id || to.until !== null || (next === entries.length && !isWhole)) return false
  const { minus_value, reached_at, user_id } = to
  const last = next > old ? next - 1 : next
  const step = last > old ? 1 : -1
  for (let index = old; index !== last; index += step) entries[index] = entries[index + step] as PositionColumns
  entries[last] = { minus_value, reached_at, user_id }
  return true
}

function leave({ entries }: Top, position: RankedColumns): void {
  const index = indexIn(entries, position)
  if (entries[index]?.user_id === position.user_id) entries.splice(index, 1)
}

function enter(top: Top, position: RankedColumns): void {
  const { entries, most } = top
  const index = indexIn(entries, position)
  if (index === entries.length && !top.isWhole) return
  if (position.until !== null) {
    Object.assign(top, { entries: [], isWhole: false, isTemporary: true } satisfies Partial<Top>)
    return
  }
  const { minus_value, reached_at, user_id } = position
  entries.splice(index, 0, { minus_value, reached_at, user_id })
  if (entries.length <= most) return
  entries.pop()
  top.isWhole = false
}

/** How many of these entries, which are in order, come before a position. */
export function indexIn(entries: readonly PositionColumns[], position: PositionColumns): number {
  return firstNotBefore(entries, (other) => comparePositionColumns(other, position) < 0)
}
