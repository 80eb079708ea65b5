// What the pages of the console ask for is found by indexes: nothing they read goes through all users, or all that was done.

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import type { Storage } from '../../../src/index.ts'
import { RICH_GAME } from '../../support/console-game.ts'
import { NOON } from '../../support/engine.ts'
import { openServer } from '../../support/http.ts'
import { populationId, populationOf } from '../../support/large-population.ts'
import { listeningDriver } from '../../support/listening-driver.ts'
import { useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { useHookedPool } from '../postgres/hooked-pool.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const USERS = 120
const user = `/v1/users/${populationId(10)}`

/** What the pages ask, but for walks, which go through everybody by what they are. */
const REQUESTS: readonly string[] = [
  '/admin/v1/status',
  '/admin/v1/activity?from=2026-02-10&to=2026-03-10',
  '/admin/v1/users?limit=50',
  '/admin/v1/users?limit=50&after=user-000050',
  '/admin/v1/users?search=77&limit=50',
  user,
  `${user}/metrics`,
  `${user}/achievements?includeIncomplete=true`,
  `${user}/streak?historyPeriods=365`,
  `${user}/streaks/reviews?historyPeriods=365`,
  `${user}/points/xp`,
  `${user}/points/xp/event-summary?aggregation=daily&startDate=2025-12-11&endDate=2026-03-10`,
  `${user}/points/xp/boosts`,
  `${user}/leaderboards/weekly?numEvents=1`,
  `${user}/leaderboards/by-plan?numEvents=1`,
  `${user}/leaderboards/streaks?numEvents=1`,
  `${user}/preferences`,
  `/admin${user}/events?limit=25`,
  `/admin${user}/explain?achievement=first-words`,
  '/v1/achievements',
  '/admin/v1/achievements/first-words/completions?limit=50',
  '/v1/points/xp/levels',
  '/v1/leaderboards?includeFinished=true',
  '/v1/leaderboards/weekly?offset=25&limit=25',
  '/v1/leaderboards/weekly?run=2026-02-16&limit=25',
  '/v1/leaderboards/by-plan?userAttributes=plan%3Apro&limit=25',
  '/v1/leaderboards/streaks?limit=25',
  '/admin/v1/leaderboards/weekly/runs?limit=50',
  '/admin/v1/leaderboards/by-plan/groups?limit=100',
  '/admin/v1/points?limit=50',
  '/admin/v1/game',
  '/admin/v1/games',
  '/admin/v1/application-api-keys?limit=50',
  '/admin/v1/admin-keys',
  '/admin/v1/webhooks',
  '/admin/v1/subscriptions',
]

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What a storage is asked when the pages are shown, each text once. `told` has all that it was asked so far. */
async function showPages(storage: Storage, told: readonly Asked[]): Promise<readonly Asked[]> {
  const server = await openServer({ definition: RICH_GAME, storage })
  onTestFinished(server.close)
  const population = populationOf({ users: USERS, events: USERS * 12, now: Date.parse(NOON), seed: 1 })
  expect(await server.engine.import(population)).toMatchObject({ recorded: USERS })
  const all = new Map<string, Asked>()
  for (const path of REQUESTS) {
    const before = told.length
    expect((await server.call('GET', path)).status, path).toBe(200)
    for (const asked of told.slice(before)) all.set(asked.text, asked)
  }
  return [...all.values()]
}

/** The table that a step of a plan goes through; null: what a part of the question itself answers. */
function tableOf(step: string, text: string): string | null {
  const name = /^(?:SCAN|SEARCH) (\w+)/.exec(step)?.[1]
  if (name === undefined) return null
  if (name.startsWith('laurels_')) return name
  return new RegExp(`\\b(laurels_\\w+)"? (?:as )?"?${name}\\b`).exec(text)?.[1] ?? null
}

/** All of these are gone through: tables of a few rows, and indexes of a few lines or of which the first are read. */
const GONE_THROUGH = [
  'SCAN laurels_api_keys USING INDEX laurels_admin_keys',
  'SCAN laurels_games',
  'SCAN laurels_messages USING INDEX laurels_messages_next',
  'SCAN laurels_outbox_head',
  // Of an index the first line, and counters: some for each achievement and level.
  'SEARCH laurels_completions USING COVERING INDEX laurels_completions_by_time (tenant_id=?)',
  'SEARCH laurels_counters USING PRIMARY KEY (tenant_id=?)',
]

/** One row at each end of each table, which the watch of the file reads whenever the file was written. */
const OF_WATCH = /^select 1 from laurels_\w+ (?:order by .+ )?limit 1$/

test('in SQLite', async () => {
  const file = nextFile()
  const told: Asked[] = []
  const Driver = listeningDriver(['all', 'get'], (_, text, values) => {
    if (!OF_WATCH.test(text)) told.push({ text, values })
  })
  const asked = await showPages(sqlite(file, { driver: async () => Driver }), told)
  expect(asked.length).toBeGreaterThan(30)
  const database = new Database(file)
  onTestFinished(() => void database.close())
  const steps = asked.flatMap(({ text, values }) => {
    const plan = database.prepare(`explain query plan ${text}`).all(...values) as { readonly detail: string }[]
    return plan.map(({ detail }) => detail).filter((detail) => tableOf(detail, text) !== null)
  })
  const whole = steps.filter((step) => step.startsWith('SCAN') || step.endsWith('(tenant_id=?)'))
  expect([...new Set(whole)].sort()).toEqual(GONE_THROUGH)
})

test('in Postgres, where an index can be used', async () => {
  const schema = nextSchema()
  const { pool, real, hook } = useHookedPool({ options: '-c enable_seqscan=off' })
  const told: Asked[] = []
  hook((asked, run) => {
    told.push(asked)
    return run()
  })
  const asked = await showPages(postgres(pool, { schema }), told)
  const reads = asked.filter(({ text }) => /^\s*(?:select|with)\b/i.test(text))
  expect(reads.length).toBeGreaterThan(20)
  const whole = new Set<string>()
  for (const { text, values } of reads) {
    const { rows } = await real.query(`explain ${text}`, [...values])
    for (const line of rows) {
      const table = /Seq Scan on (\w+)/.exec(String(line['QUERY PLAN']))?.[1]
      if (table !== undefined) whole.add(table)
    }
  }
  // It has one row.
  expect([...whole]).toEqual(['outbox_head'])
})
