// All that a key wrote, undone within the host's own transaction.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import { NOON, openOn } from '../support/engine.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'

const nextSchema = useEmptySchemas()

test('Events of a key are undone with the transaction of the host, or not at all', async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl() })
  const storage = postgres(pool, { schema: nextSchema() })
  const engine = await openOn(storage, { now: NOON }, { metrics: { words: { name: 'Words' } } })
  onTestFinished(async () => {
    await engine.close()
    await pool.end()
  })
  const leaked = engine.forRequest(performance.now(), { by: 'key-1' })
  for (const id of ['ann', 'bob', 'ann']) await leaked.metrics.event('words', { user: { id }, value: 7 })
  const totals = async () => {
    const read = ['ann', 'bob'].map(async (id) => (await engine.users.singleMetric(id, 'words')).current)
    return Promise.all(read)
  }
  const done = {
    voided: 3,
    users: [
      { userId: 'ann', voided: 2 },
      { userId: 'bob', voided: 1 },
    ],
    issues: [],
    hasMore: false,
  }

  const client = await pool.connect()
  await client.query('begin')
  expect(await engine.events.void({ by: 'key-1' }, {}, { tx: fromPg(client) })).toEqual(done)
  await client.query('rollback')
  expect(await totals()).toEqual([14, 7])

  await client.query('begin')
  const tx = fromPg(client)
  expect(await engine.events.void({ by: 'key-1' }, {}, { tx })).toEqual(done)
  expect(await engine.events.void({ by: 'key-1' }, {}, { tx })).toMatchObject({ voided: 0, users: [], hasMore: false })
  await client.query('commit')
  await tx.committed()
  client.release()
  expect(await totals()).toEqual([0, 0])
  expect((await engine.verify()).drift).toEqual([])
})
