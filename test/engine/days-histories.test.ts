import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { type GameDefinition, isGamificationError } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { extendStorage } from '../support/extend-storage.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'
import { lives, USERS } from './random-lives.ts'
import { eventsOf, inOrder, logsOf, open, type Played } from './void-lives.ts'

// So short that every life of a few deeds has some.
keepSnapshotsEvery(2)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MINUTES = 60_000
const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 1_000 : 6))
const path = process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }

/** Days and lengths of ranges, from the first instant of a life; others lie before it, or behind its last. */
const ranges = fc.array(fc.tuple(fc.integer({ min: -20, max: 300 }), fc.constantFrom(1, 2, 7, 40, 399)), {
  minLength: 4,
  maxLength: 8,
})

const cases = fc.record({
  life: lives(40).map(inOrder),
  voids: fc.array(fc.nat(1_000), { maxLength: 4 }),
  /** After so many deeds the whole game is deployed. */
  deployed: fc.oneof(fc.constant(0), fc.nat(25)),
  ranges,
})

interface Counted {
  readonly storage: Storage
  readonly found: { snapshots: number }
}

function counting(storage: Storage): Counted {
  const found = { snapshots: 0 }
  return {
    found,
    storage: extendStorage(storage, (storage) => ({
      readSnapshot: async (key, until) => {
        const snapshot = await storage.readSnapshot(key, until)
        if (snapshot !== null) found.snapshots += 1
        return snapshot
      },
    })),
  }
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The text of an answer, or of its refusal. */
async function textOf(asked: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await asked)
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return `${error.code} ${error.message}`
  }
}

/** The game without its first leaderboard, and with points that a newer one pays otherwise. */
function earlier(definition: GameDefinition): GameDefinition {
  const { points = {}, leaderboards = {} } = definition
  const systems = Object.entries(points).map(([key, { triggers = [], ...system }]) => {
    return [key, { ...system, triggers: triggers.slice(0, 1) }]
  })
  const boards = Object.entries(leaderboards).slice(1)
  return { ...definition, points: Object.fromEntries(systems), leaderboards: Object.fromEntries(boards) }
}

/** All reads that are asked for days, of everybody. */
async function answersOf(
  { engine }: Played,
  { metrics, points = {}, leaderboards = {} }: GameDefinition,
  asked: readonly { readonly startDate: string; readonly endDate: string }[],
  now: number,
): Promise<readonly string[]> {
  const answers: string[] = []
  const add = async (name: string, answer: Promise<unknown>): Promise<void> => {
    answers.push(`${name}: ${await textOf(answer)}`)
  }
  for (const id of USERS) {
    for (const range of asked) {
      for (const aggregation of ['daily', 'weekly', 'monthly'] as const) {
        const request = { aggregation, ...range }
        const name = `${id} ${JSON.stringify(request)}`
        for (const key of Object.keys(metrics)) {
          await add(`${name} ${key}`, engine.users.metricEventSummary(id, key, request))
        }
        for (const key of Object.keys(points)) {
          await add(`${name} ${key}`, engine.users.pointsEventSummary(id, key, request))
        }
      }
    }
    for (const key of Object.keys(leaderboards)) {
      const runs = await engine.leaderboards.runs(key).then(
        ({ runs: all }) => all.map((run) => ({ run: run.key })),
        () => [],
      )
      for (const run of [{}, ...runs.slice(0, 4)]) {
        for (const numEvents of [1, 3, 400]) {
          const request = { ...run, numEvents }
          await add(`${id} ${key} ${JSON.stringify(request)}`, engine.users.leaderboard(id, key, request))
        }
      }
    }
    for (const historyPeriods of [1, 3, 12, 200]) {
      await add(`${id} streak ${historyPeriods}`, engine.users.streak(id, { historyPeriods }))
    }
    const year = new Date(now).getUTCFullYear()
    for (const each of [year - 1, year]) await add(`${id} ${each}`, engine.users.wrapped(id, { year: each }))
  }
  return answers
}

describe('Reads of days', () => {
  test.each<readonly [string, () => Storage]>([
    ['memory', () => memory()],
    ['sqlite', () => sqlite(new Database(':memory:'))],
  ])(
    `on %s answer from a snapshot on what they answer from the first line on (seed ${SEED})`,
    async (_, make) => {
      let snapshots = 0
      await fc.assert(
        fc.asyncProperty(cases, async ({ life: { definition, deeds }, voids, deployed, ranges: given }) => {
          const { storage, found } = counting(make())
          const before = deployed === 0 ? null : await open(earlier(definition), storage)
          for (const [number, deed] of deeds.slice(0, deployed).entries()) await before?.play(number, deed)
          const played = await open(definition, storage)
          const blind = await open(
            definition,
            extendStorage(storage, () => ({ readSnapshot: async () => null })),
          )
          try {
            for (const [number, deed] of deeds.entries()) if (number >= deployed) await played.play(number, deed)
            for (const [index, which] of voids.entries()) {
              const events = eventsOf(await logsOf(storage))
              const event = events[which % Math.max(1, events.length)]
              if (event === undefined) continue
              await textOf(played.as(1_000 + index, () => played.engine.events.void(event.entry.id)))
            }
            const [first = 0, last = 0] = [deeds.at(0)?.now, deeds.at(-1)?.now]
            const asked = given.map(([from, days]) => {
              return { startDate: dateOf(first + from * DAY), endDate: dateOf(first + (from + days) * DAY) }
            })
            for (const one of [played, blind]) one.at(last + HOUR)
            const expected = await answersOf(blind, definition, asked, last)
            found.snapshots = 0
            expect(await answersOf(played, definition, asked, last)).toEqual(expected)
            snapshots += found.snapshots
          } finally {
            for (const one of [before, blind, played]) await one?.engine.close()
            await storage.close()
          }
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true, ...path },
      )
      expect(snapshots).toBeGreaterThan(RUNS * 20)
    },
    60 * MINUTES,
  )
})
