import { deepEqual, equal } from 'node:assert/strict'
import type { UserKey } from '../../storage/rows.ts'
import type { Storage, StoredKey } from '../../storage/storage.ts'
import { column, rejectsWith, type StorageCase, store, test, tryChange } from './case.ts'
import { ANN, BOB, IN_ACME, NAMES, NOON } from './samples.ts'

export const adminKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  ...{ id, prefix: `prefix-${id}`, hash: `hash-${id}`, owner: null, status: 'active', createdAt: NOON },
  ...{ lastUsedAt: null, can: null, expiresAt: null },
  ...changes,
})

export const applicationKey = (id: string, changes: Partial<StoredKey> = {}): StoredKey =>
  adminKey(id, { prefix: `app_${id}`, owner: ANN, ...changes })

export async function found(storage: Storage, ...prefixes: string[]): Promise<string[]> {
  const keys = await Promise.all(prefixes.map((prefix) => storage.findKey(prefix)))
  return prefixes.filter((_, index) => keys[index] !== null)
}

const adminIds = async (storage: Storage): Promise<string[]> => column(await storage.adminKeys(), 'id')

export const keyCases: readonly StorageCase[] = [
  test('key/found: a key is found by its prefix as it was stored, and null by a prefix that no key has', async (storage) => {
    equal(await storage.findKey('prefix-a'), null)
    const admin = [
      adminKey('a', { status: 'revoked', lastUsedAt: NOON + 60_000 }),
      adminKey('b', { createdAt: 0, lastUsedAt: 0 }),
    ]
    // The capabilities of a key: all, some and none.
    const application = [
      applicationKey('c'),
      applicationKey('d', { can: ['read'], expiresAt: NOON + 1 }),
      applicationKey('e', { can: ['events:a "b" \\ \n:😀', 'read', 'read'], expiresAt: 0 }),
      applicationKey('f', { can: [], expiresAt: 8_640_000_000_000_000 }),
    ]
    const ofAcme = applicationKey('g', { owner: IN_ACME })
    for (const key of admin) await storage.addAdminKey(key, 3)
    await storage.addApplicationKeys([...application, ofAcme])
    for (const key of [...admin, ...application, ofAcme]) deepEqual(await storage.findKey(key.prefix), key)
    deepEqual(await storage.applicationKeys(''), application)
    for (const prefix of ['', 'prefix', 'prefix-A', 'prefix-a ', 'prefix-_', '%', 'a']) {
      equal(await storage.findKey(prefix), null)
    }
  }),
  test('key/order: admin keys come in order of their instants, then of the bytes of their ids, without application keys', async (storage) => {
    deepEqual(await storage.adminKeys(), [])
    const keys = [
      adminKey('z', { createdAt: NOON - 1, status: 'revoked' }),
      adminKey('Z'),
      adminKey('a', { lastUsedAt: NOON }),
      adminKey('\uff5e'),
      adminKey('😀'),
      adminKey('A', { createdAt: NOON + 1 }),
    ]
    for (const key of keys.toReversed()) equal(await storage.addAdminKey(key, 6), true)
    await storage.addApplicationKeys([applicationKey('b', { createdAt: NOON - 2 })])
    deepEqual(await storage.adminKeys(), keys)
  }),
  test('key/bytes: keeps ids, prefixes and owners of keys, and compares them byte by byte', async (storage) => {
    const admin = NAMES.map((name, index) => adminKey(name, { prefix: name, createdAt: NOON + index }))
    for (const key of admin) equal(await storage.addAdminKey(key, 100), true)
    const application = NAMES.map((name) => {
      return applicationKey(`key ${name}`, { prefix: `app_${name}`, owner: { tenant: name, user: name } })
    })
    await storage.addApplicationKeys(application)
    deepEqual(await storage.adminKeys(), admin)
    for (const key of [...admin, ...application]) deepEqual(await storage.findKey(key.prefix), key)

    for (const [index, { id }] of admin.entries()) await storage.updateAdminKey(id, { hash: `new ${index}` })
    const hashes = NAMES.map((_, index) => `new ${index}`)
    deepEqual(column(await storage.adminKeys(), 'hash'), hashes)
    for (const name of NAMES) {
      const ids = NAMES.map((other) => `key ${other}`)
      deepEqual(await storage.removeApplicationKeys(name, ids), [`key ${name}`])
      equal(await storage.removeAdminKey(name), true)
      equal(await storage.findKey(name), null)
      equal(await storage.findKey(`app_${name}`), null)
    }
  }),
  test('key/caller: what a caller does to its keys afterwards changes nothing that is stored', async (storage) => {
    const given = { ...applicationKey('a'), owner: { ...ANN } }
    await storage.addApplicationKeys([given])
    const admin = { ...adminKey('b') }
    await storage.addAdminKey(admin, 3)
    const taken = [await storage.findKey('app_a'), await storage.findKey('prefix-b'), ...(await storage.adminKeys())]
    taken.push(await storage.updateAdminKey('b', { hash: 'new' }))
    tryChange(() => Object.assign(given.owner, BOB))
    for (const key of [given, admin, ...taken]) {
      tryChange(() => Object.assign(key ?? {}, { hash: 'forged', status: 'active' }))
      tryChange(() => Object.assign(key?.owner ?? {}, BOB))
    }
    deepEqual(await storage.findKey('app_a'), applicationKey('a'))
    deepEqual(await storage.adminKeys(), [adminKey('b', { hash: 'new' })])
  }),
  test('key/of-tenant: the application keys of a tenant, or of one of its users, come in order of id, in pages', async (storage) => {
    await storage.addAdminKey(adminKey('admin'), 3)
    const ofBob = ['b', 'd', 'Z', '😀', '\uff5e'].map((id) => applicationKey(id, { owner: BOB }))
    const ofAnn = ['a', 'c'].map((id) => applicationKey(id))
    await storage.addApplicationKeys([...ofBob, ...ofAnn, applicationKey('x', { owner: IN_ACME })])
    deepEqual(column(await storage.applicationKeys(''), 'id'), ['Z', 'a', 'b', 'c', 'd', '\uff5e', '😀'])
    deepEqual(column(await storage.applicationKeys('', { user: 'bob' }), 'id'), ['Z', 'b', 'd', '\uff5e', '😀'])
    deepEqual(column(await storage.applicationKeys('', { user: 'bob', limit: 2 }), 'id'), ['Z', 'b'])
    deepEqual(column(await storage.applicationKeys('', { user: 'bob', after: 'b', limit: 2 }), 'id'), ['d', '\uff5e'])
    deepEqual(column(await storage.applicationKeys('', { after: 'a', limit: 3 }), 'id'), ['b', 'c', 'd'])
    deepEqual(column(await storage.applicationKeys('', { after: 'bb', limit: 1 }), 'id'), ['c'])
    deepEqual(column(await storage.applicationKeys('acme'), 'id'), ['x'])
    for (const user of ['Bob', 'bob ', '', '%']) deepEqual(await storage.applicationKeys('', { user }), [])
    deepEqual(await storage.applicationKeys('', { after: '😀' }), [])
    deepEqual(await storage.applicationKeys('nobody'), [])
  }),
  test('key/of-names: the application keys of a user are those of its other names too, directly or by way of another', async (storage) => {
    const guest: UserKey = { tenant: '', user: 'guest' }
    const keys = [applicationKey('d'), applicationKey('b', { owner: BOB }), applicationKey('c', { owner: guest })]
    await storage.addApplicationKeys([...keys, applicationKey('a', { owner: IN_ACME })])
    await store(storage, ANN, {})
    await store(storage, BOB, { state: { mergedInto: 'ann' } })
    await store(storage, guest, { state: { mergedInto: 'bob' } })
    await store(storage, IN_ACME, { state: { mergedInto: 'ann' } })
    deepEqual(column(await storage.applicationKeys('', { user: 'ann' }), 'id'), ['b', 'c', 'd'])
    deepEqual(column(await storage.applicationKeys('', { user: 'ann', after: 'b', limit: 1 }), 'id'), ['c'])
    deepEqual(column(await storage.applicationKeys('', { user: 'bob' }), 'id'), ['b', 'c'])
    deepEqual(column(await storage.applicationKeys('', { user: 'guest' }), 'id'), ['c'])
  }),
  test('key/of-name: no key is stored for another name, and the ids of the stored ones are returned', async (storage) => {
    await store(storage, ANN, {})
    await store(storage, BOB, { state: { mergedInto: 'ann' } })
    await store(storage, IN_ACME, {})
    const keys = [
      applicationKey('b', { owner: BOB }),
      applicationKey('a'),
      applicationKey('c', { owner: { tenant: '', user: 'nobody' } }),
      applicationKey('d', { owner: IN_ACME }),
    ]
    deepEqual(await storage.addApplicationKeys(keys), ['a', 'c', 'd'])
    deepEqual(await found(storage, 'app_a', 'app_b', 'app_c', 'app_d'), ['app_a', 'app_c', 'app_d'])
    deepEqual(await storage.addApplicationKeys([applicationKey('e', { owner: BOB })]), [])
  }),
  test('key/most: no more admin keys are stored than there may be; revoked ones count, application keys do not', async (storage) => {
    await storage.addApplicationKeys(['a', 'b', 'c', 'd'].map((id) => applicationKey(id)))
    equal(await storage.addAdminKey(adminKey('1'), 0), false)
    equal(await storage.addAdminKey(adminKey('1', { status: 'revoked' }), 3), true)
    equal(await storage.addAdminKey(adminKey('2'), 3), true)
    equal(await storage.addAdminKey(adminKey('3'), 2), false)
    equal(await storage.addAdminKey(adminKey('3'), 3), true)
    await storage.updateAdminKey('2', { status: 'revoked' })
    equal(await storage.addAdminKey(adminKey('4'), 3), false)
    deepEqual(await adminIds(storage), ['1', '2', '3'])
    equal(await storage.findKey('prefix-4'), null)

    equal(await storage.removeAdminKey('1'), true)
    equal(await storage.addAdminKey(adminKey('4'), 3), true)
    deepEqual(await adminIds(storage), ['2', '3', '4'])
  }),
  test('key/most-race: of fifty callers at once, as many store their admin key as there is room for', async (storage) => {
    await storage.addAdminKey(adminKey('first', { createdAt: NOON - 1 }), 3)
    const callers = Array.from({ length: 50 }, (_, index) => adminKey(`key-${String(index).padStart(2, '0')}`))
    const answers = await Promise.all(callers.map((key) => storage.addAdminKey(key, 3)))
    const stored = callers.filter((_, index) => answers[index])
    equal(stored.length, 2)
    deepEqual(await adminIds(storage), ['first', ...column(stored, 'id')])
    deepEqual(await found(storage, ...column(callers, 'prefix')), [...column(stored, 'prefix')])
  }),
  test('key/known-id: an admin key with a known id or prefix rejects and is not stored, whosever the known one is', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 9)
    await storage.addApplicationKeys([applicationKey('b')])
    const twins = [
      adminKey('a', { prefix: 'other-1' }),
      adminKey('b', { prefix: 'other-2' }),
      adminKey('c', { prefix: 'prefix-a' }),
      adminKey('d', { prefix: 'app_b' }),
    ]
    for (const twin of twins) await rejectsWith('internal', storage.addAdminKey(twin, 9))
    deepEqual(await storage.adminKeys(), [adminKey('a')])
    deepEqual(await storage.findKey('app_b'), applicationKey('b'))
    deepEqual(await found(storage, 'other-1', 'other-2'), [])
    equal(await storage.addAdminKey(adminKey('c'), 9), true)
  }),
  test('key/together: a hundred application keys are stored together, several of one user among them; none is none', async (storage) => {
    await storage.addApplicationKeys([])
    const keys = Array.from({ length: 100 }, (_, index) => {
      return applicationKey(`key-${index}`, { owner: { tenant: '', user: `user-${index % 40}` } })
    })
    await storage.addApplicationKeys(keys)
    for (const key of keys) deepEqual(await storage.findKey(key.prefix), key)
    deepEqual(await storage.adminKeys(), [])
  }),
  test('key/known-among: application keys with a known id or prefix among them reject, and none of them is stored', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    await storage.addApplicationKeys([applicationKey('b')])
    const [one, two] = [applicationKey('1'), applicationKey('2')]
    const twins = [
      applicationKey('a'),
      applicationKey('b', { prefix: 'other' }),
      applicationKey('c', { prefix: 'prefix-a' }),
      applicationKey('d', { prefix: 'app_b' }),
      applicationKey('1', { prefix: 'other' }),
      applicationKey('e', { prefix: 'app_1' }),
    ]
    for (const twin of twins) await rejectsWith('internal', storage.addApplicationKeys([one, twin, two]))
    deepEqual(await found(storage, 'app_1', 'app_2', 'app_a', 'app_c', 'app_e', 'other'), [])
    deepEqual(await storage.findKey('app_b'), applicationKey('b'))
    await storage.addApplicationKeys([one, two])
    deepEqual(await found(storage, 'app_1', 'app_2'), ['app_1', 'app_2'])
  }),
  test('key-change/change: a change of an admin key is that of what it names, holds at once, and answers the key as it then is', async (storage) => {
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
    // Its old prefix is free, and its own may be given again.
    deepEqual(await storage.updateAdminKey('a', { prefix: 'new-a' }), used)
    equal(await storage.addAdminKey(adminKey('c', { prefix: 'prefix-a' }), 3), true)
  }),
  test('key-change/known-prefix: an admin key is not given a prefix that another key has', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    await storage.addAdminKey(adminKey('b'), 3)
    await storage.addApplicationKeys([applicationKey('c')])
    await rejectsWith('internal', storage.updateAdminKey('a', { prefix: 'prefix-b', hash: 'new' }))
    await rejectsWith('internal', storage.updateAdminKey('a', { prefix: 'app_c', status: 'revoked' }))
    deepEqual(await storage.adminKeys(), [adminKey('a'), adminKey('b')])
    deepEqual(await storage.findKey('app_c'), applicationKey('c'))
  }),
  test('key-change/last-use: the last use of a key never goes back under concurrent updates', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    const minutes = [7, 19, 3, 12, 0, 18, 5, 11, 2, 16]
    await Promise.all(minutes.map((minute) => storage.updateAdminKey('a', { lastUsedAt: NOON + minute * 60_000 })))
    const used = adminKey('a', { lastUsedAt: NOON + 1_140_000 })
    deepEqual(await storage.findKey('prefix-a'), used)
    deepEqual(await storage.updateAdminKey('a', { lastUsedAt: NOON }), used)
    const revoked = { ...used, status: 'revoked' as const }
    deepEqual(await storage.updateAdminKey('a', { status: 'revoked', lastUsedAt: NOON }), revoked)
    deepEqual(await storage.updateAdminKey('a', { hash: 'new' }), { ...revoked, hash: 'new' })
  }),
  test('key-change/members: changes at once of different members of one key are all kept', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    const changes = [{ status: 'revoked' }, { hash: 'new-hash' }, { prefix: 'new-a' }, { lastUsedAt: NOON }] as const
    await Promise.all(changes.map((change) => storage.updateAdminKey('a', change)))
    const changed = { prefix: 'new-a', hash: 'new-hash', status: 'revoked', lastUsedAt: NOON } as const
    deepEqual(await storage.adminKeys(), [adminKey('a', changed)])
  }),
  test('key-change/unknown: an unknown id changes and removes nothing; neither does that of an application key, as an admin key', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    await storage.addApplicationKeys([applicationKey('b')])
    for (const id of ['b', 'c', '', 'A', 'prefix-a', '%']) {
      equal(await storage.updateAdminKey(id, { hash: 'new', status: 'revoked', lastUsedAt: NOON }), null)
      equal(await storage.removeAdminKey(id), false)
    }
    deepEqual(await storage.adminKeys(), [adminKey('a')])
    deepEqual(await storage.findKey('app_b'), applicationKey('b'))
  }),
  test('key-change/removed: an admin key that is removed is gone: of several callers one has removed it', async (storage) => {
    await storage.addAdminKey(adminKey('a'), 3)
    await storage.addAdminKey(adminKey('b'), 3)
    const answers = await Promise.all([1, 2, 3, 4].map(() => storage.removeAdminKey('a')))
    deepEqual(answers.filter(Boolean), [true])
    equal(await storage.findKey('prefix-a'), null)
    equal(await storage.updateAdminKey('a', { status: 'active' }), null)
    deepEqual(await storage.adminKeys(), [adminKey('b')])
  }),
  test('key-change/removed-of-tenant: application keys are removed by the ids of one tenant, and by no others', async (storage) => {
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
    const left = await found(storage, 'prefix-admin', 'app_a', 'app_b', 'app_c', 'app_d')
    deepEqual(left, ['prefix-admin', 'app_c', 'app_d'])
    deepEqual(await storage.removeApplicationKeys('', ['a', 'b']), [])
    deepEqual(await storage.removeApplicationKeys('acme', ['c', 'd']), ['c'])
    deepEqual(await found(storage, 'app_c', 'app_d'), ['app_d'])
  }),
]
