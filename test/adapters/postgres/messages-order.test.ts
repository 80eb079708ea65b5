// Positions while others commit: six writers, hosts whose transactions stay open and partly roll back, three readers who
// all give positions, and a transaction in another database that stays open.

import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { SOAK } from '../../support/zones.ts'
import { type Findings, storm } from './messages-order.ts'
import { useDatabases } from './races-database.ts'

const newDatabase = useDatabases()
const FOR_MS = SOAK ? 30_000 : 5_000

/**
 * `change`: texts that are run after the migrations; `laurels.` stands for the schema. `placing`: a statement by which
 * readers give positions.
 */
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

test('positions from a sequence, taken when a message is written, lose messages: so the test would tell', async () => {
  const { lost } = await findingsWith(
    [
      'create sequence laurels.positions',
      `alter table laurels.messages alter position set default nextval('laurels.positions')`,
    ],
    FOR_MS,
  )
  expect(lost).toBeGreaterThan(0)
}, 120_000)

test('below the oldest running transaction everything waits for it, and users are swapped: so the test would tell', async () => {
  const { lost, swapped, stopped } = await findingsWith(
    [WITH_TRANSACTION, BELOW_OLDEST],
    FOR_MS,
    'select laurels.place_below_oldest(50)',
  )
  expect(lost).toBe(0)
  expect(stopped).toBe(3)
  expect(swapped).toBeGreaterThan(0)
}, 120_000)

const WITH_TRANSACTION =
  'alter table laurels.messages add column xact bigint default pg_current_xact_id()::text::bigint'

/** Messages of transactions that ended before every one that runs, in the order of the transactions. */
const BELOW_OLDEST = `
create function laurels.place_below_oldest(most bigint) returns bigint language plpgsql as $$
declare
  head bigint;
  placed bigint;
begin
  insert into laurels.outbox_head (id, position) values (1, 0) on conflict do nothing;
  select position into head from laurels.outbox_head where id = 1 for update;
  with next as (
    select number, message_id, xact from laurels.messages
      where position is null and due is null and xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      order by xact, number limit most
  ), numbered as (
    select number, message_id, row_number() over (order by xact, number) as place from next
  )
  update laurels.messages m set position = head + n.place from numbered n where m.number = n.number and m.message_id = n.message_id;
  get diagnostics placed = row_count;
  update laurels.outbox_head set position = head + placed where id = 1;
  return placed;
end
$$`
