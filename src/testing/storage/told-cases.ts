import { deepEqual, equal } from 'node:assert/strict'
import type { LoadedUser } from '../../storage.ts'
import type { Told } from '../../storage-outbox.ts'
import { message, readAll, tell } from './outbox-samples.ts'
import { ANN, BOB, event, eventOf, NOON, type StorageCase, saveOf, store } from './samples.ts'

const OF_ACME = { tenant: 'acme', user: 'ann' }

export const toldCases: readonly StorageCase[] = [
  {
    id: 'told/kept',
    name: 'how far was told is null at first, then what a save says, and stays where a save says nothing',
    run: async (storage) => {
      equal((await storage.readUser(ANN)).told, null)
      await store(storage, ANN, { appended: [event(1)] })
      equal((await storage.readUser(ANN)).told, null)
      await store(storage, ANN, { told: { until: NOON, due: NOON + 7 } })
      deepEqual((await storage.readUser(ANN)).told, { until: NOON, due: NOON + 7 })
      await store(storage, ANN, { appended: [event(2)] })
      deepEqual((await storage.readUser(ANN)).told, { until: NOON, due: NOON + 7 })
      await store(storage, ANN, { appended: [event(3)], told: { until: NOON + 9, due: null } })
      deepEqual((await storage.readUser(ANN)).told, { until: NOON + 9, due: null })
    },
  },
  {
    id: 'told/decided',
    name: 'a decision is given how far was told, of users that are known and of others',
    run: async (storage) => {
      const seen: (Told | null)[] = []
      const commit = (told?: Told): Promise<unknown> =>
        storage.commit([{ ...ANN, lookups: [] }], (users: readonly LoadedUser[]) =>
          users.map((user) => {
            seen.push(user.told)
            return saveOf(user, { appended: [event((user.state?.seq ?? 0) + 1)], ...(told && { told }) })
          }),
        )
      await commit({ until: NOON, due: null })
      await commit()
      await commit({ until: NOON + 1, due: NOON + 2 })
      await commit()
      deepEqual([seen[0], seen.at(-1)], [null, { until: NOON + 1, due: NOON + 2 }])
      equal(seen.filter((told) => told?.until === NOON).length >= 2, true)
    },
  },
  {
    id: 'told/version',
    name: 'a save of how far was told alone changes the version, and is not decided on an earlier one',
    run: async (storage) => {
      await store(storage, ANN, { appended: [event(1)] })
      const { version } = await storage.readUser(ANN)
      const sweeps = Array.from({ length: 6 }, () =>
        storage.commit([{ ...ANN, lookups: [] }], (users) =>
          users.map((user) =>
            user.told === null ? saveOf(user, { told: { until: NOON, due: null }, messages: [message(1)] }) : null,
          ),
        ),
      )
      await Promise.all(sweeps)
      equal((await readAll(storage)).length, 1)
      equal((await storage.readUser(ANN)).version === version, false)
    },
  },
  {
    id: 'told/due',
    name: 'users are due in the order of their instants, then of tenant and id, and nobody is of whom nothing was told',
    run: async (storage) => {
      const due = async (key: typeof ANN, at: number | null): Promise<void> =>
        store(storage, key, { appended: [eventOf(key, 1)], told: { until: NOON, due: at } })
      await due(BOB, NOON + 2)
      await due(ANN, NOON + 2)
      await due(OF_ACME, NOON + 1)
      await due({ tenant: '', user: 'carol' }, NOON + 9)
      await due({ tenant: '', user: 'dan' }, null)
      await store(storage, { tenant: '', user: 'eve' }, { appended: [eventOf({ user: 'eve' }, 1)] })
      deepEqual(await storage.dueUsers(NOON, 10), [])
      deepEqual(await storage.dueUsers(NOON + 2, 10), [OF_ACME, ANN, BOB])
      deepEqual(await storage.dueUsers(NOON + 2, 2), [OF_ACME, ANN])
      await store(storage, OF_ACME, { told: { until: NOON + 2, due: null } })
      deepEqual(await storage.dueUsers(NOON + 2, 10), [ANN, BOB])
    },
  },
  {
    id: 'told/audit',
    name: 'an audit says how far was told, and compares it with nothing; a repair stores it, or leaves it',
    run: async (storage) => {
      const told = { until: NOON, due: NOON + 3 }
      equal((await storage.audit(ANN, null)).told, null)
      await store(storage, ANN, { appended: [event(1)], told })
      const { state, version } = await storage.readUser(ANN)
      if (state === null) throw new Error('The user is not there.')
      const facts = { state, awards: [], periods: [], leaderboards: [] }
      deepEqual(await storage.audit(ANN, facts), { version, lines: 1, drift: [], snapshots: 0, told })
      equal(await storage.repair(ANN, facts, version), true)
      const repaired = await storage.readUser(ANN)
      deepEqual(repaired.told, told)
      equal(repaired.version === version, false)
      const later = { until: NOON, due: NOON + 9 }
      equal(await storage.repair(ANN, { ...facts, told: later }, version), false)
      equal(await storage.repair(ANN, { ...facts, told: later }, repaired.version), true)
      const again = await storage.readUser(ANN)
      deepEqual(again.told, later)
      equal(await storage.repair(ANN, { ...facts, told: null }, again.version), true)
      equal((await storage.readUser(ANN)).told, null)
      deepEqual(await storage.dueUsers(NOON + 9, 10), [])
    },
  },
  {
    id: 'told/removed',
    name: 'of a removed user no message, no delivery and nothing told is left; those of others and of no user stay',
    run: async (storage) => {
      const told = { until: NOON, due: NOON }
      for (const key of [ANN, BOB, OF_ACME]) {
        await tell(storage, key, [message(1)], { appended: [eventOf(key, 1)], told })
      }
      await storage.transact((tx) => tx.putMessages([{ ...message(2), tenant: '', user: null }]))
      const placed = await readAll(storage)
      await storage.transact((tx) =>
        tx.putDeliveries(
          placed.map(({ position, id, type, at, tenant, user, data }) => ({
            ...{ receiver: 'hook', position, messageId: id, type, at, tenant, user, data },
            ...{ state: 'waiting', tries: 0, nextAt: NOON, log: '[]' },
          })),
        ),
      )
      for (const key of [ANN, BOB]) await tell(storage, key, [message(3), message(4, { due: NOON })])
      equal(await storage.removeUser(ANN), 'removed')
      const whose = (rows: readonly { readonly tenant: string; readonly user: string | null }[]): unknown =>
        rows.map(({ tenant, user }) => [tenant, user])
      deepEqual(whose(await storage.dueMessages(NOON, 10)), [['', 'bob']])
      deepEqual(whose(await readAll(storage)), [
        ['', 'bob'],
        ['acme', 'ann'],
        ['', null],
        ['', 'bob'],
      ])
      deepEqual(whose(await storage.deliveries({ receiver: 'hook', limit: 10 })), [
        ['', null],
        ['acme', 'ann'],
        ['', 'bob'],
      ])
      deepEqual(await storage.dueUsers(NOON, 10), [BOB, OF_ACME])
      equal((await storage.readUser(ANN)).told, null)
      await storage.clearTenant('')
      deepEqual(await storage.dueMessages(NOON, 10), [])
      deepEqual(whose(await readAll(storage)), [['acme', 'ann']])
      deepEqual(whose(await storage.deliveries({ receiver: 'hook', limit: 10 })), [['acme', 'ann']])
    },
  },
  {
    id: 'told/replaced',
    name: 'who is stored in place of a removed user has the messages and the time of that save, and names keep theirs',
    run: async (storage) => {
      await tell(storage, ANN, [message(1)], { appended: [event(1)], told: { until: NOON, due: NOON } })
      const { version } = await storage.readUser(ANN)
      const save = saveOf(
        { state: null },
        {
          appended: [event(1)],
          messages: [message(2)],
          told: { until: NOON + 1, due: null },
        },
      )
      const replacement = { epoch: 0, users: [{ user: 'anon', version: 0, save }] }
      equal(await storage.removeUser(ANN, { version, replacement }), 'removed')
      const anon = await storage.readUser({ tenant: '', user: 'anon' })
      deepEqual(anon.told, { until: NOON + 1, due: null })
      deepEqual(
        (await readAll(storage)).map(({ id, user }) => [id.slice(-1), user]),
        [['2', 'anon']],
      )
      const again = saveOf({ state: null }, { appended: [event(1)] })
      const kept = { epoch: 0, users: [{ user: 'anon', version: 0, save: again }] }
      const key = { tenant: '', user: 'anon' }
      equal(await storage.removeUser(key, { version: anon.version, keepsNames: true, replacement: kept }), 'removed')
      equal((await storage.readUser(key)).told, null)
      equal((await readAll(storage)).length, 1)
    },
  },
]
