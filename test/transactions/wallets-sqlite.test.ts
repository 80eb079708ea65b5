// Points that are spent within a transaction of the host's library, on SQLite.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { type Library, SQLITE_LIBRARIES } from './sqlite-library-hosts.ts'
import { openSqliteWorld } from './sqlite-world.ts'
import { WALLET_GAME } from './wallets-game.ts'

const nextFile = useDatabaseFiles()

function openBetterSqlite3(file: string): Library {
  const db = new Database(file)
  onTestFinished(() => void db.close())
  const insert = (text: string) => db.prepare('insert into orders values (?)').run(text)
  return {
    db,
    transaction: async (note, work) => {
      db.transaction(() => {
        insert(note)
        work()
        insert(`${note} too`)
      }).immediate()
    },
  }
}

const LIBRARIES = [['better-sqlite3 itself', openBetterSqlite3] as const, ...SQLITE_LIBRARIES]

// These libraries bring better-sqlite3, so there is nothing to try if it does not run.
const isWithout = process.env.LAURELS_TEST_SQLITE === 'node'

describe.skipIf(isWithout).each(LIBRARIES)('%s', (_, open) => {
  const order = { user: 'ann', amount: 30, idempotencyKey: 'order-1' }

  /** Ann earned 100 coins, spent 10 and holds 20. */
  async function openShop() {
    const world = await openSqliteWorld(nextFile(), { definition: WALLET_GAME })
    const { engine, file } = world
    const library = await open(file)
    await engine.metrics.event('euros', { user: { id: 'ann' }, value: 100 })
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 10 })
    const { holdId } = await engine.points.hold('coins', { user: 'ann', amount: 20, expiresIn: { days: 1 } })
    return { ...world, ...library, db: library.db, spendId, holdId }
  }

  test('a rollback leaves nothing of a spend, a hold, a capture and a refund', async () => {
    const { engine, db, transaction, dump, notes, storage, spendId, holdId } = await openShop()
    const before = dump()
    const balances: number[] = []
    const undone = transaction('order', () => {
      engine.within(db, ({ points }) => {
        balances.push(points.spend('coins', order).balance)
        balances.push(points.hold('coins', { user: 'ann', amount: 5, expiresIn: { hours: 1 } }).balance)
        balances.push(points.capture(holdId, { amount: 15 }).balance)
        balances.push(points.refund(spendId, { amount: 10 }).balance)
      })
      throw new Error('The payment failed')
    })
    await expect(undone).rejects.toThrow('The payment failed')
    expect(balances).toEqual([40, 35, 40, 50])
    expect(dump()).toEqual(before)
    expect(notes()).toEqual([])
    // The key is still free.
    expect((await engine.points.spend('coins', order)).balance).toBe(40)
    await checkFold(storage)
  })

  test('a commit keeps a spend with the order', async () => {
    const { engine, db, transaction, notes, storage } = await openShop()
    await transaction('order', () => {
      engine.within(db, ({ points }) => void points.spend('coins', order))
    })
    expect(notes()).toEqual(['order', 'order too'])
    expect((await engine.points.balance('ann', 'coins')).balance).toBe(40)
    await checkFold(storage)
  })
})
