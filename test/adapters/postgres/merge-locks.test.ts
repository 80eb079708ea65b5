// Deletions and merges of the same users in two processes: they lock the users in one order.

import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { GamificationError } from '../../../src/index.ts'
import { NOON, openOn } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { deadlocksIn, useDatabases } from './races-database.ts'

const newDatabase = useDatabases()
const game = { metrics: { words: { name: 'Words' } } } as const
const ROUNDS = 12

/** The code of an error of the library, or `ok`. */
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof GamificationError ? error.code : String(error)),
  )

// The name sorts before the user in the first case, and after it in the second.
test.each([
  ['alias', 'main', {}],
  ['name', 'main', {}],
  ['alias', 'main', { keep: 'anonymous' }],
] as const)(
  'deleting a user while %s is merged into %s again ends no deadlock: %j',
  async (from, into, options) => {
    const database = await newDatabase()
    const engines = await Promise.all(times(2, () => openOn(postgres(database.url), { now: NOON }, game)))
    const [one, other] = engines as [(typeof engines)[0], (typeof engines)[0]]
    for (const round of times(ROUNDS, (index) => index)) {
      const [name, user] = [`${from}-${round}`, `${into}-${round}`]
      for (const id of [name, user]) await one.metrics.event('words', { user: { id }, value: 1 })
      await one.users.merge({ from: name, into: user })
      const codes = await Promise.all([
        codeOf(one.users.delete(user, options)),
        codeOf(other.users.merge({ from: name, into: user })),
        codeOf(other.users.merge({ from: name, into: user })),
        codeOf(other.metrics.event('words', { user: { id: name }, value: 1 })),
      ])
      expect(codes[0]).toBe('ok')
      for (const code of codes.slice(1)) expect(['ok', 'unknown_user']).toContain(code)
    }
    const { drift, damaged } = await one.verify()
    expect([drift, damaged]).toEqual([[], []])
    for (const engine of engines) await engine.close()
    expect(await deadlocksIn(database)).toBe(0)
  },
  120_000,
)
