// One of many deliveries that wait is found, and put back, without looking through the others.

import Database from 'better-sqlite3'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newDeliveries, newestFirst, putDelivery } from '../../adapters/memory/deliveries.ts'
import { newOutbox } from '../../adapters/memory/outbox.ts'
import { outboxes } from '../../adapters/memory/outbox-calls.ts'
import type { Memory } from '../../adapters/memory/write.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { postgresTraits } from '../../adapters/postgres/traits.ts'
import { deliveryQueries } from '../../adapters/sql/deliveries.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import type { Delivery } from '../../src/storage-outbox.ts'
import { delivery, putDeliveries } from '../../src/testing/storage/outbox-samples.ts'
import { NOON } from '../../src/testing/storage/samples.ts'
import { times } from '../support/places.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const USERS = 50
const PAGE = 64

/** All are due, and all but the first of each user are held up by an earlier one. */
function waiting(count: number): readonly Delivery[] {
  return times(count, (n) => delivery('hook', n + 1, { user: `user-${n % USERS}` }))
}

/** The first page, as it is read with receivers in order. */
const FIRST_PAGE = {
  ...{
    now: NOON,
    lease_now: NOON,
    after_next_at: Number.MIN_SAFE_INTEGER,
    after_position: 0,
    after_receiver: '',
    limit: PAGE,
  },
  ...{ in_order: '["hook"]', receivers: '["hook"]' },
}

/** How often memory looks at a field of a delivery while ten of `count` are found and put back. */
async function looksInMemory(count: number): Promise<number> {
  let looks = 0
  const counted = (known: Delivery): Delivery =>
    new Proxy(known, {
      get: (target, name) => {
        looks += 1
        return Reflect.get(target, name)
      },
    })
  const outbox = { ...newOutbox(), deliveries: newDeliveries() }
  for (const each of waiting(count)) putDelivery(outbox.deliveries, counted(each))
  const calls = outboxes(() => ({ outbox }) as unknown as Memory)
  looks = 0
  for (let round = 0; round < 10; round += 1) {
    const [next] = await calls.dueDeliveries(NOON, {
      limit: 32,
      inOrder: ['hook'],
      receivers: ['hook'],
      leaseNow: NOON,
    })
    if (next === undefined) throw new Error('Nothing is due')
    expect(newestFirst(outbox.deliveries, 'hook', next.position + 1).next().value).toBe(next)
    putDelivery(outbox.deliveries, counted({ ...next, state: 'done' }))
  }
  return looks
}

test('in memory a hundred times as many cost no more than twice as many looks', async () => {
  expect(await looksInMemory(20_000)).toBeLessThan(2 * (await looksInMemory(200)))
})

test('in SQLite by an index, for those of the page alone', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  await storage.close()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  const { due } = deliveryQueries(sqliteTraits)
  const plan = database.prepare(`explain query plan ${due.text}`).all(due.toValues(FIRST_PAGE)) as {
    readonly detail: string
  }[]
  const steps = plan.map(({ detail }) => detail).filter((detail) => /^(?:SCAN|SEARCH) (?!json_each)/.test(detail))
  expect(steps).toEqual([
    'SEARCH laurels_deliveries USING INDEX laurels_deliveries_due ((next_at,position,receiver)>(?,?,?) AND next_at<?)',
    // The page, numbered.
    'SCAN p',
    expect.stringMatching(/^SCAN \(subquery-\d+\)$/),
    'SEARCH e USING COVERING INDEX laurels_deliveries_in_order (receiver=? AND tenant_id=? AND user_id=? AND position<?)',
    'SCAN n',
    'SEARCH d USING PRIMARY KEY (receiver=? AND position=?)',
  ])
})

interface PlanStep {
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

test('in Postgres by an index, for those of the page alone', async () => {
  const schema = nextSchema()
  const storage = postgres(databaseUrl(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`alter table ${schema}.deliveries set (autovacuum_enabled = false)`)
  await putDeliveries(storage, waiting(5_000))
  const { due } = deliveryQueries(postgresTraits(schema))
  const read = async (): Promise<number> => {
    const { rows } = await client.query(`explain (analyze, format json) ${due.text}`, due.toValues(FIRST_PAGE))
    return rowsRead(rows[0]['QUERY PLAN'][0].Plan)
  }
  // Before Postgres has counted the rows, it looks at all deliveries of the users on the page.
  expect(await read()).toBeLessThan(2_000)
  await client.query(`analyze ${schema}.deliveries`)
  expect(await read()).toBeLessThan(4 * PAGE)
})
