import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../support/engine.ts'

const coins = {
  name: 'Coins',
  spendable: true,
  triggers: [{ type: 'metric', metric: 'sales', threshold: 1, points: 1 }],
} as const

const game: GameDefinition = {
  metrics: { sales: { name: 'Sales' } },
  points: { coins, xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'sales', threshold: 1, points: 1 }] } },
}

/** Coins that are gone after the month that follows the one of the earning. */
const expiring: GameDefinition = {
  ...game,
  points: { coins: { ...coins, expires: { after: { months: 1 } }, refundGrace: { days: 10 } } },
}

const kindsOf = async (engine: Engine): Promise<readonly unknown[]> => {
  const { movements } = await engine.points.statement('ann', { system: 'coins', limit: 100 })
  return movements.map(({ kind, points, amount, balance }) => [kind, points, amount, balance])
}

const expectSound = async (engine: Engine): Promise<void> => {
  expect(await engine.verify()).toMatchObject({ drift: [], damaged: [] })
}

onEachStorage('Wallets', (open) => {
  test('a spend takes from the balance and not from the total', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const { spendId, ...answer } = await engine.points.spend('coins', { user: 'ann', amount: 30, reference: 'order 7' })
    expect(spendId).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer).toEqual({ userId: 'ann', system: 'coins', amount: 30, balance: 70 })
    expect(await engine.points.balance('ann', 'coins')).toEqual({
      ...{ system: 'coins', name: 'Coins', total: 100, balance: 70, pending: 0, held: 0, spent: 30, expired: 0 },
      ...{ lots: [{ amount: 70, expires: null }], pendingLots: [], holds: [], nextExpiry: null },
    })
    expect(await engine.users.points('ann', 'coins')).toMatchObject({ total: 100, balance: 70, pending: 0, held: 0 })
    expect((await engine.users.points('ann', 'xp')).balance).toBeUndefined()
    expect((await engine.points.balances('ann')).map(({ system }) => system)).toEqual(['coins'])
    expect(await kindsOf(engine)).toEqual([
      ['spent', 30, -30, 70],
      ['earned', 100, 100, 100],
    ])
    await expectSound(engine)
  })

  test('a spend that is not covered, or of other points, saves nothing', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 10)
    const spend = (system: string, amount: number) => codeOf(engine.points.spend(system, { user: 'ann', amount }))
    expect(await spend('coins', 11)).toBe('insufficient_points')
    expect(await spend('xp', 1)).toBe('not_spendable')
    expect(await spend('gems', 1)).toBe('unknown_points_system')
    expect(await spend('coins', 0.5)).toBe('invalid_request')
    expect(await codeOf(engine.points.spend('coins', { user: 'bob', amount: 1 }))).toBe('unknown_user')
    expect(await codeOf(engine.points.balance('ann', 'xp'))).toBe('not_spendable')
    expect(await kindsOf(engine)).toEqual([['earned', 10, 10, 10]])
  })

  test('the same key spends once, also at once, and another spend with it is refused', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const request = { user: 'ann', amount: 30, idempotencyKey: 'order-7' }
    const spends = await Promise.all([1, 2, 3].map(() => engine.points.spend('coins', request)))
    expect(new Set(spends.map(({ spendId }) => spendId)).size).toBe(1)
    expect(spends.map(({ balance }) => balance)).toEqual([70, 70, 70])
    expect(spends.filter(({ idempotentReplayed }) => idempotentReplayed === false)).toHaveLength(1)
    expect(await codeOf(engine.points.spend('coins', { ...request, amount: 31 }))).toBe('idempotency_key_reused')
    expect((await engine.points.balance('ann', 'coins')).spent).toBe(30)
  })

  test('refunds give back a part, then the rest, and never more than was spent', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 30 })
    const first = await engine.points.refund(spendId, { amount: 10, idempotencyKey: 'return-1' })
    expect(first).toMatchObject({ spendId, userId: 'ann', system: 'coins', refunded: 10, balance: 80 })
    const again = await engine.points.refund(spendId, { amount: 10, idempotencyKey: 'return-1' })
    expect(again).toMatchObject({ refundId: first.refundId, refunded: 10, balance: 80, idempotentReplayed: true })
    expect(await codeOf(engine.points.refund(spendId, { amount: 21 }))).toBe('refund_too_large')
    expect(await engine.points.refund(spendId)).toMatchObject({ refunded: 20, balance: 100 })
    expect(await codeOf(engine.points.refund(spendId))).toBe('refund_too_large')
    expect(await codeOf(engine.points.refund('nothing'))).toBe('unknown_spend')
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ total: 100, balance: 100, spent: 0 })
    await expectSound(engine)
  })

  test('refunds at once give back what was spent, once', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 30 })
    const codes = await Promise.all([1, 2, 3, 4].map(() => codeOf(engine.points.refund(spendId, { amount: 10 }))))
    expect(codes.sort()).toEqual(['accepted', 'accepted', 'accepted', 'refund_too_large'])
    expect((await engine.points.balance('ann', 'coins')).balance).toBe(100)
    await expectSound(engine)
  })

  test('the release of an ended hold changes nothing, also if an anniversary is due', async () => {
    const joined = { name: 'A day here', trigger: 'criteria', of: [{ membership: { days: 1 } }] } as const
    const engine = await open({ ...game, achievements: { joined } })
    await add(engine, 'sales', 100)
    const hold = () => engine.points.hold('coins', { user: 'ann', amount: 40, expiresIn: { hours: 1 } })
    const [captured, left] = [await hold(), await hold()]
    await engine.points.capture(captured.holdId)
    engine.at('2026-03-12T12:00:00.000Z')
    expect(await engine.points.release(captured.holdId)).toMatchObject({ system: 'coins', released: 0, balance: 60 })
    expect(await engine.points.release(left.holdId)).toMatchObject({ released: 0, balance: 60 })
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['joined'])
    await expectSound(engine)
  })

  test('a hold is captured in part, released, or releases itself', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const hold = { user: 'ann', amount: 40, expiresIn: { hours: 1 } }
    const held = await engine.points.hold('coins', { ...hold, reference: 'order 7' })
    expect(held).toMatchObject({ amount: 40, balance: 60, expiresAt: '2026-03-10T13:00:00.000Z' })
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ balance: 60, held: 40 })
    expect(await codeOf(engine.points.capture(held.holdId, { amount: 41 }))).toBe('capture_too_large')
    const captured = await engine.points.capture(held.holdId, { amount: 25 })
    expect(captured).toMatchObject({ holdId: held.holdId, amount: 25, balance: 75 })
    expect(await codeOf(engine.points.capture(held.holdId))).toBe('unknown_hold')
    expect(await engine.points.release(held.holdId)).toMatchObject({ released: 0, balance: 75 })
    expect(await engine.points.refund(captured.spendId, { amount: 5 })).toMatchObject({ refunded: 5, balance: 80 })

    const second = await engine.points.hold('coins', hold)
    expect(await engine.points.release(second.holdId)).toMatchObject({ released: 40, balance: 80 })
    expect(await engine.points.release(second.holdId)).toMatchObject({ released: 0, balance: 80 })
    expect(await codeOf(engine.points.release('nothing'))).toBe('unknown_hold')

    const third = await engine.points.hold('coins', hold)
    engine.at('2026-03-10T13:00:00.000Z')
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ balance: 80, held: 0, holds: [] })
    const [released] = (await engine.points.statement('ann', { system: 'coins' })).movements
    expect(released).toMatchObject({ kind: 'released', holdId: third.holdId, entryId: null, balance: 80 })
    expect(await codeOf(engine.points.capture(third.holdId))).toBe('unknown_hold')
    await add(engine, 'sales', 1)
    expect((await kindsOf(engine)).slice(0, 3)).toEqual([
      ['earned', 1, 1, 81],
      ['released', 40, 40, 80],
      ['held', 40, -40, 40],
    ])
    await expectSound(engine)
  })

  test('the statement shows the first points of a user, if time alone paid them', async () => {
    const timed: GameDefinition = {
      metrics: { sales: { name: 'Sales' } },
      points: {
        coins: { name: 'Coins', spendable: true, triggers: [{ type: 'time', every: { hours: 1 }, points: 5 }] },
      },
    }
    const engine = await open(timed)
    await engine.users.create({ id: 'ann' })
    engine.at('2026-03-10T13:00:00.000Z')
    expect((await engine.points.balance('ann', 'coins')).balance).toBe(5)
    expect(await kindsOf(engine)).toEqual([['earned', 5, 5, 5]])
  })

  test('a late earning that expires earlier changes what an old spend took, and its refund', async () => {
    const engine = await open(expiring)
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 30 })
    await engine.points.refund(spendId, { amount: 10 })
    const lotsOf = async (kind: string) => {
      const { movements } = await engine.points.statement('ann', { system: 'coins' })
      return movements.find((each) => each.kind === kind)?.lots
    }
    expect(await lotsOf('spent')).toEqual([{ amount: 30, expires: '2026-05-01' }])
    await add(engine, 'sales', 25, { occurredAt: new Date('2026-02-10T12:00:00.000Z') })
    expect(await lotsOf('spent')).toEqual([
      { amount: 25, expires: '2026-04-01' },
      { amount: 5, expires: '2026-05-01' },
    ])
    expect(await lotsOf('refunded')).toEqual([
      { amount: 5, expires: '2026-04-01' },
      { amount: 5, expires: '2026-05-01' },
    ])
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({
      ...{ total: 125, balance: 105, spent: 20, nextExpiry: { amount: 5, date: '2026-04-01' } },
    })
    await expectSound(engine)
    // The next refund knows what the late earning changed.
    await engine.points.refund(spendId)
    expect((await engine.points.balance('ann', 'coins')).lots).toEqual([
      { amount: 25, expires: '2026-04-01' },
      { amount: 100, expires: '2026-05-01' },
    ])
    await expectSound(engine)
  })

  test('a void of points that were spent leaves a debt, which blocks spending until it is paid', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'sales', 100)
    await engine.points.spend('coins', { user: 'ann', amount: 80 })
    await engine.events.void(eventId)
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ total: 0, balance: -80, lots: [], spent: 80 })
    expect(await codeOf(engine.points.spend('coins', { user: 'ann', amount: 1 }))).toBe('insufficient_points')
    await add(engine, 'sales', 100)
    expect(await engine.points.spend('coins', { user: 'ann', amount: 20 })).toMatchObject({ balance: 0 })
    await expectSound(engine)
  })

  test('a statement has pages, with what time has done since', async () => {
    const engine = await open(expiring)
    await add(engine, 'sales', 100)
    for (const amount of [1, 2, 3]) await engine.points.spend('coins', { user: 'ann', amount })
    engine.at('2026-05-01T00:00:00.000Z')
    const read = (before?: string) =>
      engine.points.statement('ann', { system: 'coins', limit: 2, ...(before === undefined ? {} : { before }) })
    const first = await read()
    expect(first.movements.map(({ kind, points }) => [kind, points])).toEqual([
      ['expired', 94],
      ['spent', 3],
    ])
    const second = await read(first.next ?? '')
    expect(second.movements.map(({ points }) => points)).toEqual([2, 1])
    const third = await read(second.next ?? '')
    expect(third).toMatchObject({ movements: [{ kind: 'earned' }], next: null })
    expect(await codeOf(read('nonsense'))).toBe('invalid_request')
  })

  test('support takes from the balance, or also from what was earned', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const taken = { userId: 'ann', points: -30, reason: 'Goodwill was too much' }
    expect((await engine.admin.points.adjust('coins', taken)).points).toMatchObject({ total: 100, balance: 70 })
    const earned = await engine.admin.points.adjust('coins', { ...taken, from: 'earned' })
    expect(earned.points).toMatchObject({ total: 70, balance: 40, added: -30 })
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ spent: 30 })
    await expectSound(engine)
  })

  test('merged users have the points of both, and find their spends and holds', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    await engine.metrics.event('sales', { user: { id: 'bob' }, value: 50 })
    const { spendId } = await engine.points.spend('coins', { user: 'bob', amount: 20 })
    const { holdId } = await engine.points.hold('coins', { user: 'bob', amount: 10, expiresIn: { days: 1 } })
    await engine.points.refund(spendId, { amount: 5 })
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect(await engine.points.balance('bob', 'coins')).toMatchObject({ total: 150, balance: 125, held: 10, spent: 15 })
    expect(await engine.points.refund(spendId)).toMatchObject({ userId: 'ann', refunded: 15 })
    expect(await engine.points.capture(holdId)).toMatchObject({ userId: 'ann', amount: 10, balance: 140 })
    await expectSound(engine)
  })

  test('an export has everything, and a deleted user leaves nothing', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 20, reference: 'order 7' })
    await engine.points.hold('coins', { user: 'ann', amount: 10, expiresIn: { days: 1 } })
    await engine.points.refund(spendId, { amount: 5 })
    const [balance, kinds] = [await engine.points.balance('ann', 'coins'), await kindsOf(engine)]
    const lines: unknown[] = []
    for await (const line of engine.users.export('ann')) lines.push(line)
    await engine.users.delete('ann')
    expect(await codeOf(engine.points.balance('ann', 'coins'))).toBe('unknown_user')
    expect(await codeOf(engine.points.refund(spendId))).toBe('unknown_spend')
    await engine.import(lines as never)
    expect(await engine.points.balance('ann', 'coins')).toEqual(balance)
    expect(await kindsOf(engine)).toEqual(kinds)
    expect(await engine.points.refund(spendId)).toMatchObject({ refunded: 15 })
    await expectSound(engine)
  })

  test('an anonymous user keeps its points, without references', async () => {
    const engine = await open(game)
    await add(engine, 'sales', 100)
    const { spendId } = await engine.points.spend('coins', { user: 'ann', amount: 20, reference: 'order 7' })
    await engine.points.refund(spendId, { amount: 5 })
    await engine.users.delete('ann', { keep: 'anonymous' })
    expect(await codeOf(engine.points.refund(spendId))).toBe('unknown_spend')
    await expectSound(engine)
  })
})
