import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['plan'],
  streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
}

/** The answer about a user who chose nothing in a game without defaults. */
const UNCHOSEN = { leaderboards: 'shown', gamification: 'on' }
const chosen = { evaluationMode: 'OR', metrics: [{ key: 'words', threshold: 7 }] }

test.each([
  ['a list of channels', { notifications: { recap: null } }, { ...UNCHOSEN, notifications: {}, streak: chosen }],
  [
    'the choice for leaderboards',
    { leaderboards: null },
    { ...UNCHOSEN, notifications: { recap: ['push'] }, streak: chosen },
  ],
  ['the choices of the streak', { streak: null }, { ...UNCHOSEN, notifications: { recap: ['push'] } }],
])('null clears %s of preferences', async (_, body, expected) => {
  const server = await serve(game)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  const before = { notifications: { recap: ['push'] }, streak: chosen }
  await server.call('PATCH', '/v1/users/ann/preferences', { body: before })
  const { status, body: answer } = await server.call('PATCH', '/v1/users/ann/preferences', { body })
  expect({ status, answer }).toEqual({ status: 200, answer: expected })
})

test.each([
  ['notifications', { notifications: null }],
  ['notifications.newsletter', { notifications: { newsletter: null } }],
  ['streak.enabled', { streak: { enabled: null } }],
  ['streak.evaluationMode', { streak: { evaluationMode: null } }],
  ['streak.metrics', { streak: { metrics: null } }],
  ['streak.metrics[0].threshold', { streak: { metrics: [{ key: 'words', threshold: null }] } }],
  ['streak.on', { streak: { on: null } }],
  ['gamification', { gamification: null }],
])('%s of null is 422, and nothing changes', async (path, body) => {
  const server = await serve(game)
  await server.call('POST', '/v1/users', { body: { id: 'ann' } })
  const before = { notifications: { recap: ['push'] }, streak: chosen }
  await server.call('PATCH', '/v1/users/ann/preferences', { body: before })
  const refused = await server.call('PATCH', '/v1/users/ann/preferences', { body })
  expect([refused.status, refused.body.code, refused.body.issues[0].path]).toEqual([422, 'invalid_request', path])
  expect((await server.call('GET', '/v1/users/ann/preferences')).body).toEqual({ ...UNCHOSEN, ...before })
})

test('null clears fields of a user', async () => {
  const server = await serve(game)
  const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann', tz: 'Europe/London', deviceTokens: ['token'] }
  await server.call('POST', '/v1/users', { body: ann })
  const body = { email: null, name: null, tz: null, deviceTokens: null }
  expect((await server.call('PATCH', '/v1/users/ann', { body })).body).toMatchObject(body)
})

test('subscribedToEmails and attributes of null are as if they were absent, because clients send it for what is undefined', async () => {
  const server = await serve(game)
  const ann = { id: 'ann', email: 'ann@example.com', subscribedToEmails: false, attributes: { plan: 'pro' } }
  await server.call('POST', '/v1/users', { body: ann })
  const body = { subscribedToEmails: null, subscribeToEmails: null, attributes: null }
  const { status, body: answer } = await server.call('PATCH', '/v1/users/ann', { body })
  expect(status).toBe(200)
  expect(answer).toMatchObject({ subscribedToEmails: false, attributes: { plan: 'pro' } })
})
