// The users that a storage keeps in memory between their writes.

import { expect, test } from 'vitest'
import { emptyState } from '../../src/rules/state.ts'
import { type CachedUser, createCachedUsers } from '../../src/sql/users.ts'

const key = (user: string) => ({ tenant: '', user })

/** A user with as many totals. */
function withTotals(count: number): CachedUser {
  const totals = new Map(Array.from({ length: count }, (_, index) => [`metric-${index}`, { total: 1, highest: 1 }]))
  return { state: { ...emptyState(0, 1), totals }, version: 1, notices: null }
}

test('A cache that is full forgets the users whose last write is the longest ago', () => {
  const users = createCachedUsers(5_000)
  for (const user of ['ann', 'bob', 'cleo']) users.put(key(user), withTotals(0))
  users.put(key('ann'), withTotals(0))
  users.put(key('dan'), withTotals(0))
  expect(['ann', 'bob', 'cleo', 'dan'].filter((user) => users.get(key(user)))).toEqual(['ann', 'cleo', 'dan'])
})

test('A user with many values takes the place of several', () => {
  const users = createCachedUsers(5_000)
  for (const user of ['ann', 'bob', 'cleo']) users.put(key(user), withTotals(0))
  users.put(key('dan'), withTotals(20))
  expect(['ann', 'bob', 'cleo', 'dan'].filter((user) => users.get(key(user)))).toEqual(['dan'])
})

test('A user with quests and long texts takes the place of several', () => {
  const users = createCachedUsers(5_000)
  const quest = { start: 0, end: 0, epoch: 1, picked: [], rerolls: 0, quests: [] }
  const challenges = new Map([['daily', { enrolledAt: null, windows: [quest, quest] }]])
  const attributes = new Map([['bio', 'x'.repeat(2_000)]])
  const state = { ...emptyState(0, 1), challenges }
  const large = { ...state, profile: { ...state.profile, attributes } }
  users.put(key('ann'), withTotals(0))
  users.put(key('bob'), { state: large, version: 1, notices: null })
  expect(['ann', 'bob'].filter((user) => users.get(key(user)))).toEqual(['bob'])
})

test('A user that was removed makes room', () => {
  const users = createCachedUsers(5_000)
  for (const user of ['ann', 'bob', 'cleo']) users.put(key(user), withTotals(0))
  users.remove(key('cleo'))
  users.put(key('dan'), withTotals(0))
  expect(['ann', 'bob', 'cleo', 'dan'].filter((user) => users.get(key(user)))).toEqual(['ann', 'bob', 'dan'])
})

test('A cache without room keeps nobody', () => {
  const users = createCachedUsers(0)
  users.put(key('ann'), withTotals(0))
  expect(users.get(key('ann'))).toBe(undefined)
})
