import { afterAll, expect, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { joined, type Writer } from './writer.ts'

const world = useWorld()
afterAll(() => checkFold(world().storage))

/** Slots of counters that a batch has not added up yet. */
const PENDING = 16

async function pendingRows(): Promise<number> {
  const { pool, schema } = world()
  const text = `select count(*)::int as count from "${schema}".counters where slot >= ${PENDING}`
  return (await pool.query<{ count: number }>(text)).rows[0]?.count ?? -1
}

/** Has batches add up everything that waits; each counts a new user, and takes a hundred rows. */
async function foldAll(): Promise<void> {
  while ((await pendingRows()) > 0) await world().engine.users.create({ id: world().nextUser() })
}

/** What everybody is told of all users together. */
async function seen(): Promise<unknown> {
  const { engine } = world()
  const [achievements, levels] = await Promise.all([engine.achievements.all(), engine.points.levelSummary('xp')])
  return {
    completions: Object.fromEntries(achievements.map(({ key, completions }) => [key, completions])),
    rarity: Object.fromEntries(achievements.map(({ key, rarity }) => [key, rarity])),
    levels: Object.fromEntries(levels.map(({ level, users }) => [level.key, users])),
  }
}

async function inTransaction(end: 'commit' | 'rollback', work: (writer: Writer) => Promise<unknown>): Promise<void> {
  const { engine, pool } = world()
  const opened = await beginPg(pool)
  await work(joined(engine, opened.tx))
  await opened[end]()
}

test('count what a transaction did from its COMMIT on, before and after a batch has added it up', async () => {
  const { engine, nextUser, pool } = world()
  const [ann, bob, cid] = [nextUser(), nextUser(), nextUser()]
  await engine.users.create({ id: cid })
  const none = await seen()
  expect(none).toMatchObject({
    completions: { hundred: 0, joined: 0, both: 0 },
    rarity: { hundred: 0 },
    levels: { bronze: 1, silver: 0, gold: 0 },
  })

  await inTransaction('rollback', (writer) => both(writer))
  expect(await seen()).toEqual(none)
  expect(await pendingRows()).toBe(0)

  const opened = await beginPg(pool)
  await both(joined(engine, opened.tx))
  expect(await seen()).toEqual(none)
  await opened.commit()
  const counted = {
    completions: { hundred: 1, joined: 2, both: 1, first: 1 },
    levels: { bronze: 2, silver: 0, gold: 1 },
  }
  expect(await seen()).toMatchObject({ ...counted, rarity: { hundred: 33.33, joined: 66.67 } })
  expect(await pendingRows()).toBeGreaterThan(0)

  // This batch counts one more completion, and adds up what waited.
  await engine.achievements.complete('joined', { user: { id: cid } })
  expect(await pendingRows()).toBe(0)
  expect(await seen()).toMatchObject({ ...counted, completions: { ...counted.completions, joined: 3 } })

  async function both(writer: Writer): Promise<void> {
    await writer.metrics.event('words', { user: { id: ann }, value: 100 })
    await writer.achievements.complete('joined', { user: { id: ann } })
    await writer.achievements.complete('joined', { user: { id: bob } })
  }
})

test('are taken back where a user leaves a level', async () => {
  const { engine, nextUser } = world()
  const id = nextUser()
  await engine.metrics.event('words', { user: { id }, value: 100 })
  const before = await seen()
  // 80 points, less 60.
  await inTransaction('commit', async ({ metrics }) => metrics.event('hints', { user: { id }, value: 4 }))
  const { levels } = before as { levels: { bronze: number; silver: number; gold: number } }
  const after = { levels: { bronze: levels.bronze + 1, silver: levels.silver, gold: levels.gold - 1 } }
  expect(await seen()).toMatchObject(after)
  await engine.achievements.complete('joined', { user: { id } })
  expect(await pendingRows()).toBe(0)
  expect(await seen()).toMatchObject(after)
})

test('are right while hundreds of rows wait, and after each batch that adds up some', async () => {
  const { storage, nextUser } = world()
  await inTransaction('commit', async ({ users, achievements }) => {
    for (let made = 0; made < 60; made += 1) {
      const id = nextUser()
      await users.create({ id })
      await achievements.complete('joined', { user: { id } })
    }
  })
  let pending = await pendingRows()
  expect(pending).toBe(180)
  while (pending > 0) {
    await world().engine.users.create({ id: nextUser() })
    const left = await pendingRows()
    expect(left).toBe(Math.max(0, pending - 100))
    pending = left
    await checkFold(storage)
  }
})

test('are added up by one process alone, while others do so and transactions go on', async () => {
  const { engine, storage, nextUser, another, pool } = world()
  const other = await another()
  const open = await beginPg(pool)
  await joined(engine, open.tx).achievements.complete('joined', { user: { id: nextUser() } })
  const work = Array.from({ length: 40 }, async (_, index) => {
    const user = { id: nextUser() }
    const complete = async ({ achievements }: Pick<Writer, 'achievements'>) => achievements.complete('joined', { user })
    if (index % 4 === 0) await complete(engine)
    else if (index % 4 === 1) await complete(other)
    else await inTransaction(index % 8 === 2 ? 'rollback' : 'commit', complete)
  })
  await Promise.all(work)
  await checkFold(storage)
  await open.commit()
  await checkFold(storage)
  await foldAll()
  await checkFold(storage)
})
