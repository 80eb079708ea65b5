// The same history, imported by each driver, leaves the same rows. SOAK=1: all of the real activity.

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import Libsql from 'libsql'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { type SqliteDatabase, sqlite } from '../../../adapters/sqlite/index.ts'
import { type Activity, readActivity } from '../../../examples/open-source/activity.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../../src/index.ts'
import { dump } from '../../support/dump.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { SOAK } from '../../support/zones.ts'

const activity =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../../shared/data/open-source-activity.csv', import.meta.url))
/** Two events each. */
const ROWS = SOAK ? Number.POSITIVE_INFINITY : 300
const NOW = new Date('2026-09-01T00:00:00Z')
const nextSchema = useSchemas()
const nextFile = useDatabaseFiles()

const board = { name: 'A board', start: '2015-01-01', maxParticipants: null } as const
const game = defineGame({
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'commits', value: 10 },
    'in-a-row': { name: 'In a row', trigger: 'streak', length: 3 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'in-a-row'] },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'commits', threshold: 1, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { commits: { threshold: 1 } } },
  leaderboards: {
    monthly: { ...board, rankBy: 'metric', metric: 'commits', run: { unit: 'month', interval: 1 } },
    xp: { ...board, rankBy: 'points', system: 'xp' },
  },
})

async function* activities(): AsyncGenerator<Activity> {
  let index = 0
  for await (const each of readActivity(activity)) {
    if (index >= ROWS * 2) return
    index += 1
    yield each
  }
}

async function importInto(storage: Storage): Promise<void> {
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => NOW })
  onTestFinished(() => engine.close())
  await engine.migrate()
  expect(await engine.import(activities() as AsyncIterable<never>)).toMatchObject({ refused: 0 })
  expect(await engine.verify()).toMatchObject({ drift: [] })
}

/** Rows that are kept to be counted say where each block began, which follows from the order of the commits. */
const IN_ANY_ORDER = /leaderboard_blocks/

async function rowsBySqlite(open: (file: string) => SqliteDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = nextFile()
  const host = open(file)
  await importInto(sqlite(host, { synchronous: 'NORMAL' }))
  // Looked at through the same driver: two copies of SQLite must not have one file open.
  const rows = dump(host as Database.Database)
  return new Map([...rows].filter(([table]) => !IN_ANY_ORDER.test(table)))
}

interface Queryable {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
}

async function rowsByPostgres(source: pg.Pool | PGlite): Promise<ReadonlyMap<string, readonly string[]>> {
  const schema = nextSchema()
  await importInto(postgres(source as pg.Pool, { schema, deadlineMs: 60_000 }))
  const queryable = source as Queryable
  const found = await queryable.query(`select tablename from pg_tables where schemaname = '${schema}'`)
  const tables = (found.rows as { readonly tablename: string }[]).map(({ tablename }) => tablename)
  const rows = new Map<string, readonly string[]>()
  for (const table of tables.filter((each) => !IN_ANY_ORDER.test(each) && !UNCOMPARED.has(each)).sort()) {
    const text = `select (to_jsonb(t) - 'version' - 'seq' - 'slot')::text as row from "${schema}"."${table}" t`
    rows.set(table, ((await queryable.query(text)).rows as { readonly row: string }[]).map(({ row }) => row).sort())
  }
  return rows
}

/** What says when something came, and by whom. */
const UNCOMPARED = new Set(['log', 'games', 'migrations', 'api_keys', 'processes', 'counter_changes'])

describe.skipIf(!existsSync(activity))('The same activity (needs the file that LAURELS_ACTIVITY_CSV names)', () => {
  test('leaves the same rows through better-sqlite3, node:sqlite and libsql', { timeout: 1_200_000 }, async () => {
    const expected = await rowsBySqlite((file) => new Database(file))
    expect([...expected.keys()]).toEqual(expect.arrayContaining(['laurels_users', 'laurels_completions']))
    expect(expected.get('laurels_users')?.length).toBeGreaterThan(SOAK ? 100 : 5)
    expect(await rowsBySqlite((file) => new DatabaseSync(file))).toEqual(expected)
    expect(await rowsBySqlite((file) => new Libsql(file))).toEqual(expected)
  })

  test('leaves the same rows through pg and PGlite', { timeout: 1_200_000 }, async () => {
    const pool = new pg.Pool({ connectionString: databaseUrl() })
    const pglite = new PGlite()
    onTestFinished(async () => {
      await pool.end()
      await pglite.close()
    })
    const expected = await rowsByPostgres(pool)
    expect(expected.get('users')?.length).toBeGreaterThan(SOAK ? 100 : 5)
    expect(await rowsByPostgres(pglite)).toEqual(expected)
  })
})
