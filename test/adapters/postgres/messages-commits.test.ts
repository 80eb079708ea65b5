// @heavy: It takes more than three seconds.
// Messages are stored with what caused them, whatever happens to the connection, and in transactions of hosts.

import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { loadDeliveries, putDeliveries } from '../../../src/sql/deliveries.ts'
import { addGame, loadGames } from '../../../src/sql/games.ts'
import { loadUser, lockAndLoadUser } from '../../../src/sql/read-user.ts'
import { runSteps } from '../../../src/storage/steps.ts'
import type { Decide, Storage } from '../../../src/storage/storage.ts'
import { removeOne, saveOf, store } from '../../../src/testing/storage/case.ts'
import { delivery, ends, message, readMessages, saveMessages } from '../../../src/testing/storage/outbox-samples.ts'
import { ANN, BOB, eventOf, NOON, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { limit } from '../../support/busy-machine.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { isSave } from './processes.ts'
import type { Fate } from './proxy.ts'
import { useWorld, type World } from './world.ts'

const nextEmptySchema = useEmptySchemas()

const TOLD = { until: NOON, due: NOON + 5 }

async function through(world: World): Promise<Storage> {
  const storage = postgres(world.proxy.url, { schema: world.schema })
  onTestFinished(() => storage.close())
  await loadGames(storage)
  return storage
}

const request = { ...ANN, lookups: [] }

describe('A save with messages', () => {
  test('is one call, as it is without', async () => {
    const world = await useWorld(nextEmptySchema())
    const storage = await through(world)
    const asked = async (work: Promise<unknown>): Promise<readonly string[]> => {
      const before = world.proxy.questions.length
      await work
      const texts = world.proxy.questions.slice(before).map(({ text }) => text)
      return texts.flatMap((text) => /\.(save|load)\(/.exec(text)?.[1] ?? [])
    }
    expect(await asked(store(storage, ANN, { appended: [sampleEvent(1)] }))).toEqual(['load', 'save'])
    expect(await asked(store(storage, ANN, { appended: [sampleEvent(2)] }))).toContain('save')
    expect((await asked(saveMessages(storage, ANN, [message(1)]))).at(-1)).toBe('save')
    expect((await asked(store(storage, ANN, { notices: TOLD }))).at(-1)).toBe('save')
    expect((await asked(store(storage, ANN, { appended: [sampleEvent(3)] }))).at(-1)).toBe('save')
    expect((await loadUser(storage, ANN)).notices).toEqual(TOLD)
  })

  test.each<Fate>(['neverSent', 'halfSent', 'sent', 'sentLate', 'halfAnswered', 'answerLost', 'shutDown'])(
    'writes each message once when its connection breaks: %s',
    async (fate) => {
      const world = await useWorld(nextEmptySchema())
      const storage = await through(world)
      await addGame(storage, {
        epoch: 2,
        fingerprint: 'f',
        definition: '{}',
        policy: 'forward',
        cause: 'start',
        createdAt: NOON,
      })
      let breaks = 3
      world.proxy.choose((question) => (isSave(question) && breaks-- > 0 ? fate : 'passes'))
      const add: Decide = (users) =>
        users.map((user) => {
          const seq = (user.state?.seq ?? 0) + 1
          return saveOf(user, { appended: [eventOf(user, seq)], messages: [message(seq)], notices: TOLD })
        })
      for (let round = 0; round < 3; round += 1) {
        const { failures } = await storage.commit([request, { ...BOB, lookups: [] }], add)
        expect(failures).toEqual([])
      }
      world.proxy.choose(() => 'passes')
      await world.proxy.quiet()
      const written = await readMessages(world.direct)
      for (const { user } of [ANN, BOB]) {
        expect(ends(written.filter((each) => each.user === user))).toEqual([1, 2, 3])
      }
      expect((await loadUser(world.direct, ANN)).state?.seq).toBe(3)
    },
  )

  test.each<Fate>(['answerLost', 'sentLate', 'halfSent'])(
    'and nothing else is written once when its connection breaks: %s',
    async (fate) => {
      const world = await useWorld(nextEmptySchema())
      const storage = await through(world)
      await store(storage, ANN, { appended: [sampleEvent(1)] })
      let breaks = 1
      world.proxy.choose((question) => (isSave(question) && breaks-- > 0 ? fate : 'passes'))
      const { failures } = await storage.commit([request], (users) =>
        users.map((user) => saveOf(user, { messages: [message(1)], notices: TOLD })),
      )
      expect(failures).toEqual([])
      world.proxy.choose(() => 'passes')
      await world.proxy.quiet()
      expect(ends(await readMessages(world.direct))).toEqual([1])
      expect((await loadUser(world.direct, ANN)).notices).toEqual(TOLD)
    },
  )
})

interface OpenHost {
  readonly storage: Storage
  readonly client: pg.Client
  /** In the transaction that is open. */
  save(end: number): Promise<unknown>
}

async function openHost(): Promise<OpenHost> {
  const storage = postgres(databaseUrl(), { schema: nextEmptySchema() })
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await storage.close()
  })
  const save = async (end: number): Promise<unknown> => {
    const joined = storage.joinTransaction(fromPg(client))
    return joined.savepoint(async () => {
      const view = await runSteps(lockAndLoadUser(joined, ANN))
      const seq = (view.state?.seq ?? 0) + 1
      const sample = {
        appended: [sampleEvent(seq)],
        messages: [message(end)],
        notices: { until: NOON + end, due: null },
      }
      return joined.save(ANN, view, saveOf(view, sample))
    })
  }
  return { storage, client, save }
}

describe("In a host's transaction", () => {
  test('messages are written with its commit, after what was written meanwhile, or not at all', async () => {
    const { storage, client, save } = await openHost()
    await client.query('begin')
    await save(1)
    await client.query('rollback')
    await client.query('begin')
    await save(2)
    await save(3)
    await saveMessages(storage, BOB, [message(4)], { appended: [eventOf(BOB, 1)] })
    expect(ends(await readMessages(storage))).toEqual([4])
    expect((await loadUser(storage, ANN)).notices).toBe(null)
    await client.query('commit')
    expect(ends(await readMessages(storage))).toEqual([4, 2, 3])
    expect((await loadUser(storage, ANN)).notices).toEqual({ until: NOON + 3, due: null })
  })

  test('a removal that stays open holds up no positions, and what it removes has none', async () => {
    const { storage, client } = await openHost()
    await saveMessages(storage, ANN, [message(1)], { appended: [sampleEvent(1)] })
    await client.query('begin')
    const joined = storage.joinTransaction(fromPg(client))
    await joined.savepoint(async () => {
      await runSteps(lockAndLoadUser(joined, ANN))
      return joined.removeUser(ANN)
    })
    await saveMessages(storage, BOB, [message(2)], { appended: [eventOf(BOB, 1)] })
    const began = performance.now()
    expect(ends(await readMessages(storage))).toEqual([2])
    expect(performance.now() - began).toBeLessThan(limit(2_000))
    await client.query('rollback')
    expect(ends(await readMessages(storage))).toEqual([2, 1])
  })
})

test('A user who is removed while deliveries are written leaves none', async () => {
  const { storage } = await openHost()
  for (let round = 0; round < 12; round += 1) {
    await saveMessages(storage, ANN, [message(1), message(2)], { appended: [eventOf(ANN, 1, { id: `ann-${round}` })] })
    const positions = (await readMessages(storage)).map(({ position }) => position)
    const put = (): Promise<void> =>
      storage.transaction((tx) =>
        putDeliveries(
          tx,
          positions.map((position) => delivery('hook', position)),
        ),
      )
    await Promise.allSettled([put(), removeOne(storage, ANN), put()])
    expect(await loadDeliveries(storage, { receiver: 'hook', limit: 10 })).toEqual([])
    expect(await readMessages(storage)).toEqual([])
  }
})
