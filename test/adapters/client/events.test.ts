import { TrophyApi } from '@trophyso/node'
import { expect, test } from 'vitest'
import { UUID_5, UUID_7 } from '../../support/engine.ts'
import { onEachServer, refusalOf } from './official-client.ts'

const ann = { id: 'ann' }

onEachServer('metrics.event', (start) => {
  test('answers an event without any effect, and a streak of length 0', async () => {
    const { client } = await start()
    await client.users.create({ id: 'ann' })
    expect(await client.metrics.event('words', { user: ann, value: 99.5 })).toEqual({
      metricId: UUID_5,
      eventId: UUID_7,
      total: 99.5,
      achievements: [],
      progressed: [{ key: 'novelist', progress: { current: 99.5, target: 1_000, ratio: 0.0995 } }],
      currentStreak: { length: 0, frequency: 'daily', extended: false },
      points: {},
      leaderboards: {},
    })
  })
})

onEachServer('metrics.event with an idempotency key', (start) => {
  test('answers idempotentReplayed and the key, which are absent without one', async () => {
    const { client } = await start()
    const first = await client.metrics.event('words', { idempotencyKey: 'chapter-1', user: ann, value: 5 })
    expect(first).toMatchObject({ total: 5, idempotentReplayed: false, idempotencyKey: 'chapter-1' })
    const plain = await client.metrics.event('words', { user: ann, value: 5 })
    expect(plain.idempotentReplayed).toBe(undefined)
    expect(plain.idempotencyKey).toBe(undefined)
  })

  test.each([
    ['of 1 character', 'k'],
    ['of 255 characters', 'k'.repeat(255)],
    ['of every visible sign', '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~'],
  ])('a key %s is kept as sent', async (_, idempotencyKey) => {
    const { client } = await start()
    const event = { idempotencyKey, user: ann, value: 5 }
    expect((await client.metrics.event('words', event)).idempotencyKey).toBe(idempotencyKey)
    expect(await client.metrics.event('words', event)).toMatchObject({ idempotentReplayed: true, idempotencyKey })
  })

  test.each([
    ['that is empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a space', 'chapter 1'],
    ['with a tab', 'chapter\t1'],
    ['outside ASCII', 'café'],
  ])('a key %s is a BadRequestError', async (_, idempotencyKey) => {
    const { client } = await start()
    expect(await refusalOf(client.metrics.event('words', { idempotencyKey, user: ann, value: 5 }))).toEqual({
      type: TrophyApi.BadRequestError,
      status: 400,
      code: 'invalid_idempotency_key',
    })
    expect(await refusalOf(client.users.get('ann'))).toMatchObject({ status: 404 })
  })
})
