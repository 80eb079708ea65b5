// @heavy: It takes more than three seconds.
// A stock that two processes take from at once.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { codeOf } from '../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'

const nextSchema = useEmptySchemas()

const game = defineGame({
  metrics: { euros: { name: 'Euros' } },
  points: {
    coins: { name: 'Coins', spendable: true, triggers: [{ type: 'metric', metric: 'euros', threshold: 1, points: 1 }] },
  },
  rewards: { mug: { name: 'Mug', cost: { coins: 5 }, stock: 50 } },
})

function twoOnOneFile(): readonly Storage[] {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-rewards-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  return [sqlite(file, { busyDeadlineMs: 60_000 }), sqlite(file, { busyDeadlineMs: 60_000 })]
}

function twoOnPostgres(): readonly Storage[] {
  const schema = nextSchema()
  return [1, 2].map(() => postgres(databaseUrl(), { schema, deadlineMs: 60_000 }))
}

describe.each([
  ['one SQLite file', twoOnOneFile],
  ['Postgres', twoOnPostgres],
])('Two engines on %s', (_, open) => {
  async function openBoth(users: number) {
    const [first, second] = open().map((storage) => createGamification({ game, storage }))
    if (first === undefined || second === undefined) throw new Error('There are two')
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    await first.migrate()
    const ids = Array.from({ length: users }, (_, user) => `user-${user}`)
    await Promise.all(ids.map((id) => first.metrics.event('euros', { user: { id }, value: 10 })))
    const engineOf = (caller: number) => (caller % 2 === 0 ? first : second)
    return { ids, first, engineOf }
  }

  test('sell exactly 50 of a stock of 50 to 500 callers', { timeout: 60_000 }, async () => {
    const { ids, first, engineOf } = await openBoth(500)
    const codes = await Promise.all(ids.map((user, caller) => codeOf(engineOf(caller).rewards.redeem('mug', { user }))))
    expect(Map.groupBy(codes, (code) => code).get('accepted')).toHaveLength(50)
    expect(Map.groupBy(codes, (code) => code).get('out_of_stock')).toHaveLength(450)
    expect(await first.rewards.list()).toMatchObject([{ left: 0 }])
    expect((await first.verify()).drift).toEqual([])
  })

  test('sell what cancellations give back, and never more', { timeout: 60_000 }, async () => {
    const { ids, first, engineOf } = await openBoth(60)
    const sold = await Promise.all(
      ids.slice(0, 50).map((user, caller) => engineOf(caller).rewards.redeem('mug', { user })),
    )
    const cancelled = sold.slice(0, 20).flatMap(({ id }) => [0, 1].map((caller) => engineOf(caller).rewards.cancel(id)))
    await Promise.all([
      ...cancelled,
      ...ids.slice(50).map((user, caller) => codeOf(engineOf(caller).rewards.redeem('mug', { user }))),
    ])
    const taken = (await first.rewards.redemptions({ status: 'open' })).length
    expect(taken).toBeGreaterThanOrEqual(30)
    expect(await first.rewards.list()).toMatchObject([{ left: 50 - taken }])
    expect((await first.verify()).drift).toEqual([])
  })

  test('redeem once for one key that is sent to both', { timeout: 60_000 }, async () => {
    const { first, engineOf } = await openBoth(1)
    const redeem = (caller: number) =>
      engineOf(caller).rewards.redeem('mug', { user: 'user-0', idempotencyKey: 'cart-1' })
    const answers = await Promise.all(Array.from({ length: 32 }, (_, caller) => redeem(caller)))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(await first.rewards.list()).toMatchObject([{ left: 49 }])
  })
})
