import { expect, test } from 'vitest'
import { add, codeOf, onEachStorage } from '../../support/engine.ts'

const perDay = (value: number, then: 'refuse' | 'hold' = 'refuse') => ({ value, per: { days: 1 }, then })

const game = { metrics: { steps: { name: 'Steps', limits: [perDay(100)] }, words: { name: 'Words' } } } as const
const at = (instant: string) => ({ occurredAt: new Date(instant) })

onEachStorage('A limit of a metric', (open) => {
  test('refuses the event that would exceed it, and says what is left and when there is room again', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 70)
    await expect(add(engine, 'steps', 31)).rejects.toMatchObject({
      code: 'limit_exceeded',
      message:
        'The limit of "steps" is 100 per day: 30 are left on 2026-03-10, and the event adds 31. From 2026-03-11 on there is room for it again.',
    })
    await expect(add(engine, 'steps', 101)).rejects.toMatchObject({
      message: expect.stringContaining('An event may add at most 100.'),
    })
    expect((await add(engine, 'steps', 30)).total).toBe(100)
    expect(await codeOf(add(engine, 'steps', 0.001))).toBe('limit_exceeded')
    expect((await add(engine, 'words', 1_000)).total).toBe(1_000)
    engine.at('2026-03-11T00:00:00Z')
    expect((await add(engine, 'steps', 100)).total).toBe(200)
  })

  test('is each user’s own, and that of each metric', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 100)
    expect((await engine.metrics.event('steps', { user: { id: 'bob' }, value: 100 })).total).toBe(100)
  })

  test('does not ask again about an event whose key was used', async () => {
    const engine = await open(game)
    const first = await add(engine, 'steps', 100, { idempotencyKey: 'walk' })
    const again = await add(engine, 'steps', 100, { idempotencyKey: 'walk' })
    expect(again).toMatchObject({ eventId: first.eventId, idempotentReplayed: true, total: 100 })
    expect(await codeOf(add(engine, 'steps', 1, { idempotencyKey: 'other' }))).toBe('limit_exceeded')
    engine.at('2026-03-11T12:00:00Z')
    expect((await add(engine, 'steps', 1, { idempotencyKey: 'other' })).idempotentReplayed).toBe(false)
  })

  test('lets the same queue through in any order, and counts all events of a date for a late one', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 100)
    await add(engine, 'steps', 40, at('2026-03-09T18:00:00Z'))
    await add(engine, 'steps', 60, at('2026-03-09T08:00:00Z'))
    await expect(add(engine, 'steps', 1, at('2026-03-09T01:00:00Z'))).rejects.toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringContaining('0 are left on 2026-03-09'),
    })
    expect((await add(engine, 'steps', 100, at('2026-03-08T23:59:59Z'))).total).toBe(300)
  })

  test('lets a queue through that comes at once, and refuses the one event too many of it', async () => {
    const engine = await open(game)
    await add(engine, 'steps', 1)
    const days = ['03', '04', '05', '06', '07', '08', '09']
    const queue = days.flatMap((day) => [
      add(engine, 'steps', 60, at(`2026-03-${day}T08:00:00Z`)),
      add(engine, 'steps', 40, at(`2026-03-${day}T18:00:00Z`)),
    ])
    await Promise.all(queue)
    const codes = await Promise.all(
      [1, 2, 3].map((minute) => codeOf(add(engine, 'steps', 40, at(`2026-03-02T0${minute}:00:00Z`)))),
    )
    expect(codes.toSorted()).toEqual(['accepted', 'accepted', 'limit_exceeded'])
    expect((await engine.users.singleMetric('ann', 'steps')).current).toBe(781)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('adds decimals as they are written', async () => {
    const engine = await open({ metrics: { steps: { name: 'Kilometres', limits: [perDay(0.3)] } } })
    for (const value of [0.1, 0.1, 0.1]) await add(engine, 'steps', value)
    expect(await codeOf(add(engine, 'steps', 1e-9))).toBe('limit_exceeded')
  })

  test('counts from the deploy that brings it, for late events too, and goes when a game is without it', async () => {
    const engine = await open({ metrics: { steps: { name: 'Steps' } } })
    await add(engine, 'steps', 500)
    const limited = await engine.redefine(game)
    expect((await add(limited, 'steps', 100)).total).toBe(600)
    expect(await codeOf(add(limited, 'steps', 1))).toBe('limit_exceeded')
    // Before the deploy there was no limit.
    expect((await add(limited, 'steps', 500, at('2026-03-10T11:00:00Z'))).total).toBe(1_100)
    const free = await limited.redefine({ metrics: { steps: { name: 'Steps again' } } })
    expect((await add(free, 'steps', 500)).total).toBe(1_600)
    expect(await free.verify()).toMatchObject({ drift: [] })
  })

  test('is told by a dry run, which uses nothing of it', async () => {
    const engine = await open(game)
    const tried = (value: number) => engine.metrics.event('steps', { user: { id: 'ann' }, value }, { dryRun: true })
    expect((await tried(100)).total).toBe(100)
    expect(await codeOf(tried(101))).toBe('limit_exceeded')
    await add(engine, 'steps', 100)
    expect(await codeOf(tried(1))).toBe('limit_exceeded')
    const late = { user: { id: 'ann' }, value: 101, ...at('2026-03-09T12:00:00Z') }
    expect(await codeOf(engine.metrics.event('steps', late, { dryRun: true }))).toBe('limit_exceeded')
  })

  test('is an issue of an import and of a batch', async () => {
    const engine = await open(game)
    const item = (value: number) => ({ metric: 'steps', user: { id: 'ann' }, value })
    const report = await engine.import([item(60), item(60), item(40)])
    expect(report).toMatchObject({ recorded: 2, refused: 1, refusals: [{ index: 1, code: 'limit_exceeded' }] })
    const events = [{ key: 'steps', user: { id: 'ann' }, value: 1 }]
    expect(await engine.admin.metrics.events(events)).toMatchObject({
      accepted: 0,
      issues: [{ index: 0, code: 'limit_exceeded' }],
    })
  })
})
