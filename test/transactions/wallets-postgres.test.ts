// @heavy: Prisma and TypeORM take seconds to open.
// Points that are spent within a transaction of the host's library, on Postgres.

import { afterAll, describe, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { LIBRARIES } from './library-hosts.ts'
import { type Begin, HOSTS } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { WALLET_GAME } from './wallets-game.ts'

const world = useWorld(WALLET_GAME)
afterAll(() => checkFold(world().storage))

const ALL: readonly (readonly [name: string, begin: Begin])[] = [
  ...HOSTS,
  ...LIBRARIES.map(([name, begin]) => [name, begin] as const),
]

describe.each(ALL)('%s', (_, begin) => {
  /** A user who earned 100 coins, spent 10 and holds 20. */
  async function customer() {
    const { engine, nextUser } = world()
    const user = nextUser()
    await engine.metrics.event('euros', { user: { id: user }, value: 100 })
    const { spendId } = await engine.points.spend('coins', { user, amount: 10 })
    const { holdId } = await engine.points.hold('coins', { user, amount: 20, expiresIn: { days: 1 } })
    return { user, spendId, holdId }
  }

  test('a rollback leaves nothing of a spend, a hold, a capture and a refund', async () => {
    const { engine, pool, orders, dump, notes } = world()
    const { user, spendId, holdId } = await customer()
    const order = { user, amount: 30, idempotencyKey: `order-of-${user}` }
    const before = await dump()
    const opened = await begin(pool)
    const { tx } = opened
    await opened.query(`insert into ${orders} values ($1)`, [user])
    expect((await engine.points.spend('coins', order, { tx })).balance).toBe(40)
    expect((await engine.points.hold('coins', { user, amount: 5, expiresIn: { hours: 1 } }, { tx })).balance).toBe(35)
    expect((await engine.points.capture(holdId, { amount: 15 }, { tx })).balance).toBe(40)
    expect((await engine.points.refund(spendId, { amount: 10 }, { tx })).balance).toBe(50)
    await opened.rollback()
    expect(await dump()).toEqual(before)
    expect(await notes()).not.toContain(user)
    // The key is still free.
    expect((await engine.points.spend('coins', order)).balance).toBe(40)
  })

  test('a commit keeps a spend with the order', async () => {
    const { engine, pool, orders, notes } = world()
    const { user } = await customer()
    const order = { user, amount: 30, idempotencyKey: `order-of-${user}` }
    const opened = await begin(pool)
    await opened.query(`insert into ${orders} values ($1)`, [user])
    const { spendId } = await engine.points.spend('coins', order, { tx: opened.tx })
    await opened.commit()
    expect(await notes()).toContain(user)
    expect((await engine.points.balance(user, 'coins')).balance).toBe(40)
    expect((await engine.points.spend('coins', order)).spendId).toBe(spendId)
  })
})
