// Groups that begin to be counted while others are in the middle of writing to them.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../src/index.ts'
import { NOON } from '../support/engine.ts'
import { databaseUrl } from '../support/postgres.ts'
import { boardsWith } from './leaderboards-game.ts'
import { boardsOf } from './leaderboards-world.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld, type World } from './postgres-world.ts'
import { settlesWithin } from './settled.ts'
import { joined } from './writer.ts'

const LIMIT = 1_000
/** An advisory lock of the test's own. */
const STOP = 20_260_310
const changing = useWorld(boardsWith(LIMIT))
const limited = useWorld(boardsWith(LIMIT))
const unlimited = useWorld(boardsWith(null))
const stopping = useWorld(boardsWith(null))

const deployed: Gamification<DefinedGame>[] = []
afterEach(async () => {
  for (const engine of deployed.splice(0)) await engine.close()
})

const event = (id: string, value: number, country: string) =>
  ['words', { user: { id, attributes: { country } }, value }] as const

let deploys = 0
/** Another process, with a game of its own. */
async function deploy({ schema }: World, limit: number | null): Promise<Gamification<DefinedGame>> {
  const storage = postgres(databaseUrl(), { schema })
  const { metrics, ...rest } = boardsWith(limit)
  // One that was deployed before would not be deployed again.
  deploys += 1
  const game = defineGame({ ...rest, metrics: { ...metrics, [`deploy-${deploys}`]: { name: 'A deploy' } } })
  const engine = createGamification<DefinedGame>({ game, storage, clock: () => new Date(NOON) })
  deployed.push(engine)
  await engine.migrate()
  return engine
}

test('a leaderboard that gets a limit, and loses it again, while transactions are open is counted right', async () => {
  const { pool, nextUser } = changing()
  const boards = boardsOf(changing())
  const first = await deploy(changing(), null)
  await first.metrics.event(...event(nextUser(), 5, 'before'))
  const opened = [await beginPg(pool), await beginPg(pool)]
  for (const { tx } of opened) {
    for (const country of ['before', 'between']) await joined(first, tx).metrics.event(...event(nextUser(), 7, country))
  }
  const second = await deploy(changing(), LIMIT)
  await second.metrics.event(...event(nextUser(), 6, 'before'))
  await second.metrics.event(...event(nextUser(), 6, 'between'))
  await opened[0]?.commit()
  await second.metrics.event(...event(nextUser(), 6, 'before'))
  const third = await deploy(changing(), null)
  for (const country of ['before', 'between']) await third.metrics.event(...event(nextUser(), 4, country))
  await boards.counts()
  await opened[1]?.commit()
  await boards.check()
  for (const country of ['before', 'between']) await third.metrics.event(...event(nextUser(), 3, country))
  expect(await boards.check()).toMatchObject({ pending: 0 })
})

test.skip('a leaderboard that loses its limit while a transaction is open counts what that did', async () => {
  const { engine, pool, nextUser } = limited()
  const [ann, bob] = [nextUser(), nextUser()]
  await engine.metrics.event(...event(ann, 10, 'left'))
  const opened = await beginPg(pool)
  // One comes, and one leaves.
  await joined(engine, opened.tx).metrics.event(...event(bob, 20, 'joined'))
  await joined(engine, opened.tx).metrics.event(...event(ann, 20, 'joined'))
  const next = await deploy(limited(), null)
  const others = Promise.all(['left', 'joined'].map((country) => next.metrics.event(...event(nextUser(), 5, country))))
  expect(await settlesWithin(4_000, others)).toBe(true)
  await opened.commit()
  await boardsOf(limited()).check()
})

test('who leaves a group that nobody has counted yet, just when another process counts it, is not counted', async () => {
  const { engine, pool, schema, nextUser, another } = unlimited()
  const other = await another()
  const [ann, bob, cid] = [nextUser(), nextUser(), nextUser()]
  await engine.metrics.event(...event(bob, 10, 'goal'))
  // First entries that come by a transaction do not make a group counted.
  const opened = await beginPg(pool)
  await joined(engine, opened.tx).metrics.event(...event(ann, 10, 'start'))
  await opened.commit()

  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query(`select from "${schema}".leaderboard_blocks where group_key like '%goal%' for update`)
  const moving = engine.metrics.event(...event(ann, 1, 'goal'))
  await sleep(300)
  const counting = other.metrics.event(...event(cid, 5, 'start'))
  await settlesWithin(300, counting)
  await blocker.query('commit')
  blocker.release()
  await Promise.all([moving, counting])
  await boardsOf(unlimited()).check()
})

test('a transaction that begins and ends while another process counts the group is counted later', async () => {
  const { engine, pool, schema, nextUser } = stopping()
  const other = await stopping().another()
  // Whoever makes blocks stops in the middle, until the test goes on.
  await pool.query(`create function "${schema}".stop() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${STOP}); return null; end'`)
  await pool.query(
    `create trigger stop after insert on "${schema}".leaderboard_blocks execute function "${schema}".stop()`,
  )
  const blocker = await pool.connect()
  await blocker.query(`begin; select pg_advisory_xact_lock(${STOP})`)
  const counting = other.metrics.event(...event(nextUser(), 5, 'stopped'))
  await sleep(300)
  const opened = await beginPg(pool)
  const inside = joined(engine, opened.tx).metrics.event(...event(nextUser(), 7, 'stopped'))
  expect(await settlesWithin(2_000, Promise.resolve(inside))).toBe(true)
  await opened.commit()
  await blocker.query('commit')
  blocker.release()
  await counting
  await boardsOf(stopping()).check()
  await other.metrics.event(...event(nextUser(), 3, 'stopped'))
  expect(await boardsOf(stopping()).check()).toMatchObject({ pending: 0 })
})
