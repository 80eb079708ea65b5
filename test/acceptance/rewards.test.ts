import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { add, codeOf, type Engine, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { steps: { name: 'Steps' } },
  achievements: { rested: { name: 'Rested', trigger: 'api' } },
  points: {
    coins: { name: 'Coins', spendable: true, triggers: [{ type: 'metric', metric: 'steps', threshold: 1, points: 1 }] },
    xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'steps', threshold: 1, points: 1 }] },
  },
  streak: { frequency: 'daily', metrics: { steps: {} }, freezes: { initial: 0, max: 2 } },
  rewards: {
    mug: { name: 'Mug', cost: { coins: 500 }, stock: 3 },
    hat: { name: 'Hat', description: 'Green', cost: { coins: 100 }, perUser: 1 },
    freeze: {
      name: 'Day off',
      cost: { coins: 50 },
      gives: {
        freezes: 1,
        achievement: 'rested',
        boost: { system: 'xp', name: 'Well rested', multiplier: 2, rounding: 'down', days: 2 },
      },
    },
    old: { name: 'Old', cost: { coins: 1 }, status: 'inactive' },
  },
}

const noDrift = async (engine: Pick<Engine, 'verify'>) => expect((await engine.verify()).drift).toEqual([])
const leftOf = async (engine: Pick<Engine, 'rewards'>, key: string) =>
  (await engine.rewards.list()).find((reward) => reward.key === key)?.left

onEachStorage('Rewards', (open) => {
  test('are listed with their prices and what is left', async () => {
    const engine = await open(game)
    expect(await engine.rewards.list()).toMatchObject([
      {
        key: 'mug',
        name: 'Mug',
        system: 'coins',
        systemName: 'Coins',
        amount: 500,
        stock: 3,
        left: 3,
        perUser: null,
        status: 'active',
        gives: {},
      },
      { key: 'hat', description: 'Green', stock: null, left: null, perUser: 1 },
      { key: 'freeze', gives: { freezes: 1, achievement: 'rested', boost: { system: 'xp', multiplier: 2, days: 2 } } },
      { key: 'old', status: 'inactive' },
    ])
  })

  test('are bought with points, which are gone from the balance and stay earned', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1_200)
    const redemption = await engine.rewards.redeem('mug', { user: 'ann' })
    expect(redemption).toMatchObject({
      ...{ userId: 'ann', reward: 'mug', system: 'coins', amount: 500, balance: 700 },
      ...{ status: 'open', redeemedAt: '2026-03-10T12:00:00.000Z', settledAt: null },
    })
    expect((await engine.users.points('ann', 'coins')).total).toBe(1_200)
    expect(await engine.rewards.redeem('mug', { user: 'ann' })).toMatchObject({ balance: 200 })
    expect(await codeOf(engine.rewards.redeem('mug', { user: 'ann' }))).toBe('insufficient_points')
    expect(await leftOf(engine, 'mug')).toBe(1)
    const { balance: _, ...listed } = redemption
    expect((await engine.rewards.redemptions()).at(-1)).toEqual(listed)
    await noDrift(engine)
  })

  test('are refused by name, status and number for each user', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1_000)
    const redeem = (key: string, user = 'ann') => codeOf(engine.rewards.redeem(key, { user }))
    expect([await redeem('mgu'), await redeem('old'), await redeem('hat', 'bob')]).toEqual([
      'unknown_reward',
      'reward_inactive',
      'unknown_user',
    ])
    expect([await redeem('hat'), await redeem('hat')]).toEqual(['accepted', 'reward_limit_reached'])
    const [hat] = await engine.rewards.redemptions({ user: 'ann', reward: 'hat' })
    await engine.rewards.cancel(hat?.id ?? '')
    expect(await redeem('hat')).toBe('accepted')
  })

  test('with one idempotency key are bought once', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1_200)
    const redeem = () => engine.rewards.redeem('mug', { user: 'ann', idempotencyKey: 'cart-7' })
    const [first, ...others] = await Promise.all([redeem(), redeem(), redeem()])
    expect(first.idempotentReplayed).toBe(false)
    for (const other of others) expect(other).toEqual({ ...first, idempotentReplayed: true })
    expect(await engine.rewards.redemptions()).toHaveLength(1)
    expect(await leftOf(engine, 'mug')).toBe(2)
    const other = engine.rewards.redeem('hat', { user: 'ann', idempotencyKey: 'cart-7' })
    expect(await codeOf(other)).toBe('idempotency_key_reused')
    expect(await engine.rewards.redemptions()).toHaveLength(1)
  })

  test('that run out beside a late event are refused, and the event counts', async () => {
    const engine = await open({ ...game, rewards: { mug: { name: 'Mug', cost: { coins: 5 }, stock: 1 } } })
    await add(engine, 'steps', 100)
    const late = () => codeOf(add(engine, 'steps', 1, { occurredAt: new Date('2026-03-09T12:00:00.000Z') }))
    const redeem = () => codeOf(engine.rewards.redeem('mug', { user: 'ann' }))
    const first = late()
    // The user's own queue is busy now.
    await new Promise((resolve) => setImmediate(resolve))
    const codes = await Promise.all([first, late(), redeem(), redeem(), late()])
    expect(codes.toSorted()).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'out_of_stock'])
    expect((await engine.users.points('ann', 'coins')).total).toBe(103)
    expect(await leftOf(engine, 'mug')).toBe(0)
    await noDrift(engine)
  })

  test('give a freeze, a boost and an achievement in the same entry', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 200)
    await engine.rewards.redeem('freeze', { user: 'ann' })
    expect(await engine.users.streak('ann')).toMatchObject({ freezes: 1 })
    expect((await engine.users.achievements('ann')).map(({ key }) => key)).toEqual(['rested'])
    expect((await add(engine, 'steps', 10)).points.xp).toMatchObject({ added: 20 })
    expect((await engine.users.points('ann', 'coins')).total).toBe(210)
    await engine.rewards.redeem('freeze', { user: 'ann' })
    expect(await codeOf(engine.rewards.redeem('freeze', { user: 'ann' }))).toBe('streak_freezes_full')
    await noDrift(engine)
  })

  test('are refused if their boost would be one too many, until a boost is over', async () => {
    const boost = { system: 'xp', name: 'Double', multiplier: 2, days: 2 }
    const engine = await open({
      ...game,
      rewards: { double: { name: 'Double', cost: { coins: 50 }, gives: { boost } } },
    })
    await add(engine, 'steps', 200)
    const given = { userId: 'ann', name: 'Old', start: '2026-03-10', end: '2026-03-11', multiplier: 1.1 }
    await engine.admin.points.boosts.create(
      'xp',
      Array.from({ length: 100 }, () => given),
    )
    await expect(engine.rewards.redeem('double', { user: 'ann' })).rejects.toMatchObject({
      code: 'too_many_boosts',
      message: 'The user has 100 boosts that are not over, the most there can be. Nothing was saved.',
    })
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ balance: 200 })
    engine.at('2026-03-12T12:00:00Z')
    expect(await engine.rewards.redeem('double', { user: 'ann' })).toMatchObject({ balance: 150 })
    expect((await add(engine, 'steps', 10)).points.xp).toMatchObject({ added: 20 })
    await noDrift(engine)
  })

  test('that give an achievement alone are refused if the user has it, or if support has revoked it', async () => {
    const medal = { name: 'Medal', cost: { coins: 50 }, gives: { achievement: 'rested' } } as const
    const engine = await open({ ...game, rewards: { medal } })
    await add(engine, 'steps', 200)
    const redeem = () => engine.rewards.redeem('medal', { user: 'ann' })
    expect(await redeem()).toMatchObject({ balance: 150 })
    await expect(redeem()).rejects.toMatchObject({
      code: 'reward_limit_reached',
      message: 'The reward gives the achievement "rested" alone, which the user has already. Nothing was saved.',
    })
    await engine.admin.achievements.revoke('rested', { userId: 'ann', reason: 'A mistake' })
    await expect(redeem()).rejects.toMatchObject({
      code: 'achievement_revoked',
      message:
        'The reward gives the achievement "rested" alone, which was revoked for the user: only a grant completes it. Nothing was saved.',
    })
    expect(await engine.points.balance('ann', 'coins')).toMatchObject({ balance: 150 })
    expect(await engine.rewards.redemptions()).toHaveLength(1)
    await noDrift(engine)
  })

  test('are sold out once the stock is gone, and a cancellation refunds the price and gives one back', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob', 'cat', 'dan']) await engine.metrics.event('steps', { user: { id }, value: 500 })
    const redeem = (user: string) => engine.rewards.redeem('mug', { user })
    const redeemed = await Promise.all(['ann', 'bob', 'cat'].map(redeem))
    expect(await codeOf(redeem('dan'))).toBe('out_of_stock')
    expect(await leftOf(engine, 'mug')).toBe(0)
    const id = redeemed[0]?.id ?? ''
    engine.at('2026-03-11T12:00:00.000Z')
    const cancelled = await Promise.all([engine.rewards.cancel(id), engine.rewards.cancel(id)])
    for (const each of cancelled)
      expect(each).toMatchObject({ id, status: 'cancelled', settledAt: '2026-03-11T12:00:00.000Z' })
    expect(await leftOf(engine, 'mug')).toBe(1)
    expect(await codeOf(engine.rewards.fulfil(id))).toBe('redemption_closed')
    expect(await redeem('ann')).toMatchObject({ balance: 0 })
    expect(await codeOf(redeem('dan'))).toBe('out_of_stock')
    await noDrift(engine)
  })

  test('are fulfilled once, and are no longer cancelled then', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 500)
    const { id } = await engine.rewards.redeem('mug', { user: 'ann' })
    expect(await engine.rewards.redemptions({ status: 'open' })).toHaveLength(1)
    expect(await engine.rewards.fulfil(id)).toMatchObject({ status: 'fulfilled' })
    expect(await engine.rewards.fulfil(id)).toMatchObject({ status: 'fulfilled' })
    expect(await codeOf(engine.rewards.cancel(id))).toBe('redemption_closed')
    expect(await engine.rewards.redemptions({ status: 'open' })).toEqual([])
    expect(await codeOf(engine.rewards.fulfil('nothing'))).toBe('unknown_redemption')
    await noDrift(engine)
  })

  test('keep the price of their time, also when a newer game has another', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1_000)
    const { id } = await engine.rewards.redeem('mug', { user: 'ann' })
    const dearer = { ...game, rewards: { mug: { name: 'Mug', cost: { coins: 900 }, stock: 1 } } }
    const next = await engine.redefine(dearer)
    expect(await codeOf(next.rewards.redeem('mug', { user: 'ann' }))).toBe('insufficient_points')
    await next.rewards.cancel(id)
    expect(await next.rewards.redeem('mug', { user: 'ann' })).toMatchObject({ amount: 900, balance: 100 })
    expect((await next.rewards.redemptions()).map(({ amount, status }) => [amount, status])).toEqual([
      [900, 'open'],
      [500, 'cancelled'],
    ])
    await noDrift(next)
  })

  test('are told of by a message, once', async () => {
    const engine = await open(game)
    const seen: unknown[] = []
    await engine.subscribe('mail', { types: ['reward.redeemed'] }, (messages) => {
      for (const { data } of messages) seen.push(data)
    })
    await add(engine, 'steps', 500)
    const redeem = () => engine.rewards.redeem('mug', { user: 'ann', idempotencyKey: 'cart-7' })
    const { id } = await redeem()
    await redeem()
    await engine.workOnce()
    expect(seen).toMatchObject([
      {
        user: { id: 'ann' },
        redemption: { id, userId: 'ann', reward: 'mug', status: 'open' },
        balance: { balance: 0 },
      },
    ])
  })

  test('are imported as they were exported, and are taken from the stock there', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1_500)
    const { id } = await engine.rewards.redeem('mug', { user: 'ann' })
    await engine.rewards.cancel((await engine.rewards.redeem('mug', { user: 'ann' })).id)
    await engine.rewards.fulfil(id)
    const lines: string[] = []
    for await (const line of engine.tenants.export('')) lines.push(line)
    const other = await open(game)
    await other.import(lines)
    expect(await other.rewards.redemptions()).toEqual(await engine.rewards.redemptions())
    expect(await leftOf(other, 'mug')).toBe(2)
    await noDrift(other)
  })

  test('stay taken by a user who is made anonymous', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 500)
    await engine.rewards.redeem('mug', { user: 'ann' })
    await engine.users.delete('ann', { keep: 'anonymous' })
    expect(await leftOf(engine, 'mug')).toBe(2)
    expect(await engine.rewards.redemptions()).toMatchObject([{ reward: 'mug', status: 'open', amount: 500 }])
    await noDrift(engine)
  })

  test('of a user who is merged or deleted stay taken', async () => {
    const engine = await open(game)
    for (const id of ['ann', 'bob']) await engine.metrics.event('steps', { user: { id }, value: 500 })
    const { id } = await engine.rewards.redeem('mug', { user: 'ann' })
    await engine.rewards.redeem('mug', { user: 'bob' })
    await engine.users.merge({ from: 'ann', into: 'bob' })
    expect(await leftOf(engine, 'mug')).toBe(1)
    expect(await engine.rewards.redemptions({ user: 'ann' })).toHaveLength(2)
    expect(await engine.rewards.cancel(id)).toMatchObject({ userId: 'bob', status: 'cancelled' })
    await noDrift(engine)
    await engine.users.delete('bob')
    expect(await leftOf(engine, 'mug')).toBe(2)
    expect(await engine.rewards.redemptions()).toEqual([])
    await noDrift(engine)
  })
})
