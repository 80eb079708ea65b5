import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { loadBlockGroups } from '../../../src/sql/audit.ts'
import { removeOne, saveOf } from '../../../src/testing/storage/case.ts'
import { eventOf } from '../../../src/testing/storage/samples.ts'

const NOON = 1_772_366_400_000
const RUN = '2026-01-01 0f3c5a7e'

interface Block {
  readonly minus_value: number
  readonly reached_at: number
  readonly user_id: string
  readonly count: number
}

/** The users with these points, all since noon, in blocks that begin with some of them. */
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
  database.exec(`delete from laurels_leaderboard_blocks where user_id <> ''`)
  database.prepare('update laurels_leaderboard_blocks set count = ?').run(total - held)
  const insert = database.prepare(
    `insert into laurels_leaderboard_blocks (tenant_id, leaderboard, run, group_key, minus_value, reached_at, user_id, count)
      values ('', 'all', ?, '', ?, ?, ?, ?)`,
  )
  for (const [user, count] of starts) insert.run(RUN, -(values[user] ?? 0), NOON, user, count)
  return {
    remove: async (user) => {
      await removeOne(storage, { tenant: '', user })
      for (const group of await loadBlockGroups(storage)) expect(await storage.auditBlocks(group)).toEqual([])
      return database
        .prepare<[], Block>('select * from laurels_leaderboard_blocks order by minus_value, reached_at, user_id')
        .all()
    },
  }
}

const MANY = Object.fromEntries(
  Array.from({ length: 900 }, (_, index) => [`u${String(index).padStart(3, '0')}`, 1_000 - index]),
)

test('a block that begins with a user who goes is made again, together with the one before it', async () => {
  const { remove } = await withBlocks(MANY, [
    ['u400', 400],
    ['u800', 100],
  ])
  const blocks = await remove('u400')
  expect(blocks.map(({ user_id, count }) => [user_id, count])).toEqual([
    ['', 267],
    ['u267', 267],
    ['u535', 265],
    ['u800', 100],
  ])
})

test('the last block that begins with a user who goes is made again too', async () => {
  const { remove } = await withBlocks(MANY, [['u800', 100]])
  const blocks = await remove('u800')
  expect(blocks.map(({ user_id }) => user_id)).not.toContain('u800')
  expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(899)
})
