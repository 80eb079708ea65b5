import { deepEqual, equal } from 'node:assert/strict'
import { emptyState } from '../../rules/state.ts'
import { loadLog } from '../../sql/log.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadUser } from '../../sql/read-user.ts'
import { loadUserKeys } from '../../sql/user-lists.ts'
import type { UserKey } from '../../storage/rows.ts'
import { column, loadOne, readState, type StorageCase, store, test } from './case.ts'
import { ANN, award, eventOf, NAMES, NOON, sampleEvent } from './samples.ts'

export const textCases: readonly StorageCase[] = [
  test('text/ids: keeps ids, and compares them byte by byte', async (storage) => {
    for (const [index, user] of NAMES.entries()) {
      await store(storage, { tenant: '', user }, { appended: [eventOf({ user }, 1, { value: index })] })
    }
    for (const [index, user] of NAMES.entries()) {
      const [line, ...others] = await loadLog(storage, { tenant: '', user })
      deepEqual([line?.kind === 'eventRecorded' && line.value, others.length], [index, 0])
    }
    deepEqual(new Set(column(await loadUserKeys(storage), 'user')), new Set(NAMES))
  }),
  test('text/keys: keeps keys and names within a user, and compares them byte by byte', async (storage) => {
    const texts = new Map(NAMES.map((name) => [name, name]))
    const numbers = new Map(NAMES.map((name, index) => [name, index]))
    const { profile, preferences, streak } = emptyState(NOON, 1)
    const state = {
      totals: new Map(NAMES.map((name, index) => [name, { total: index, highest: index }])),
      tallies: new Map(NAMES.map((name, index) => [name, { total: index, highest: index }])),
      completions: new Map(NAMES.map((name, index) => [name, { at: index, entryId: name, count: 1 }])),
      points: new Map(NAMES.map((name, index) => [name, { total: index, level: name }])),
      profile: { ...profile, name: 'e\u0301 ', attributes: texts, deviceTokens: NAMES },
      preferences: { ...preferences, streak: { evaluationMode: 'OR' as const, metrics: numbers } },
      streak: { ...streak, open: [{ period: 1, sums: numbers }] },
    }
    const asserted = { attributes: texts, name: '__proto__' }
    const appended = NAMES.map((name, index) =>
      sampleEvent(index + 1, { id: `id ${name}`, idempotencyKey: name, attributes: texts, profile: asserted }),
    )
    const counted = NAMES.map((key, index) => ({ kind: 'completions' as const, key, by: index + 1 }))
    const awards = { put: NAMES.map((name, ordinal) => award(name, { ordinal })) }
    await store(storage, ANN, { state, appended, counted, awards })

    const stored = await readState(storage, ANN)
    deepEqual(stored, { ...stored, ...state })
    deepEqual(await loadLog(storage, ANN), appended)
    const counters = (await loadCounters(storage, '')).map(({ key, count }) => [key, count] as const)
    deepEqual(new Map(counters), new Map(NAMES.map((name, index) => [name, index + 1])))
    const lookups = NAMES.map((idempotencyKey) => ({ metric: 'words', idempotencyKey }))
    deepEqual((await loadOne(storage, ANN, lookups)).found, column(appended, 'id'))
    deepEqual(column((await loadUser(storage, ANN, { awards: {} })).awards, 'id').reverse(), NAMES)
  }),
  test('text/tenants: the same user id in two tenants is two users', async (storage) => {
    const keys: UserKey[] = ['', 'acme', 'Acme', '__proto__'].map((tenant) => ({ tenant, user: 'ann' }))
    for (const [index, key] of keys.entries()) {
      await store(storage, key, {
        appended: [sampleEvent(1, { value: index })],
        state: { totals: new Map([['words', { total: index, highest: index }]]) },
        awards: { put: [award('a', { awarded: index })] },
        periods: { put: [{ start: 1, length: index, kind: 'counted' }] },
        counted: [{ kind: 'users', key: '', by: index + 1 }],
      })
    }
    for (const [index, key] of keys.entries()) {
      const { state, awards, periods } = await loadUser(storage, key, { awards: {}, periods: {} })
      equal(state?.totals.get('words')?.total, index)
      deepEqual([column(awards, 'awarded'), periods], [[index], [{ start: 1, length: index, kind: 'counted' }]])
      deepEqual(await loadCounters(storage, key.tenant), [{ kind: 'users', key: '', count: index + 1 }])
    }
  }),
]
