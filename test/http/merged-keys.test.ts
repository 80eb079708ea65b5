// Keys and sessions of a user who was merged: what they open by the name that they were made for.

import { expect, onTestFinished, test } from 'vitest'
import { openServer } from '../support/http.ts'
import { game } from './authorization-table.ts'

test('A key of the old name opens what it did, of the user who goes on, and nothing by another name', async () => {
  const server = await openServer({ definition: game })
  onTestFinished(() => server.close())
  const { engine, call } = server
  for (const id of ['guest', 'ann', 'bob']) await engine.users.create({ id })
  const key = await server.applicationKey('guest')
  await engine.users.merge({ from: 'guest', into: 'ann' })
  const event = (id: string) => call('POST', '/v1/metrics/words/event', { key, body: { user: { id }, value: 5 } })
  expect((await event('guest')).status).toBe(201)
  expect((await event('ann')).status).toBe(403)
  expect((await event('bob')).status).toBe(403)
  const read = await call('GET', '/v1/users/guest', { key })
  expect([read.status, read.body.id]).toEqual([200, 'ann'])
  expect((await call('GET', '/v1/users/ann', { key })).status).toBe(403)
  const [{ id: by } = { id: '' }] = await engine.admin.applicationApiKeys.list({ userId: 'ann' })
  const { entries } = await engine.users.events('ann', { limit: 1 })
  expect(entries[0]).toMatchObject({ by, value: 5 })
  expect(await engine.events.void({ by })).toMatchObject({ voided: 1, users: [{ userId: 'ann', voided: 1 }] })
  expect((await engine.verify()).drift).toEqual([])
  await engine.users.delete('ann')
  expect((await event('guest')).status).toBe(401)
})
