// Keys of a user who was merged: what they open afterwards, and while the merge is under way.

import { describe, expect, onTestFinished, test } from 'vitest'
import { applicationApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, defineGame, type Storage } from '../../src/index.ts'
import { findKey } from '../../src/sql/api-keys.ts'
import { aroundQuery } from '../support/around-query.ts'
import { onEachStorage } from '../support/engine.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { openServer } from '../support/http.ts'
import { game } from './authorization-table.ts'

test('A key of the old name that is kept opens what it did, of the user who goes on, and nothing by another name', async () => {
  const server = await openServer({ definition: game })
  onTestFinished(() => server.close())
  const { engine, call } = server
  for (const id of ['guest', 'ann', 'bob']) await engine.users.create({ id })
  const key = await server.applicationKey('guest')
  await engine.users.merge({ from: 'guest', into: 'ann', keepKeys: true })
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

test('A merge over HTTP ends the keys of the old name, and keeps them with keepKeys', async () => {
  const server = await openServer({ definition: game })
  onTestFinished(() => server.close())
  const { engine, call } = server
  for (const id of ['guest', 'visitor', 'ann']) await engine.users.create({ id })
  const [ended, kept] = [await server.applicationKey('guest'), await server.applicationKey('visitor')]
  const admin = (await engine.adminKeys.create()).key
  await call('POST', '/admin/v1/users/guest/merge', { key: admin, body: { into: 'ann' } })
  await call('POST', '/admin/v1/users/visitor/merge', { key: admin, body: { into: 'ann', keepKeys: true } })
  expect((await call('GET', '/v1/users/guest', { key: ended })).status).toBe(401)
  expect((await call('GET', '/v1/users/visitor', { key: kept })).status).toBe(200)
})

onEachStorage('Application keys at a merge', (open) => {
  const keyFor = async (engine: Awaited<ReturnType<typeof open>>, userId: string): Promise<string> => {
    const { created } = await engine.admin.applicationApiKeys.create([{ userId }])
    return created[0]?.key ?? ''
  }

  test('end with the old name, those of its own other names too; those of the other user stay', async () => {
    const engine = await open(game)
    for (const id of ['tablet', 'guest', 'ann', 'phone']) await engine.users.create({ id })
    const ofTablet = await keyFor(engine, 'tablet')
    const ofPhone = await keyFor(engine, 'phone')
    await engine.users.merge({ from: 'tablet', into: 'guest', keepKeys: true })
    await engine.users.merge({ from: 'phone', into: 'ann', keepKeys: true })
    const [ofGuest, ofAnn] = [await keyFor(engine, 'guest'), await keyFor(engine, 'ann')]
    expect(await engine.authenticate(ofTablet)).toMatchObject({ userId: 'tablet' })

    await engine.users.merge({ from: 'guest', into: 'ann' })

    expect(await engine.authenticate(ofGuest)).toBeNull()
    expect(await engine.authenticate(ofTablet)).toBeNull()
    expect(await engine.authenticate(ofAnn)).toMatchObject({ userId: 'ann' })
    expect(await engine.authenticate(ofPhone)).toMatchObject({ userId: 'phone' })
  })

  test('are not made for another name afterwards', async () => {
    const engine = await open(game)
    for (const id of ['guest', 'ann']) await engine.users.create({ id })
    await engine.users.merge({ from: 'guest', into: 'ann' })
    expect(await engine.admin.applicationApiKeys.create([{ userId: 'guest' }])).toEqual({
      created: [],
      issues: [
        {
          index: 0,
          userId: 'guest',
          severity: 'error',
          message: '"guest" was merged into "ann": make the key for that user.',
        },
      ],
    })
  })

  test('that are made while the merge runs never open the account', async () => {
    const engine = await open(game)
    for (let round = 0; round < 5; round += 1) {
      const [guest, ann] = [`guest-${round}`, `ann-${round}`]
      for (const id of [guest, ann]) await engine.users.create({ id })
      const making = Array.from({ length: 20 }, () => engine.admin.applicationApiKeys.create([{ userId: guest }]))
      const merging = engine.users.merge({ from: guest, into: ann })
      const more = Array.from({ length: 20 }, () => engine.admin.applicationApiKeys.create([{ userId: guest }]))
      await merging
      const made = (await Promise.all([...making, ...more])).flatMap(({ created }) => created)
      const holders = await Promise.all(made.map(({ key }) => engine.authenticate(key)))
      expect(holders.filter((holder) => holder !== null)).toEqual([])
    }
  })
})

describe("A request with the guest's key that is under way when the merge commits", () => {
  /** A server whose storage merges the users right after it has found the key. */
  async function openRaced(keepKeys = false) {
    let merge: (() => Promise<unknown>) | null = null
    const storage: Storage = extendStorage(
      memory(),
      aroundQuery(
        (storage) => findKey(storage, ''),
        async (run) => {
          const found = await run()
          const first = merge
          merge = null
          await first?.()
          return found
        },
      ),
    )
    const gamification = createGamification({ game: defineGame(game), storage })
    const handle = applicationApi(gamification)
    await gamification.users.create({ id: 'guest' })
    await gamification.users.create({ id: 'vera', name: 'Vera', email: 'vera@example.com' })
    const { created } = await gamification.admin.applicationApiKeys.create([{ userId: 'guest' }])
    const [{ key } = { key: '' }] = created
    merge = () => gamification.users.merge({ from: 'guest', into: 'vera', keepKeys })
    const call = async (method: string, path: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      const answer = await handle(new Request(`http://localhost/v1${path}`, init))
      return { status: answer.status, text: await answer.text() }
    }
    return { gamification, call }
  }

  test.each([
    '/users/guest',
    '/users/guest/metrics',
    '/users/guest/achievements',
    '/users/guest/streak',
    '/users/guest/preferences',
    '/users/guest/wrapped',
    '/users/guest/points/xp',
    '/users/guest/leaderboards/top',
    '/leaderboards/top?userId=guest',
  ])('reads nothing of the account by %s', async (path) => {
    const { call } = await openRaced()
    const { status, text } = await call('GET', path)
    expect([status, text.includes('vera')]).toEqual([401, false])
  })

  test('writes nothing to the account', async () => {
    const update = await openRaced()
    const { status, text } = await update.call('PATCH', '/users/guest', { name: 'Eve' })
    expect([status, text.includes('vera')]).toEqual([401, false])
    expect(await update.gamification.users.get('vera')).toMatchObject({ name: 'Vera', email: 'vera@example.com' })

    const event = await openRaced()
    expect((await event.call('POST', '/metrics/words/event', { user: { id: 'guest' }, value: 5 })).status).toBe(401)
    expect((await event.gamification.users.singleMetric('vera', 'words')).current).toBe(0)
  })

  test('goes on if the merge keeps the key', async () => {
    const { call } = await openRaced(true)
    const { status, text } = await call('GET', '/users/guest')
    expect([status, text.includes('vera@example.com')]).toEqual([200, true])
  })
})
