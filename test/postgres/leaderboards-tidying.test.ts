// Blocks of whatever sizes are split and merged until they are as they should be, and always count what lies in them.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import type { Storage } from '../../src/storage.ts'
import { enter, KEY, row } from '../../src/testing/storage/leaderboard-samples.ts'
import { saveOf } from '../../src/testing/storage/samples.ts'
import { createRandom, type Random } from '../crash/random.ts'
import { times } from '../support/places.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { seedOfRun } from '../support/zones.ts'
import { type Query, readCounts } from './leaderboards-counts.ts'
import { expectRanksOfEntries } from './leaderboards-ranks.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const RUNS = SOAK ? 60 : 1

const schema = useSchemas()()
const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
const query: Query = async (text) => (await pool.query(text)).rows
let storage: Storage
beforeAll(async () => {
  storage = postgres(databaseUrl(), { schema })
  await storage.migrate()
})
afterAll(async () => {
  await storage.close()
  await pool.end()
})

const table = (name: string): string => `"${schema}".leaderboard_${name}`
const { leaderboard, run, group } = KEY
const OF_GROUP = `'', '${leaderboard}', '${run}', '${group}'`
const PLACE = 'minus_value, reached_at, user_id'

/** So many users with few values, of whom some are left for a later save to add up, in blocks of random sizes. */
async function scatter(random: Random, entries: number, blocks: number, outer: number): Promise<void> {
  for (const name of ['entries', 'blocks', 'pending']) await pool.query(`delete from ${table(name)}`)
  const values = times(entries, () => random.whole(0, 9))
  await pool.query(
    `insert into ${table('entries')} (tenant_id, user_id, leaderboard, run, group_key, minus_value, reached_at)
      select '', 'user-' || n, '${leaderboard}', '${run}', '${group}', -v, n % 7
        from unnest($1::int[]) with ordinality as values(v, n)`,
    [values],
  )
  await pool.query(
    `insert into ${table('pending')} (tenant_id, leaderboard, run, group_key, ${PLACE}, delta)
      select tenant_id, leaderboard, run, group_key, ${PLACE}, 1 from ${table('entries')} where random() < 0.05`,
  )
  // Of somebody who has left, and of somebody who came and went.
  await pool.query(`insert into ${table('pending')} (tenant_id, leaderboard, run, group_key, ${PLACE}, delta)
    values (${OF_GROUP}, -5, 3, 'gone', -1), (${OF_GROUP}, -2, 3, 'passing', 1), (${OF_GROUP}, -2, 3, 'passing', -1)`)
  for (const [level, count] of [[1, blocks] as const, [2, outer] as const]) {
    const from = level === 1 ? table('entries') : `(select * from ${table('blocks')} where level = 1) b`
    await pool.query(
      `insert into ${table('blocks')} (tenant_id, leaderboard, run, group_key, level, ${PLACE}, count)
        select ${OF_GROUP}, ${level}, -1e308, ${Number.MIN_SAFE_INTEGER}, '', 0
        union all (select ${OF_GROUP}, ${level}, ${PLACE}, 0 from ${from}
          where user_id <> '' order by random() limit ${count - 1})`,
    )
  }
  const within = (alias: string): string => `(${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id) >=
    (w.minus_value, w.reached_at, w.user_id) and (${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id) <
    (w.next_value, w.next_at, w.next_user)`
  await pool.query(
    `update ${table('blocks')} b set count = (select count(*) from ${table('entries')} e where ${within('e')})
        - coalesce((select sum(p.delta) from ${table('pending')} p where ${within('p')}), 0)
      from (
        select *, lead(minus_value, 1, 'infinity') over o as next_value, lead(reached_at, 1, 0::bigint) over o as next_at,
            lead(user_id, 1, '') over o as next_user
          from ${table('blocks')} window o as (partition by level order by ${PLACE})
      ) w where b.level = w.level and (b.minus_value, b.reached_at, b.user_id) = (w.minus_value, w.reached_at, w.user_id)`,
  )
}

/** Has some blocks tidied, and some places where none begins. */
async function tidy(random: Random, most: number): Promise<void> {
  const rows =
    await query<object>(`(select ${PLACE} from ${table('blocks')} where level = 1 order by random() limit ${most})
    union all (select ${PLACE} from ${table('entries')} order by random() limit 2)`)
  const places = JSON.stringify(random.chance(0.5) ? rows : rows.toReversed())
  await pool.query(`select "${schema}".tidy_blocks(${OF_GROUP}, $1::jsonb)`, [places])
}

describe(`Blocks (seed ${SEED})`, () => {
  test.each([
    { entries: 3_000, blocks: 2, outer: 1 },
    { entries: 2_000, blocks: 700, outer: 1 },
    { entries: 2_000, blocks: 700, outer: 150 },
    { entries: 1_500, blocks: 30, outer: 12 },
    { entries: 40, blocks: 30, outer: 20 },
    { entries: 0, blocks: 1, outer: 1 },
  ])(
    'of $entries entries in $blocks blocks in $outer are tidied',
    async ({ entries, blocks, outer }) => {
      const random = createRandom(SEED)
      for (let round = 0; round < RUNS; round += 1) {
        await scatter(random, entries, blocks, outer)
        expect(await readCounts(query, schema)).toMatchObject({ faults: [], blocks: [blocks, outer] })
        for (let step = 0; step < 6; step += 1) {
          await tidy(random, random.whole(1, 5))
          expect((await readCounts(query, schema)).faults).toEqual([])
        }
        for (let step = 0; step < 8; step += 1) await tidy(random, 1_000)
        const counts = await readCounts(query, schema)
        expect(counts.faults).toEqual([])
        expect(counts.largest).toBeLessThanOrEqual(96)
        // Neighbours of few entries are one.
        expect(counts.blocks[0]).toBeLessThanOrEqual(entries / 15 + 5)
        expect(counts.blocks[1]).toBeLessThanOrEqual((counts.blocks[0] ?? 0) / 20 + 3)
        // Asked about by the storage, which adds up what was left.
        const asked = (user: string): boolean => user.endsWith('77')
        await expectRanksOfEntries(storage, query, schema, { asked })
        for (let save = 0; (await readCounts(query, schema)).pending > 0; save += 1) {
          await enter(storage, { [`saved-${save}`]: { put: [row(3)], unlimited: [leaderboard] } })
        }
        expect((await readCounts(query, schema)).faults).toEqual([])
        await expectRanksOfEntries(storage, query, schema, { asked })
      }
    },
    600_000,
  )
})

test('A session that has tidied the last block of all first goes on to tidy those before it', async () => {
  const client = new pg.Client({ connectionString: databaseUrl() })
  await client.connect()
  // The functions of a session keep their plans, and the types that these were made for.
  for (const seed of [1, 2, 3]) {
    await scatter(createRandom(seed), 40, 30, 30)
    const rows = await query<object>(`select ${PLACE} from ${table('blocks')} where level = 1 order by ${PLACE}`)
    for (const place of rows.toReversed()) {
      await client.query(`select "${schema}".tidy_blocks(${OF_GROUP}, $1::jsonb)`, [JSON.stringify([place])])
    }
    expect((await readCounts(query, schema)).faults).toEqual([])
  }
  await client.end()
})

test('Who comes while a block is split is counted where it lies', async () => {
  await scatter(createRandom(1), 400, 1, 1)
  const blocker = new pg.Client({ connectionString: databaseUrl() })
  await blocker.connect()
  // Holds the save up when it has counted its entry, behind all others, and is about to count a user.
  await blocker.query(`begin; lock table "${schema}".counters in share mode`)
  const saving = storage.commit([{ tenant: '', user: 'last', lookups: [] }], (users) =>
    users.map((user) => {
      const leaderboards = { put: [row(-100)], remove: [] }
      return saveOf(user, { leaderboards, unlimited: [leaderboard], counted: [{ kind: 'users', key: '', by: 1 }] })
    }),
  )
  await sleep(200)
  const first = JSON.stringify([{ minus_value: -1e308, reached_at: Number.MIN_SAFE_INTEGER, user_id: '' }])
  const tidying = pool.query(`select "${schema}".tidy_blocks(${OF_GROUP}, $1::jsonb)`, [first])
  await sleep(200)
  await blocker.query('commit')
  await blocker.end()
  await Promise.all([saving, tidying])
  const counts = await readCounts(query, schema)
  expect(counts.faults).toEqual([])
  expect(counts.blocks[0]).toBeGreaterThan(1)
})
