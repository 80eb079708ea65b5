import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { dump } from '../support/dump.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { type Life, lives, perform } from './random-lives.ts'
import { LIVE } from './standing-messages.ts'
import { answersOf, eventsOf, inOrder, logsOf, open, type Played, voidEvent } from './void-lives.ts'

// Late events and voids of a user to whom somebody else writes while the log is folded, and the same one after another.

keepSnapshotsEvery(3)

const HOUR = 3_600_000
const MINUTES = 60_000
const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 2_000 : 12))
const path = process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }

/** What one process does, and how many deeds of another come before its commit, and before it has the user held. */
const turn = fc.record({
  beforeCommit: fc.nat(2),
  beforeHold: fc.nat(3),
  voids: fc.option(fc.nat(1_000)),
  revoke: fc.boolean(),
  /** Whether the other process voids an event, too, before others have to wait. */
  theirs: fc.option(fc.nat(1_000), { freq: 3 }),
})

const cases = fc.record({
  life: lives(40).map(inOrder).map(ofOne),
  turns: fc.array(turn, { minLength: 8, maxLength: 16 }),
  isAnswered: fc.boolean(),
})

/** Nearly all is done by one user, whose events are mostly paid for. */
function ofOne({ definition: { points, ...game }, deeds }: Life): Life {
  const triggers = [{ type: 'metric', metric: 'reads', threshold: 2, points: 1 }]
  const definition = {
    ...game,
    points: { ...points, often: { name: 'Often', triggers } },
  } as unknown as Life['definition']
  return { definition, deeds: deeds.map((deed, index) => ({ ...deed, user: index % 9 === 8 ? 'bob' : 'ann' })) }
}

/** What somebody else does between a fold of the log and its commit. */
interface Interposed {
  commits: number
  holds: number
  beforeCommit: (() => Promise<void>)[]
  beforeHold: (() => Promise<void>)[]
}

function interposing(storage: Storage): { readonly storage: Storage; readonly between: Interposed } {
  const between: Interposed = {
    commits: 0,
    holds: 0,
    beforeCommit: [],
    beforeHold: [],
  }
  return {
    between,
    storage: extendStorage(storage, (storage) => ({
      commit: async (requests, decide) => {
        between.commits += 1
        // The first is that of a call which is not known to be late.
        if (between.commits > 1) for (const run of between.beforeCommit.splice(0)) await run()
        return storage.commit(requests, decide)
      },
      transaction: async (work) => {
        between.holds += 1
        for (const run of between.beforeHold.splice(0)) await run()
        return storage.transaction(work)
      },
    })),
  }
}

const nextSchema = useEmptySchemas()

interface Place {
  readonly storage: Storage
  tables(): unknown
}

const PLACES: readonly (readonly [string, () => Place])[] = [
  ['memory', () => ({ storage: memory(), tables: () => null })],
  [
    'sqlite',
    () => {
      const database = new Database(':memory:')
      return { storage: sqlite(database), tables: () => comparable([...dump(database, { everything: true })]) }
    },
  ],
  ['postgres', () => ({ storage: postgres(databaseUrl(), { schema: nextSchema() }), tables: () => null })],
]

/**
 * Without the last digits of ids, which say how many were made for a call, what is a hash of them, and how often a user
 * was written.
 */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/(00000000-0000-7000-8000-[0-9a-f]{8})[0-9a-f]{4}/g, '$1')
    .replaceAll(/"[0-9a-f]{16} (\{)/g, '"$1')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[58][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '')
    .replaceAll(/\[\\"version\\",\d+\]/g, '')
  return JSON.parse(text)
}

describe('A history of a user to whom others write while it is folded', () => {
  test.each(PLACES)(
    `is, on %s, what it is where they come one after another (seed ${SEED})`,
    async (name, make) => {
      const runs = name === 'postgres' && !SOAK ? Math.ceil(RUNS / 3) : RUNS
      await fc.assert(
        fc.asyncProperty(cases, async ({ life: { definition, deeds }, turns, isAnswered }) => {
          const [place, plain] = [make(), make()]
          const { storage, between } = interposing(place.storage)
          const [own, other] = [await open(definition, storage), await open(definition, place.storage)]
          const alone = await open(definition, plain.storage)
          try {
            const first = deeds[0]?.now ?? 0
            for (const played of [own, other, alone]) {
              played.at(first)
              if (isAnswered && played !== other) await played.engine.subscribe('all', { types: LIVE }, () => undefined)
            }
            const left = [...deeds.entries()]
            for (const [turned, { beforeCommit, beforeHold, voids, revoke, theirs }] of turns.entries()) {
              const [start] = left.splice(0, 1)
              if (start === undefined) break
              const [number, deed] = start
              const order: ((played: Played) => Promise<unknown>)[] = []
              const next = (): (readonly (() => Promise<void>)[])[] =>
                [beforeCommit, beforeHold].map((count) =>
                  left.splice(0, count).map(([nth, each]) => async () => {
                    // All of it at one instant, since in the other life it comes in another order.
                    const now = { ...each, now: deed.now }
                    order.push((played) => played.play(nth, now))
                    await other.play(nth, now)
                  }),
                )
              const [commits = [], holds = []] = next()
              Object.assign(between, { commits: 0, beforeCommit: [...commits], beforeHold: [...holds] })
              own.at(deed.now)
              other.at(deed.now)
              const events = eventsOf(await logsOf(place.storage))
              const gone = theirs === null ? undefined : events[theirs % Math.max(1, events.length)]
              if (gone !== undefined) {
                const undo = (played: Played): Promise<unknown> =>
                  played.as(10_000 + turned, () => voidEvent(played, gone.entry.id, revoke))
                between.beforeHold.push(async () => {
                  order.push(undo)
                  await undo(other)
                })
              }
              const voided = voids === null ? undefined : events[voids % Math.max(1, events.length)]
              const act = (played: Played): Promise<unknown> =>
                played.as(number, () =>
                  voided === undefined
                    ? perform(played.engine as never, deed)
                    : voidEvent(played, voided.entry.id, revoke),
                )
              const answer = await act(own)
              // What was not asked for in between comes after it.
              const before = [...order]
              for (const run of [...between.beforeCommit.splice(0), ...between.beforeHold.splice(0)]) await run()
              alone.at(deed.now)
              for (const run of before) await run(alone)
              alone.at(deed.now)
              expect(comparable([answer])).toEqual(comparable([await act(alone)]))
              for (const run of order.slice(before.length)) await run(alone)
              expect(place.tables()).toEqual(plain.tables())
            }
            expect(comparable([...(await logsOf(place.storage))])).toEqual(
              comparable([...(await logsOf(plain.storage))]),
            )
            const now = (deeds.at(-1)?.now ?? 0) + HOUR
            for (const played of [own, alone]) played.at(now)
            expect(comparable(await answersOf(own, definition, now))).toEqual(
              comparable(await answersOf(alone, definition, now)),
            )
            for (const { engine } of [own, alone]) expect((await engine.verify()).drift).toEqual([])
          } finally {
            for (const { engine } of [own, other, alone]) await engine.close()
            for (const { storage } of [place, plain]) await storage.close()
          }
        }),
        { numRuns: runs, seed: SEED, endOnFailure: true, ...path },
      )
    },
    60 * MINUTES,
  )
})
