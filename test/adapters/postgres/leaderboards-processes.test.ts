// Calls that come to one of several processes each, which remember the users they wrote. SOAK=1: more scripts.

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import { checkFold } from '../../support/check-fold.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { seedOfRun } from '../../support/zones.ts'
import { type Group, groups } from './differential-calls.ts'
import { driveGroup } from './differential-drive.ts'
import { inTurns } from './leaderboards-turns.ts'

const SOAK = process.env.SOAK !== undefined
const SCRIPTS = 12
const STEPS = SOAK ? 40 : 16
const RUNS = Number(process.env.SCRIPT_GROUPS ?? (SOAK ? 80 : 2))
const SEED = seedOfRun()

const nextSchema = useSchemas()
const pool = new pg.Pool({ connectionString: databaseUrl() })
afterAll(() => pool.end())

async function agree(group: Group): Promise<void> {
  const schema = nextSchema()
  const storages = times(3, () => postgres(pool as unknown as PostgresPool, { schema }))
  const [first, ...others] = storages as [(typeof storages)[0], ...typeof storages]
  const reference = memory()
  const expected = await driveGroup(group, reference)
  const actual = await driveGroup(group, inTurns([first, ...others], SEED))
  for (const [index, script] of expected.scripts.entries()) {
    for (const [place, answer] of script.calls.entries()) {
      expect([index, actual.scripts[index]?.calls[place]]).toEqual([index, answer])
    }
    expect([index, actual.scripts[index]]).toEqual([index, script])
  }
  expect(actual).toEqual(expected)
  await checkFold(first)
  for (const storage of storages) await storage.close()
}

test(`${RUNS * SCRIPTS} scripts of calls over three processes have the answers of memory (seed ${SEED})`, {
  timeout: 3_000_000,
}, async () => {
  const started = performance.now()
  const property = fc.asyncProperty(groups({ scripts: SCRIPTS, steps: STEPS }), agree)
  const checked = await fc.check(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
  if (checked.failed) throw new Error(`SEED=${SEED}`, { cause: checked.errorInstance })
  process.stdout.write(`${RUNS * SCRIPTS} scripts: ${Math.round(performance.now() - started)} ms\n`)
})
