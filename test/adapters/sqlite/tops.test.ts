// @heavy: It takes more than three seconds.
// Ranks on leaderboards with a limit match a storage that sorts and counts all users, after any changes of the entries
// by any process.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { LeaderboardRow } from '../../../src/storage/rows.ts'
import type { RankAnswer, RankRequest, Storage } from '../../../src/storage/storage.ts'
import { saveOf } from '../../../src/testing/storage/case.ts'
import { KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'
import { type Change, openBesideList } from '../../api/leaderboards/beside-list.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const USERS = 500
const RUNS = Number(process.env.HISTORIES ?? (process.env.SOAK === undefined ? 2 : 200))

const value = fc.integer({ min: -5, max: 40 })
const batch = fc.record({
  first: fc.nat(USERS - 1),
  values: fc.array(fc.option(value, { freq: 12 }), { minLength: 1, maxLength: 24 }),
  /** When there, all of many users go there, or leave. */
  rush: fc.option(fc.option(value), { freq: 12, nil: undefined }),
  limit: fc.constantFrom(1, 7, 30),
  margin: fc.constantFrom(1, 24, 64),
  byOther: fc.nat(15).map((number) => number === 0),
  /** The clock mostly goes forwards. */
  passed: fc.integer({ min: -2, max: 6 }),
  lives: fc.integer({ min: -3, max: 120 }),
})

test.each([
  ['for ever', false],
  ['for a time', true],
])(
  'entries that count %s are counted among the first as by the reference',
  { timeout: 1_200_000 },
  async (_, doExpire) => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 20, maxLength: 30 }), async (batches) => {
        const world = await openBesideList(nextFile())
        const rows = new Map<string, LeaderboardRow>()
        const users = Array.from({ length: USERS }, (_, index) => `user-${index}`)
        let at = NOON
        const untilOf = (lives: number): number | null => (doExpire ? at + lives : null)
        for (const [index, user] of users.entries()) rows.set(user, row(index % 9, { until: untilOf(index % 99) }))
        await world.commit([...rows].map(([user, entry]) => ({ user, put: [entry] })))

        for (const { first, values, rush, limit, margin, byOther, passed, lives } of batches) {
          at += passed
          const ask = { ...KEY, limit, margin, at }
          const changeOf = (to: number | null, index: number): Change => {
            const user = `user-${(first + index) % USERS}`
            const old = rows.get(user)
            const remove = old === undefined ? [] : [old]
            const put = to === null ? [] : [row(to, { reachedAt: NOON + (index % 3), until: untilOf(lives + index) })]
            rows.delete(user)
            for (const entry of put) rows.set(user, entry)
            const standings: RankRequest[] = [{ ...ask, at: at + (index % 3), positions: [...remove, ...put] }]
            return { user, remove, put, standings: index % 2 === 0 ? standings : [] }
          }
          await world.commit(values.map(changeOf), { byOther })
          if (rush === undefined) continue
          const all = Array.from({ length: 350 }, (_, index) => ({ ...changeOf(rush, index), standings: [] }))
          await world.commit(all, { byOther })
        }
        await world.close()
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  },
)

test('what is known of the first entries is what was stored, by whichever process', async () => {
  const file = nextFile()
  const [one, other] = [sqlite(file), sqlite(file)]
  await one.migrate()
  const commit = async (storage: Storage, user: string, value: number, seq = 0): Promise<readonly RankAnswer[]> => {
    const standings = [{ ...KEY, limit: 2, margin: 1, at: NOON, positions: [{ value, reachedAt: NOON }] }]
    const { saveGroups: rounds } = await storage.commit([{ tenant: '', user, lookups: [] }], (users) =>
      users.map((loaded) => {
        const save = saveOf(loaded, { leaderboards: { put: [row(value)], remove: [] }, ranks: standings })
        return { ...save, after: { ...save.after, seq } }
      }),
    )
    return rounds[0]?.users[0]?.ranks ?? []
  }
  const idsOf = (standings: readonly RankAnswer[]) =>
    standings.map(({ last }) => last.map(({ user }) => user).join(' '))

  for (let value = 0; value < 12; value += 1) await commit(one, 'ann', value)
  await commit(one, 'bob', 5)
  await expect(commit(one, 'eve', 30, 7)).rejects.toMatchObject({ code: 'internal' })
  expect(idsOf(await commit(one, 'bob', 4))).toEqual(['ann bob'])
  await commit(other, 'bob', 40)
  await commit(other, 'dan', 50)
  expect(idsOf(await commit(one, 'bob', 41))).toEqual(['dan bob ann'])
  await one.close()
  await other.close()
})
