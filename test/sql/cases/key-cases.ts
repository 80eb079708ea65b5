import { deepEqual, equal } from 'node:assert/strict'
import {
  addAdminKey,
  addApplicationKeys,
  findKey,
  loadAdminKeys,
  loadApplicationKeys,
  removeAdminKey,
  removeApplicationKeys,
  updateAdminKey,
} from '../../../src/sql/api-keys.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { column, rejectsWith, type StorageCase, store, test, tryChange } from '../../../src/testing/storage/case.ts'
import { adminKey, applicationKey, found } from '../../../src/testing/storage/key-samples.ts'
import { ANN, BOB, IN_ACME, NAMES, NOON } from '../../../src/testing/storage/samples.ts'

const adminIds = async (storage: Storage): Promise<string[]> => column(await loadAdminKeys(storage), 'id')

export const keyCases: readonly StorageCase[] = [
  test('key/found: a key is found by its prefix as it was stored, and null by a prefix that no key has', async (storage) => {
    equal(await findKey(storage, 'prefix-a'), null)
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
    for (const key of admin) await addAdminKey(storage, key, 3)
    await addApplicationKeys(storage, [...application, ofAcme])
    for (const key of [...admin, ...application, ofAcme]) deepEqual(await findKey(storage, key.prefix), key)
    deepEqual(await loadApplicationKeys(storage, ''), application)
    for (const prefix of ['', 'prefix', 'prefix-A', 'prefix-a ', 'prefix-_', '%', 'a']) {
      equal(await findKey(storage, prefix), null)
    }
  }),
  test('key/order: admin keys come in order of their instants, then of the bytes of their ids, without application keys', async (storage) => {
    deepEqual(await loadAdminKeys(storage), [])
    const keys = [
      adminKey('z', { createdAt: NOON - 1, status: 'revoked' }),
      adminKey('Z'),
      adminKey('a', { lastUsedAt: NOON }),
      adminKey('\uff5e'),
      adminKey('😀'),
      adminKey('A', { createdAt: NOON + 1 }),
    ]
    for (const key of keys.toReversed()) equal(await addAdminKey(storage, key, 6), true)
    await addApplicationKeys(storage, [applicationKey('b', { createdAt: NOON - 2 })])
    deepEqual(await loadAdminKeys(storage), keys)
  }),
  test('key/bytes: keeps ids, prefixes and owners of keys, and compares them byte by byte', async (storage) => {
    const admin = NAMES.map((name, index) => adminKey(name, { prefix: name, createdAt: NOON + index }))
    for (const key of admin) equal(await addAdminKey(storage, key, 100), true)
    const application = NAMES.map((name) => {
      return applicationKey(`key ${name}`, { prefix: `app_${name}`, owner: { tenant: name, user: name } })
    })
    await addApplicationKeys(storage, application)
    deepEqual(await loadAdminKeys(storage), admin)
    for (const key of [...admin, ...application]) deepEqual(await findKey(storage, key.prefix), key)

    for (const [index, { id }] of admin.entries()) await updateAdminKey(storage, id, { hash: `new ${index}` })
    const hashes = NAMES.map((_, index) => `new ${index}`)
    deepEqual(column(await loadAdminKeys(storage), 'hash'), hashes)
    for (const name of NAMES) {
      const ids = NAMES.map((other) => `key ${other}`)
      deepEqual(await removeApplicationKeys(storage, name, ids), [`key ${name}`])
      equal(await removeAdminKey(storage, name), true)
      equal(await findKey(storage, name), null)
      equal(await findKey(storage, `app_${name}`), null)
    }
  }),
  test('key/caller: what a caller does to its keys afterwards changes nothing that is stored', async (storage) => {
    const given = { ...applicationKey('a'), owner: { ...ANN } }
    await addApplicationKeys(storage, [given])
    const admin = { ...adminKey('b') }
    await addAdminKey(storage, admin, 3)
    const taken = [
      await findKey(storage, 'app_a'),
      await findKey(storage, 'prefix-b'),
      ...(await loadAdminKeys(storage)),
    ]
    taken.push(await updateAdminKey(storage, 'b', { hash: 'new' }))
    tryChange(() => Object.assign(given.owner, BOB))
    for (const key of [given, admin, ...taken]) {
      tryChange(() => Object.assign(key ?? {}, { hash: 'forged', status: 'active' }))
      tryChange(() => Object.assign(key?.owner ?? {}, BOB))
    }
    deepEqual(await findKey(storage, 'app_a'), applicationKey('a'))
    deepEqual(await loadAdminKeys(storage), [adminKey('b', { hash: 'new' })])
  }),
  test('key/of-tenant: the application keys of a tenant, or of one of its users, come in order of id, in pages', async (storage) => {
    await addAdminKey(storage, adminKey('admin'), 3)
    const ofBob = ['b', 'd', 'Z', '😀', '\uff5e'].map((id) => applicationKey(id, { owner: BOB }))
    const ofAnn = ['a', 'c'].map((id) => applicationKey(id))
    await addApplicationKeys(storage, [...ofBob, ...ofAnn, applicationKey('x', { owner: IN_ACME })])
    deepEqual(column(await loadApplicationKeys(storage, ''), 'id'), ['Z', 'a', 'b', 'c', 'd', '\uff5e', '😀'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'bob' }), 'id'), ['Z', 'b', 'd', '\uff5e', '😀'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'bob', limit: 2 }), 'id'), ['Z', 'b'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'bob', after: 'b', limit: 2 }), 'id'), [
      'd',
      '\uff5e',
    ])
    deepEqual(column(await loadApplicationKeys(storage, '', { after: 'a', limit: 3 }), 'id'), ['b', 'c', 'd'])
    deepEqual(column(await loadApplicationKeys(storage, '', { after: 'bb', limit: 1 }), 'id'), ['c'])
    deepEqual(column(await loadApplicationKeys(storage, 'acme'), 'id'), ['x'])
    for (const user of ['Bob', 'bob ', '', '%']) deepEqual(await loadApplicationKeys(storage, '', { user }), [])
    deepEqual(await loadApplicationKeys(storage, '', { after: '😀' }), [])
    deepEqual(await loadApplicationKeys(storage, 'nobody'), [])
  }),
  test('key/of-names: the application keys of a user are those of its other names too, directly or by way of another', async (storage) => {
    const guest: UserKey = { tenant: '', user: 'guest' }
    const keys = [applicationKey('d'), applicationKey('b', { owner: BOB }), applicationKey('c', { owner: guest })]
    await addApplicationKeys(storage, [...keys, applicationKey('a', { owner: IN_ACME })])
    await store(storage, ANN, {})
    await store(storage, BOB, { state: { mergedInto: 'ann' } })
    await store(storage, guest, { state: { mergedInto: 'bob' } })
    await store(storage, IN_ACME, { state: { mergedInto: 'ann' } })
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'ann' }), 'id'), ['b', 'c', 'd'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'ann', after: 'b', limit: 1 }), 'id'), ['c'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'bob' }), 'id'), ['b', 'c'])
    deepEqual(column(await loadApplicationKeys(storage, '', { user: 'guest' }), 'id'), ['c'])
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
    deepEqual(await addApplicationKeys(storage, keys), ['a', 'c', 'd'])
    deepEqual(await found(storage, 'app_a', 'app_b', 'app_c', 'app_d'), ['app_a', 'app_c', 'app_d'])
    deepEqual(await addApplicationKeys(storage, [applicationKey('e', { owner: BOB })]), [])
  }),
  test('key/most: no more admin keys are stored than there may be; revoked ones count, application keys do not', async (storage) => {
    await addApplicationKeys(
      storage,
      ['a', 'b', 'c', 'd'].map((id) => applicationKey(id)),
    )
    equal(await addAdminKey(storage, adminKey('1'), 0), false)
    equal(await addAdminKey(storage, adminKey('1', { status: 'revoked' }), 3), true)
    equal(await addAdminKey(storage, adminKey('2'), 3), true)
    equal(await addAdminKey(storage, adminKey('3'), 2), false)
    equal(await addAdminKey(storage, adminKey('3'), 3), true)
    await updateAdminKey(storage, '2', { status: 'revoked' })
    equal(await addAdminKey(storage, adminKey('4'), 3), false)
    deepEqual(await adminIds(storage), ['1', '2', '3'])
    equal(await findKey(storage, 'prefix-4'), null)

    equal(await removeAdminKey(storage, '1'), true)
    equal(await addAdminKey(storage, adminKey('4'), 3), true)
    deepEqual(await adminIds(storage), ['2', '3', '4'])
  }),
  test('key/most-race: of fifty callers at once, as many store their admin key as there is room for', async (storage) => {
    await addAdminKey(storage, adminKey('first', { createdAt: NOON - 1 }), 3)
    const callers = Array.from({ length: 50 }, (_, index) => adminKey(`key-${String(index).padStart(2, '0')}`))
    const answers = await Promise.all(callers.map((key) => addAdminKey(storage, key, 3)))
    const stored = callers.filter((_, index) => answers[index])
    equal(stored.length, 2)
    deepEqual(await adminIds(storage), ['first', ...column(stored, 'id')])
    deepEqual(await found(storage, ...column(callers, 'prefix')), [...column(stored, 'prefix')])
  }),
  test('key/known-id: an admin key with a known id or prefix rejects and is not stored, whosever the known one is', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 9)
    await addApplicationKeys(storage, [applicationKey('b')])
    const twins = [
      adminKey('a', { prefix: 'other-1' }),
      adminKey('b', { prefix: 'other-2' }),
      adminKey('c', { prefix: 'prefix-a' }),
      adminKey('d', { prefix: 'app_b' }),
    ]
    for (const twin of twins) await rejectsWith('internal', addAdminKey(storage, twin, 9))
    deepEqual(await loadAdminKeys(storage), [adminKey('a')])
    deepEqual(await findKey(storage, 'app_b'), applicationKey('b'))
    deepEqual(await found(storage, 'other-1', 'other-2'), [])
    equal(await addAdminKey(storage, adminKey('c'), 9), true)
  }),
  test('key/together: a hundred application keys are stored together, several of one user among them; none is none', async (storage) => {
    await addApplicationKeys(storage, [])
    const keys = Array.from({ length: 100 }, (_, index) => {
      return applicationKey(`key-${index}`, { owner: { tenant: '', user: `user-${index % 40}` } })
    })
    await addApplicationKeys(storage, keys)
    for (const key of keys) deepEqual(await findKey(storage, key.prefix), key)
    deepEqual(await loadAdminKeys(storage), [])
  }),
  test('key/known-among: application keys with a known id or prefix among them reject, and none of them is stored', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    await addApplicationKeys(storage, [applicationKey('b')])
    const [one, two] = [applicationKey('1'), applicationKey('2')]
    const twins = [
      applicationKey('a'),
      applicationKey('b', { prefix: 'other' }),
      applicationKey('c', { prefix: 'prefix-a' }),
      applicationKey('d', { prefix: 'app_b' }),
      applicationKey('1', { prefix: 'other' }),
      applicationKey('e', { prefix: 'app_1' }),
    ]
    for (const twin of twins) await rejectsWith('internal', addApplicationKeys(storage, [one, twin, two]))
    deepEqual(await found(storage, 'app_1', 'app_2', 'app_a', 'app_c', 'app_e', 'other'), [])
    deepEqual(await findKey(storage, 'app_b'), applicationKey('b'))
    await addApplicationKeys(storage, [one, two])
    deepEqual(await found(storage, 'app_1', 'app_2'), ['app_1', 'app_2'])
  }),
  test('key-change/change: a change of an admin key is that of what it names, holds at once, and answers the key as it then is', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    await addAdminKey(storage, adminKey('b'), 3)
    const revoked = adminKey('a', { status: 'revoked' })
    deepEqual(await updateAdminKey(storage, 'a', { status: 'revoked' }), revoked)
    deepEqual(await findKey(storage, 'prefix-a'), revoked)
    deepEqual(await updateAdminKey(storage, 'a', {}), revoked)

    const rotated = { ...revoked, prefix: 'new-a', hash: 'new-hash' }
    deepEqual(await updateAdminKey(storage, 'a', { prefix: 'new-a', hash: 'new-hash' }), rotated)
    equal(await findKey(storage, 'prefix-a'), null)
    deepEqual(await findKey(storage, 'new-a'), rotated)

    const used = { ...rotated, status: 'active' as const, lastUsedAt: NOON }
    deepEqual(await updateAdminKey(storage, 'a', { status: 'active', lastUsedAt: NOON }), used)
    deepEqual(await loadAdminKeys(storage), [used, adminKey('b')])
    // Its old prefix is free, and its own may be given again.
    deepEqual(await updateAdminKey(storage, 'a', { prefix: 'new-a' }), used)
    equal(await addAdminKey(storage, adminKey('c', { prefix: 'prefix-a' }), 3), true)
  }),
  test('key-change/known-prefix: an admin key is not given a prefix that another key has', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    await addAdminKey(storage, adminKey('b'), 3)
    await addApplicationKeys(storage, [applicationKey('c')])
    await rejectsWith('internal', updateAdminKey(storage, 'a', { prefix: 'prefix-b', hash: 'new' }))
    await rejectsWith('internal', updateAdminKey(storage, 'a', { prefix: 'app_c', status: 'revoked' }))
    deepEqual(await loadAdminKeys(storage), [adminKey('a'), adminKey('b')])
    deepEqual(await findKey(storage, 'app_c'), applicationKey('c'))
  }),
  test('key-change/last-use: the last use of a key never goes back under concurrent updates', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    const minutes = [7, 19, 3, 12, 0, 18, 5, 11, 2, 16]
    await Promise.all(minutes.map((minute) => updateAdminKey(storage, 'a', { lastUsedAt: NOON + minute * 60_000 })))
    const used = adminKey('a', { lastUsedAt: NOON + 1_140_000 })
    deepEqual(await findKey(storage, 'prefix-a'), used)
    deepEqual(await updateAdminKey(storage, 'a', { lastUsedAt: NOON }), used)
    const revoked = { ...used, status: 'revoked' as const }
    deepEqual(await updateAdminKey(storage, 'a', { status: 'revoked', lastUsedAt: NOON }), revoked)
    deepEqual(await updateAdminKey(storage, 'a', { hash: 'new' }), { ...revoked, hash: 'new' })
  }),
  test('key-change/members: changes at once of different members of one key are all kept', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    const changes = [{ status: 'revoked' }, { hash: 'new-hash' }, { prefix: 'new-a' }, { lastUsedAt: NOON }] as const
    await Promise.all(changes.map((change) => updateAdminKey(storage, 'a', change)))
    const changed = { prefix: 'new-a', hash: 'new-hash', status: 'revoked', lastUsedAt: NOON } as const
    deepEqual(await loadAdminKeys(storage), [adminKey('a', changed)])
  }),
  test('key-change/unknown: an unknown id changes and removes nothing; neither does that of an application key, as an admin key', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    await addApplicationKeys(storage, [applicationKey('b')])
    for (const id of ['b', 'c', '', 'A', 'prefix-a', '%']) {
      equal(await updateAdminKey(storage, id, { hash: 'new', status: 'revoked', lastUsedAt: NOON }), null)
      equal(await removeAdminKey(storage, id), false)
    }
    deepEqual(await loadAdminKeys(storage), [adminKey('a')])
    deepEqual(await findKey(storage, 'app_b'), applicationKey('b'))
  }),
  test('key-change/removed: an admin key that is removed is gone: of several callers one has removed it', async (storage) => {
    await addAdminKey(storage, adminKey('a'), 3)
    await addAdminKey(storage, adminKey('b'), 3)
    const answers = await Promise.all([1, 2, 3, 4].map(() => removeAdminKey(storage, 'a')))
    deepEqual(answers.filter(Boolean), [true])
    equal(await findKey(storage, 'prefix-a'), null)
    equal(await updateAdminKey(storage, 'a', { status: 'active' }), null)
    deepEqual(await loadAdminKeys(storage), [adminKey('b')])
  }),
  test('key-change/removed-of-tenant: application keys are removed by the ids of one tenant, and by no others', async (storage) => {
    await addAdminKey(storage, adminKey('admin'), 3)
    await addApplicationKeys(storage, [
      applicationKey('a'),
      applicationKey('b', { owner: BOB }),
      applicationKey('c', { owner: IN_ACME }),
      applicationKey('d'),
    ])
    deepEqual(await removeApplicationKeys(storage, '', []), [])
    deepEqual(await removeApplicationKeys(storage, 'Acme', ['a', 'b', 'c', 'd']), [])
    const removed = await removeApplicationKeys(storage, '', ['unknown', 'b', 'c', 'admin', 'a', 'a', ''])
    deepEqual([...removed].sort(), ['a', 'b'])
    const left = await found(storage, 'prefix-admin', 'app_a', 'app_b', 'app_c', 'app_d')
    deepEqual(left, ['prefix-admin', 'app_c', 'app_d'])
    deepEqual(await removeApplicationKeys(storage, '', ['a', 'b']), [])
    deepEqual(await removeApplicationKeys(storage, 'acme', ['c', 'd']), ['c'])
    deepEqual(await found(storage, 'app_c', 'app_d'), ['app_d'])
  }),
]
