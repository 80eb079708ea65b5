import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { RankedColumns } from '../../adapters/sql/leaderboard-places.ts'
import { countChange } from '../../adapters/sqlite/block-counts.ts'
import { toConnection } from '../../adapters/sqlite/connection.ts'
import { loadPage } from '../../adapters/sqlite/leaderboard-page.ts'
import { migrate } from '../../adapters/sqlite/migrate.ts'
import { queries } from '../../adapters/sqlite/queries.ts'
import { countBefore } from '../../adapters/sqlite/ranking.ts'
import { type BlockSizes, checkBlocks } from './check-blocks.ts'

/** A group without a limit whose entries are written without their users: fast enough for many of them. */
export interface BlockGroup {
  /** Users called by these numbers enter; lower numbers rank first. */
  enter(numbers: readonly number[]): void
  leave(numbers: readonly number[]): void
  /** Checks all blocks; none where nobody is left. */
  sizes(): BlockSizes
  /** How many come before the place of a number. */
  before(number: number): number
  /** The number that so many come before. */
  at(place: number): number | null
}

const KEY = { leaderboard: 'weekly', run: '2026-01-05 3f2a91c0', group: '' }
const GROUP = { tenant_id: '', leaderboard: KEY.leaderboard, run: KEY.run, group_key: KEY.group }

function placeOf(number: number): RankedColumns {
  return { ...GROUP, user_id: `${number}`, minus_value: number, reached_at: 0, until: null }
}

/** `built`: the numbers of those who were there before the group was counted. */
export function openBlockGroup(file: string, built: readonly number[]): BlockGroup {
  const database = new Database(file)
  database.pragma('journal_mode = wal')
  onTestFinished(() => void database.close())
  const connection = toConnection(database)
  migrate(connection)

  const put = (number: number, isUnlimited: boolean): void => {
    const to = placeOf(number)
    connection.run(queries.entries.put, { ...to, names: null })
    countChange(connection, { from: null, to }, isUnlimited)
  }
  const remove = (number: number): void => {
    const from = placeOf(number)
    connection.run(queries.entries.remove, from)
    countChange(connection, { from, to: null }, true)
  }
  connection.write(() => {
    for (const [index, number] of built.entries()) put(number, index === built.length - 1)
  })

  return {
    enter: (numbers) => connection.write(() => numbers.forEach((number) => void put(number, true))),
    leave: (numbers) => connection.write(() => numbers.forEach(remove)),
    sizes: () => checkBlocks(file).get('weekly') ?? { entries: [], blocks: [] },
    before: (number) => countBefore(connection, GROUP, placeOf(number), 0, null),
    at: (place) => {
      const [line] = loadPage(connection, '', KEY, { limit: null, at: 0, offset: place, count: 1 })
      return line === undefined ? null : 0 - line.value
    },
  }
}
