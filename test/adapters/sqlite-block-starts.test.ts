import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { eventOf, saveOf } from '../../src/testing/storage/samples.ts'

const NOON = 1_772_366_400_000
const RUN = '2026-01-01 0f3c5a7e'

interface Block {
  readonly level: number
  readonly minus_value: number
  readonly reached_at: number
  readonly user_id: string
  readonly count: number
}

/** Who has these points, all since noon, with blocks of level 1 that begin with some of them. */
async function withBlocks(
  values: { readonly [user: string]: number },
  starts: readonly (readonly [user: string, count: number])[],
): Promise<{ remove(user: string): Promise<readonly Block[]> }> {
  const database = new Database(':memory:')
  const storage = sqlite(database)
  await storage.migrate()
  for (const [user, value] of Object.entries(values)) {
    const row = { leaderboard: 'all', run: RUN, group: '', value, reachedAt: NOON, until: null }
    await storage.commit([{ tenant: '', user, lookups: [] }], (users) =>
      users.map((loaded) =>
        saveOf(loaded, {
          appended: [eventOf(loaded, 1)],
          leaderboards: { put: [row], remove: [] },
          unlimited: ['all'],
        }),
      ),
    )
  }
  const total = Object.keys(values).length
  const held = starts.reduce((sum, [, count]) => sum + count, 0)
  database.prepare('update laurels_leaderboard_blocks set count = ? where level = 1').run(total - held)
  const insert = database.prepare(
    `insert into laurels_leaderboard_blocks (tenant_id, leaderboard, run, group_key, level, minus_value, reached_at, user_id, count)
      values ('', 'all', ?, '', 1, ?, ?, ?, ?)`,
  )
  for (const [user, count] of starts) insert.run(RUN, -(values[user] ?? 0), NOON, user, count)
  return {
    remove: async (user) => {
      await storage.removeUser({ tenant: '', user })
      for (const group of await storage.listBlockGroups()) expect(await storage.auditBlocks(group)).toEqual([])
      return database
        .prepare<[], Block>(
          'select * from laurels_leaderboard_blocks where level = 1 order by minus_value, reached_at, user_id',
        )
        .all()
    },
  }
}

const MANY = Object.fromEntries(
  Array.from({ length: 90 }, (_, index) => [`u${String(index).padStart(2, '0')}`, 100 - index]),
)

test('A block that begins with a user who goes begins just behind that place', async () => {
  const { remove } = await withBlocks(MANY, [['u40', 50]])
  const blocks = await remove('u40')
  expect(blocks.map(({ user_id, count }) => [user_id, count])).toEqual([
    ['', 40],
    ['', 49],
  ])
  expect(blocks[1]).toMatchObject({ minus_value: -60, reached_at: NOON + 1 })
})

test('Where somebody stands who has the same value and instant, it begins with them', async () => {
  const { remove } = await withBlocks({ ...MANY, u41: 60, u42: 60 }, [['u40', 50]])
  const blocks = await remove('u40')
  expect(blocks[1]).toMatchObject({ minus_value: -60, reached_at: NOON, user_id: 'u41', count: 49 })
})

test('Somebody before them who has the same value and instant stays in the block before', async () => {
  const { remove } = await withBlocks({ ...MANY, u39: 60 }, [['u40', 50]])
  const blocks = await remove('u40')
  expect(blocks.map(({ count }) => count)).toEqual([40, 49])
  expect(blocks[1]).toMatchObject({ minus_value: -60, reached_at: NOON + 1, user_id: '' })
})
