import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { type DefinedGame, defineGame, type GameDefinition } from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { type Life, lifeGames, lives } from '../../record/random-lives.ts'
import { dump } from '../../support/dump.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import {
  comparableLog,
  derivedTables,
  hasKept,
  inOrder,
  logsOf,
  numberOf,
  open,
  type Played,
  rowsOf,
  type TableDump,
} from '../events/void-lives.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 3_000 : 12))
const MOST_ROUNDS = 5
const MOST_DEEDS = SOAK ? 40 : 25
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const APPLY = 100_000
const path = process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }
const params = { numRuns: RUNS, seed: SEED, ...path }

interface Case {
  readonly life: Life
  readonly next: GameDefinition
}

/** A life under one game, and another game. */
const cases: fc.Arbitrary<Case> = lives(MOST_DEEDS).chain((life) =>
  lifeGames(new Date(life.actions[0]?.now ?? 0).toISOString()).map((next) => {
    return { life: inOrder(life), next: inOrder({ definition: next, actions: [] }).definition }
  }),
)

interface Place {
  readonly database: Database.Database
  readonly storage: Storage
}

function inSqlite(): Place {
  const database = new Database(':memory:')
  return { database, storage: sqlite(database) }
}

async function play(place: Place, { actions }: Life, definition: GameDefinition, only?: ReadonlySet<number>) {
  const played = await open(definition, place.storage)
  for (const [number, action] of actions.entries()) if (only?.has(number) !== false) await played.play(number, action)
  return played
}

const define = (definition: GameDefinition): DefinedGame => defineGame(definition) as DefinedGame

function apply(played: Played, { life, next }: Case, policy: 'grant' | 'recompute') {
  played.at((life.actions.at(-1)?.now ?? 0) + HOUR)
  return played.as(APPLY, () => played.engine.apply(define(next), { policy }))
}

/** Tables but for the epoch. */
function tablesOf({ database }: Place): TableDump {
  const tables = derivedTables(database)
  const users = rowsOf(tables, 'users').map(({ epoch: _, ...row }) => JSON.stringify(row))
  return new Map([...tables, ['laurels_users', users]])
}

const sums = (tables: TableDump): ReadonlyMap<string, number> =>
  new Map(rowsOf(tables, 'points').map(({ user_id, system, total }) => [`${user_id} ${system}`, Number(total)]))
interface Completion {
  readonly at: unknown
  readonly count: number
}

const completions = (tables: TableDump): ReadonlyMap<string, Completion> =>
  new Map(
    rowsOf(tables, 'completions').map(({ user_id, achievement, at, count }) => {
      return [`${user_id} ${achievement}`, { at, count: Number(count) }]
    }),
  )

/** Whether nothing can be clipped, and nothing costs. */
function isPlain({ points = {} }: GameDefinition): boolean {
  return Object.values(points).every(
    ({ maxPoints, triggers = [] }) => maxPoints === undefined && triggers.every(({ points: each }) => each >= 0),
  )
}

describe('Another game, applied to a random history', () => {
  test(
    `by recompute gives the tables of the history under it (seed ${SEED})`,
    async () => {
      let compared = 0
      const property = fc.asyncProperty(cases, async (given) => {
        const [place, other] = [inSqlite(), inSqlite()]
        try {
          const played = await play(place, given.life, given.life.definition)
          const logs = await logsOf(place.storage)
          const { whatIf } = played.engine
          await apply(played, given, 'recompute')
          expect((await played.engine.verify()).drift).toEqual([])
          expect(await whatIf(define(given.next))).toMatchObject({ changed: 0, leaderboards: [] })

          const recorded = new Set([...logs.values()].flat().map(numberOf))
          const asIfAlways = await play(other, given.life, given.next, recorded)
          const others = await logsOf(asIfAlways.storage)
          const toText = (all: typeof logs): string =>
            JSON.stringify([...all].map(([user, log]) => [user, comparableLog(log, -1)]))
          // Kept, voided or refused by one of the two only.
          if (hasKept(others) || toText(logs) !== toText(others)) return
          compared += 1
          expect(tablesOf(place)).toEqual(tablesOf(other))
        } finally {
          place.database.close()
          other.database.close()
        }
      })
      // Of some dozens hardly one may be comparable: then others are drawn.
      for (let round = 0; round < MOST_ROUNDS && compared <= RUNS / 8; round += 1) {
        await fc.assert(property, { ...params, seed: SEED + round })
      }
      process.stdout.write(`compared ${compared} histories with those under another game\n`)
      expect(compared).toBeGreaterThan(RUNS / 8)
    },
    60 * MINUTE,
  )

  test(
    `by grant takes nothing, gives what is missing, and gives it once (seed ${SEED})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (given) => {
          const place = inSqlite()
          const asIf = inSqlite()
          try {
            const played = await play(place, given.life, given.life.definition)
            const recomputed = await play(asIf, given.life, given.life.definition)
            await apply(recomputed, given, 'recompute')
            const due = tablesOf(asIf)
            const before = tablesOf(place)
            await apply(played, given, 'grant')
            expect((await played.engine.verify()).drift).toEqual([])

            const after = tablesOf(place)
            const has = completions(after)
            const had = completions(before)
            const missing = [...completions(due)].filter(([key, { count }]) => count > (had.get(key)?.count ?? 0))
            // A repeat that was given more often was completed last when it was given.
            const granted = missing.map(([key, { count }]) => [key, { at: expect.anything(), count }] as const)
            expect(has).toEqual(new Map([...had, ...granted]))
            const points = sums(after)
            for (const [key, total] of sums(before))
              expect([key, points.get(key)]).toEqual([key, Math.max(total, points.get(key) ?? 0)])
            if (isPlain(given.life.definition) && isPlain(given.next)) {
              for (const [key, total] of sums(due))
                expect([key, points.get(key) ?? 0]).toEqual([key, Math.max(total, points.get(key) ?? 0)])
            }

            const everything = dump(place.database, { everything: true })
            expect(await apply(played, given, 'grant')).toMatchObject({ changed: 0 })
            expect(dump(place.database, { everything: true })).toEqual(everything)
          } finally {
            place.database.close()
            asIf.database.close()
          }
        }),
        params,
      )
    },
    60 * MINUTE,
  )
})
