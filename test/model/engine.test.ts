// @early: It takes long for its size.

import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import type { Miniflare } from 'miniflare'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GamificationMessage } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { openObject } from '../adapters/durable-objects/remote.ts'
import { emptySchema } from '../support/empty-schema.ts'
import { giveBack, sharedPool, takeEmptySchema } from '../support/postgres.ts'
import { HEAVY, howMany } from '../support/share.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { bundleWorker, startWorker } from '../support/workerd.ts'
import { seedOfRun } from '../support/zones.ts'
import { localDate } from './dates.ts'
import { type Driven, daysOf, drive, driveOn, everybody, look, openDriven, rankings, withoutZeros } from './drive.ts'
import { emailsOf, factsOf, inForce, listen, toTexts } from './drive-messages.ts'
import { FEATURES } from './features.ts'
import type { FullGame } from './full-game.ts'
import { createModel, type Model, type Outcome } from './model.ts'
import { plays } from './plays.ts'
import type { Call, OperationCall } from './types.ts'

// Short histories have snapshots too: late events and reads of days start from them.
keepSnapshotsEvery(3)

const SOAK = process.env.SOAK !== undefined
const RUNS = Number(process.env.HISTORIES ?? howMany(30, 50, 6_000))
const SEED = seedOfRun()
const ENGINES = new URL('../adapters/durable-objects/workers/engines.ts', import.meta.url)
const MOST_CALLS = SOAK ? 40 : 25

interface Opened {
  readonly drive: (definition: FullGame) => Promise<Driven>
  /** Leaves nothing of it. */
  readonly end?: () => Promise<void>
}

interface Kind {
  readonly name: string
  readonly open: () => Opened | Promise<Opened>
  /** The part of the histories that this storage gets. */
  readonly share: number
}

const STORAGES: readonly Kind[] = [
  { name: 'SQLite', open: () => on(memory()), share: 1 },
  { name: 'node:sqlite', open: () => on(sqlite(new DatabaseSync(':memory:'))), share: 0.2 },
  ...(HEAVY ? [{ name: 'Postgres', open: openPostgres, share: SOAK ? 1 : 0.2 }] : []),
  ...(HEAVY ? [{ name: 'a Durable Object', open: inObject, share: SOAK ? 200 / RUNS : 0.4 }] : []),
  ...(SOAK ? [{ name: 'PGlite', open: openPglite, share: 0.05 }] : []),
]

function on(storage: Storage, end?: () => Promise<void>): Opened {
  return { drive: (definition) => openDriven(definition, storage), ...(end && { end }) }
}

let worker: Miniflare | null = null
afterAll(() => worker?.dispose())

async function inObject(): Promise<Opened> {
  worker ??= startWorker({ script: await bundleWorker(ENGINES) })
  const clock = { now: 0 }
  const object = await openObject(worker, () => clock.now, { snapshotsEvery: 3 })
  return { drive: (definition) => driveOn(object, clock, definition) }
}

function openPostgres(): Opened {
  const schema = takeEmptySchema()
  return on(postgres(sharedPool(), { schema, deadlineMs: 60_000 }), () => giveBack(schema))
}

let pglite: PGlite | null = null
afterAll(() => pglite?.close())

function openPglite(): Opened {
  pglite ??= new PGlite()
  const database = pglite
  return on(postgres(database, { schema: 'histories', deadlineMs: 60_000 }), () =>
    emptySchema((text) => database.query(text), 'histories'),
  )
}

const USERS = ['u1', 'u2', 'u3']

async function agree(
  open: Kind['open'],
  definition: FullGame,
  calls: readonly (Call | OperationCall)[],
): Promise<void> {
  const { drive: start, end } = await open()
  const driven = await start(definition)
  const { clock } = driven
  const model = createModel(definition)
  try {
    for (const call of calls) {
      await goTo(driven, model, call.now)
      const expected = model.call(call)
      const answer = await drive(driven, call)
      expect({ call, ...withoutLate(answer, expected) }).toEqual({ call, ...withoutLate(expected, expected) })
      await goTo(driven, model, call.now)
    }
    for (const wait of [0, 26 * 3_600_000]) {
      await goTo(driven, model, clock.now + wait)
      const { now } = clock
      for (const id of USERS) expect(await look(driven, id)).toEqual(model.snapshot(now, id))
      const { streak, streaks = {} } = driven.definition
      for (const key of [...(streak === undefined ? [] : [null]), ...Object.keys(streaks)]) {
        expect(await rankings(driven, { streak: key })).toEqual(model.streakBoard(now, key))
      }
    }
    const { engine } = driven
    expect(await everybody(driven)).toEqual(model.users())
    expect(await rankings(driven, 'board')).toEqual(model.board('reads'))
    expect((await engine.verify()).drift).toEqual([])
    for (const user of USERS) {
      const held = await engine.events.held({ user })
      expect(held.map(({ metric, value }) => ({ metric, value }))).toEqual(model.held(user))
    }
    await checkSummary(driven, model, clock.now)
    await checkDays(driven, model)
    for (const user of USERS) await checkYears(driven, model, user)
    const { stored, expected } = await driven.host.fold()
    expect(stored).toEqual(expected)
    await checkMessages(driven, model, calls)
  } finally {
    await driven.engine.close()
    await end?.()
  }
}

/** The model tells of a late call only that it was accepted. */
function withoutLate<T extends Outcome>(outcome: T, expected: T): object {
  if (!outcome.ok || !expected.ok) return outcome
  if (expected.late) return { ok: true, replayed: outcome.replayed, held: outcome.held }
  const { late: _, ...rest } = outcome
  return rest
}

async function checkSummary(driven: Driven, model: Model, now: number): Promise<void> {
  const startDate = new Date(now - 40 * 86_400_000).toISOString().slice(0, 10)
  const endDate = new Date(now - 86_400_000).toISOString().slice(0, 10)
  for (const aggregation of ['daily', 'weekly', 'monthly'] as const) {
    if (model.snapshot(now, 'u1') === null) return
    const items = await driven.engine.users.metricEventSummary('u1', 'reads', { aggregation, startDate, endDate })
    expect(items).toEqual(model.summary('u1', 'reads', aggregation, startDate, endDate))
  }
}

async function checkDays(driven: Driven, model: ReturnType<typeof createModel>): Promise<void> {
  const expected = model.days().map((day) => ({ ...day, points: withoutZeros(day.points) }))
  const [first, last] = [expected.at(0), expected.at(-1)]
  if (first === undefined || last === undefined) return
  const some = expected.filter(({ points, events, newUsers, completions }) => {
    return Object.keys(points).length > 0 || events + newUsers + completions > 0
  })
  expect(await daysOf(driven, first.date, last.date)).toEqual(some)
}

/** The newest year of a history, and the one before. */
async function checkYears(driven: Driven, model: Model, user: string): Promise<void> {
  const snapshot = model.snapshot(driven.clock.now, user)
  if (snapshot === null) return
  const newest = Number(localDate(snapshot.profile.tz ?? 'UTC', driven.clock.now).slice(0, 4))
  for (const year of [newest - 1, newest]) {
    const expected = model.year(user, year)
    const { activity } = await driven.engine.users.wrapped(user, { year })
    const { metrics, points, achievements } = activity.entireYear
    const completions = achievements.map(({ key, count = 1, achievedAt }) => {
      return [key, { count, at: Date.parse(achievedAt ?? '') }]
    })
    expect({ year, ...Object.fromEntries(completions) }).toEqual({ year, ...expected.completions })
    for (const [given, all] of [
      [metrics, expected.metrics],
      [points, expected.points],
    ] as const) {
      for (const [key, { change, before }] of Object.entries(all)) {
        expect([key, given[key]?.changeThisPeriod ?? 0]).toEqual([key, change])
        if (before === 0) expect([key, given[key]?.percentChange ?? 0]).toEqual([key, 100 * Math.sign(change)])
      }
    }
    const counts = Object.values(expected.events)
    const { date } = activity.mostActiveDay
    if (counts.length > 0) expect(expected.events[date], `${year}, ${date}`).toBe(Math.max(...counts))
  }
}

type Calls = readonly (Call | OperationCall)[]

/** How far apart the worker runs while nothing else happens: before an email is stale. */
const SWEEPS = 70 * 3_600_000

async function goTo({ engine, clock, definition }: Driven, model: Model, until: number): Promise<void> {
  if (clock.now === 0) clock.now = until
  while (definition.emails !== undefined) {
    clock.now = Math.min(clock.now + SWEEPS, until)
    await engine.workOnce()
    model.work(clock.now)
    if (clock.now === until) break
  }
  clock.now = until
}

/** Subscriptions receive what the model knows: one from the start all facts, one from the beginning also emails. */
async function checkMessages(driven: Driven, model: Model, calls: Calls): Promise<void> {
  const { engine, clock, received, definition } = driven
  const again: GamificationMessage[] = []
  await listen(driven, again, 'start')
  await engine.workOnce()
  // The pass over all users that a new subscription needs starts a minute later.
  await goTo(driven, model, clock.now + 120_000)
  await engine.workOnce()
  expect(inForce(again)).toEqual(again)
  // Imports publish nothing, and what was published about a merged user stays.
  const isLive = definition.emails !== undefined && !calls.some(({ call }) => call === 'import' || call === 'merge')
  const live = isLive ? inForce(received) : []
  for (const user of USERS) {
    if (model.users().some(({ id, mergedInto }) => id === user && mergedInto !== null)) continue
    const facts = toTexts(model.facts(clock.now, user))
    expect({ user, facts: factsOf(again, user) }).toEqual({ user, facts })
    if (!isLive) continue
    expect({ user, live: withoutMoves(factsOf(live, user)) }).toEqual({ user, live: withoutMoves(facts) })
    expect(toTexts(emailsOf(received, user))).toEqual(toTexts(model.emails(user)))
  }
}

/** A late event that only moves a creation, or a streak within its period, changes no data, so nothing is revoked. */
function withoutMoves(facts: readonly string[]): string[] {
  const lasting = facts.filter((fact) => !fact.includes(' user.created '))
  return lasting.map((fact) => fact.replace(/^\S+ (?=streak\.(started|extended) )/, '')).sort()
}

describe.each(STORAGES)('the engine on $name', ({ open, share }) => {
  const runs = Math.ceil(RUNS * share)
  it(`answers ${runs} random histories as the model does (seed ${SEED})`, { timeout: 14_400_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plays(MOST_CALLS, FEATURES), ({ definition, calls }) => agree(open, definition, calls)),
      {
        numRuns: runs,
        seed: SEED,
        endOnFailure: process.env.SHRINK === '0',
        ...(process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }),
      },
    )
  })
})
