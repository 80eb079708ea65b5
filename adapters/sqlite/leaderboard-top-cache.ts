import type { PositionColumns, RankedChange } from '../sql/leaderboard-positions.ts'
import type { LeaderboardColumns } from '../sql/leaderboard-rows.ts'
import type { Connection } from './connection.ts'
import { readPositions } from './leaderboard-ranking.ts'
import { createTop, type Top } from './leaderboard-top.ts'

/** Some entries that follow each other in the order of a group. */
export interface Positions {
  /** How many entries of the group come before these. */
  readonly first: number
  readonly positions: readonly PositionColumns[]
}

/**
 * Asks for entries that count at `at`: from the one with `first` others before it up to the one with `end`, excluded.
 */
export interface PositionsWanted {
  readonly at: number
  readonly first: number
  readonly end: number
}

/**
 * Keeps the best entries of the groups that are asked for most, so that an event on a full leaderboard need not walk
 * along its order. To be asked within a write transaction only, before it writes; `begin` guards it as it guards
 * `StateCache`.
 */
export interface TopCache {
  /** Forgets everything unless `dataVersion` is that of the last time; null: it cannot be told. */
  begin(dataVersion: number | null): void
  /** The wanted entries, perhaps with others around them. */
  read(connection: Connection, group: LeaderboardColumns, wanted: PositionsWanted): Positions
  /** To be called after the commit. */
  follow(changes: readonly RankedChange[]): void
}

/**
 * A group is kept once it was asked for more often than this: reading all of its best for a single answer would be
 * slow.
 */
const ASKED_BEFORE = 8
/** How many entries are read beyond the wanted ones, because some will leave. */
const SPARE = 256
/** A longer top is not kept: reading it takes longer than it saves. */
const LONGEST = 2_000
const MOST_TOPS = 1_000
const MOST_PLACES = 100_000

export function createTopCache(): TopCache {
  const tops = new Map<string, Top>()
  const asked = new Map<string, number>()
  /** What other saves of the same commit have read of groups that are not kept. */
  const readBefore = new Map<string, Positions>()
  let known: number | null = null
  /** How many changes were followed since `evict` last measured the tops, which grow by them. */
  let followed = 0

  /** Drops the groups that were not asked for longest. */
  const evict = (): void => {
    followed = 0
    let size = [...tops.values()].reduce((sum, { length }) => sum + length, 0)
    // The map's order is that of the last use.
    for (const [oldest, { length }] of tops) {
      if (tops.size <= MOST_TOPS && size <= MOST_PLACES) return
      tops.delete(oldest)
      size -= length
    }
  }
  const isAskedOften = (id: string): boolean => {
    const times = asked.get(id) ?? 0
    if (asked.size > MOST_TOPS) asked.clear()
    asked.set(id, times + 1)
    return times >= ASKED_BEFORE
  }

  return {
    begin: (dataVersion) => {
      readBefore.clear()
      if (dataVersion === null || dataVersion !== known) {
        tops.clear()
        asked.clear()
      }
      known = dataVersion
    },
    read: (connection, group, { at, first, end }) => {
      const id = idOf(group)
      const top = tops.get(id)
      const kept = top?.positionsAt(at, end)
      tops.delete(id)
      if (top !== undefined && kept != null) {
        tops.set(id, top)
        return { first: 0, positions: kept }
      }
      if (end <= LONGEST && isAskedOften(id)) {
        const positions = readPositions(connection, group, at, 0, end + SPARE)
        tops.set(id, createTop(positions, end + SPARE, at))
        evict()
        return { first: 0, positions: positions }
      }
      const wanted = `${at} ${first} ${end} ${id}`
      const read = readBefore.get(wanted) ?? {
        first,
        positions: readPositions(connection, group, at, first, end - first),
      }
      readBefore.set(wanted, read)
      return read
    },
    follow: (changes) => {
      for (const { from, to } of changes) {
        if (from !== null) tops.get(idOf(from))?.remove(from)
        if (to !== null) tops.get(idOf(to))?.put(to)
      }
      followed += changes.length
      if (followed > MOST_PLACES / 10) evict()
    },
  }
}

function idOf({ tenant_id, leaderboard, run, group_key }: LeaderboardColumns): string {
  return JSON.stringify([tenant_id, leaderboard, run, group_key])
}
