// The idempotency key of an adjustment of points and of a completion, over HTTP.

import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { openServer } from '../support/http.ts'
import { ask } from './raw.ts'

test.each([
  ['in the header', [['Idempotency-Key', 'k-1'] as const], {}],
  ['in the body', [], { idempotencyKey: 'k-1' }],
])('an adjustment that is sent twice with a key %s counts once', async (_, headers, more) => {
  const definition = { metrics: { words: { name: 'Words' } }, points: { xp: { name: 'XP', triggers: [] } } }
  const server = await openServer({ definition, storage: memory() })
  onTestFinished(() => server.close())
  await server.engine.users.create({ id: 'ann' })
  const body = JSON.stringify({ userId: 'ann', points: 50, reason: 'Lost words', ...more })
  const asked = { key: server.adminKey, headers: [...headers, ['Content-Type', 'application/json'] as const], body }
  const adjust = () => ask(server.port, 'POST', '/admin/v1/points/xp/adjust', asked)
  expect([(await adjust()).status, (await adjust()).status]).toEqual([201, 202])
  expect((await server.engine.users.points('ann', 'xp')).total).toBe(50)
})

test.each([
  ['in the header', [['Idempotency-Key', 'k-1'] as const], {}],
  ['in the body', [], { idempotencyKey: 'k-1' }],
])('an achievement that repeats is completed once for a key %s', async (_, headers, more) => {
  const achievements = { tour: { name: 'Tour', trigger: 'api', repeat: true } } as const
  const definition = { metrics: { words: { name: 'Words' } }, achievements }
  const server = await openServer({ definition, storage: memory() })
  onTestFinished(() => server.close())
  const body = JSON.stringify({ user: { id: 'ann' }, ...more })
  const asked = { key: server.adminKey, headers: [...headers, ['Content-Type', 'application/json'] as const], body }
  const complete = async () =>
    JSON.parse((await ask(server.port, 'POST', '/v1/achievements/tour/complete', asked)).text)
  expect([(await complete()).idempotentReplayed, (await complete()).idempotentReplayed]).toEqual([false, true])
})
