import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { type Connection, openConnection } from '../../../adapters/sqlite/connection.ts'
import { countChange } from '../../../adapters/sqlite/leaderboard-blocks.ts'
import { countBefore, loadPage } from '../../../adapters/sqlite/leaderboards.ts'
import { migrateFile } from '../../../adapters/sqlite/migrate.ts'
import type { RankedColumns } from '../../../src/sql/leaderboards.ts'
import { ROW_STATEMENTS } from '../../../src/sql/row-changes.ts'
import { checkBlocks } from '../../api/leaderboards/check-blocks.ts'

interface GroupChange {
  readonly enter?: readonly number[]
  readonly leave?: readonly number[]
}

/** A group without a limit whose entries are written without their users: fast enough for many of them. */
interface BlockGroup {
  /** Users called by these numbers enter; lower numbers rank first. */
  enter(numbers: readonly number[]): void
  leave(numbers: readonly number[]): void
  /** On another connection. */
  changeByOther(change: GroupChange): void
  /** In a transaction that is rolled back. */
  changeAndUndo(change: GroupChange): void
  /** Checks all blocks, and returns the number of entries in each; empty for a group without users. */
  sizes(): readonly number[]
  /** How many come before the place of a number. */
  before(number: number): number
  /** The same within a write transaction, for which blocks are kept. */
  beforeInWrite(number: number): number
  /** The number that so many come before. */
  at(place: number): number | null
}

const KEY = { leaderboard: 'weekly', run: '2026-01-05 3f2a91c0', group: '' }
const GROUP = { tenant_id: '', leaderboard: KEY.leaderboard, run: KEY.run, group_key: KEY.group }

function placeOf(number: number): RankedColumns {
  return { ...GROUP, user_id: `${number}`, minus_value: number, reached_at: 0, until: null }
}

function put(connection: Connection, number: number, isUnlimited: boolean): void {
  const to = placeOf(number)
  connection.run(ROW_STATEMENTS.leaderboard_entries.put, { ...to, names: null })
  countChange(connection, { from: null, to }, isUnlimited)
}

function remove(connection: Connection, number: number): void {
  const from = placeOf(number)
  connection.run(ROW_STATEMENTS.leaderboard_entries.remove, { ...from, names: null })
  countChange(connection, { from, to: null }, true)
}

/** `built`: the numbers of those who were there before the group was counted. */
export function openBlockGroup(file: string, built: readonly number[]): BlockGroup {
  const open = (): Connection => {
    const connection = openConnection(Database, { file, synchronous: 'NORMAL' })
    onTestFinished(() => connection.close())
    return connection
  }
  const [connection, other] = [open(), open()]
  migrateFile(connection)
  connection.write(() => {
    for (const [index, number] of built.entries()) put(connection, number, index === built.length - 1)
  })

  const change = (by: Connection, { enter = [], leave = [] }: GroupChange): void => {
    for (const number of enter) put(by, number, true)
    for (const number of leave) remove(by, number)
  }
  const undone = new Error('undone')
  return {
    enter: (numbers) => connection.write(() => change(connection, { enter: numbers })),
    leave: (numbers) => connection.write(() => change(connection, { leave: numbers })),
    changeByOther: (changes) => other.write(() => change(other, changes)),
    changeAndUndo: (changes) => {
      const attempt = (): void => {
        connection.write(() => {
          change(connection, changes)
          throw undone
        })
      }
      expect(attempt).toThrow(undone)
    },
    sizes: () => checkBlocks(file).get('weekly') ?? [],
    beforeInWrite: (number) => connection.write(() => countBefore(connection, GROUP, placeOf(number), 0, null)),
    before: (number) => connection.read(() => countBefore(connection, GROUP, placeOf(number), 0, null)),
    at: (place) => {
      const page = { limit: null, at: 0, offset: place, count: 1 }
      const [line] = connection.read(() => loadPage(connection, '', KEY, page))
      return line === undefined ? null : 0 - line.value
    },
  }
}
