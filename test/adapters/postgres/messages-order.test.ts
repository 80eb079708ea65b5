// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// Positions while others commit: six writers, hosts whose transactions stay open and partly roll back, three readers who
// all give positions, and a transaction in another database that stays open.

import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { SOAK } from '../../support/zones.ts'
import { type Findings, storm } from './messages-order.ts'
import { useDatabases } from './races-database.ts'

const newDatabase = useDatabases()
const FOR_MS = SOAK ? 30_000 : 5_000

/** `change` holds texts that run after the migrations; `laurels.` is replaced by the schema. */
async function findingsWith(change: readonly string[], forMs: number, placing?: string): Promise<Findings> {
  const [own, other] = [await newDatabase(), await newDatabase()]
  const storage = postgres(own.url)
  await storage.migrate()
  await storage.close()
  for (const text of change) await own.query(text)
  return storm({
    url: own.url,
    otherUrl: other.url,
    schema: 'laurels',
    forMs,
    ...(placing !== undefined && { placing }),
  })
}

test('none is lost, none comes twice, those of one user come in their order, and nothing stands still', async () => {
  const { messages, ...findings } = await findingsWith([], FOR_MS)
  expect(findings).toEqual({ lost: 0, doubled: 0, swapped: 0, stopped: 0 })
  expect(messages).toBeGreaterThan(100)
}, 120_000)
