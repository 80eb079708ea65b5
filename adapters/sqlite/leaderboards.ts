import { compareCodePoints } from '../../src/rules/position.ts'
import type { Difference, ReadUserOptions } from '../../src/storage.ts'
import type { LeaderboardRow, UserKey } from '../../src/storage-rows.ts'
import type { EntryColumns } from '../sql/leaderboard-entries.ts'
import type { RankedColumns } from '../sql/leaderboard-positions.ts'
import { fromLeaderboardEntriesRow, isAmong, toEntryKeyColumns, toKeyText } from '../sql/leaderboard-rows.ts'
import type { LeaderboardEntriesTable } from '../sql/tables.ts'
import { toUserColumns } from '../sql/user-rows.ts'
import type { Connection } from './connection.ts'
import { countChange } from './leaderboard-blocks.ts'
import { queries } from './queries.ts'

const { entries, rows } = queries

export function saveLeaderboards(
  connection: Connection,
  { remove, put }: Difference<LeaderboardEntriesTable>,
  unlimited: readonly string[],
): void {
  for (const row of remove) {
    // A row that is put again is changed where it stands.
    if (put.some(({ leaderboard, run }) => leaderboard === row.leaderboard && run === row.run)) continue
    const from = find(connection, row)
    if (from === null) continue
    connection.run(rows.leaderboard_entries.remove, row)
    countChange(connection, { from, to: null }, false)
  }
  for (const row of put) {
    const change = { from: find(connection, row), to: row }
    connection.run(rows.leaderboard_entries.put, row)
    countChange(connection, change, isAmong(unlimited, row))
  }
}

function find(connection: Connection, row: LeaderboardEntriesTable): RankedColumns | null {
  const found = connection.get(entries.find, row)
  return found === undefined ? null : { ...row, ...found }
}

/** In order of leaderboard, then of run. */
export function loadLeaderboards(
  connection: Connection,
  key: UserKey,
  asked: NonNullable<ReadUserOptions['leaderboards']>,
): readonly LeaderboardRow[] {
  return readRows(connection, key, asked)
    .map(fromLeaderboardEntriesRow)
    .filter(({ run }) => asked.run === undefined || asked.run === run)
    .sort((a, b) => compareCodePoints(a.leaderboard, b.leaderboard) || compareCodePoints(a.run, b.run))
}

function readRows(
  connection: Connection,
  key: UserKey,
  { leaderboard, run }: NonNullable<ReadUserOptions['leaderboards']>,
): readonly EntryColumns[] {
  const columns = toUserColumns(key)
  if (leaderboard === undefined) return connection.all(entries.ofUser, columns)
  if (run !== undefined) return connection.all(entries.find, toEntryKeyColumns(key, { leaderboard, run }))
  return connection.all(entries.ofLeaderboard, { ...columns, leaderboard: toKeyText(leaderboard) })
}
