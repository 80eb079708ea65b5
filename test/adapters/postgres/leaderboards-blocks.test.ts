// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// Blocks of whatever sizes are made again until they are as they should be, and always count what lies in them.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { loadBlockGroups } from '../../../src/sql/audit.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { removeOne } from '../../../src/testing/storage/case.ts'
import { enter, KEY, row } from '../../../src/testing/storage/leaderboard-cases.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'
import { createRandom, type Random } from '../../crash/random.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { seedOfRun } from '../../support/zones.ts'
import { type Query, readCounts } from './leaderboards-counts.ts'
import { expectRanksOfEntries } from './leaderboards-ranks.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const RUNS = SOAK ? 60 : 1
const CHANGES = SOAK ? 10_000 : 2_000

const schema = useSchemas()()
const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
const query: Query = async (text) => (await pool.query(text)).rows
let storage: Storage
let other: Storage
beforeAll(async () => {
  storage = postgres(databaseUrl(), { schema })
  other = postgres(databaseUrl(), { schema })
  await storage.migrate()
})
afterAll(async () => {
  await storage.close()
  await other.close()
  await pool.end()
})

const table = (name: string): string => `"${schema}".leaderboard_${name}`
const { leaderboard, run, group } = KEY
const OF_GROUP = `'', '${leaderboard}', '${run}', '${group}'`
const PLACE = 'minus_value, reached_at, user_id'

async function clear(): Promise<void> {
  for (const name of ['entries', 'blocks', 'pending']) await pool.query(`delete from ${table(name)}`)
}

/** This many users with few values, in blocks of random sizes; a later save adds up some of the users. */
async function scatter(random: Random, entries: number, blocks: number): Promise<void> {
  await clear()
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
  // Changes of a user who has left, and of one who came and went.
  await pool.query(`insert into ${table('pending')} (tenant_id, leaderboard, run, group_key, ${PLACE}, delta)
    values (${OF_GROUP}, -5, 3, 'gone', -1), (${OF_GROUP}, -2, 3, 'passing', 1), (${OF_GROUP}, -2, 3, 'passing', -1)`)
  await pool.query(
    `insert into ${table('blocks')} (tenant_id, leaderboard, run, group_key, ${PLACE}, count)
      select ${OF_GROUP}, -1e308, ${Number.MIN_SAFE_INTEGER}, '', 0
      union all (select ${OF_GROUP}, ${PLACE}, 0 from ${table('entries')} order by random() limit ${blocks - 1})`,
  )
  const within = (alias: string): string => `(${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id) >=
    (w.minus_value, w.reached_at, w.user_id) and (${alias}.minus_value, ${alias}.reached_at, ${alias}.user_id) <
    (w.next_value, w.next_at, w.next_user)`
  await pool.query(
    `update ${table('blocks')} b set count = (select count(*) from ${table('entries')} e where ${within('e')})
        - coalesce((select sum(p.delta) from ${table('pending')} p where ${within('p')}), 0)
      from (
        select *, lead(minus_value, 1, 'infinity') over o as next_value, lead(reached_at, 1, 0::bigint) over o as next_at,
            lead(user_id, 1, '') over o as next_user
          from ${table('blocks')} window o as (order by ${PLACE})
      ) w where (b.minus_value, b.reached_at, b.user_id) = (w.minus_value, w.reached_at, w.user_id)`,
  )
}

/** Has some blocks made again if need be, and some places if none begins. */
async function settle(most: number): Promise<void> {
  await pool.query(
    `select "${schema}".settle_block(${OF_GROUP}, ${PLACE}, false) from (
      (select ${PLACE} from ${table('blocks')} order by random() limit ${most})
      union all (select ${PLACE} from ${table('entries')} order by random() limit 2)
    ) places`,
  )
}

const asked = (user: string): boolean => user.endsWith('77')

describe(`Blocks (seed ${SEED})`, () => {
  test.each([
    { entries: 3_000, blocks: 2 },
    { entries: 2_000, blocks: 700 },
    { entries: 1_500, blocks: 30 },
    { entries: 40, blocks: 30 },
    { entries: 0, blocks: 1 },
  ])(
    'of $entries entries in $blocks blocks are made again',
    async ({ entries, blocks }) => {
      const random = createRandom(SEED)
      for (let round = 0; round < RUNS; round += 1) {
        await scatter(random, entries, blocks)
        expect(await readCounts(query, schema)).toMatchObject({ faults: [], blocks })
        for (let step = 0; step < 6; step += 1) {
          await settle(random.whole(1, 5))
          expect((await readCounts(query, schema)).faults).toEqual([])
        }
        for (let step = 0; step < 8; step += 1) await settle(1_000)
        const counts = await readCounts(query, schema)
        expect(counts.faults).toEqual([])
        expect(counts.largest).toBeLessThanOrEqual(512)
        // Neighbours of few entries are one.
        expect(counts.blocks).toBeLessThanOrEqual(entries / 100 + 2)
        // Asked about by the storage, which adds up what was left.
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

  test(`${CHANGES} changes of two writers in several groups, with removals, lead to the ranks of a plain sort`, async () => {
    await clear()
    const groups = ['', '[["country","es"]]', '[["country","fr"]]']
    const remove = async (by: Storage, user: string): Promise<void> => void (await removeOne(by, { tenant: '', user }))
    const write = async (by: Storage, number: number): Promise<void> => {
      const random = createRandom(SEED + number)
      for (let done = 0; done < CHANGES / 2; ) {
        const users = new Set(times(random.whole(1, 64), () => `user-${number}-${random.whole(0, 1_500)}`))
        const place = (): ReturnType<typeof row> => {
          const changes = { reachedAt: NOON + random.whole(0, 3), group: groups[random.whole(0, 30)] ?? '' }
          // They go up by and by, as scores do.
          return row(random.whole(0, 9) + Math.floor(done / 200), changes)
        }
        await enter(
          by,
          Object.fromEntries([...users].map((user) => [user, { put: [place()], unlimited: [leaderboard] }])),
        )
        if (random.chance(0.3)) await remove(by, `user-${number}-${random.whole(0, 1_500)}`)
        done += users.size
      }
    }
    await Promise.all([write(storage, 1), write(other, 2)])
    const counts = await readCounts(query, schema)
    expect(counts).toMatchObject({ faults: [], pending: 0 })
    expect(counts.largest).toBeLessThanOrEqual(512)
    for (const group of await loadBlockGroups(storage)) expect(await storage.auditBlocks(group)).toEqual([])
    await expectRanksOfEntries(storage, query, schema, { asked: (user) => user.endsWith('7') })

    const users = await query<{ user: string }>(`select user_id as user from ${table('entries')}`)
    const halves = [users.slice(0, users.length / 2), users.slice(users.length / 2)]
    const removeAll = async (by: Storage, half = 0): Promise<void> => {
      for (const { user } of halves[half] ?? []) await remove(by, user)
    }
    if (SOAK) await Promise.all([removeAll(storage, 0), removeAll(other, 1)])
    else for (const { user } of users.slice(0, 200)) await remove(storage, user)
    expect((await readCounts(query, schema)).faults).toEqual([])
    if (SOAK) expect(await loadBlockGroups(storage)).toEqual([])
  }, 600_000)
})
