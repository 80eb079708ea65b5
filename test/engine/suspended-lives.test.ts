import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { lives, USERS } from './random-lives.ts'
import { openWorld, pageOf, sortedBoards } from './user-lives.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 1_000 : 5))
const nextSchema = useEmptySchemas()

interface Place {
  readonly storage: Storage
  /** Whatever follows from the logs. */
  derived(): Promise<unknown>
}

/** As storages answer it: without versions, and without how many entries there are. */
async function answersOf(storage: Storage): Promise<unknown> {
  const views = (await storage.listUsers()).map(async (key) => {
    const { state, awards, periods, leaderboards } = await storage.readUser(key, {
      awards: {},
      periods: {},
      leaderboards: {},
    })
    return {
      key,
      state: { ...state, seq: 0 },
      awards: awards.map((award) => ({ ...award, seq: 0 })),
      periods,
      leaderboards,
    }
  })
  return { views: await Promise.all(views), counters: await storage.counters('') }
}

const PLACES: { readonly [name: string]: () => Place } = {
  memory: () => {
    const storage = memory()
    return { storage, derived: () => answersOf(storage) }
  },
  sqlite: () => {
    const database = new Database(':memory:')
    const withoutBlocks = () => new Map([...dump(database)].filter(([name]) => name !== 'laurels_leaderboard_blocks'))
    return { storage: sqlite(database), derived: async () => withoutBlocks() }
  },
  postgres: () => {
    const storage = postgres(databaseUrl(), { schema: nextSchema() })
    return { storage, derived: () => answersOf(storage) }
  },
}

const cases = fc.record({
  life: lives(SOAK ? 40 : 24),
  user: fc.constantFrom(...USERS),
  suspendedAfter: fc.nat(20),
  restoredAfter: fc.nat(20),
})

describe.each(Object.entries(PLACES))('A user who is suspended and restored, on %s', (_, open) => {
  test(`is as one who never was, and in between on no leaderboard (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ life, user, suspendedAfter, restoredAfter }) => {
        const [first, last] = [Math.min(suspendedAfter, restoredAfter), Math.max(suspendedAfter, restoredAfter)]
        const [here, there] = [open(), open()]
        const [suspended, never] = [await openWorld(here.storage, life), await openWorld(there.storage, life)]
        const { users } = suspended.engine
        try {
          for (const [index, deed] of life.deeds.entries()) {
            await never.play(deed, index)
            await suspended.play(deed, index)
            const isThere = (await here.storage.readUser({ tenant: '', user })).state !== null
            if (isThere && index === first) await suspended.aside(() => users.suspend(user, { reason: 'Forged' }))
            const { state } = await here.storage.readUser({ tenant: '', user })
            if (isThere && state !== null && state.suspended !== null) {
              const { leaderboards } = await here.storage.readUser({ tenant: '', user }, { leaderboards: {} })
              expect(leaderboards).toEqual([])
            }
            if (isThere && index === last) await suspended.aside(() => users.restore(user))
            if (index === last - 1 || index === last) {
              for (const [board, rows] of await sortedBoards(here.storage, USERS)) {
                expect(await pageOf(here.storage, board)).toEqual(rows.map((row, place) => [row.user, place + 1]))
              }
              expect(await suspended.engine.verify()).toMatchObject({ drift: [] })
            }
          }
          if ((await here.storage.readUser({ tenant: '', user })).state !== null) {
            await suspended.aside(() => users.restore(user))
          }
          expect(await here.derived()).toEqual(await there.derived())
          expect(await suspended.engine.verify()).toMatchObject({ drift: [] })
        } finally {
          await suspended.engine.close()
          await never.engine.close()
        }
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})
