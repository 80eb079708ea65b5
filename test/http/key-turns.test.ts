import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { createGamification, type DefinedGame, defineGame } from '../../src/index.ts'
import { findKey } from '../../src/sql/api-keys.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aroundQuery } from '../support/around-query.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { times } from '../support/places.ts'
import { createBare, type Told } from './bare.ts'
import type { RawRequest } from './raw-connection.ts'

const game = defineGame({ metrics: { words: { name: 'Words' } } })

/** A server whose look-ups of keys wait until they are let go. */
async function open() {
  const inner = memory()
  const asked: string[] = []
  const held: (() => void)[] = []
  let isOpen = true
  const storage: Storage = extendStorage(inner, (inner) => ({
    deadlineMs: 60_000,
    ...aroundQuery(
      (storage) => findKey(storage, ''),
      async (run, { prefix }: { readonly prefix: string }) => {
        asked.push(prefix)
        if (!isOpen) await new Promise<void>((resolve) => held.push(resolve))
        return run()
      },
    )(inner),
  }))
  const engine = createGamification<DefinedGame>({ game, storage })
  onTestFinished(() => engine.close())
  await engine.migrate()
  for (const id of ['hot', 'ann']) await engine.users.create({ id })
  const { created } = await engine.admin.applicationApiKeys.create([{ userId: 'hot' }, { userId: 'ann' }])
  const [hot = '', ann = ''] = created.map(({ key }) => key)
  const admin = await engine.adminKeys.create()
  const bare = createBare(engine)
  return {
    engine,
    asked,
    keys: { hot, ann, admin: admin.key },
    shut: () => {
      isOpen = false
    },
    /** Lets one go, and those that come after it because of it. */
    letGo: () => held.shift()?.(),
    openAll: () => {
      isOpen = true
      for (const resolve of held.splice(0)) resolve()
    },
    send: (key: string, user: string, value = 1): Promise<Told | null | undefined> => bare.ask(event(key, user, value)),
  }
}

function event(key: string, user: string, value: number): RawRequest {
  const body = JSON.stringify({ user: { id: user }, value })
  const headers = [
    ['X-API-KEY', key],
    ['Content-Type', 'application/json'],
  ] as const
  return { method: 'POST', path: '/v1/metrics/words/event', headers, body }
}

const prefixOf = (key: string): string => key.split('.')[0] ?? ''
const totalOf = (told: Told | null | undefined): number => JSON.parse(told?.body ?? '{}').total

test('two requests with the key of one user are handled at once, and the others in the order of their arrival', async () => {
  const { asked, keys, shut, letGo, openAll, send } = await open()
  shut()
  const answers = times(20, () => send(keys.hot, 'hot'))
  await expect.poll(() => asked).toEqual(times(2, () => prefixOf(keys.hot)))
  letGo()
  await expect.poll(() => asked).toHaveLength(3)
  openAll()
  expect((await Promise.all(answers)).map(totalOf)).toEqual(times(20, (index) => index + 1))
})

test('requests with other keys wait for none of them, and an admin key is one of many users', async () => {
  const { asked, keys, shut, openAll, send } = await open()
  shut()
  const hot = times(50, () => send(keys.hot, 'hot'))
  const other = send(keys.ann, 'ann')
  const many = times(30, (index) => send(keys.admin, `user-${index}`))
  const counts = () => Object.values(keys).map((key) => asked.filter((prefix) => prefix === prefixOf(key)).length)
  await expect.poll(counts).toEqual([2, 1, 30])
  openAll()
  for (const told of await Promise.all([...hot, other, ...many])) expect(told?.status).toBe(201)
})

test('a refused request makes room for the next, also one whose key is none', async () => {
  const { keys, send } = await open()
  const denied = await Promise.all(times(30, () => send(keys.ann, 'hot')))
  expect(new Set(denied.map((told) => told?.status))).toEqual(new Set([403]))
  const unknown = await Promise.all(times(30, () => send('app_000000000000.nothing', 'hot')))
  expect(new Set(unknown.map((told) => told?.status))).toEqual(new Set([401]))
  expect((await send(keys.ann, 'ann'))?.status).toBe(201)
})

test('two requests of one user are handled at once, by however many keys they come', async () => {
  const { engine, keys } = await open()
  const { created } = await engine.admin.applicationApiKeys.create(times(10, () => ({ userId: 'hot' })))
  const started: string[] = []
  const held: (() => void)[] = []
  const slow: typeof engine = {
    ...engine,
    forRequest: (arrivedAt) => {
      const api = engine.forRequest(arrivedAt)
      const get = async (id: string) => {
        started.push(id)
        if (id === 'hot') await new Promise<void>((resolve) => held.push(resolve))
        return api.users.get(id)
      }
      return { ...api, users: { ...api.users, get } }
    },
  }
  const bare = createBare(slow)
  const get = (key: string, id: string) =>
    bare.ask({ method: 'GET', path: `/v1/users/${id}`, headers: [['X-API-KEY', key]] })
  const answers = created.map(({ key }) => get(key, 'hot'))
  expect((await get(keys.ann, 'ann'))?.status).toBe(200)
  await expect.poll(() => started.toSorted()).toEqual(['ann', 'hot', 'hot'])
  while (started.length < 11 || held.length > 0) {
    held.shift()?.()
    await sleep(1)
  }
  expect((await Promise.all(answers)).map((told) => told?.status)).toEqual(times(10, () => 200))
})
