// One of many deliveries that wait is found, and put back, without looking through the others.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import { compiler } from '../../../adapters/sql/database.ts'
import { CLAIM as CLAIM_STATEMENT, toClaim } from '../../../adapters/sql/deliveries.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../../adapters/sqlite/traits.ts'
import type { Delivery } from '../../../src/storage/outbox.ts'
import { delivery, putDeliveries } from '../../../src/testing/storage/outbox-samples.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const USERS = 50
const PAGE = 32

/** All are due, and all but the first of each user are held up by an earlier one. */
function waiting(count: number): readonly Delivery[] {
  return times(count, (n) => delivery('hook', n + 1, { user: `user-${n % USERS}` }))
}

const CLAIM = { claim: 'claim', until: NOON + 60_000, now: NOON, leaseNow: NOON, inOrder: true, limit: PAGE }

test('in SQLite by an index', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  const claim = compiler(sqliteTraits)(CLAIM_STATEMENT)
  const plan = database.prepare(`explain query plan ${claim.text}`).all(claim.toValues(toClaim('hook', CLAIM))) as {
    readonly detail: string
  }[]
  const steps = plan.map(({ detail }) => detail).filter((detail) => /^(?:SCAN|SEARCH) /.test(detail))
  expect(steps).toEqual([
    'SEARCH d USING INDEX laurels_deliveries_due (receiver=? AND next_at<?)',
    'SEARCH e USING COVERING INDEX laurels_deliveries_in_order (receiver=? AND tenant_id=? AND user_id=?)',
    'SCAN l',
    'SEARCH d USING PRIMARY KEY (receiver=? AND position=?)',
  ])
})

interface PlanStep {
  readonly 'Subplan Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanStep[]
}

/** How many rows of tables the steps of a plan went through. */
function rowsRead(step: PlanStep): number {
  const { 'Actual Rows': found, 'Actual Loops': loops, 'Rows Removed by Filter': passed = 0 } = step
  const own = step['Relation Name'] === undefined ? 0 : (found + passed) * loops
  return (step.Plans ?? []).map(rowsRead).reduce((sum, read) => sum + read, own)
}

test('in Postgres by an index, up to the last that is claimed', async () => {
  const schema = nextSchema()
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`alter table ${schema}.deliveries set (autovacuum_enabled = false)`)
  await putDeliveries(storage, waiting(5_000))
  const claim = compiler(postgresTraits(schema))(CLAIM_STATEMENT)
  const read = async (): Promise<number> => {
    const values = claim.toValues(toClaim('hook', { ...CLAIM, until: NOON }))
    const { rows } = await client.query(`explain (analyze, format json) ${claim.text}`, values)
    const { Plans }: PlanStep = rows[0]['QUERY PLAN'][0].Plan
    // What is claimed is then joined by its key, or in a small table by all rows.
    const found = Plans?.find((step) => step['Subplan Name'] === 'CTE l')
    if (found === undefined) throw new Error('The plan has no step that finds deliveries')
    return rowsRead(found)
  }
  // Before Postgres has counted the rows, it looks at all deliveries of the users whose deliveries it claims.
  expect(await read()).toBeLessThan(2_000)
  await client.query(`analyze ${schema}.deliveries`)
  expect(await read()).toBeLessThan(8 * PAGE)
})
