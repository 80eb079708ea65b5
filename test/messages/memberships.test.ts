// Achievements that a membership completes: the worker records that the date has come.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { type Engine, onEachStorage } from '../support/engine.ts'

const plain = { metrics: { words: { name: 'Words' } } } as const
const definition = {
  ...plain,
  achievements: { loyal: { name: 'Loyal', trigger: 'criteria', of: [{ membership: { days: 30 } }] } },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'loyal', points: 100 }] } },
} as const
const LAST_MINUTE = '2026-04-08T21:59:00.000Z'
const MIDNIGHT = '2026-04-08T22:00:00.000Z'

const join = (engine: Engine, id = 'ann') => engine.users.create({ id, tz: 'Europe/Berlin' })
const achieved = async (engine: Engine, id = 'ann') =>
  (await engine.users.achievements(id)).map(({ key, achievedAt }) => [key, achievedAt])

async function entriesOf(engine: Engine): Promise<number> {
  let count = 0
  for await (const line of engine.export()) if (line.includes('"recordedAt"')) count += 1
  return count
}

onEachStorage('A membership of 30 days', (open) => {
  test('completes the achievement at the local midnight, without an event and without a subscription', async () => {
    const engine = await open(definition)
    await join(engine)
    engine.at(LAST_MINUTE)
    await engine.workOnce()
    expect(await achieved(engine)).toEqual([])
    engine.at(MIDNIGHT)
    await engine.workOnce()
    expect(await achieved(engine)).toEqual([['loyal', MIDNIGHT]])
    expect((await engine.users.points('ann', 'xp')).total).toBe(100)
    const entries = await entriesOf(engine)
    engine.at('2026-05-08T22:00:00.000Z')
    await engine.workOnce()
    expect(await entriesOf(engine)).toBe(entries)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('is published once', async () => {
    const engine = await open(definition)
    const received: unknown[] = []
    await engine.subscribe('badges', { types: ['achievement.completed'] }, (messages) => {
      for (const { type, at } of messages) received.push([type, at])
    })
    await join(engine)
    engine.at(MIDNIGHT)
    await Promise.all([engine.workOnce(), engine.workOnce()])
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    await engine.workOnce()
    expect(received).toEqual([['achievement.completed', MIDNIGHT]])
  })

  test('is passed over for a user who is deleted meanwhile', async () => {
    const engine = await open(definition)
    const ids = Array.from({ length: 20 }, (_, index) => `user-${index}`)
    for (const id of ids) await join(engine, id)
    engine.at(MIDNIGHT)
    const working = engine.workOnce()
    await nextTurn()
    await Promise.all([working, ...ids.slice(1).map((id) => engine.users.delete(id))])
    await engine.workOnce()
    expect(await achieved(engine, 'user-0')).toEqual([['loyal', MIDNIGHT]])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('counts for users who were there before the game asked for it', async () => {
    const engine = await open(plain)
    await join(engine)
    engine.at('2026-06-01T12:00:00.000Z')
    const next = await engine.redefine(definition)
    await next.workOnce()
    expect(await achieved(next)).toEqual([['loyal', '2026-06-01T12:00:00.000Z']])
  })

  test('counts for the same days of another achievement', async () => {
    const engine = await open(definition)
    await join(engine)
    engine.at(MIDNIGHT)
    await engine.workOnce()
    engine.at('2026-04-10T12:00:00.000Z')
    const { loyal } = definition.achievements
    const next = await engine.redefine({ ...plain, achievements: { veteran: loyal } })
    await next.workOnce()
    next.at('2026-04-11T12:00:00.000Z')
    await next.workOnce()
    expect(await achieved(next)).toEqual([['veteran', '2026-04-11T12:00:00.000Z']])
  })

  test('counts for a user with an event from before that midnight, and for an imported one', async () => {
    const engine = await open(definition)
    await engine.workOnce()
    const occurredAt = new Date('2026-01-01T12:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 1, occurredAt })
    await engine.import([{ metric: 'words', user: { id: 'bob' }, value: 1, occurredAt, idempotencyKey: 'one' }])
    engine.at('2026-03-10T13:00:00.000Z')
    await engine.workOnce()
    for (const id of ['ann', 'bob']) expect(await achieved(engine, id)).toEqual([['loyal', '2026-03-10T13:00:00.000Z']])
    expect((await engine.verify()).drift).toEqual([])
  })

  test('waits while the user is suspended, and counts after that', async () => {
    const engine = await open(definition)
    await join(engine)
    await engine.users.suspend('ann', { reason: 'spam' })
    engine.at(MIDNIGHT)
    await engine.workOnce()
    expect(await achieved(engine)).toEqual([])
    engine.at('2026-04-10T12:00:00.000Z')
    await engine.users.restore('ann')
    await engine.workOnce()
    expect(await achieved(engine)).toEqual([['loyal', '2026-04-10T12:00:00.000Z']])
  })

  test('is asked for again after games without it, and the audit agrees', async () => {
    const first = await open(definition)
    await join(first)
    await first.apply(defineGame(plain), { policy: 'recompute' })
    first.at(MIDNIGHT)
    const next = await first.redefine({ ...definition, metrics: { words: { name: 'Words written' } } })
    expect((await next.verify()).drift).toEqual([])
  })

  test('agrees with the audit for an entry in the millisecond of the game that asks for it again', async () => {
    const first = await open(definition)
    await join(first)
    await first.apply(defineGame(plain), { policy: 'recompute' })
    first.at('2026-04-10T12:00:00.000Z')
    await first.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const next = await first.redefine({ ...definition, metrics: { words: { name: 'Words written' } } })
    expect((await next.verify()).drift).toEqual([])
    await next.workOnce()
    expect(await achieved(next)).toEqual([['loyal', '2026-04-10T12:00:00.000Z']])
  })
})
