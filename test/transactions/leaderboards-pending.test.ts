// @heavy: It takes more than three seconds.
// Pending changes of hosts' transactions, which later saves add up, while leaderboards grow, shrink and are counted
// again.

import { afterAll, expect, test } from 'vitest'
import { createRandom, type Random } from '../crash/random.ts'
import { checkFold } from '../support/check-fold.ts'
import { times } from '../support/places.ts'
import { seedOfRun } from '../support/zones.ts'
import { BOARDS } from './leaderboards-game.ts'
import { boardsOf } from './leaderboards-world.ts'
import { beginPg, type Opened } from './postgres-hosts.ts'
import { useWorld, waitForWaiters } from './postgres-world.ts'
import { joined, type Writer } from './writer.ts'

const SOAK = process.env.SOAK !== undefined
const SEED = seedOfRun()
const STEPS = SOAK ? 600 : 25
const USERS = SOAK ? 2_000 : 300
const MOST_OPEN = 3

const world = useWorld(BOARDS)
afterAll(() => checkFold(world().storage))

const event = (id: string, value: number, country?: string) => {
  const attributes = country === undefined ? {} : { attributes: { country } }
  return ['words', { user: { id, ...attributes }, value }] as const
}

const rank = async (id: string, board = 'country') => (await world().engine.users.leaderboard(id, board)).rank

test('a user who is deleted while another save adds up what was left of that user is taken from the counts once', async () => {
  const { engine, pool, schema, nextUser, another } = world()
  const boards = boardsOf(world())
  const [ann, bob, cid] = [nextUser(), nextUser(), nextUser()]
  await engine.metrics.event(...event(bob, 7, 'se'))
  await boards.addUp()
  const opened = await beginPg(pool)
  await joined(engine, opened.tx).metrics.event(...event(ann, 8, 'se'))
  await opened.commit()
  expect((await boards.counts()).pending).toBe(2)

  const other = await another()
  await other.users.singleMetric(bob, 'words')
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from "${schema}".counters for update`)
    // It has added up what was left of ann, and waits before it commits.
    const saved = engine.metrics.event(...event(cid, 9, 'se'))
    await waitForWaiters(world(), 1)
    const deleted = other.users.delete(ann)
    await waitForWaiters(world(), 2)
    await holder.query('commit')
    await Promise.all([saved, deleted])
  } finally {
    holder.release(true)
  }
  expect((await boards.check()).pending).toBe(0)
  expect([await rank(cid), await rank(bob)]).toEqual([1, 2])
})

interface OpenTransaction {
  readonly opened: Opened
  readonly writer: Writer
  readonly users: Set<string>
}

/** A user that no other transaction holds, so that no transaction waits. */
function freeUser(random: Random, others: readonly OpenTransaction[]): string {
  for (;;) {
    const id = random.chance(0.1) ? 'hot' : `free-${random.whole(0, USERS)}`
    if (!others.some(({ users }) => users.has(id))) return id
  }
}

function planEvent(random: Random, id: string) {
  const country = random.chance(0.2) ? ['es', 'fr', 'pt'][random.whole(0, 2)] : undefined
  return event(id, random.whole(-4, 12) || 1, country)
}

test(`${STEPS} steps of batches and transactions leave every count exact (seed ${SEED})`, async () => {
  const { engine, pool, another } = world()
  const boards = boardsOf(world())
  const engines = [engine, await another()]
  const random = createRandom(SEED)
  const opens: OpenTransaction[] = []
  let most = 0
  const enough = STEPS > 100 ? 11 : 3
  // By its seed a short run may see few of them: then it continues.
  for (let step = 0; step < STEPS || (most < enough && step < 10 * STEPS); step += 1) {
    const kind = random.next()
    if (kind < 0.4) {
      const events = times(random.whole(1, 120), () => planEvent(random, freeUser(random, opens)))
      await Promise.all(events.map((each) => engines[random.whole(0, 1)]?.metrics.event(...each)))
    } else if (kind < 0.75 || opens.length === 0) {
      if (opens.length < MOST_OPEN) {
        const opened = await beginPg(pool)
        opens.push({ opened, writer: joined(engine, opened.tx), users: new Set() })
      }
      const own = opens[random.whole(0, opens.length - 1)] as OpenTransaction
      for (let count = random.whole(1, 15); count > 0; count -= 1) {
        const id = freeUser(
          random,
          opens.filter((each) => each !== own),
        )
        own.users.add(id)
        await own.writer.metrics.event(...planEvent(random, id))
      }
    } else {
      const [{ opened }] = opens.splice(random.whole(0, opens.length - 1), 1) as [OpenTransaction]
      await (random.chance(0.3) ? opened.rollback() : opened.commit())
    }
    const { pending } = step % 10 === 0 ? await boards.check() : await boards.counts()
    most = Math.max(most, pending)
  }
  for (const { opened } of opens) await opened.commit()
  await boards.check()
  await boards.addUp()
  expect(await boards.check()).toMatchObject({ pending: 0 })
  // Otherwise nothing was tried.
  expect(most).toBeGreaterThanOrEqual(enough)
}, 600_000)
