// Scripts of calls that memory, SQLite and Postgres answer alike. SOAK=1: 5,010 of them, longer ones, on PGlite too.

import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame, type Storage } from '../../../src/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { extendStorage } from '../../support/extend-storage.ts'
import { databaseUrl, useEmptySchemas, useSchemas } from '../../support/postgres.ts'
import { howMany } from '../../support/share.ts'
import { seedOfRun } from '../../support/zones.ts'
import { type Group, groups } from './differential-calls.ts'
import { type Driven, driveGroup } from './differential-drive.ts'

const SOAK = process.env.SOAK !== undefined
const SCRIPTS = 30
const STEPS = SOAK ? 24 : 10
const RUNS = Number(process.env.SCRIPT_GROUPS ?? howMany(1, 3, 167))
const SEED = seedOfRun()
const PATH = process.env.PATH_OF
const SHRINKS = process.env.SHRINK === '1'

const nextSchema = useSchemas()
const nextEmptySchema = useEmptySchemas()
const pglite = SOAK ? new PGlite() : null
afterAll(() => pglite?.close())
const pool = new pg.Pool({ connectionString: databaseUrl() })
afterAll(() => pool.end())

async function drive(group: Group, storage: Storage): Promise<Driven> {
  try {
    const driven = await driveGroup(group, storage)
    return driven
  } finally {
    await storage.close()
  }
}

/** The first difference is enough to read. */
function expectSame(actual: Driven, expected: Driven): void {
  for (const [index, script] of expected.scripts.entries()) {
    for (const [place, answer] of script.calls.entries()) {
      expect([index, actual.scripts[index]?.calls[place]]).toEqual([index, answer])
    }
    expect([index, actual.scripts[index]]).toEqual([index, script])
  }
  expect(actual).toEqual(expected)
}

async function agree(group: Group): Promise<void> {
  const reference = memory()
  const open = extendStorage(reference, () => ({ close: async () => undefined }))
  const onPostgres = drive(group, postgres(pool, { schema: nextEmptySchema() }))
  // Nobody may be left alone with a rejection while the others are at work.
  onPostgres.catch(() => undefined)
  const expected = await drive(group, open)
  expectSame(await drive(group, sqlite(':memory:')), expected)
  expectSame(await drive(group, sqlite(new DatabaseSync(':memory:'))), expected)
  if (pglite !== null) expectSame(await drive(group, postgres(pglite, { schema: nextSchema() })), expected)
  expectSame(await onPostgres, expected)
  await checkFold(reference)
}

describe(`${RUNS * SCRIPTS} scripts of calls (seed ${SEED})`, () => {
  test('have the same answers from memory, SQLite and Postgres, by each of their drivers', {
    timeout: 3_000_000,
  }, async () => {
    const started = performance.now()
    const checked = await fc.check(fc.asyncProperty(groups({ scripts: SCRIPTS, steps: STEPS }), agree), {
      numRuns: RUNS,
      seed: SEED,
      // A smaller example takes minutes: SHRINK=1 SEED=… finds one.
      endOnFailure: !SHRINKS,
      ...(PATH === undefined ? {} : { path: PATH }),
    })
    if (checked.failed) {
      // Not the scripts themselves, which are longer than anybody reads.
      const { seed, counterexamplePath, errorInstance } = checked
      throw new Error(`SEED=${seed} PATH_OF=${counterexamplePath}`, { cause: errorInstance })
    }
    process.stdout.write(`${RUNS * SCRIPTS} scripts: ${Math.round(performance.now() - started)} ms\n`)
  })
})

/** Two that the same event completes, whose order in the game is not that of their keys. */
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: {
    zebra: { name: 'Zebra', trigger: 'metric', metric: 'words', value: 10 },
    apple: { name: 'Apple', trigger: 'metric', metric: 'words', value: 10 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'achievement', achievement: 'zebra', points: 5 },
        { type: 'achievement', achievement: 'apple', points: 7 },
      ],
    },
  },
})

/** A late event that would take both away, so that both are kept: in which order, and with what awards. */
async function keepBoth(storage: Storage): Promise<unknown> {
  const engine = createGamification({ game, storage, clock: () => new Date('2026-03-10T12:00:00.000Z') })
  await engine.migrate()
  const user = { id: 'ann' }
  await engine.metrics.event('words', { user, value: 10 })
  await engine.metrics.event('words', { user, value: -5, occurredAt: new Date('2026-03-09T12:00:00.000Z') })
  const log = await storage.readLog({ tenant: '', user: 'ann' })
  const { awards } = await engine.users.points('ann', 'xp')
  const answer = {
    kept: log.flatMap((entry) => (entry.kind === 'completionKept' ? entry.achievement : [])),
    awards: awards.map(({ awarded, total }) => [awarded, total]),
  }
  await engine.close()
  return answer
}

// What the scripts have found, as one example.
describe('Completions of one instant that a late event would take away', () => {
  test('are kept in the same order by memory, SQLite and Postgres', async () => {
    const expected = await keepBoth(memory())
    expect(await keepBoth(sqlite(':memory:'))).toEqual(expected)
    expect(await keepBoth(postgres(pool, { schema: nextEmptySchema() }))).toEqual(expected)
  })
})
