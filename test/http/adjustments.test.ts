// The idempotency key of an adjustment of points, over HTTP.

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
