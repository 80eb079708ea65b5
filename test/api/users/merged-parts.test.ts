import { expect, test } from 'vitest'
import { type Engine, onEachStorage } from '../../support/engine.ts'

const game = {
  metrics: { words: { name: 'Words', limits: [{ value: 100, per: { days: 1 }, then: 'hold' }] } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const

onEachStorage('What parts of the engine say of each other:', (open) => {
  const write = (engine: Pick<Engine, 'metrics'>, id: string, value: number, idempotencyKey?: string) =>
    engine.metrics.event('words', { user: { id }, value, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })

  test('a key that leaked takes along what a limit holds back of it', async () => {
    const engine = await open(game)
    const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
    await write(leaked as never, 'ann', 60)
    const { eventId } = await write(leaked as never, 'ann', 70)
    await engine.events.void({ by: 'key-1' })
    expect(await engine.events.held({ user: 'ann' })).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
    await expect(engine.events.approve(eventId)).rejects.toMatchObject({ code: 'event_not_held' })
  })

  test('a time that is voided has nothing held back left', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 60)
    await write(engine, 'ann', 70)
    const between = { from: new Date('2026-03-10T00:00:00Z'), to: new Date('2026-03-11T00:00:00Z') }
    await engine.events.void({ user: 'ann', between })
    expect(await engine.events.held({ user: 'ann' })).toEqual([])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('who is made anonymous keeps what is held back, to be approved', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 60)
    await write(engine, 'ann', 70)
    const { anonymousId } = await engine.users.delete('ann', { keep: 'anonymous' })
    const [held] = await engine.events.held()
    expect(held).toMatchObject({ userId: anonymousId, value: 70 })
    expect(await engine.events.approve(held?.eventId ?? '')).toMatchObject({ total: 130 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a merge into somebody suspended holds back what was held first, once for a key of both', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 60, 'a')
    await write(engine, 'ann', 70, 'b')
    await engine.users.suspend('ann', { reason: 'x' })
    engine.at('2026-03-10T13:00:00Z')
    await write(engine, 'guest', 90, 'a')
    await write(engine, 'guest', 70, 'b')
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect((await engine.verify()).drift).toEqual([])
    expect((await engine.leaderboards.get('words')).rankings).toEqual([])
    expect((await engine.events.held()).map(({ value }) => value)).toEqual([70])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(60)
    await engine.events.approve({ user: 'guest', metric: 'words', idempotencyKey: 'b' })
    await engine.users.restore('guest')
    expect((await engine.leaderboards.get('words')).rankings).toMatchObject([{ userId: 'ann', value: 130 }])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a merge of somebody suspended takes the place of both, until it is restored', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 60)
    await write(engine, 'guest', 30)
    await engine.users.suspend('guest')
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect((await engine.verify()).drift).toEqual([])
    expect((await engine.leaderboards.get('words')).rankings).toEqual([])
    const next = await write(engine, 'ann', 1)
    expect(next.leaderboards.words).toMatchObject({ rank: null })
    await engine.users.restore('ann')
    expect((await engine.leaderboards.get('words')).rankings).toMatchObject([{ userId: 'ann', value: 91 }])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('limits hold under a clock that goes back, and after a merge', async () => {
    const engine = await open(game)
    await write(engine, 'ann', 60)
    engine.at('2026-03-08T12:00:00Z')
    expect((await write(engine, 'ann', 41)).held).toBe(true)
    await write(engine, 'guest', 100)
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect((await write(engine, 'ann', 41)).held).toBe(true)
    expect((await write(engine, 'ann', 40)).held).toBeUndefined()
    expect((await engine.verify()).drift).toEqual([])
  })
})
