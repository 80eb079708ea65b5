// @heavy: It has several processes race.
// Commits of several storages on the same users, counters and games: each storage represents a process.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { addGame } from '../../../src/sql/games.ts'
import { loadCounters } from '../../../src/sql/queries.ts'
import { loadUser } from '../../../src/sql/read-user.ts'
import type { UserKey } from '../../../src/storage/rows.ts'
import type { Storage, StoredGame, UserRequest } from '../../../src/storage/storage.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { NAMES, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { createRandom } from '../../crash/random.ts'
import { times } from '../../support/places.ts'
import { seedOfRun } from '../../support/zones.ts'
import { deadlocksIn, type OwnDatabase, useDatabases } from './races-database.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const newDatabase = useDatabases()
let database: OwnDatabase
const opened: Storage[] = []

beforeAll(async () => {
  database = await newDatabase()
})
afterAll(async () => {
  for (const storage of opened) await storage.close()
})

/** Storages on one new schema; `slots`: which of them count in the same rows. */
async function openAll(schema: string, count: number, isOneSlot = false): Promise<readonly Storage[]> {
  const random = isOneSlot ? vi.spyOn(Math, 'random').mockReturnValue(0) : null
  const storages = times(count, () => postgres(database.url, { schema }))
  random?.mockRestore()
  opened.push(...storages)
  await storages[0]?.migrate()
  return storages
}

const request = (key: UserKey): UserRequest => ({ ...key, lookups: [] })
const game = (epoch: number): StoredGame => ({
  epoch,
  fingerprint: `game ${epoch}`,
  definition: '{}',
  policy: 'forward',
  cause: 'start',
  createdAt: epoch,
})

let entries = 0
/** One more entry for each of the users, decided under the game in force. */
async function addOne(storage: Storage, keys: readonly UserKey[], counters: readonly string[] = []): Promise<void> {
  const { failures } = await storage.commit(keys.map(request), (users, epoch) =>
    users.map((user) => {
      const seq = (user.state?.seq ?? 0) + 1
      entries += 1
      const isNew = user.state === null
      return saveOf(user, {
        appended: [sampleEvent(seq, { id: `entry ${entries}`, epoch })],
        state: { epoch, totals: new Map([['words', { total: seq, highest: seq }]]) },
        counted: [
          ...(isNew ? [{ kind: 'users', key: '', by: 1 } as const] : []),
          // Back to nothing with every other entry.
          ...counters.map((key) => ({ kind: 'level', key, by: seq % 2 === 0 ? -1 : 1 }) as const),
        ],
      })
    }),
  )
  for (const { error, locked: held } of failures) if (held === undefined) throw error
  // A commit that waited too long for a user is retried, as the engine does.
  if (failures.length > 0) await addOne(storage, failures, counters)
}

async function seqsOf(storage: Storage, keys: readonly UserKey[]): Promise<readonly number[]> {
  return Promise.all(keys.map(async (key) => (await loadUser(storage, key)).state?.seq ?? 0))
}

describe('Several processes that commit at once', () => {
  test.each([false, true])(
    'make the same new users in opposite orders (one slot: %s)',
    async (isOneSlot) => {
      const schema = `opposite_${isOneSlot}`
      const storages = await openAll(schema, 3, isOneSlot)
      const rounds = SOAK ? 40 : 4
      const keysOf = (round: number): readonly UserKey[] =>
        times(64, (n) => ({ tenant: n % 3 === 0 ? 'acme' : '', user: `${NAMES[n % NAMES.length]} ${n} of ${round}` }))
      for (const round of times(rounds, (index) => index)) {
        const keys = keysOf(round)
        await Promise.all(
          storages.map((storage, index) =>
            addOne(storage, index % 2 === 0 ? keys : keys.toReversed(), ['a', 'b', 'c']),
          ),
        )
        expect(await seqsOf(storages[0] as Storage, keys)).toEqual(keys.map(() => storages.length))
      }
      const counters = await loadCounters(storages[0] as Storage, 'acme')
      const acme = times(64, (n) => n).filter((n) => n % 3 === 0).length * rounds
      expect(counters).toEqual([
        // Three entries each: one more and one less cancel out.
        { kind: 'level', key: 'a', count: acme },
        { kind: 'level', key: 'b', count: acme },
        { kind: 'level', key: 'c', count: acme },
        { kind: 'users', key: '', count: acme },
      ])
    },
    120_000,
  )

  test(`write new and known users, in any order and number, and lose nothing (seed ${SEED})`, async () => {
    const storages = await openAll('mixed', 5, true)
    const random = createRandom(SEED)
    const known = times(30, (n): UserKey => ({ tenant: '', user: `user ${n}` }))
    const expected = new Map(known.map(({ user }) => [user, 0]))
    await Promise.all(
      storages.map(async (storage) => {
        for (let n = 0; n < (SOAK ? 300 : 25); n += 1) {
          const order = known.map((key) => ({ key, place: random.next() }))
          const chosen = order.sort((left, right) => left.place - right.place).slice(0, random.whole(1, 20))
          const counters = ['x', 'y', 'z'].filter(() => random.chance(0.5))
          for (const { key } of chosen) expected.set(key.user, (expected.get(key.user) ?? 0) + 1)
          await addOne(
            storage,
            chosen.map(({ key }) => key),
            random.chance(0.5) ? counters : counters.toReversed(),
          )
        }
      }),
    )
    const [storage] = storages
    const seqs = await seqsOf(storage as Storage, known)
    expect(new Map(known.map(({ user }, index) => [user, seqs[index]]))).toEqual(expected)
    const users = (await loadCounters(storage as Storage, '')).find(({ kind }) => kind === 'users')
    expect(users?.count).toBe([...expected.values()].filter((count) => count > 0).length)
  }, 120_000)

  test('never decide a user under an older game than the entry before', async () => {
    const storages = await openAll('epochs', 4)
    const keys = times(12, (n): UserKey => ({ tenant: '', user: `user ${n}` }))
    let isOver = false
    let commits = 0
    const writing = storages.slice(1).map(async (storage, index) => {
      for (; !isOver; commits += 1) await addOne(storage, index % 2 === 0 ? keys : keys.toReversed())
    })
    for (let epoch = 1; epoch <= (SOAK ? 200 : 20); epoch += 1) {
      const before = commits
      expect(await addGame(storages[0] as Storage, game(epoch))).toBe(true)
      // Running commits may have read the game before; one more than there are writers has not.
      await expect.poll(() => commits, { interval: 1, timeout: 30_000 }).toBeGreaterThan(before + writing.length)
    }
    isOver = true
    await Promise.all(writing)
    const fallen = await database.query(
      `select user_id, seq from (
        select user_id, seq, epoch, lag(epoch) over (partition by user_id order by seq) as before from epochs.log
      ) steps where epoch < before`,
    )
    expect(fallen).toEqual([])
    const met = await database.query<{ epochs: number }>('select count(distinct epoch)::int as epochs from epochs.log')
    expect(met[0]?.epochs).toBeGreaterThan(5)
  }, 120_000)

  test('have ended no deadlock', async () => {
    for (const storage of opened.splice(0)) await storage.close()
    expect(await deadlocksIn(database)).toBe(0)
  })
})
