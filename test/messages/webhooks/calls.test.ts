import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { loadDeliveries } from '../../../src/sql/deliveries.ts'
import { loadDocuments } from '../../../src/sql/outbox.ts'
import { openReceiver } from './receiver.ts'
import { HOUR, openWorld, SECOND } from './world.ts'

const UNKNOWN = '01956c3a-0000-7000-8000-000000000000'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const url = 'https://example.com/hooks'
const types = ['streak.lost'] as const

/** Everything that is kept, as text. */
async function kept({ storage }: ReturnType<typeof openWorld>): Promise<string> {
  return JSON.stringify([await loadDocuments(storage, 'webhook'), await loadDocuments(storage, 'subscription')])
}

test('A URL is kept as requests use it', async () => {
  const { api } = openWorld({ allowInternal: false })
  const { id, url } = await api.create({ url: 'https://example.com\\@127.0.0.1/', types: ['streak.lost'] })
  expect(url).toBe('https://example.com/@127.0.0.1/')
  expect((await api.update(id, { url: 'https://EXAMPLE.com/\r\nX: y' })).url).toBe('https://example.com/X:%20y')
  expect((await api.list()).map((webhook) => webhook.url)).toEqual(['https://example.com/X:%20y'])
})

describe('create', () => {
  test('answers the webhook with its secret, and asks for its types', async () => {
    const world = openWorld()
    const { id, secret, ...others } = await world.api.create({ url, types: ['streak.lost', 'points.changed'] })
    expect(id).toMatch(UUID)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(others).toEqual({
      name: null,
      url,
      types: ['points.changed', 'streak.lost'],
      order: 'user',
      serviceSignature: false,
      allowInternal: false,
      status: 'active',
      disabled: null,
      created: '2026-03-10T12:00:00.000Z',
      deliveries: { waiting: 0, done: 0, dead: 0 },
    })
    expect(world.wanted.times).toBe(1)
    const [subscription] = await loadDocuments(world.storage, 'subscription')
    expect(JSON.parse(subscription?.text ?? '')).toMatchObject({ types: ['points.changed', 'streak.lost'] })
  })

  test('keeps no character of the secret as it is, and no other call answers it', async () => {
    const world = openWorld()
    const { id, secret } = await world.api.create({ url, types, name: 'CRM' })
    const bytes = secret.slice('whsec_'.length)
    const answers = [
      await world.api.list(),
      await world.api.get(id),
      await world.api.update(id, { name: 'Sales' }),
      await world.api.deliveries(id),
      await kept(world),
    ]
    expect(JSON.stringify(answers)).not.toContain(bytes)
    expect(JSON.stringify(answers)).not.toContain('"secret"')
  })

  test.each([
    [{ url: 'ftp://example.com/' }, 'url: must begin with https://'],
    [{ url: 'http://example.com/' }, 'url: must begin with https://, unless allowInternal (--allow-internal) is given'],
    [
      { url: 'http://10.0.0.1/' },
      'url: must not be an internal address, unless allowInternal (--allow-internal) is given',
    ],
    [{ types: [] }, 'types: must have at least 1 item'],
    [
      { types: ['streak.lots'] },
      "types[0]: there is no message of the type 'streak.lots'; did you mean 'streak.lost'?",
    ],
    [{ secret: 'short' }, 'secret: must be whsec_ and 24 to 64 bytes as base64, or 24 to 255 visible ASCII characters'],
    [{ order: 'time' }, 'order: must be one of "user", "none"'],
    [{ name: '' }, 'name: must not be empty'],
    [{ kind: 'x' }, "kind: is not known; there are 'url', 'types', 'name', 'order', 'serviceSignature', …"],
  ])('refuses %j', async (wrong, message) => {
    const world = openWorld({ allowInternal: false })
    const given = { url, types, ...wrong } as Parameters<typeof world.api.create>[0]
    const refused = await world.api.create(given).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'invalid_request' })
    if (!message.startsWith('kind')) expect(String(refused)).toContain(`Invalid webhook: ${message}`)
    expect(await world.api.list()).toEqual([])
  })

  test('makes a hundred and no more, even at one time', async () => {
    const world = openWorld()
    for (let made = 0; made < 98; made += 1) await world.api.create({ url, types })
    const other = world.beside()
    const last = [world, other, world, other].map(({ api }) =>
      api.create({ url, types }).then(
        () => 'made',
        (error) => error.code,
      ),
    )
    expect((await Promise.all(last)).sort()).toEqual(['made', 'made', 'too_many_webhooks', 'too_many_webhooks'])
    expect(await world.api.list()).toHaveLength(100)
  })
})

describe('every call but create and list', () => {
  test('says that there is no such webhook', async () => {
    const { api } = openWorld()
    const calls = [
      api.get(UNKNOWN),
      api.update(UNKNOWN, { name: 'x' }),
      api.delete(UNKNOWN),
      api.deliveries(UNKNOWN),
      api.replay(UNKNOWN),
      api.rotateSecret(UNKNOWN),
    ]
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'unknown_webhook',
        message: `There is no webhook with the id '${UNKNOWN}'.`,
      })
    }
    await expect(api.get('x')).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('update', () => {
  test('changes what is named, and nothing else', async () => {
    const world = openWorld()
    const { id, secret: _, ...before } = await world.api.create({ url, types, name: 'CRM', serviceSignature: true })
    expect(await world.api.update(id, { types: ['points.changed'], order: 'none' })).toEqual({
      ...before,
      id,
      types: ['points.changed'],
      order: 'none',
    })
    expect(await world.api.update(id, { name: null })).toMatchObject({ name: null, url, order: 'none' })
    expect(world.wanted.times).toBe(3)
  })

  test('disables: what waits is put aside, nothing new is made, and its types are no longer asked for', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver()
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({})
    await world.api.update(id, { status: 'disabled' })
    await world.write({})
    await world.work()
    expect(received).toHaveLength(0)
    expect(await world.api.get(id)).toMatchObject({
      status: 'disabled',
      disabled: { at: '2026-03-10T12:00:00.000Z', because: 'update' },
    })
    const [subscription] = await loadDocuments(world.storage, 'subscription')
    expect(JSON.parse(subscription?.text ?? '').types).toEqual([])
  })
})

describe('delete', () => {
  test('leaves nothing of the webhook, and the last one nothing at all', async () => {
    const world = openWorld()
    const { address } = await openReceiver((_, response) => response.writeHead(500).end())
    const [one, other] = [
      await world.api.create({ url: address, types: ['streak.lost'] }),
      await world.api.create({ url: address, types: ['points.changed'] }),
    ]
    await world.write({}, { type: 'points.changed' })
    await world.work()
    await world.api.delete(one.id)
    expect((await world.api.list()).map(({ id }) => id)).toEqual([other.id])
    expect(await loadDeliveries(world.storage, { receiver: `webhook:${one.id}`, limit: 10 })).toEqual([])
    await world.api.delete(other.id)
    expect(await loadDocuments(world.storage, 'subscription')).toEqual([])
    world.clock.now += 5 * SECOND
    expect(await world.work()).toEqual({ delivered: 0, failed: 0 })
  })
})

describe('deliveries', () => {
  test('tells of each what became of it, the newest first, in pages', async () => {
    const world = openWorld()
    const { address } = await openReceiver(({ body }, response) => {
      const { n } = JSON.parse(body).data
      response.writeHead(n === 2 ? 503 : 200).end(`answer ${n}`)
    })
    const { id } = await world.api.create({ url: address, types: ['streak.lost'], order: 'none' })
    const ids = [1, 2, 3].map((n) => `018e0000-0000-7000-8000-00000000000${n}`)
    await world.write(...[1, 2, 3].map((n) => ({ id: ids[n - 1] ?? '', data: { n } })))
    await world.work()
    const first = await world.api.deliveries(id, { limit: 2 })
    expect(first.deliveries).toEqual([
      {
        id: ids[2],
        type: 'streak.lost',
        at: '2026-03-10T12:00:00.000Z',
        tenant: null,
        userId: 'ann',
        state: 'done',
        attempts: 1,
        nextAttemptAt: null,
        lastAttempt: {
          at: '2026-03-10T12:00:00.000Z',
          status: 200,
          durationMs: expect.any(Number),
          error: null,
          answer: 'answer 3',
        },
      },
      expect.objectContaining({ id: ids[1], state: 'waiting', attempts: 1, nextAttemptAt: '2026-03-10T12:00:05.000Z' }),
    ])
    const second = await world.api.deliveries(id, { limit: 2, before: first.before ?? 0 })
    expect(second).toMatchObject({ deliveries: [{ id: ids[0] }], before: null })
    const waiting = await world.api.deliveries(id, { state: 'waiting' })
    expect(waiting.deliveries.map((each) => each.id)).toEqual([ids[1]])
    expect((await world.api.get(id)).deliveries).toEqual({ waiting: 1, done: 2, dead: 0 })
  })
})

describe('replay', () => {
  test('sends again what is dead, with all its attempts, or what is named', async () => {
    let status = 500
    const world = openWorld()
    const { address, received } = await openReceiver((_, response) => response.writeHead(status).end())
    const { id } = await world.api.create({ url: address, types: ['streak.lost'], order: 'none' })
    await world.write({ data: { n: 1 } }, { data: { n: 2 } })
    for (let attempts = 0; attempts < 10; attempts += 1) {
      await world.work()
      world.clock.now += 24 * HOUR
    }
    expect((await world.api.get(id)).deliveries).toEqual({ waiting: 0, done: 0, dead: 2 })
    expect(await world.api.replay(id, { state: 'done' })).toEqual({ replayed: 0 })
    expect(await world.api.replay(id)).toEqual({ replayed: 2 })
    const { deliveries } = await world.api.deliveries(id)
    expect(deliveries).toMatchObject([
      { state: 'waiting', attempts: 0 },
      { state: 'waiting', attempts: 0 },
    ])
    expect(await world.api.replay(id, { ids: deliveries.map((each) => each.id) })).toEqual({ replayed: 0 })
    status = 200
    expect(await world.work()).toEqual({ delivered: 2, failed: 0 })
    expect(received).toHaveLength(22)
    expect(await world.api.replay(id, { ids: [deliveries[0]?.id ?? ''] })).toEqual({ replayed: 1 })
    expect(await world.work()).toEqual({ delivered: 1, failed: 0 })
    expect(received.at(-1)?.headers['webhook-id']).toBe(deliveries[0]?.id)
  })
})

describe('rotateSecret', () => {
  test('has both secrets sign for a day, then the new one alone', async () => {
    const world = openWorld()
    world.clock.now = Date.now()
    const { address, received } = await openReceiver()
    const { id, secret: old } = await world.api.create({ url: address, types: ['streak.lost'] })
    const { secret } = await world.api.rotateSecret(id)
    expect(secret).not.toBe(old)
    const sent = async () => {
      await world.write({ data: { n: 1 } })
      await world.work()
      const { body = '', headers = {} } = received.at(-1) ?? {}
      return { body, headers: headers as Record<string, string> }
    }
    const first = await sent()
    expect(first.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    for (const each of [old, secret]) new Webhook(each).verify(first.body, first.headers)
    world.clock.now += 24 * HOUR - 1
    expect((await sent()).headers['webhook-signature']?.split(' ')).toHaveLength(2)
    world.clock.now += 1
    expect((await sent()).headers['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  test('keeps three at most, and none of the old where it is to be over at once', async () => {
    const world = openWorld()
    world.clock.now = Date.now()
    const { address, received } = await openReceiver()
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    const count = async (): Promise<number | undefined> => {
      await world.write({})
      await world.work()
      return received.at(-1)?.headers['webhook-signature']?.split(' ').length
    }
    for (let times = 0; times < 4; times += 1) await world.api.rotateSecret(id)
    expect(await count()).toBe(3)
    const { secret } = await world.api.rotateSecret(id, {
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      overlapHours: 0,
    })
    expect(secret).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const { body = '', headers = {} } = received.at(-1) ?? {}
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).toThrow()
    await count()
    const last = received.at(-1)
    new Webhook(secret).verify(last?.body ?? '', last?.headers as Record<string, string>)
  })
})

test.each([
  [
    { secretKey: 'too short' },
    'must be a text of 32 characters or more, as openssl rand -base64 32 prints it, not one of 9',
  ],
  [{ secretKey: 5 }, 'must be a text of 32 characters or more, as openssl rand -base64 32 prints it, not 5'],
])('createGamification refuses webhooks: %j', (webhooks, message) => {
  const game = defineGame({ metrics: { words: { name: 'Words' } } })
  // @ts-expect-error What has no types may give anything.
  expect(() => createGamification({ game, storage: memory(), webhooks })).toThrow(message)
})
