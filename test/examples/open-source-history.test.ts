// @early: It takes long for its size.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { createGamification, type ImportReport, type Storage } from 'laurels'
import { postgres } from 'laurels/postgres'
import { sqlite } from 'laurels/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Activity, readActivity } from '../../examples/open-source/activity.ts'
import { game } from '../../examples/open-source/game.ts'
import { checkFold } from '../support/check-fold.ts'
import { dump } from '../support/dump.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { SOAK } from '../support/zones.ts'

const file =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../shared/data/open-source-activity.csv', import.meta.url))
const MINUTE = 60_000
const NOW = new Date('2026-09-01T00:00:00Z')

interface Imported {
  readonly database: Database.Database
  readonly storage: Storage
  readonly seconds: number
  readonly report: ImportReport
}

async function importInto(
  database: Database.Database,
  items: AsyncIterable<Activity> | Iterable<Activity>,
): Promise<Imported> {
  const storage = sqlite(database)
  const gamification = createGamification({ game, storage, clock: () => NOW })
  await gamification.migrate()
  const start = performance.now()
  const report = await gamification.import(items)
  return { database, storage, report, seconds: Math.round((performance.now() - start) / 100) / 10 }
}

/** A copy through Postgres takes a second for a thousand items. */
const ITEMS_OF_THE_TRIP = SOAK ? Number.POSITIVE_INFINITY : 8_000

async function readAll(): Promise<Activity[]> {
  const items: Activity[] = []
  for await (const item of readActivity(file)) items.push(item)
  return items
}

async function sorted(): Promise<readonly Activity[]> {
  const items = await readAll()
  // Stable: what happened at one instant keeps its order of arrival.
  return items.sort((left, right) => Number(left.occurredAt) - Number(right.occurredAt))
}

describe.skipIf(!existsSync(file))('eleven years of commits (needs the file that LAURELS_ACTIVITY_CSV names)', () => {
  const nextSchema = useEmptySchemas()
  let asItIs: Imported
  let inOrder: Imported

  beforeAll(async () => {
    asItIs = await importInto(new Database(':memory:'), readActivity(file))
    inOrder = await importInto(new Database(':memory:'), await sorted())
    process.stdout.write(`imported as it is in ${asItIs.seconds} s, in order in ${inOrder.seconds} s\n`)
  }, 10 * MINUTE)

  afterAll(() => {
    asItIs.database.close()
    inOrder.database.close()
  })

  test('are recorded whole', () => {
    expect(asItIs.report).toMatchObject({ recorded: 43_064, replayed: 0, refused: 0 })
    expect(inOrder.report).toMatchObject({ recorded: 43_064, replayed: 0, refused: 0 })
  })

  test('lead to the same in whatever order they come', () => {
    const late = dump(asItIs.database)
    const prompt = dump(inOrder.database)
    expect([...late.keys()]).toEqual([
      'laurels_awards',
      'laurels_challenge_windows',
      'laurels_completions',
      'laurels_counters',
      'laurels_deliveries',
      'laurels_documents',
      'laurels_given_boosts',
      'laurels_leaderboard_blocks',
      'laurels_leaderboard_entries',
      'laurels_messages',
      'laurels_movements',
      'laurels_outbox_head',
      'laurels_points',
      'laurels_redemptions',
      'laurels_reward_stock',
      'laurels_streak_pauses',
      'laurels_streak_periods',
      'laurels_tallies',
      'laurels_totals',
      'laurels_users',
    ])
    for (const [table, rows] of late) {
      const others = new Set(prompt.get(table))
      expect(rows.filter((row) => !others.has(row)).slice(0, 5)).toEqual([])
      expect([table, rows.length]).toEqual([table, others.size])
    }
  })

  test('have the streaks that a count of local dates finds', () => {
    const longest = asItIs.database
      .prepare('select user_id, streak_longest from laurels_users order by streak_longest desc, user_id limit 10')
      .raw()
      .all()
    expect(longest).toEqual([
      ['dev-0002', 39],
      ['dev-0001', 18],
      ['dev-0011', 18],
      ['dev-0008', 13],
      ['dev-0009', 13],
      ['dev-0005', 12],
      ['dev-0003', 11],
      ['dev-0013', 11],
      ['dev-0006', 10],
      ['dev-0004', 9],
    ])
  })

  test(
    'are what a fold of every log from its beginning finds',
    async () => {
      expect(await checkFold(asItIs.storage)).toBe(2_970)
      expect(await checkFold(inOrder.storage)).toBe(2_970)
    },
    5 * MINUTE,
  )

  test(
    'are recorded once, however often they are imported',
    async () => {
      const before = dump(asItIs.database, { everything: true })
      const { report, seconds } = await importInto(asItIs.database, readActivity(file))
      process.stdout.write(`imported again in ${seconds} s\n`)
      expect(report).toMatchObject({ recorded: 0, replayed: 43_064, refused: 0 })
      const after = dump(asItIs.database, { everything: true })
      for (const [table, rows] of before) {
        expect([table, rows.length]).toEqual([table, after.get(table)?.length])
        expect(rows.filter((row, index) => row !== after.get(table)?.[index]).slice(0, 5)).toEqual([])
      }
    },
    5 * MINUTE,
  )

  test(
    'are the same tables when they were exported to Postgres and back',
    async () => {
      const first = await importInto(new Database(':memory:'), (await readAll()).slice(0, ITEMS_OF_THE_TRIP))
      const [between, target] = [postgres(databaseUrl(), { schema: nextSchema() }), new Database(':memory:')]
      const back = sqlite(target)
      const engines = [first.storage, between, back].map((storage) => createGamification({ game, storage }))
      const [source, middle, last] = engines
      if (source === undefined || middle === undefined || last === undefined) throw new Error('There are three')
      for (const storage of [between, back]) await storage.migrate()
      const start = performance.now()
      const recorded = first.database.prepare('select count(*) from laurels_users').pluck().get()
      expect(await middle.import(source.export())).toMatchObject({ recorded, refused: 0 })
      expect(await last.import(middle.export())).toMatchObject({ recorded, refused: 0 })
      process.stdout.write(`exported and imported twice in ${((performance.now() - start) / 1_000).toFixed(1)} s\n`)
      expect((await middle.verify()).drift).toEqual([])
      const [before, after] = [tablesOf(first.database), tablesOf(target)]
      for (const [table, rows] of before) {
        const others = after.get(table) ?? []
        expect([table, rows.length]).toEqual([table, others.length])
        expect(rows.filter((row, index) => row !== others[index]).slice(0, 5)).toEqual([])
      }
      await middle.close()
      for (const database of [first.database, target]) database.close()
    },
    20 * MINUTE,
  )
})

/** Every row of every table but for versions, and for how entries are cut into blocks. */
function tablesOf(database: Database.Database): ReadonlyMap<string, readonly string[]> {
  const tables = dump(database, { everything: true })
  tables.delete('laurels_leaderboard_blocks')
  const users = (tables.get('laurels_users') ?? []).map((row) => row.replace(/\["version",\d+\],/, ''))
  return tables.set('laurels_users', users.sort())
}
