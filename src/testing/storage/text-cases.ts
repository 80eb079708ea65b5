import { deepEqual, equal } from 'node:assert/strict'
import type { UserKey } from '../../storage/rows.ts'
import { column, load, readState, type StorageCase, store, test } from './case.ts'
import { ANN, award, event, eventOf, NAMES } from './samples.ts'

export const textCases: readonly StorageCase[] = [
  test('text/ids: ids are kept and told apart byte by byte', async (storage) => {
    for (const [index, user] of NAMES.entries()) {
      await store(storage, { tenant: '', user }, { appended: [eventOf({ user }, 1, { value: index })] })
    }
    for (const [index, user] of NAMES.entries()) {
      const [line, ...others] = await storage.readLog({ tenant: '', user })
      deepEqual([line?.kind === 'eventRecorded' && line.value, others.length], [index, 0])
    }
    deepEqual(new Set(column(await storage.listUsers(), 'user')), new Set(NAMES))
  }),
  test('text/keys: keys of maps are kept and told apart byte by byte', async (storage) => {
    const state = {
      totals: new Map(NAMES.map((name, index) => [name, { total: index, highest: index }])),
      tallies: new Map(NAMES.map((name, index) => [name, { total: index, highest: index }])),
      completions: new Map(NAMES.map((name, index) => [name, { at: index, entryId: name, count: 1 }])),
      points: new Map(NAMES.map((name, index) => [name, { total: index, level: name }])),
    }
    const attributes = new Map(NAMES.map((name) => [name, name]))
    const stored = await (async () => {
      await store(storage, ANN, {
        state,
        appended: [event(1, { attributes, profile: { attributes, name: '__proto__' } })],
        counted: NAMES.map((key, index) => ({ kind: 'completions', key, by: index + 1 })),
      })
      return readState(storage, ANN)
    })()
    const { totals, tallies, completions, points } = stored
    deepEqual({ totals, tallies, completions, points }, state)

    const [line] = await storage.readLog(ANN)
    deepEqual(line?.kind === 'eventRecorded' && line.attributes, attributes)
    deepEqual(line?.profile, { attributes, name: '__proto__' })
    deepEqual(
      new Map((await storage.counters('')).map(({ key, count }) => [key, count])),
      new Map(NAMES.map((name, index) => [name, index + 1])),
    )
  }),
  test('text/names: names inside the profile, the preferences and the open periods are kept byte by byte', async (storage) => {
    const values = new Map(NAMES.map((name) => [name, name]))
    const numbers = new Map(NAMES.map((name, index) => [name, index]))
    const { profile, preferences, streak } = await (async () => {
      await store(storage, ANN, { appended: [event(1)] })
      return readState(storage, ANN)
    })()
    const state = {
      profile: { ...profile, name: 'e\u0301 ', attributes: values, deviceTokens: NAMES },
      preferences: { ...preferences, streak: { evaluationMode: 'OR' as const, metrics: numbers } },
      streak: { ...streak, open: [{ period: 1, sums: numbers }] },
    }
    await store(storage, ANN, { state })
    const stored = await readState(storage, ANN)
    deepEqual({ profile: stored.profile, preferences: stored.preferences, streak: stored.streak }, state)
  }),
  test('text/entry-ids: idempotency keys and ids of awards are told apart byte by byte', async (storage) => {
    await store(storage, ANN, {
      appended: NAMES.map((name, index) => event(index + 1, { id: `id ${name}`, idempotencyKey: name })),
      awards: { put: NAMES.map((name, ordinal) => award(name, { ordinal })) },
    })
    const lookups = NAMES.map((idempotencyKey) => ({ metric: 'words', idempotencyKey }))
    deepEqual(
      (await load(storage, ANN, lookups)).found,
      NAMES.map((name) => `id ${name}`),
    )
    const { awards } = await storage.readUser(ANN, { awards: {} })
    deepEqual(column(awards, 'id').reverse(), NAMES)
  }),
  test('text/tenants: the same user id in two tenants is two users', async (storage) => {
    const keys: UserKey[] = ['', 'acme', 'Acme', '__proto__'].map((tenant) => ({ tenant, user: 'ann' }))
    for (const [index, key] of keys.entries()) {
      await store(storage, key, {
        appended: [event(1, { value: index })],
        state: { totals: new Map([['words', { total: index, highest: index }]]) },
        awards: { put: [award('a', { awarded: index })] },
        periods: { put: [{ start: 1, length: index, kind: 'counted' }] },
        counted: [{ kind: 'users', key: '', by: index + 1 }],
      })
    }
    for (const [index, key] of keys.entries()) {
      const { state, awards, periods } = await storage.readUser(key, { awards: {}, periods: {} })
      equal(state?.totals.get('words')?.total, index)
      deepEqual(
        [awards.length, awards[0]?.awarded, periods],
        [1, index, [{ start: 1, length: index, kind: 'counted' }]],
      )
      deepEqual(await storage.counters(key.tenant), [{ kind: 'users', key: '', count: index + 1 }])
    }
  }),
]
