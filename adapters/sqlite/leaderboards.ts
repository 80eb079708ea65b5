import { BLOCK_WITH_BEFORE } from '../../src/sql/leaderboard-blocks.ts'
import {
  COUNT_BEFORE,
  FIND_ENTRY,
  FIRST_POSITION,
  isAmong,
  isSameRun,
  type LeaderboardColumns,
  minus,
  type PositionColumns,
  type RankedColumns,
  READ_LINES,
  READ_POSITIONS,
  toEntryKeyColumns,
  toLeaderboardColumns,
  toLine,
} from '../../src/sql/leaderboards.ts'
import { ROW_STATEMENTS } from '../../src/sql/row-changes.ts'
import type { LeaderboardEntriesTable } from '../../src/sql/tables.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import type {
  Difference,
  LeaderboardLine,
  LeaderboardPage,
  RankAnswer,
  RankedGroup,
  RankRequest,
} from '../../src/storage/storage.ts'
import type { Connection } from './connection.ts'
import { countChange, countInBlocks, groupId } from './leaderboard-blocks.ts'
import { indexIn } from './leaderboard-tops.ts'

export function saveLeaderboards(
  connection: Connection,
  { remove, put }: Difference<LeaderboardEntriesTable>,
  unlimited: readonly string[],
): void {
  for (const from of remove) {
    if (put.some((row) => isSameRun(row, from))) continue
    if (connection.run(ROW_STATEMENTS.leaderboard_entries.remove, from) === 0) continue
    connection.tops.move({ from, to: null })
    countChange(connection, { from, to: null }, false)
  }
  for (const row of put) {
    const change = { from: remove.find((old) => isSameRun(old, row)) ?? find(connection, row), to: row }
    connection.run(ROW_STATEMENTS.leaderboard_entries.put, row)
    connection.tops.move(change)
    countChange(connection, change, isAmong(unlimited, row))
  }
}

function find(connection: Connection, row: LeaderboardEntriesTable): RankedColumns | null {
  const found = connection.get(FIND_ENTRY, row)
  return found === undefined ? null : { ...row, ...found }
}

/** More entries than any group has. */
const ALL = Number.MAX_SAFE_INTEGER
/** To pass over this many entries is faster than to look for blocks. Leaderboards with the default limit have no blocks. */
const SHORT_WALK = 1_200

/** How many entries that count at `at` come before a position; with a limit, no more than that are counted. */
export function countBefore(
  connection: Connection,
  group: LeaderboardColumns,
  position: PositionColumns,
  at: number,
  limit: number | null,
): number {
  const isShort = limit !== null && limit <= SHORT_WALK
  const counted = isShort ? undefined : countInBlocks(connection, group, position)
  if (counted !== undefined) return Math.min(counted, limit ?? ALL)
  const { minus_value, reached_at, user_id } = position
  const asked = { ...group, minus_value, reached_at, user_id, at, limit: limit ?? ALL }
  return connection.get(COUNT_BEFORE, asked)?.count ?? 0
}

interface Start extends PositionColumns {
  /** How many entries from there on are passed over. */
  readonly offset: number
}

/** The nearest start before the entry that has `offset` others before it. */
function findStart(connection: Connection, group: LeaderboardColumns, offset: number): Start {
  const start = { ...FIRST_POSITION, offset }
  if (offset <= SHORT_WALK) return start
  const found = connection.get(BLOCK_WITH_BEFORE, { ...group, most: offset })
  if (found === undefined) return start
  const { before, ...position } = found
  return { ...position, offset: offset - before }
}

export function loadPage(
  connection: Connection,
  tenant: string,
  key: RankedGroup,
  page: LeaderboardPage,
): readonly LeaderboardLine[] {
  const { limit, at, offset, count, around } = page
  const group = toLeaderboardColumns(tenant, key)
  const position = around === undefined ? 0 : findPosition(connection, tenant, key, group, around, page)
  if (position === null) return []
  const first = Math.max(0, position + offset)
  const end = Math.min(position + offset + count, limit ?? Number.POSITIVE_INFINITY)
  if (end <= first) return []
  const asked = { ...group, ...findStart(connection, group, first), at, limit: end - first }
  return connection.all(READ_LINES, asked).map((row, index) => toLine(row, first + index + 1))
}

/** How many entries come before the user's, or `null` if the user does not rank. */
function findPosition(
  connection: Connection,
  tenant: string,
  key: RankedGroup,
  group: LeaderboardColumns,
  user: string,
  { limit, at }: LeaderboardPage,
): number | null {
  const entry = connection.get(FIND_ENTRY, toEntryKeyColumns({ tenant, user }, key))
  if (entry === undefined || entry.group_key !== group.group_key) return null
  if (entry.until !== null && entry.until <= at) return null
  const position = countBefore(connection, group, { ...entry, user_id: user }, at, limit)
  return limit !== null && position >= limit ? null : position
}

interface Limited extends Pick<RankRequest, 'margin' | 'at'> {
  readonly limit: number
}

interface Around {
  readonly rows: readonly PositionColumns[]
  readonly answer: Pick<RankAnswer, 'last' | 'first'>
}

export type CountRanks = (key: UserKey, requests: readonly RankRequest[]) => readonly RankAnswer[]

/**
 * Counts how many entries come before positions, within a transaction that has not written to leaderboards yet. The
 * entries around a limit are read once for all users.
 */
export function rankCounter(connection: Connection): CountRanks {
  const read = new Map<string, Around>()
  /** The entries around a limit. `top`: the best entries of the group, or `null` if they are not kept. */
  const around = (
    group: LeaderboardColumns,
    { limit, margin, at }: Limited,
    top: readonly PositionColumns[] | null,
  ) => {
    const id = `${limit} ${margin} ${at} ${groupId(group)}`
    const known = read.get(id)
    if (known !== undefined) return known
    const [first, end] = [Math.max(0, limit - 1 - margin), limit + margin]
    const asked = { ...group, at, limit: end - first }
    const rows =
      top?.slice(first, end) ?? connection.all(READ_POSITIONS, { ...asked, ...findStart(connection, group, first) })
    const made = { rows, answer: { last: rows.map(toPosition), first } }
    read.set(id, made)
    return made
  }
  return ({ tenant, user }, requests) =>
    requests.map((request) => {
      const { limit, margin, at } = request
      const group = toLeaderboardColumns(tenant, request)
      const positions = request.positions.map(({ value, reachedAt }) => {
        return { minus_value: minus(value), reached_at: reachedAt, user_id: user }
      })
      if (limit === null) {
        const before = positions.map((position) => countBefore(connection, group, position, at, null))
        return { before, last: [], first: 0 }
      }
      const end = limit + margin
      const top = connection.tops.of(connection, group, end)
      const { rows, answer } = around(group, { limit, margin, at }, top)
      const before = positions.map((position) => {
        if (top !== null) return Math.min(end, indexIn(top, position))
        const index = indexIn(rows, position)
        // The position comes before all that were read, so the entries before it are still to be counted.
        if (index === 0 && answer.first > 0) return countBefore(connection, group, position, at, end)
        return answer.first + index
      })
      return { before, ...answer }
    })
}

function toPosition({ minus_value, reached_at, user_id }: PositionColumns): RankAnswer['last'][number] {
  return { value: minus(minus_value), reachedAt: reached_at, user: user_id }
}
