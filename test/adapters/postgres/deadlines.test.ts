// @heavy: It takes more than three seconds.
// @early: It takes long for its size.
// A call is answered by its deadline, however many wait with it and whatever the database does not answer.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { loadGames } from '../../../src/sql/games.ts'
import { createBare } from '../../http/bare.ts'
import { limit } from '../../support/busy-machine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { isFence, isSave } from './processes.ts'
import type { Question } from './proxy.ts'
import { codeOf, expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { createEngine, type Engine, useWorld, type World } from './world.ts'

const DEADLINE_MS = 1_000
const CALLS = 1_000
const USERS = 200
/** One batch, and on a slow machine a few of those who came a moment later and have a moment more. */
const MOST_SENT = 4 * 64

const nextEmptySchema = useEmptySchemas()

interface Answered {
  readonly calls: readonly Told[]
  /** Until the last was answered. */
  readonly lastMs: number
}

/** As many calls at once, of users that are known and of users that are not. */
async function callAll(engine: Engine): Promise<Answered> {
  const start = performance.now()
  const calls = await Promise.all(times(CALLS, (index) => tell(engine, { user: `user ${index % USERS}` })))
  return { calls, lastMs: performance.now() - start }
}

async function open(): Promise<{ readonly world: World; readonly engine: Engine }> {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open({ deadlineMs: DEADLINE_MS })
  for (const user of times(50, (index) => `user ${index}`)) {
    await expect.poll(async () => (await tell(engine, { user })).outcome, { timeout: 20_000 }).toBe('stored')
  }
  return { world, engine }
}

/** The rows that were stored long after, when every late statement has arrived. */
async function expectNothingLater(world: World, { calls }: Answered): Promise<void> {
  world.proxy.accept('openly')
  world.proxy.choose(() => 'passes')
  world.proxy.breakAll()
  await world.proxy.quiet()
  await sleep(500)
  await expectTruth(world, calls)
}

const isAsked =
  (...kinds: readonly ((question: Pick<Question, 'text'>) => boolean)[]) =>
  (question: Pick<Question, 'text'>): boolean =>
    kinds.some((is) => is(question))

describe('the last of 1,000 calls at once is answered soon after the deadline of one second, and truly', () => {
  test('when the connection is refused', async () => {
    const { world, engine } = await open()
    world.proxy.accept('never')
    world.proxy.breakAll()
    const answered = await callAll(engine)
    expect(new Set(outcomesOf(answered.calls))).toEqual(new Set(['unavailable']))
    expect(answered.lastMs).toBeLessThan(limit(2_500))
    await expectNothingLater(world, answered)
  })

  test('when nothing is answered', async () => {
    const { world, engine } = await open()
    world.proxy.choose(() => 'silence')
    const answered = await callAll(engine)
    expect(answered.lastMs).toBeLessThan(limit(2_500))
    // Only what was sent may be unknown.
    expect(outcomesOf(answered.calls).filter((outcome) => outcome !== 'unavailable').length).toBeLessThanOrEqual(
      MOST_SENT,
    )
    await expectNothingLater(world, answered)
  })

  test('when the users are locked as a table', async () => {
    const { world, engine } = await open()
    const other = new pg.Client(databaseUrl())
    await other.connect()
    await other.query('begin')
    await other.query(`lock table "${world.schema}".users in access exclusive mode`)
    const answered = await callAll(engine)
    await other.end()
    expect(new Set(outcomesOf(answered.calls))).toEqual(new Set(['unavailable']))
    expect(answered.lastMs).toBeLessThan(limit(2_500))
    await expectNothingLater(world, answered)
  })

  test('when saves and fences are not answered, and loads are', async () => {
    const { world, engine } = await open()
    const isSilent = isAsked(isSave, isFence)
    world.proxy.choose((question) => (isSilent(question) ? 'silence' : 'passes'))
    const answered = await callAll(engine)
    expect(answered.lastMs).toBeLessThan(limit(2_500))
    const counts = countsOf(answered)
    expect(counts.outcome_unknown).toBeLessThanOrEqual(MOST_SENT)
    expect(counts.unavailable).toBe(CALLS - (counts.outcome_unknown ?? 0))
    await expectNothingLater(world, answered)
  })

  test.each(['silentAnswer', 'silence'] as const)('when only saves are not answered (%s)', async (fate) => {
    const { world, engine } = await open()
    world.proxy.choose((question) => (isSave(question) ? fate : 'passes'))
    const answered = await callAll(engine)
    expect(answered.lastMs).toBeLessThan(limit(2_500))
    const counts = countsOf(answered)
    // Settled by a fence: what had arrived is stored, what had not never will be.
    expect(Object.keys(counts).filter((outcome) => !['stored', 'unavailable'].includes(outcome))).toEqual([])
    expect(counts.stored ?? 0).toBeLessThanOrEqual(MOST_SENT)
    if (fate === 'silence') expect(counts).toEqual({ unavailable: CALLS })
    await expectNothingLater(world, answered)
  })
})

function countsOf({ calls }: Answered): { [outcome: string]: number } {
  const counts: { [outcome: string]: number } = {}
  for (const outcome of outcomesOf(calls)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

describe('the steps of one call have one deadline', () => {
  test('late events, whose logs are read first and whose saves nobody answers', async () => {
    const { world, engine } = await open()
    world.proxy.choose((question) => (isSave(question) ? 'silence' : 'passes'))
    const start = performance.now()
    const calls = await Promise.all(times(100, (index) => tell(engine, { user: `user ${index % 50}`, daysAgo: 3 })))
    expect(performance.now() - start).toBeLessThan(limit(2_500))
    expect(new Set(outcomesOf(calls))).toEqual(new Set(['unavailable']))
    await expectNothingLater(world, { calls, lastMs: 0 })
  })

  test('a request over HTTP has one for the look-up of its key and for what it asks', async () => {
    const { world, engine } = await open()
    const { key } = await engine.adminKeys.create()
    const bare = createBare(engine)
    const headers = [['X-API-KEY', key]] as const
    const read = { method: 'GET', path: '/v1/users/user%200', headers }
    expect(await bare.ask(read)).toMatchObject({ status: 200 })
    world.proxy.choose(async ({ text }) => {
      if (!text.includes('api_keys')) return 'silence'
      await sleep(700)
      return 'passes'
    })
    const start = performance.now()
    expect(await bare.ask(read)).toMatchObject({ status: 503 })
    expect(performance.now() - start).toBeLessThan(limit(1_500))
  })

  test('migrate() has one for the tables and for the game', async () => {
    const { world } = await open()
    const storage = postgres(world.proxy.url, { schema: world.schema, deadlineMs: DEADLINE_MS })
    const other = createEngine(storage)
    onTestFinished(() => other.close())
    world.proxy.choose(async ({ text }) => {
      if (/from "[^"]*"."games"/.test(text)) return 'silence'
      if (text === 'commit') await sleep(700)
      return 'passes'
    })
    const start = performance.now()
    expect(await other.migrate().then(() => 'migrated', codeOf)).toBe('unavailable')
    expect(performance.now() - start).toBeLessThan(limit(1_500))
  })

  test('what migrate() finds pending has the time that it takes, and the game is stored after it', async () => {
    const { world } = await open()
    const schema = `${world.schema}_late`
    const storage = postgres(world.proxy.url, { schema, deadlineMs: DEADLINE_MS })
    const other = createEngine(storage)
    onTestFinished(async () => {
      await other.close()
      await world.query(`drop schema if exists "${schema}" cascade`)
    })
    world.proxy.choose(async ({ text }) => {
      if (/create table \S+\."(?:users|log)" /.test(text)) await sleep(DEADLINE_MS)
      return 'passes' as const
    })
    const start = performance.now()
    expect((await other.migrate()).applied).toEqual(['0001-schema'])
    expect(performance.now() - start).toBeGreaterThan(2 * DEADLINE_MS)
    expect((await loadGames(storage)).map(({ epoch }) => epoch)).toEqual([1])
  })

  test('migrate() waits for who migrates already as long as a call waits', async () => {
    const { world } = await open()
    const schema = `${world.schema}_locked`
    const storage = postgres(world.proxy.url, { schema, deadlineMs: DEADLINE_MS })
    onTestFinished(() => storage.close())
    const locker = new pg.Client({ connectionString: databaseUrl() })
    await locker.connect()
    onTestFinished(() => locker.end())
    await locker.query(`select pg_advisory_lock(hashtextextended('laurels ${schema}', 0))`)
    const start = performance.now()
    expect(await storage.migrate().then(() => 'migrated', codeOf)).toBe('unavailable')
    expect(performance.now() - start).toBeLessThan(limit(DEADLINE_MS + 1_000))
  })
})
