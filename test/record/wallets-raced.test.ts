// Points that two processes spend and refund at once.

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
    coins: {
      name: 'Coins',
      spendable: true,
      triggers: [{ type: 'metric', metric: 'euros', threshold: 1, points: 1 }],
    },
  },
})

function twoOnOneFile(): readonly [Storage, Storage] {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-wallets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'app.db')
  return [sqlite(file), sqlite(file)]
}

function twoOnPostgres(): readonly [Storage, Storage] {
  const schema = nextSchema()
  return [postgres(databaseUrl(), { schema }), postgres(databaseUrl(), { schema })]
}

const CALLERS = 32

describe.each([
  ['one SQLite file', twoOnOneFile],
  ['Postgres', twoOnPostgres],
])('Two engines on %s', (_, open) => {
  /** Both engines in turns, by the number of the caller. Ann has 100 coins. */
  async function openBoth() {
    const [first, second] = open().map((storage) => createGamification({ game, storage }))
    if (first === undefined || second === undefined) throw new Error('There are two')
    onTestFinished(async () => {
      await first.close()
      await second.close()
    })
    await first.migrate()
    await first.metrics.event('euros', { user: { id: 'ann' }, value: 100 })
    const engineOf = (caller: number) => (caller % 2 === 0 ? first : second)
    /** The differences that `verify` finds. */
    const drift = async () => (await first.verify()).drift
    const wallet = async () => {
      const { total, balance, held, spent } = await second.points.balance('ann', 'coins')
      return { total, balance, held, spent }
    }
    return { engineOf, drift, wallet }
  }

  /** How often each answer came. */
  async function counted(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const code of await Promise.all(calls.map(codeOf))) counts[code] = (counts[code] ?? 0) + 1
    return counts
  }

  test('where 32 callers spend 100 coins one by one spend exactly 100', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const spends = Array.from({ length: CALLERS * 4 }, (_, index) =>
      engineOf(index % CALLERS).points.spend('coins', { user: 'ann', amount: 1 }),
    )
    expect(await counted(spends)).toEqual({ accepted: 100, insufficient_points: 28 })
    expect(await wallet()).toEqual({ total: 100, balance: 0, held: 0, spent: 100 })
    expect(await drift()).toEqual([])
  })

  test('that spend with one key at once spend once, and answer one id', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, caller) =>
        engineOf(caller).points.spend('coins', { user: 'ann', amount: 60, idempotencyKey: 'order-1' }),
      ),
    )
    expect(new Set(answers.map(({ spendId }) => spendId)).size).toBe(1)
    expect(await wallet()).toEqual({ total: 100, balance: 40, held: 0, spent: 60 })
    expect(await drift()).toEqual([])
  })

  test('that refund one spend at once refund what was spent, once', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const { spendId } = await engineOf(0).points.spend('coins', { user: 'ann', amount: 60 })
    const refunds = [0, 1].map((caller) => engineOf(caller).points.refund(spendId))
    expect(await counted(refunds)).toEqual({ accepted: 1, refund_too_large: 1 })
    expect(await wallet()).toEqual({ total: 100, balance: 100, held: 0, spent: 0 })
    expect(await drift()).toEqual([])
  })

  test('that refund parts of one spend at once never refund more than was spent', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const { spendId } = await engineOf(0).points.spend('coins', { user: 'ann', amount: 60 })
    const refunds = Array.from({ length: CALLERS }, (_, caller) =>
      engineOf(caller).points.refund(spendId, { amount: 7 }),
    )
    expect(await counted(refunds)).toEqual({ accepted: 8, refund_too_large: 24 })
    expect(await wallet()).toEqual({ total: 100, balance: 96, held: 0, spent: 4 })
    expect(await drift()).toEqual([])
  })

  test('that capture one hold at once capture it once', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const request = { user: 'ann', amount: 60, expiresIn: { hours: 1 } }
    const { holdId } = await engineOf(0).points.hold('coins', request)
    const captures = Array.from({ length: CALLERS }, (_, caller) =>
      engineOf(caller).points.capture(holdId, { amount: 50 }),
    )
    expect(await counted(captures)).toEqual({ accepted: 1, unknown_hold: 31 })
    expect(await wallet()).toEqual({ total: 100, balance: 50, held: 0, spent: 50 })
    expect(await drift()).toEqual([])
  })

  test('where 32 callers hold 5 of 100 coins hold exactly 20 times', async () => {
    const { engineOf, drift, wallet } = await openBoth()
    const request = { user: 'ann', amount: 5, expiresIn: { hours: 1 } }
    const holds = Array.from({ length: CALLERS }, (_, caller) => engineOf(caller).points.hold('coins', request))
    const counts = await counted(holds)
    expect(counts.accepted).toBe(20)
    expect(await wallet()).toEqual({ total: 100, balance: 0, held: 100, spent: 0 })
    expect(await drift()).toEqual([])
  })
})
