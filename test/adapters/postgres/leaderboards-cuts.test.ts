// The connection is cut around saves of leaderboards without a limit. SOAK=1: 600 times.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame, type Gamification, type Storage } from '../../../src/index.ts'
import { createRandom, type Random, seedOfSoak } from '../../crash/random.ts'
import { checkFold } from '../../support/check-fold.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { readCounts } from './leaderboards-counts.ts'
import { boardsGame, TOP } from './leaderboards-game.ts'
import { expectSumsOfLog } from './leaderboards-log.ts'
import { expectRanksOfEntries } from './leaderboards-ranks.ts'
import { isSave } from './processes.ts'
import { type Fate, type PostgresProxy, startProxy } from './proxy.ts'

const SOAK = process.env.SOAK === '1'
const SEED = seedOfSoak(7)
const CUTS = SOAK ? 300 : 8
const BREAKS: readonly Fate[] = ['neverSent', 'halfSent', 'sent', 'sentLate', 'halfAnswered', 'answerLost', 'shutDown']

type Engine = Gamification<DefinedGame>

const nextSchema = useEmptySchemas()

interface World {
  readonly schema: string
  readonly proxy: PostgresProxy
  readonly direct: Storage
  readonly pool: pg.Pool
  now: number
  /** On a storage behind the proxy unless another is given. */
  open(storage?: Storage): Promise<Engine>
}

async function useWorld(): Promise<World> {
  const schema = nextSchema()
  const proxy = await startProxy(databaseUrl())
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 3 })
  const engines: Engine[] = []
  const world: World = {
    schema,
    proxy,
    pool,
    direct: postgres(databaseUrl(), { schema }),
    now: Date.parse(NOON),
    open: async (storage = postgres(proxy.url, { schema, deadlineMs: 20_000 })) => {
      const clock = () => new Date(world.now)
      const engine = createGamification<DefinedGame>({ game: boardsGame, storage, clock })
      engines.push(engine)
      await engine.migrate()
      await engine.streaks.list([])
      return engine
    },
  }
  onTestFinished(async () => {
    proxy.choose(() => 'passes')
    for (const engine of engines) await engine.close()
    await world.direct.close()
    await pool.end()
    await proxy.close()
  })
  return world
}

function planEvents(random: Random): readonly Parameters<Engine['metrics']['event']>[1][] {
  return times(random.whole(1, 25), () => {
    const id = random.chance(0.1) ? 'hot' : `user-${random.whole(0, 60)}`
    const attributes = { country: `c${random.whole(0, 1)}` }
    return { user: { id, ...(random.chance(0.2) ? { attributes } : {}) }, value: random.whole(-2, 5) || 0.125 }
  })
}

/** Breaks the first save, and some of what is asked after it. */
function cutNext({ proxy }: World, random: Random): { readonly fates: readonly Fate[]; hasBegun(): boolean } {
  const pick = (): Fate => BREAKS[random.whole(0, BREAKS.length - 1)] ?? 'passes'
  const fates = [pick()]
  while (fates.length < 5 && random.chance(0.5)) fates.push(random.chance(0.3) ? 'passes' : pick())
  const planned = [...fates]
  let hasBegun = false
  proxy.choose((question) => {
    hasBegun ||= isSave(question)
    return (hasBegun ? planned.shift() : null) ?? 'passes'
  })
  return { fates, hasBegun: () => hasBegun }
}

async function expectExactCounts({ pool, schema }: World, what: unknown): Promise<void> {
  const { faults } = await readCounts(async (text) => (await pool.query(text)).rows, schema)
  expect([what, faults]).toEqual([what, []])
}

async function expectWhole(world: World): Promise<void> {
  const { direct, pool, schema, proxy } = world
  proxy.choose(() => 'passes')
  await proxy.quiet()
  await expectExactCounts(world, 'at the end')
  await expectSumsOfLog(direct)
  await expectRanksOfEntries(direct, async (text) => (await pool.query(text)).rows, schema, { limits: { top: TOP } })
  await checkFold(direct)
}

test(`the ranks of ${CUTS} batches that are cut off are those of memory (seed ${SEED})`, async () => {
  const world = await useWorld()
  const [engine, reference] = [await world.open(), await world.open(memory())]
  const random = createRandom(SEED)
  for (let cut = 0; cut < CUTS; cut += 1) {
    world.now += 1_000
    const events = planEvents(random)
    const told = async ({ metrics }: Engine) =>
      (await Promise.all(events.map((event) => metrics.event('words', event)))).map(({ total, leaderboards }) => {
        return { total, leaderboards }
      })
    const { fates, hasBegun } = cutNext(world, random)
    const actual = await told(engine)
    expect([cut, fates, hasBegun()]).toEqual([cut, fates, true])
    expect([cut, fates, actual]).toEqual([cut, fates, await told(reference)])
    world.proxy.choose(() => 'passes')
    await expectExactCounts(world, [cut, fates])
  }
  await expectWhole(world)
}, 600_000)

test(`${CUTS} times two processes that are cut off count every entry once (seed ${SEED})`, async () => {
  const world = await useWorld()
  const engines = [await world.open(), await world.open()]
  const random = createRandom(SEED + 1)
  let events = 0
  for (let cut = 0; cut < CUTS; cut += 1) {
    world.now += 1_000
    const { fates } = cutNext(world, random)
    const calls = engines.flatMap(({ metrics }) => planEvents(random).map((event) => metrics.event('words', event)))
    const answers = await Promise.all(calls)
    events += answers.length
    for (const { all, top } of answers.map(({ leaderboards }) => leaderboards)) {
      expect([cut, fates, all?.threshold, top?.rank ?? 0]).toEqual([
        cut,
        fates,
        0,
        expect.toSatisfy((rank) => rank <= TOP),
      ])
      expect(all?.rank).toBeGreaterThan(0)
    }
    world.proxy.choose(() => 'passes')
    await expectExactCounts(world, [cut, fates])
  }
  await expectWhole(world)
  const { rows } = await world.pool.query(
    `select count(*)::int as events from "${world.schema}".log where metric = 'words'`,
  )
  expect(rows).toEqual([{ events }])
}, 600_000)
