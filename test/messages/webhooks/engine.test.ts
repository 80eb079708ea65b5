import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { onEachStorage } from '../../support/engine.ts'
import { openReceiver } from './receiver.ts'

const definition = {
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
} as const
const SECOND = 1_000
const NO_HEADERS: { readonly [name: string]: string | undefined } = {}

onEachStorage('Webhooks of an engine', (open) => {
  test('are sent what happens from then on, once each, and in order for each user', async () => {
    const engine = await open(definition)
    const { address, received } = await openReceiver()
    await engine.users.create({ id: 'before' })
    const types = ['user.created', 'achievement.completed'] as const
    const { id, secret } = await engine.webhooks.create({ url: address, types, allowInternal: true })
    for (const user of ['ann', 'bob']) await engine.metrics.event('words', { user: { id: user }, value: 5 })
    const report = await engine.workOnce()
    expect(report).toMatchObject({ delivered: 4, failed: 0 })
    expect(await engine.workOnce()).toMatchObject({ delivered: 0, failed: 0 })
    const messages = received.map(({ body }) => JSON.parse(body))
    for (const user of ['ann', 'bob']) {
      const own = messages.filter(({ userId }) => userId === user)
      expect(own.map(({ type }) => type)).toEqual(['user.created', 'achievement.completed'])
      expect(own[1]).toMatchObject({ tenant: null, data: { user: { id: user }, achievement: { key: 'first' } } })
    }
    // The clock of the engine stands in March, which the package takes for long ago.
    const { body = '', headers = NO_HEADERS } = received[0] ?? {}
    const signer = new Webhook(secret)
    const at = new Date(Number(headers['webhook-timestamp']) * SECOND)
    expect(at.toISOString()).toBe('2026-03-10T12:00:00.000Z')
    expect(signer.sign(headers['webhook-id'] ?? '', at, body)).toBe(headers['webhook-signature'])
    expect((await engine.webhooks.get(id)).deliveries).toEqual({ waiting: 0, done: 4, dead: 0 })
  })

  test('keep nothing of a user who is deleted, and go on for the others', async () => {
    const engine = await open(definition)
    const { address, received } = await openReceiver((_, response) => response.writeHead(500).end())
    const { id } = await engine.webhooks.create({ url: address, types: ['user.created'], allowInternal: true })
    for (const user of ['ann', 'bob']) await engine.users.create({ id: user })
    expect(await engine.workOnce()).toMatchObject({ delivered: 0, failed: 2 })
    await engine.users.delete('ann')
    const { deliveries } = await engine.webhooks.deliveries(id)
    expect(deliveries.map(({ userId }) => userId)).toEqual(['bob'])
    engine.at('2026-03-10T12:00:06.000Z')
    expect(await engine.workOnce()).toMatchObject({ failed: 1 })
    expect(received).toHaveLength(3)
  })

  test('show what became of a message for 30 days, however long ago it happened', async () => {
    const engine = await open(definition)
    const { address } = await openReceiver()
    const { id } = await engine.webhooks.create({ url: address, types: ['user.created'], allowInternal: true })
    const occurredAt = new Date('2025-12-01T12:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 5, occurredAt })
    await engine.workOnce()
    const keptAt = async (instant: string) => {
      engine.at(instant)
      // A process removes what is old when it begins.
      await (await engine.redefine(definition)).workOnce()
      return (await engine.webhooks.deliveries(id)).deliveries
    }
    const kept = [{ state: 'done', at: '2025-12-01T12:00:00.000Z', nextAttemptAt: null }]
    expect(await keptAt('2026-03-10T12:00:00.000Z')).toMatchObject(kept)
    expect(await keptAt('2026-04-09T12:00:00.000Z')).toMatchObject(kept)
    expect(await keptAt('2026-04-09T12:00:00.001Z')).toEqual([])
  })
})
