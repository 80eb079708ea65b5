// @heavy: It starts PgBouncer.
// Everything through a PgBouncer in transaction mode, if one is installed (Debian: apt-get install pgbouncer).

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { storageSuite } from '../../../src/testing/storage-suite.ts'
import { checkFold } from '../../support/check-fold.ts'
import { POSTGRES_NAMES } from '../../support/migrations.ts'
import { times } from '../../support/places.ts'
import { databaseUrl } from '../../support/postgres.ts'
import { dumpSchema } from './migrations-database.ts'
import { findPgBouncer, type PgBouncer, startPgBouncer } from './pgbouncer-server.ts'
import { runChildren, type Worked } from './races-children.ts'
import { deadlocksIn, type OwnDatabase, useDatabases } from './races-database.ts'
import type { EventsReport, Job, KeysReport, MigrateReport, SuiteReport } from './races-jobs.ts'

const SOAK = process.env.SOAK !== undefined
const KEYS = SOAK ? 1_000 : 60
const EVENTS = SOAK ? 10_000 : 400
const SCHEMAS: readonly string[] = times(SOAK ? 20 : 2, (round) => `empty_${round}`)
const PROCESSES = 8

const program = findPgBouncer()
const title = program === null ? 'Through PgBouncer (skipped: it is not installed)' : 'Through PgBouncer'

const newDatabase = useDatabases()
let bouncer: PgBouncer
let url: string
let database: OwnDatabase
let children: readonly Worked<unknown>[]

/** All migrate; then two race, and a third runs the suite. */
function jobsOf(index: number): readonly Job[] {
  const migrations = SCHEMAS.map((schema, gate): Job => ({ job: 'migrate', url, schema, gate }))
  const gate = SCHEMAS.length
  const races: readonly Job[] = [
    { job: 'keys', url, schema: 'keys', gate, callers: 32, users: 10, keys: KEYS },
    { job: 'events', url, schema: 'events', gate: gate + 1, callers: 32, events: EVENTS, index },
  ]
  const suite: Job = { job: 'suite', url, schema: 'suite', gate: gate + 2, lanes: 4, parsers: false }
  return [...migrations, ...(index < 2 ? races : index === 2 ? [suite] : [])]
}

/** The reports of the children that did the job of this place in their list. */
function reportsAt<Report>(place: number, from: number, to: number): readonly Report[] {
  return children.slice(from, to).map(({ reports }) => reports[place] as Report)
}

describe.skipIf(program === null)(title, () => {
  beforeAll(async () => {
    bouncer = await startPgBouncer(program ?? '', databaseUrl())
    database = await newDatabase()
    url = bouncer.through(database.url)
    children = await runChildren(database.url, times(PROCESSES, jobsOf))
  }, 600_000)
  afterAll(() => bouncer?.stop())

  test('the storage suite holds', () => {
    const [report] = reportsAt<SuiteReport>(SCHEMAS.length, 2, 3)
    expect(report?.failed).toEqual([])
    expect(report?.passed).toBe(storageSuite.length)
  })

  test(`eight processes migrate ${SCHEMAS.length} schemas at once`, async () => {
    for (const [place, schema] of SCHEMAS.entries()) {
      const outcomes = reportsAt<MigrateReport>(place, 0, PROCESSES)
      const applied = POSTGRES_NAMES
      expect(outcomes.filter((outcome) => outcome.length > 0)).toEqual(applied.length > 0 ? [applied] : [])
      expect(await dumpSchema(database, schema)).toEqual(await dumpSchema(database, SCHEMAS[place % 2] ?? ''))
    }
  })

  test(`${KEYS} idempotency keys raced by two processes are new exactly once each`, () => {
    const reports = reportsAt<KeysReport>(SCHEMAS.length, 0, 2)
    expect(reports.flatMap(({ errors }) => errors)).toEqual([])
    const fresh = reports.flatMap((report) => report.fresh).sort((left, right) => left - right)
    expect(fresh).toEqual(times(KEYS, (key) => key))
    expect(reports[0]?.entries).toEqual(reports[1]?.entries)
  })

  test(`${EVENTS} mixed events of two processes are what a fold of the log finds`, async () => {
    const reports = reportsAt<EventsReport>(SCHEMAS.length + 1, 0, 2)
    expect(reports.flatMap(({ errors }) => errors)).toEqual([])
    expect(reports.flatMap(({ fresh }) => fresh)).toHaveLength(EVENTS + EVENTS / 20)
    const storage = postgres(url, { schema: 'events' })
    await checkFold(storage)
    await storage.close()
    expect(await deadlocksIn(database)).toBe(0)
  })
})
