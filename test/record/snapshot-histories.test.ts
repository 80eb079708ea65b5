import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Snapshot } from '../../src/storage/rows.ts'
import type { ReadLogOptions, Storage } from '../../src/storage/storage.ts'
import { chain } from '../../src/storage/sync-or-async.ts'
import { answersOf, eventsOf, inOrder, logsOf, open, type Played, voidEvent } from '../api/events/void-lives.ts'
import { dump } from '../support/dump.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { type Life, lives } from './random-lives.ts'

keepSnapshotsEvery(2)

const HOUR = 3_600_000
const MINUTES = 60_000
const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 2_000 : 12))
const path = process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }

/** A life, and after which deeds an event is voided, which one, and whether that revokes. */
const cases = fc.record({
  life: lives(40).map(inOrder).map(ofFewer),
  voids: fc.array(fc.record({ after: fc.nat(40), which: fc.nat(1_000), revoke: fc.boolean() }), { maxLength: 6 }),
})

/** Most of what is done is done by one user, whose log gets long. */
function ofFewer({ definition, deeds }: Life): Life {
  return { definition, deeds: deeds.map((deed, index) => ({ ...deed, user: index % 7 === 6 ? 'bob' : 'ann' })) }
}

interface Counted {
  readonly storage: Storage
  /** Folds of what comes after a snapshot, and those of a whole log. */
  readonly folds: { fromSnapshot: number; whole: number }
}

/** Counts where logs are read from. `isBlind`: no snapshot is ever read, so that each fold begins with the first line. */
function counted(storage: Storage, isBlind: boolean): Counted {
  const folds = { fromSnapshot: 0, whole: 0 }
  let known: number | null = null
  const see = (found: Snapshot | null): Snapshot | null => {
    const snapshot = isBlind ? null : found
    known = snapshot?.seq ?? null
    return snapshot
  }
  const count = ({ after }: ReadLogOptions): void => {
    if (after === undefined) folds.whole += 1
    else if (after.seq === known) folds.fromSnapshot += 1
  }
  return {
    folds,
    storage: extendStorage(storage, (storage) => ({
      readSnapshot: async (key, until) => see(await storage.readSnapshot(key, until)),
      readLog: (key, options = {}) => {
        count(options)
        return storage.readLog(key, options)
      },
      transaction: (work) =>
        storage.transaction((held) => {
          const readSnapshot: typeof held.readSnapshot = (key, until) => chain(held.readSnapshot(key, until), see)
          const readLog: typeof held.readLog = (key, options = {}) => {
            count(options)
            return held.readLog(key, options)
          }
          return work({ ...held, readSnapshot, readLog })
        }),
    })),
  }
}

const nextSchema = useEmptySchemas()

const PLACES: readonly (readonly [string, () => { readonly storage: Storage; tables(): unknown }])[] = [
  ['memory', () => ({ storage: memory(), tables: () => null })],
  [
    'sqlite',
    () => {
      const database = new Database(':memory:')
      const snapshots = () => database.prepare('select * from laurels_snapshots order by user_id, lines').all()
      return { storage: sqlite(database), tables: () => [snapshots(), ...dump(database)] }
    },
  ],
  ['postgres', () => ({ storage: postgres(databaseUrl(), { schema: nextSchema() }), tables: () => null })],
]

describe('A history with snapshots', () => {
  test.each(PLACES)(
    `is, on %s, what it is without any (seed ${SEED})`,
    async (name, make) => {
      let [fromSnapshot, wholeWithout] = [0, 0]
      const runs = name === 'postgres' && !SOAK ? Math.ceil(RUNS / 3) : RUNS
      await fc.assert(
        fc.asyncProperty(cases, async ({ life: { definition, deeds }, voids }) => {
          const places = [make(), make()] as const
          const storages = [counted(places[0].storage, false), counted(places[1].storage, true)] as const
          const [with_, without] = await Promise.all(storages.map(({ storage }) => open(definition, storage)))
          if (with_ === undefined || without === undefined) throw new Error('There are two engines')
          const expectSame = (): void => expect(places[0].tables()).toEqual(places[1].tables())
          try {
            for (const [number, deed] of deeds.entries()) {
              for (const played of [with_, without]) await played.play(number, deed)
              expectSame()
              for (const [index, { after, which, revoke }] of voids.entries()) {
                if (after === number) await voidSame([with_, without], { which, revoke, as: 1_000 + index })
              }
              expectSame()
            }
            expect(await logsOf(with_.storage)).toEqual(await logsOf(without.storage))
            const now = (deeds.at(-1)?.now ?? 0) + HOUR
            for (const played of [with_, without]) played.at(now)
            expect(await answersOf(with_, definition, now)).toEqual(await answersOf(without, definition, now))
            fromSnapshot += storages[0].folds.fromSnapshot
            wholeWithout += storages[1].folds.whole
            for (const played of [with_, without]) expect((await played.engine.verify()).drift).toEqual([])
          } finally {
            for (const { engine, storage } of [with_, without]) {
              await engine.close()
              await storage.close()
            }
          }
        }),
        { numRuns: runs, seed: SEED, endOnFailure: true, ...path },
      )
      process.stdout.write(`${name}: ${fromSnapshot} folds from a snapshot on, where others were ${wholeWithout}\n`)
      expect(fromSnapshot).toBeGreaterThan(runs / 2)
    },
    60 * MINUTES,
  )
})

/** Voids the same event in both, which answer the same. */
async function voidSame(
  both: readonly [Played, Played],
  { which, revoke, as }: { readonly which: number; readonly revoke: boolean; readonly as: number },
): Promise<void> {
  const events = eventsOf(await logsOf(both[0].storage))
  const event = events[which % Math.max(1, events.length)]
  if (event === undefined) return
  const [first, second] = [
    await both[0].as(as, () => voidEvent(both[0], event.entry.id, revoke)),
    await both[1].as(as, () => voidEvent(both[1], event.entry.id, revoke)),
  ]
  expect(first).toEqual(second)
}
