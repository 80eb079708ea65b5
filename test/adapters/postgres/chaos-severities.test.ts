// @heavy: It breaks connections to Postgres.
// A save that has committed, and is answered with an error all the same: only severity ERROR says that nothing was saved.

import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { times } from '../../support/places.ts'
import { useEmptySchemas } from '../../support/postgres.ts'
import { useHookedPool } from './hooked-pool.ts'
import { isFence, isSave } from './processes.ts'
import type { ServerError } from './protocol.ts'
import type { Question } from './proxy.ts'
import { codeOf, expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { type Engine, useWorld, type World } from './world.ts'

const nextEmptySchema = useEmptySchemas()
const USERS = times(6, (index) => `user-${index}`)
const CODES = ['53000', '53100', '53200', '58030', '58P01', 'XX000', '57P01'] as const

/** One event of each user at once. */
async function batch(engine: Engine, key: string | null = null): Promise<readonly Told[]> {
  return Promise.all(USERS.map((user) => tell(engine, key === null ? { user } : { user, key })))
}

/** The next question that fits is done, and answered with this. */
function answerNext({ proxy }: World, fits: (question: Pick<Question, 'text'>) => boolean, answeredBy: ServerError) {
  let isNext = true
  proxy.choose((question) => {
    if (!isNext || !fits(question)) return 'passes'
    isNext = false
    return { answeredBy }
  })
}

async function expectStoredOnce(world: World, calls: readonly Told[], lines: number): Promise<void> {
  expect(outcomesOf(calls)).toEqual(calls.map(() => 'stored'))
  const [row] = await world.query<{ lines: number; ids: number }>(
    'select count(*)::int as lines, count(distinct entry_id)::int as ids from laurels.log',
  )
  expect(row).toEqual({ lines, ids: lines })
}

describe.each(['PANIC', 'FATAL'] as const)('%s in place of the answer to a save that had committed', (severity) => {
  test('whatever the SQLSTATE: six events of a batch are stored once each, with keys and without', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const calls = [...(await batch(engine))]
    for (const code of CODES) {
      for (const keys of [null, `key-${code}`]) {
        answerNext(world, isSave, { severity, code })
        const told = await batch(engine, keys)
        calls.push(...told)
        await expectStoredOnce(world, told, calls.length)
        expect(told.map(({ isReplay }) => isReplay)).toEqual(times(6, () => false))
      }
    }
    expect((await engine.verify()).drift).toEqual([])
    await expectTruth(world, calls)
  })

  test('is outcome_unknown where the fence is not answered either, for all six', async () => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open({ deadlineMs: 300 })
    const first = await batch(engine)
    world.proxy.choose((question) => {
      if (isSave(question)) return { answeredBy: { severity, code: 'XX000' } }
      return isFence(question) ? 'neverSent' : 'passes'
    })
    const told = await batch(engine)
    expect(outcomesOf(told)).toEqual(times(6, () => 'outcome_unknown'))
    await expectTruth(world, [...first, ...told])
  })
})

// As servers say it in German, Polish, Russian and Italian.
const TRANSLATED = [
  ['PANIC', 'PANIK'],
  ['PANIC', 'ПАНИКА'],
  ['FATAL', 'KATASTROFALNY'],
  ['FATAL', 'FATALE'],
] as const

describe.each(['a url', 'a pool', 'a kysely instance'])('through %s', (source) => {
  async function openWorld(): Promise<{ readonly world: World; readonly engine: Engine }> {
    const world = await useWorld(nextEmptySchema())
    if (source === 'a url') return { world, engine: await world.open() }
    const pool = new pg.Pool({ connectionString: world.proxy.url, max: 4 })
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined))
    onTestFinished(() => pool.end())
    const host = source === 'a pool' ? pool : new Kysely({ dialect: new PostgresDialect({ pool }) })
    return { world, engine: await world.open({ storage: postgres(host as never, { schema: world.schema }) }) }
  }

  test.each(TRANSLATED)('%s is known for what it is where the server says %s', async (severity, local) => {
    const { world, engine } = await openWorld()
    const first = await batch(engine)
    answerNext(world, isSave, { severity, local, code: 'XX000' })
    const told = await batch(engine)
    await expectStoredOnce(world, told, 12)
    await expectTruth(world, [...first, ...told])
  })
})

test('a connection on which PANIC came is closed, not given back to the pool of the host', async () => {
  const world = await useWorld(nextEmptySchema())
  const { pool, real, hook } = useHookedPool({ max: 1 })
  const engine = await world.open({ storage: postgres(pool, { schema: world.schema }) })
  const calls = [await tell(engine, { user: 'ann' })]
  const removed: unknown[] = []
  real.on('remove', (client) => removed.push(client))
  let panics = 1
  hook(async (asked, run) => {
    const answer = await run()
    if (!isSave(asked) || panics-- <= 0) return answer
    throw Object.assign(new Error('could not write to file'), { severity: 'PANIC', code: 'XX000' })
  })
  calls.push(await tell(engine, { user: 'ann' }))
  expect([removed.length, real.totalCount]).toEqual([1, 1])
  await expectStoredOnce(world, calls, 2)
})

test("PANIC in a host's transaction is unavailable, and nothing of it is stored", async () => {
  const world = await useWorld(nextEmptySchema())
  const engine = await world.open()
  const client = new pg.Client(world.proxy.url)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  await client.query('begin')
  answerNext(world, isSave, { severity: 'PANIC', code: 'XX000' })
  const request = { user: { id: 'ann' }, value: 3 }
  const told = await engine.metrics.event('words', request, { tx: fromPg(client) }).then(() => 'stored', codeOf)
  expect(told).toBe('unavailable')
  expect(await world.query('select from laurels.log')).toEqual([])
})

test('an answer that cannot be read does not send the batch again', async () => {
  const world = await useWorld(nextEmptySchema())
  const { pool, hook } = useHookedPool()
  const engine = await world.open({ storage: postgres(pool, { schema: world.schema }) })
  const calls = [...(await batch(engine))]
  for (const rows of [[{ value: '{"stored":[0,' }], []]) {
    let isNext = true
    hook(async (asked, run) => {
      const answer = await run()
      if (!isSave(asked) || !isNext) return answer
      isNext = false
      return { rows }
    })
    calls.push(...(await batch(engine)))
  }
  expect(outcomesOf(calls)).toEqual([
    ...times(6, () => 'stored'),
    ...times(6, () => 'outcome_unknown'),
    ...times(6, () => 'stored'),
  ])
  await expectStoredOnce(world, [], 18)
  await expectTruth(world, calls)
})
