import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createSender, type Send } from '../../../src/messages/webhooks/send.ts'
import { removeOne } from '../../../src/testing/storage/case.ts'
import { limit } from '../../support/busy-machine.ts'
import { openReceiver } from './receiver.ts'
import { HOUR, MINUTE, openWorld, SECOND } from './world.ts'

const bodies = (received: readonly { readonly body: string }[]): unknown[] =>
  received.map(({ body }) => JSON.parse(body))
const numbers = (received: readonly { readonly body: string }[]): number[] =>
  received.map(({ body }) => JSON.parse(body).data.n)

describe('a message', () => {
  test('that a webhook wants is sent to it, as the official package verifies it', async () => {
    const world = openWorld()
    world.clock.now = Date.now()
    const at = new Date(world.clock.now).toISOString()
    const { address, received } = await openReceiver()
    const { secret } = await world.api.create({ url: `${address}/hooks`, types: ['streak.lost'] })
    await world.write({ id: '018e0000-0000-7000-8000-000000000001', data: { length: 12 } })
    expect(await world.work()).toEqual({ delivered: 1, failed: 0 })
    const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '' }] = received
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks', 'application/json; charset=utf-8'])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      id: '018e0000-0000-7000-8000-000000000001',
      type: 'streak.lost',
      at,
      tenant: null,
      userId: 'ann',
      data: { length: 12 },
    })
    expect(headers['webhook-id']).toBe('018e0000-0000-7000-8000-000000000001')
    expect(headers['x-trophy-signature']).toBe(undefined)
  })

  test('of another type is not, and one from before the webhook is not', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver()
    await world.write({ data: { n: 1 } })
    await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({ type: 'points.changed', data: { n: 2 } }, { data: { n: 3 } })
    await world.work()
    expect(numbers(received)).toEqual([3])
  })

  test('goes to each webhook that wants it, signed by the secret of each', async () => {
    const world = openWorld()
    const [one, other, third] = [await openReceiver(), await openReceiver(), await openReceiver()]
    await world.api.create({ url: one.address, types: ['streak.lost'] })
    await world.api.create({ url: other.address, types: ['streak.lost', 'points.changed'] })
    await world.api.create({ url: third.address, types: ['points.changed'] })
    await world.write({ data: { n: 1 } })
    expect(await world.work()).toEqual({ delivered: 2, failed: 0 })
    expect([one.received.length, other.received.length, third.received.length]).toEqual([1, 1, 0])
    expect(one.received[0]?.headers['webhook-id']).toBe(other.received[0]?.headers['webhook-id'])
    expect(one.received[0]?.headers['webhook-signature']).not.toBe(other.received[0]?.headers['webhook-signature'])
  })

  test.each([
    [undefined, 2.75, [3.5, -2.5], 2.25],
    ['round', 3, [4, -2], 2],
    ['floor', 2, [3, -3], 2],
  ] as const)('has scores as the option wholeNumbers says: %s', async (wholeNumbers, value, values, threshold) => {
    const world = openWorld(wholeNumbers === undefined ? {} : { wholeNumbers })
    const { address, received } = await openReceiver()
    const types = ['leaderboard.finished', 'leaderboard.rank_changed', 'points.changed'] as const
    await world.api.create({ url: address, types, serviceSignature: true, order: 'none' })
    const rank = { leaderboard: { rankBy: 'metric', rank: 1, value: 2.75, previousValue: 2.75, threshold: 2.25 } }
    const rankings = [
      { rank: 1, value: 3.5 },
      { rank: 2, value: -2.5 },
    ]
    const points = { points: { total: 7.5, added: 0.5 } }
    await world.write({ type: types[1], data: rank })
    await world.work()
    await world.write({ type: types[0], user: null, data: { leaderboard: { rankBy: 'metric', rankings } } })
    await world.work()
    await world.write({ type: types[2], data: points })
    await world.work()
    const [changed, finished, total] = received.map(({ body }) => JSON.parse(body))
    expect(changed.data.leaderboard).toEqual({ rankBy: 'metric', rank: 1, value, previousValue: value, threshold })
    expect(changed.leaderboard).toEqual(changed.data.leaderboard)
    expect(finished.data.leaderboard.rankings).toEqual([
      { rank: 1, value: values[0] },
      { rank: 2, value: values[1] },
    ])
    expect(total.data).toEqual(points)
  })

  test('is signed for a receiver of the hosted service too, where the webhook asks for it', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver()
    const secret = 'trophy-secret-of-the-service'
    await world.api.create({ url: address, types: ['streak.lost'], secret, serviceSignature: true })
    await world.write({ id: '018e0000-0000-7000-8000-000000000001', data: { user: { id: 'ann' }, length: 12 } })
    await world.work()
    expect(bodies(received)).toEqual([
      {
        user: { id: 'ann' },
        length: 12,
        id: '018e0000-0000-7000-8000-000000000001',
        type: 'streak.lost',
        at: '2026-03-10T12:00:00.000Z',
        tenant: null,
        userId: 'ann',
        data: { user: { id: 'ann' }, length: 12 },
      },
    ])
    // openssl dgst -sha256 -hmac trophy-secret-of-the-service -binary | base64
    expect(received[0]?.headers['x-trophy-signature']).toBe('tyj6B6/quOzLUUESbMTerSwkF45n/hFWnodf0h4pcwk=')
  })
})

describe('what fails', () => {
  test('is tried again at its times, with the same id, until it is dead', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver((_, response) => response.writeHead(500).end('no'))
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({ data: { n: 1 } })
    expect(await world.work()).toEqual({ delivered: 0, failed: 1 })
    const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]
    for (const [index, pause] of pauses.entries()) {
      world.clock.now += pause - 1
      await world.work()
      expect(received).toHaveLength(index + 1)
      world.clock.now += 1
      expect(await world.work()).toEqual({ delivered: 0, failed: 1 })
      expect(received).toHaveLength(index + 2)
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
    const { deliveries } = await world.api.deliveries(id)
    expect(deliveries).toMatchObject([
      { state: 'dead', attempts: 10, nextAttemptAt: null, lastAttempt: { status: 500, error: null, answer: 'no' } },
    ])
    world.clock.now += 1_000 * HOUR
    await world.work()
    expect(received).toHaveLength(10)
  })

  test.each([
    ['120', '2026-03-10T12:02:00.000Z'],
    ['Tue, 10 Mar 2026 13:00:00 GMT', '2026-03-10T13:00:00.000Z'],
    ['31536000', '2026-03-11T12:00:00.000Z'],
    ['0', '2026-03-10T12:00:05.000Z'],
  ])('waits as long as Retry-After: %s says', async (header, next) => {
    const world = openWorld()
    const { address } = await openReceiver((_, response) => response.writeHead(429, { 'retry-after': header }).end())
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({})
    await world.work()
    const { deliveries } = await world.api.deliveries(id)
    expect(deliveries).toMatchObject([
      { state: 'waiting', attempts: 1, nextAttemptAt: next, lastAttempt: { status: 429 } },
    ])
  })

  test('is what is redirected, and what is answered too late', async () => {
    const world = openWorld({ send: createSender({ timeoutMs: 1_000 }) })
    const { address } = await openReceiver((_, response) => response.writeHead(302, { location: '/other' }).end())
    const hanging = await openReceiver(() => new Promise(() => undefined))
    const redirected = await world.api.create({ url: address, types: ['streak.lost'] })
    const late = await world.api.create({ url: hanging.address, types: ['streak.lost'] })
    await world.write({})
    expect(await world.work()).toEqual({ delivered: 0, failed: 2 })
    expect((await world.api.deliveries(redirected.id)).deliveries).toMatchObject([
      { state: 'waiting', lastAttempt: { status: 302, error: null } },
    ])
    expect((await world.api.deliveries(late.id)).deliveries).toMatchObject([
      { state: 'waiting', lastAttempt: { status: null, error: 'no whole answer within 1 s' } },
    ])
  })

  test('is what leads inside, where that is not allowed', async () => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    const world = openWorld({ allowInternal: false, send: createSender({ resolve }) })
    const { id } = await world.api.create({ url: 'https://hooks.example.com/', types: ['streak.lost'] })
    await world.write({})
    await world.work()
    expect((await world.api.deliveries(id)).deliveries).toMatchObject([
      { lastAttempt: { status: null, error: 'the URL leads to an internal address, which is not allowed' } },
    ])
  })
})

describe('410', () => {
  test('disables the webhook: what waits for it is put aside, and nothing new is made', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver((_, response) => response.writeHead(410).end())
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({ data: { n: 1 } }, { data: { n: 2 } })
    await world.work()
    await world.write({ data: { n: 3 } })
    await world.work()
    expect(received).toHaveLength(1)
    expect(await world.api.get(id)).toMatchObject({
      status: 'disabled',
      disabled: { at: '2026-03-10T12:00:00.000Z', because: 'gone' },
      deliveries: { waiting: 0, done: 0, dead: 2 },
    })
    expect(world.logged).toEqual([
      { details: { webhook: id }, message: 'A webhook answered 410 Gone, and is disabled.' },
    ])
    await expect(world.api.replay(id)).rejects.toMatchObject({ code: 'webhook_disabled' })
  })
})

describe('the order of one user', () => {
  const failsOnce = (): (() => number) => {
    let isFirst = true
    return () => {
      const status = isFirst ? 500 : 200
      isFirst = false
      return status
    }
  }

  test('is kept: what comes after a message that fails waits for it; other users go on', async () => {
    const status = failsOnce()
    const world = openWorld()
    const { address, received } = await openReceiver((_, response) => response.writeHead(status()).end())
    await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({ data: { n: 1 } }, { data: { n: 2 } }, { user: 'bob', data: { n: 3 } })
    await world.work()
    expect(numbers(received)).toEqual([1, 3])
    world.clock.now += 5 * SECOND
    await world.work()
    expect(numbers(received)).toEqual([1, 3, 1, 2])
  })
})

describe('two processes', () => {
  test('share what is due, and send nothing twice', async () => {
    const world = openWorld()
    const other = world.beside()
    const { address, received } = await openReceiver((_, response) => setTimeout(() => response.end(), 5))
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write(...Array.from({ length: 200 }, (_, n) => ({ user: `user-${n % 20}`, data: { n } })))
    const [one, two] = await Promise.all([world.work(), other.work()])
    await world.work()
    // Says why, if one failed and waits for its next attempt.
    expect((await world.api.deliveries(id, { state: 'waiting' })).deliveries).toEqual([])
    expect(received).toHaveLength(200)
    expect(numbers(received).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect((await world.api.get(id)).deliveries).toEqual({ waiting: 0, done: 200, dead: 0 })
    expect(one.delivered + two.delivered).toBeLessThanOrEqual(200)
    expect(Math.min(one.delivered, two.delivered)).toBeGreaterThan(0)
  })

  test('try a delivery again that the other had taken when it died, a minute later', async () => {
    const { send, under } = held()
    const dying = openWorld({ send })
    const { address, received } = await openReceiver()
    await dying.api.create({ url: address, types: ['streak.lost'] })
    await dying.write({ data: { n: 1 } })
    void dying.work()
    await until(() => under() > 0)
    expect(under()).toBe(1)
    const other = dying.beside({ send: createSender() })
    await other.work()
    dying.clock.now += MINUTE - 1
    await other.work()
    expect(received).toHaveLength(0)
    dying.clock.now += 1
    await other.work()
    expect(numbers(received)).toEqual([1])
  })

  test('the one that was thought dead writes nothing over what the other has done', async () => {
    const { send, under, answer } = held()
    const slow = openWorld({ send })
    const { address } = await openReceiver()
    const { id } = await slow.api.create({ url: address, types: ['streak.lost'] })
    await slow.write({ data: { n: 1 } })
    const working = slow.work()
    await expect.poll(under).toBe(1)
    slow.clock.now += MINUTE
    await slow.beside({ send: createSender() }).work()
    answer(500)
    await working
    expect((await slow.api.deliveries(id)).deliveries).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  test('without the key of the secrets sends nothing, and says so once', async () => {
    const world = openWorld()
    const { address, received } = await openReceiver()
    const { id } = await world.api.create({ url: address, types: ['streak.lost'] })
    await world.write({ data: { n: 1 } })
    const [none, other] = [world.beside({ secretKey: null }), world.beside({ secretKey: 'x'.repeat(32) })]
    for (const each of [none, other]) {
      await each.work()
      await each.work()
    }
    expect(received).toHaveLength(0)
    expect(none.logged.map(({ message }) => message)).toEqual([
      'There are webhooks, and no option webhooks.secretKey: this process delivers to none.',
    ])
    expect(other.logged).toEqual([
      {
        details: { webhook: id },
        message: 'The secret of a webhook cannot be opened with the option webhooks.secretKey.',
      },
    ])
    await world.work()
    expect(received).toHaveLength(1)
  })
})

test('A receiver that hangs keeps no other from its messages, and has eight under way at most', async () => {
  const { send, under, answer } = held()
  const { address, received } = await openReceiver()
  const through = createSender()
  const world = openWorld({ send: (post) => (post.url === `${address}/` ? through(post) : send(post)) })
  await world.api.create({ url: 'https://example.com/', types: ['streak.lost'], order: 'none' })
  await world.api.create({ url: address, types: ['points.changed'], order: 'none' })
  await world.write(...Array.from({ length: 40 }, () => ({ type: 'streak.lost' })))
  await world.write(...Array.from({ length: 20 }, () => ({ type: 'points.changed' })))
  const working = world.work()
  await until(() => received.length === 20)
  expect([received.length, under()]).toEqual([20, 8])
  answer(204)
  expect(await working).toEqual({ delivered: 60, failed: 0 })
})

test('A process that is closed aborts the request in flight, and another process sends it at once', async () => {
  const hanging = await openReceiver(() => new Promise(() => undefined))
  const world = openWorld({ send: createSender() })
  const { id } = await world.api.create({ url: hanging.address, types: ['streak.lost'] })
  await world.write({ data: { n: 1 } })
  const working = world.work()
  await expect.poll(() => hanging.received.length).toBe(1)
  world.endWithin(20)
  const start = performance.now()
  await working
  expect(performance.now() - start).toBeLessThan(limit(5_000))
  expect((await world.api.deliveries(id)).deliveries).toMatchObject([
    { state: 'waiting', attempts: 0, nextAttemptAt: '2026-03-10T12:00:00.000Z' },
  ])
  const { address, received } = await openReceiver()
  const other = world.beside()
  await other.api.update(id, { url: address })
  await other.work()
  expect(numbers(received)).toEqual([1])
})

test('A user who is deleted while a delivery is under way leaves nothing behind', async () => {
  const { send, under, answer } = held()
  const world = openWorld({ send })
  const { id } = await world.api.create({ url: 'https://example.com/', types: ['streak.lost'] })
  await world.write({ data: { n: 1 } })
  const working = world.work()
  await expect.poll(under).toBe(1)
  await removeOne(world.storage, { tenant: '', user: 'ann' })
  answer(500)
  await working
  expect(await world.api.deliveries(id)).toEqual({ deliveries: [], before: null })
})

/** A request waits until it is answered; later requests are answered at once. */
function held(): { readonly send: Send; under(): number; answer(status: number): void } {
  const waiting: ((status: number) => void)[] = []
  let answered: number | null = null
  return {
    send: async () => {
      const status = answered ?? (await new Promise<number>((resolve) => waiting.push(resolve)))
      return { status, error: null, retryAfter: undefined, text: '' }
    },
    under: () => waiting.length,
    answer: (status) => {
      answered = status
      for (const each of waiting.splice(0)) each(status)
    },
  }
}

/** Waits until a condition is true, with a limit: the expectation after it checks the rest. */
async function until(isSo: () => boolean): Promise<void> {
  const start = performance.now()
  while (!isSo() && performance.now() - start < 10_000) await new Promise((resolve) => setTimeout(resolve, 5))
}
