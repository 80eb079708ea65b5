// Saves that the engine never asks for, and that would break a log.

import { describe, expect, test } from 'vitest'
import { emptyState, type UserState } from '../../src/rules/state.ts'
import { loadLog } from '../../src/sql/log.ts'
import { readAll, saveOf, store } from '../../src/testing/storage/case.ts'
import { ANN, BOB, NOON, sampleEvent } from '../../src/testing/storage/samples.ts'
import { codesOf, useFiles } from '../support/places.ts'

const REQUEST = { ...ANN, lookups: [] }
const make = useFiles()

describe('In a file of SQLite', () => {
  test('a save that says there was no user before, where there was one, is refused and stores nothing', async () => {
    const storage = make()()
    await storage.migrate()
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    const before = await readAll(storage, ANN)
    const commit = storage.commit([REQUEST], (users) =>
      users.map((user) => ({ ...saveOf(user, { appended: [sampleEvent(2)] }), before: null })),
    )
    expect(await codesOf([commit])).toEqual(['internal'])
    expect(await readAll(storage, ANN)).toEqual(before)
    await storage.close()
  })

  test('a save that failed because of another one in its commit is not remembered', async () => {
    const storage = make()()
    await storage.migrate()
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    const commit = storage.commit([REQUEST, { ...BOB, lookups: [] }], (users) =>
      // Bob's log would begin with its fifth entry.
      users.map((user, index) => saveOf(user, { appended: [sampleEvent(index === 0 ? 2 : 5)] })),
    )
    expect(await codesOf([commit])).toEqual(['internal'])
    const seen: (number | undefined)[] = []
    await storage.commit([REQUEST], (users) => {
      seen.push(...users.map(({ state }) => state?.seq))
      return [null]
    })
    expect(seen).toEqual([1])
    await storage.close()
  })

  test('entries of one instant are read in the order in which they came, whatever their ids', async () => {
    const storage = make()()
    await storage.migrate()
    await store(storage, ANN, {
      appended: [sampleEvent(1, { id: 'z', at: NOON }), sampleEvent(2, { id: 'b', at: NOON })],
    })
    await store(storage, ANN, { appended: [sampleEvent(3, { id: 'a', at: NOON })] })
    expect((await loadLog(storage, ANN)).map(({ id, seq }) => [id, seq])).toEqual([
      ['z', 1],
      ['b', 2],
      ['a', 3],
    ])
    await storage.close()
  })

  test.each<[string, Partial<UserState>]>([
    ['an event', {}],
    ['what an event seldom changes', { freezes: { count: 1, nextEarned: null } }],
    ['the profile', { profile: { ...emptyState(NOON, 1).profile, name: 'Ann' } }],
  ])('a user who comes twice in one commit, with %s, is refused, and nothing is stored', async (_, state) => {
    const storage = make()()
    await storage.migrate()
    await store(storage, ANN, { appended: [sampleEvent(1)] })
    const before = await readAll(storage, ANN)
    const twice = [sampleEvent(2), sampleEvent(2, { id: 'another', at: NOON + 50 })]
    const commit = storage.commit([REQUEST, REQUEST], (users) =>
      users.map((user, index) => saveOf(user, { appended: twice.slice(index, index + 1), state })),
    )
    expect(await codesOf([commit])).toEqual(['internal'])
    expect(await readAll(storage, ANN)).toEqual(before)
    await storage.close()
  })
})
