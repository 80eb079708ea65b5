// @heavy: It has several processes race.
// Processes with 32 callers each that write the same users. SOAK=1: 10,000 keys, 100,000 events.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { checkFold } from '../../support/check-fold.ts'
import { times } from '../../support/places.ts'
import { runChildren, type Worked } from './races-children.ts'
import { deadlocksIn, type OwnDatabase, useDatabases } from './races-database.ts'
import type { EventsReport, Job, KeysReport } from './races-jobs.ts'

const SOAK = process.env.SOAK !== undefined
const KEYS = SOAK ? 10_000 : 250
const KEYS_USERS = 40
const EVENTS = SOAK ? 100_000 : 2_000
const RACERS = EVENTS / 20

const newDatabase = useDatabases()
let database: OwnDatabase
let children: readonly Worked<KeysReport | EventsReport>[]
const opened: Storage[] = []

function jobsOf(index: number): readonly Job[] {
  const { url } = database
  return [
    { job: 'keys', url, schema: 'keys', gate: 0, callers: 32, users: KEYS_USERS, keys: KEYS },
    { job: 'events', url, schema: 'events', gate: 1, callers: 32, events: EVENTS, index },
  ]
}

/** The reports of one job, of all who did it. */
function reportsOf<Report>(gate: number): readonly Report[] {
  return children.flatMap(({ reports }, index) => {
    const place = jobsOf(index).findIndex((job) => job.gate === gate)
    return place === -1 ? [] : [reports[place] as Report]
  })
}

function open(schema: string): Storage {
  const storage = postgres(database.url, { schema })
  opened.push(storage)
  return storage
}

// One run for all tests: processes start slowly.
beforeAll(async () => {
  database = await newDatabase()
  children = await runChildren(database.url, times(2, jobsOf))
}, 3_600_000)
afterAll(async () => {
  for (const storage of opened) await storage.close()
})

describe(`${KEYS} idempotency keys raced by two processes with 32 callers each`, () => {
  test('are new exactly once each, and every replay tells of the one event', { timeout: 600_000 }, async () => {
    const reports = reportsOf<KeysReport>(0)
    expect(reports.flatMap(({ errors }) => errors)).toEqual([])
    const fresh = reports.flatMap((report) => report.fresh).sort((left, right) => left - right)
    expect(fresh).toEqual(times(KEYS, (key) => key))
    // Both took part.
    expect(reports.map((report) => report.fresh.length > KEYS / 20)).toEqual([true, true])
    const [first, second] = reports
    expect(first?.entries).toEqual(second?.entries)
    expect(new Set(first?.entries).size).toBe(KEYS)

    expect(await checkFold(open('keys'))).toBe(KEYS_USERS)
    const [row] = await database.query<{ events: number; entries: string[] }>(
      `select count(*)::int as events, array_agg(entry_id order by substring(idempotency_key from 5)::int) as entries
        from keys.view_log where kind = 'eventRecorded'`,
    )
    expect(row).toEqual({ events: KEYS, entries: first?.entries })
  })
})

/** The sums of the callers' answers, by user and metric. */
function totalsOf(reports: readonly EventsReport[]): Map<string, number> {
  const totals = new Map<string, number>()
  for (const [user, metric, value] of reports.flatMap(({ fresh }) => fresh)) {
    totals.set(`${user} ${metric}`, (totals.get(`${user} ${metric}`) ?? 0) + value)
  }
  return totals
}

describe(`${EVENTS} mixed events of two processes with 32 callers each`, () => {
  test('are all counted once, and all that follows is what a fold of the log finds', { timeout: 600_000 }, async () => {
    const reports = reportsOf<EventsReport>(1)
    expect(reports.flatMap(({ errors }) => errors)).toEqual([])
    // Each event of the plan, and the one of each racer.
    expect(reports.flatMap(({ fresh }) => fresh)).toHaveLength(EVENTS + RACERS)
    const replayed = reports.reduce((sum, report) => sum + report.replayed, 0)
    expect(replayed / EVENTS).toBeGreaterThan(0.03)

    const users = await checkFold(open('events'))
    const told = totalsOf(reports)
    const stored = await database.query<{ key: string; total: number }>(
      `select user_id || ' ' || metric as key, total from events.totals`,
    )
    expect(new Map(stored.map(({ key, total }) => [key, total]))).toEqual(told)
    expect(users).toBe(new Set([...told.keys()].map((key) => key.split(' ')[0])).size)
    process.stdout.write(`${EVENTS} mixed events were of ${users} users, ${replayed} more were replays\n`)

    const [log] = await database.query<{ events: number; keys: number; hot: number }>(
      `select count(*)::int as events, count(distinct (user_id, metric, idempotency_key))::int as keys,
        count(*) filter (where user_id = 'hot')::int as hot from events.view_log where kind = 'eventRecorded'`,
    )
    expect([log?.events, log?.keys]).toEqual([EVENTS + RACERS, EVENTS + RACERS])
    expect((log?.hot ?? 0) / EVENTS).toBeGreaterThan(0.08)
  })

  test('complete each achievement once, whoever raced for it', async () => {
    const reports = reportsOf<EventsReport>(1)
    const [first, second] = reports
    expect(Object.keys(first?.claims ?? {})).toHaveLength(RACERS)
    expect(first?.claims).toEqual(second?.claims)
    // Each event reached the handlers of one of the processes.
    const completed = reports.flatMap((report) => report.completed)
    expect(completed.filter((line) => /^racer-\d+ both$/.test(line))).toHaveLength(RACERS)
    const rows = await database.query<{ completion: string }>(
      `select user_id || ' ' || achievement as completion from events.completions`,
    )
    expect(completed.toSorted()).toEqual(rows.map(({ completion }) => completion).sort())
  })
})

test('No process ended a deadlock', async () => {
  for (const storage of opened.splice(0)) await storage.close()
  expect(await deadlocksIn(database)).toBe(0)
})
