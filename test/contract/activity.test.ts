// The same history, imported over HTTP and in-process, leaves the same rows. SOAK=1: all of the real activity.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { type Activity, readActivity } from '../../examples/open-source/activity.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { listen } from '../support/bindings.ts'
import { dump } from '../support/dump.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { SOAK } from '../support/zones.ts'

const activity =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../shared/data/open-source-activity.csv', import.meta.url))
/** Two events each. */
const ROWS = SOAK ? Number.POSITIVE_INFINITY : 1_200
const BATCH = 1_000
const NOW = new Date('2026-09-01T00:00:00Z')
const nextFile = useDatabaseFiles()

const board = { name: 'A board', start: '2015-01-01' } as const
const game = defineGame({
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'commits', value: 10 },
    'in-a-row': { name: 'In a row', trigger: 'streak', length: 3 },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'commits', threshold: 1, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { commits: { threshold: 1 } }, freezes: { initial: 1, max: 2 } },
  leaderboards: {
    monthly: { ...board, rankBy: 'metric', metric: 'commits', run: { unit: 'month', interval: 1 } },
    office: { ...board, rankBy: 'points', system: 'xp', startTime: '09:00', endTime: '17:00' },
  },
})

async function readRows(): Promise<readonly Activity[]> {
  const rows: Activity[] = []
  for await (const each of readActivity(activity)) {
    if (rows.length >= ROWS * 2) return rows
    rows.push(each)
  }
  return rows
}

async function open(file: string): Promise<Gamification<DefinedGame>> {
  const storage = sqlite(file, { synchronous: 'NORMAL' })
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => NOW })
  await engine.migrate()
  return engine
}

function rowsOf(file: string): ReadonlyMap<string, readonly string[]> {
  const database = new Database(file, { readonly: true })
  onTestFinished(() => void database.close())
  // An admin key was made to call it.
  return new Map([...dump(database)].filter(([table]) => table !== 'laurels_leaderboard_blocks'))
}

async function importOverHttp(file: string, rows: readonly Activity[]): Promise<void> {
  const engine = await open(file)
  const { base, close } = await listen('express', engine)
  const { key } = await engine.adminKeys.create()
  let accepted = 0
  for (let first = 0; first < rows.length; first += BATCH) {
    const events = rows.slice(first, first + BATCH).map(({ metric, ...event }) => ({ key: metric, ...event }))
    const response = await fetch(`${base}/admin/v1/metrics/events`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(events),
    })
    expect(response.status).toBe(202)
    const answer = (await response.json()) as { readonly accepted: number; readonly issues: readonly unknown[] }
    expect(answer.issues).toEqual([])
    accepted += answer.accepted
  }
  expect(accepted).toBe(rows.length)
  expect((await engine.verify()).drift).toEqual([])
  await close()
  await engine.close()
}

describe.skipIf(!existsSync(activity))('The real activity (needs the file that LAURELS_ACTIVITY_CSV names)', () => {
  test('leaves the same rows in every table, imported over HTTP and in-process', { timeout: 1_200_000 }, async () => {
    const rows = await readRows()
    const [direct, sent] = [nextFile(), nextFile()]
    const engine = await open(direct)
    expect(await engine.import(rows as Iterable<never>)).toMatchObject({ recorded: rows.length, refused: 0 })
    await engine.close()
    await importOverHttp(sent, rows)
    const expected = rowsOf(direct)
    expect(expected.get('laurels_awards')?.length).toBeGreaterThan(SOAK ? 10_000 : 500)
    expect(rowsOf(sent)).toEqual(expected)
  })
})
