import { deepEqual, equal } from 'node:assert/strict'
import { adminKey, applicationKey, found, IN_ACME } from './key-samples.ts'
import { BOB, NOON, rejectsWith, type StorageCase } from './samples.ts'

export const keyChangeCases: readonly StorageCase[] = [
  {
    id: 'key-change/change',
    name: 'a change of an admin key is that of what it names, holds at once, and answers the key as it then is',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      await storage.addAdminKey(adminKey('b'), 3)
      const revoked = adminKey('a', { status: 'revoked' })
      deepEqual(await storage.updateAdminKey('a', { status: 'revoked' }), revoked)
      deepEqual(await storage.findKey('prefix-a'), revoked)
      deepEqual(await storage.updateAdminKey('a', {}), revoked)

      const rotated = { ...revoked, prefix: 'new-a', hash: 'new-hash' }
      deepEqual(await storage.updateAdminKey('a', { prefix: 'new-a', hash: 'new-hash' }), rotated)
      equal(await storage.findKey('prefix-a'), null)
      deepEqual(await storage.findKey('new-a'), rotated)

      const used = { ...rotated, status: 'active' as const, lastUsedAt: NOON }
      deepEqual(await storage.updateAdminKey('a', { status: 'active', lastUsedAt: NOON }), used)
      deepEqual(await storage.adminKeys(), [used, adminKey('b')])
      // Its old prefix is free, and its own may be given once more.
      deepEqual(await storage.updateAdminKey('a', { prefix: 'new-a' }), used)
      equal(await storage.addAdminKey(adminKey('c', { prefix: 'prefix-a' }), 3), true)
    },
  },
  {
    id: 'key-change/known-prefix',
    name: 'an admin key is not given a prefix that another key has',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      await storage.addAdminKey(adminKey('b'), 3)
      await storage.addApplicationKeys([applicationKey('c')])
      await rejectsWith('internal', storage.updateAdminKey('a', { prefix: 'prefix-b', hash: 'new' }))
      await rejectsWith('internal', storage.updateAdminKey('a', { prefix: 'app_c', status: 'revoked' }))
      deepEqual(await storage.adminKeys(), [adminKey('a'), adminKey('b')])
      deepEqual(await storage.findKey('app_c'), applicationKey('c'))
    },
  },
  {
    id: 'key-change/last-use',
    name: 'the last use of a key never goes back, however many tell of it at once',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      const minutes = [7, 19, 3, 12, 0, 18, 5, 11, 2, 16]
      await Promise.all(minutes.map((minute) => storage.updateAdminKey('a', { lastUsedAt: NOON + minute * 60_000 })))
      const used = adminKey('a', { lastUsedAt: NOON + 1_140_000 })
      deepEqual(await storage.findKey('prefix-a'), used)
      deepEqual(await storage.updateAdminKey('a', { lastUsedAt: NOON }), used)
      const revoked = { ...used, status: 'revoked' as const }
      deepEqual(await storage.updateAdminKey('a', { status: 'revoked', lastUsedAt: NOON }), revoked)
      deepEqual(await storage.updateAdminKey('a', { hash: 'new' }), { ...revoked, hash: 'new' })
    },
  },
  {
    id: 'key-change/members',
    name: 'changes at once of different members of one key are all kept',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      const changes = [{ status: 'revoked' }, { hash: 'new-hash' }, { prefix: 'new-a' }, { lastUsedAt: NOON }] as const
      await Promise.all(changes.map((change) => storage.updateAdminKey('a', change)))
      const changed = { prefix: 'new-a', hash: 'new-hash', status: 'revoked', lastUsedAt: NOON } as const
      deepEqual(await storage.adminKeys(), [adminKey('a', changed)])
    },
  },
  {
    id: 'key-change/unknown',
    name: 'an unknown id changes and removes nothing; neither does that of an application key, as an admin key',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      await storage.addApplicationKeys([applicationKey('b')])
      for (const id of ['b', 'c', '', 'A', 'prefix-a', '%']) {
        equal(await storage.updateAdminKey(id, { hash: 'new', status: 'revoked', lastUsedAt: NOON }), null)
        equal(await storage.removeAdminKey(id), false)
      }
      deepEqual(await storage.adminKeys(), [adminKey('a')])
      deepEqual(await storage.findKey('app_b'), applicationKey('b'))
    },
  },
  {
    id: 'key-change/removed',
    name: 'an admin key that is removed is gone: of several callers one has removed it',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('a'), 3)
      await storage.addAdminKey(adminKey('b'), 3)
      const answers = await Promise.all([1, 2, 3, 4].map(() => storage.removeAdminKey('a')))
      deepEqual(answers.filter(Boolean), [true])
      equal(await storage.findKey('prefix-a'), null)
      equal(await storage.updateAdminKey('a', { status: 'active' }), null)
      deepEqual(await storage.adminKeys(), [adminKey('b')])
    },
  },
  {
    id: 'key-change/removed-of-tenant',
    name: 'application keys are removed by the ids of one tenant, and by no others',
    run: async (storage) => {
      await storage.addAdminKey(adminKey('admin'), 3)
      await storage.addApplicationKeys([
        applicationKey('a'),
        applicationKey('b', { owner: BOB }),
        applicationKey('c', { owner: IN_ACME }),
        applicationKey('d'),
      ])
      deepEqual(await storage.removeApplicationKeys('', []), [])
      deepEqual(await storage.removeApplicationKeys('Acme', ['a', 'b', 'c', 'd']), [])
      const removed = await storage.removeApplicationKeys('', ['unknown', 'b', 'c', 'admin', 'a', 'a', ''])
      deepEqual([...removed].sort(), ['a', 'b'])
      deepEqual(await found(storage, 'prefix-admin', 'app_a', 'app_b', 'app_c', 'app_d'), [
        'prefix-admin',
        'app_c',
        'app_d',
      ])
      deepEqual(await storage.removeApplicationKeys('', ['a', 'b']), [])
      deepEqual(await storage.removeApplicationKeys('acme', ['c', 'd']), ['c'])
      deepEqual(await found(storage, 'app_c', 'app_d'), ['app_d'])
    },
  },
  {
    id: 'key-change/closed',
    name: 'keys are refused once the storage is closed',
    run: async (storage) => {
      await storage.close()
      await rejectsWith('closed', storage.findKey('prefix-a'))
      await rejectsWith('closed', storage.adminKeys())
      await rejectsWith('closed', storage.addAdminKey(adminKey('a'), 3))
      await rejectsWith('closed', storage.addApplicationKeys([applicationKey('b')]))
      await rejectsWith('closed', storage.updateAdminKey('a', {}))
      await rejectsWith('closed', storage.removeAdminKey('a'))
      await rejectsWith('closed', storage.removeApplicationKeys('', ['b']))
    },
  },
]
