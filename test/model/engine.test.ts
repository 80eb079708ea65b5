import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { GamificationMessage } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { checkFold } from '../support/check-fold.ts'
import { emptyPglite } from '../support/pglite.ts'
import { giveBack, sharedPool, takeEmptySchema } from '../support/postgres.ts'
import { HEAVY, howMany } from '../support/share.ts'
import { keepSnapshotsEvery } from '../support/snapshots.ts'
import { seedOfRun } from '../support/zones.ts'
import { localDate } from './dates.ts'
import { type Driven, daysOf, drive, everybody, look, openDriven, rankings, withoutZeros } from './drive.ts'
import { FEATURES } from './features.ts'
import type { FullGame } from './full-game.ts'
import { createModel } from './model.ts'
import { plays } from './plays.ts'
import type { Call, OperationCall } from './types.ts'

// Short histories have snapshots too: late events and reads of days start from them.
keepSnapshotsEvery(3)

const SOAK = process.env.SOAK !== undefined
const RUNS = Number(process.env.HISTORIES ?? howMany(30, 150, 6_000))
const SEED = seedOfRun()
const MOST_CALLS = SOAK ? 40 : 25

interface Opened {
  readonly storage: Storage
  /** Leaves nothing of it. */
  readonly end?: () => Promise<void>
}

interface Kind {
  readonly name: string
  readonly open: () => Opened
  /** Of the histories. */
  readonly share: number
}

const STORAGES: readonly Kind[] = [
  { name: 'memory', open: () => ({ storage: memory() }), share: 1 },
  { name: 'SQLite', open: () => ({ storage: sqlite(':memory:') }), share: 1 },
  { name: 'node:sqlite', open: () => ({ storage: sqlite(new DatabaseSync(':memory:')) }), share: 0.2 },
  ...(HEAVY ? [{ name: 'Postgres', open: openPostgres, share: SOAK ? 1 : 0.2 }] : []),
  ...(SOAK ? [{ name: 'PGlite', open: openPglite, share: 0.05 }] : []),
]

function openPostgres(): Opened {
  const schema = takeEmptySchema()
  return { storage: postgres(sharedPool(), { schema, deadlineMs: 60_000 }), end: () => giveBack(schema) }
}

let pglite: PGlite | null = null
afterAll(() => pglite?.close())

function openPglite(): Opened {
  pglite ??= new PGlite()
  const database = pglite
  return {
    storage: postgres(database, { schema: 'histories', deadlineMs: 60_000 }),
    end: () => emptyPglite(database, 'histories'),
  }
}

const USERS = ['u1', 'u2', 'u3']

async function agree(
  open: () => Opened,
  definition: FullGame,
  calls: readonly (Call | OperationCall)[],
): Promise<void> {
  const { storage, end } = open()
  const driven = await openDriven(definition, storage)
  const { clock } = driven
  const model = createModel(definition)
  try {
    for (const call of calls) {
      clock.now = call.now
      const expected = model.call(call)
      const answer = await drive(driven, call)
      expect({ call, ...withoutLate(answer, expected) }).toEqual({ call, ...withoutLate(expected, expected) })
    }
    for (const wait of [0, 26 * 3_600_000]) {
      clock.now += wait
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
    await checkFold(storage)
    await checkMessages(driven, model)
  } finally {
    await driven.engine.close()
    await end?.()
  }
}

/** The model tells of a late call only that it was accepted. */
function withoutLate<T extends ReturnType<ReturnType<typeof createModel>['call']>>(outcome: T, expected: T): object {
  if (!outcome.ok || !expected.ok) return outcome
  if (expected.late) return { ok: true, replayed: outcome.replayed, held: outcome.held }
  const { late: _, ...rest } = outcome
  return rest
}

async function checkSummary(driven: Driven, model: ReturnType<typeof createModel>, now: number): Promise<void> {
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
async function checkYears(driven: Driven, model: ReturnType<typeof createModel>, user: string): Promise<void> {
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

/** The level of 0 points, which no message is about. */
function firstLevel({ points = {} }: FullGame, system: string): string | null {
  const levels = Object.entries(points[system]?.levels ?? {}).filter(([, level]) => level.points === 0)
  return levels[0]?.[0] ?? null
}

/** A subscription from the start receives what the model knows of each user: creation, completions and levels. */
async function checkMessages(
  { engine, clock, definition }: Driven,
  model: ReturnType<typeof createModel>,
): Promise<void> {
  const received: GamificationMessage[] = []
  const types = ['user.created', 'achievement.completed', 'points.level_changed'] as const
  await engine.subscribe('all', { types, from: 'start' }, (messages) => {
    received.push(...messages)
  })
  await engine.workOnce()
  expect(new Set(received.map(({ id }) => id)).size).toBe(received.length)
  for (const user of USERS) {
    const snapshot = model.snapshot(clock.now, user)
    // The messages of a merged user are about the user into whom it was merged.
    if (snapshot !== null && (await engine.users.get(user)).id !== user) continue
    const own = received.filter(({ userId }) => userId === user)
    expect(own.filter(({ type }) => type === 'user.created')).toHaveLength(snapshot === null ? 0 : 1)
    if (snapshot === null) continue
    const completed: { [key: string]: number } = {}
    const levels = Object.fromEntries(Object.keys(snapshot.points).map((key) => [key, firstLevel(definition, key)]))
    for (const { type, data } of own as readonly GamificationMessage<(typeof types)[number]>[]) {
      if (type === 'achievement.completed')
        completed[data.achievement.key] = Date.parse(data.achievement.achievedAt ?? '')
      if (type === 'points.level_changed') levels[data.points.key] = data.newLevel?.key ?? null
    }
    expect({ user, completed }).toEqual({ user, completed: snapshot.achievements })
    const expected = Object.entries(snapshot.points).map(([key, { level }]) => [key, level])
    expect({ user, levels }).toEqual({ user, levels: Object.fromEntries(expected) })
  }
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
