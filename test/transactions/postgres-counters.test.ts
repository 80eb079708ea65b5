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

/** The figures about all users together. */
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
