// @heavy: It breaks connections to Postgres.
// Backends terminated and the server restarted while several callers write. SOAK=1: 20 and 5 times.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createRandom, seedOfSoak } from '../../crash/random.ts'
import { times } from '../../support/places.ts'
import { type RestartingServer, startRestartingServer } from './restarting-server.ts'
import { expectTruth, outcomesOf, type Told, tell } from './told.ts'
import { createWorld, type Engine } from './world.ts'

const SOAK = process.env.SOAK === '1'
const TERMINATIONS = SOAK ? 20 : 5
const RESTARTS = SOAK ? 5 : 2
const CALLERS = 12
const SEED = seedOfSoak(1)

let server: RestartingServer
beforeAll(async () => {
  server = await startRestartingServer()
}, 60_000)
afterAll(() => server.stop())

/** Callers that write one event after the other until they are stopped: every fifth user is new, one in 20 events late. */
function load(engines: readonly Engine[], seed: number): { readonly calls: readonly Told[]; stop(): Promise<void> } {
  const random = createRandom(seed)
  const calls: Told[] = []
  let isOver = false
  async function caller(number: number): Promise<void> {
    const engine = engines[number % engines.length] as Engine
    for (let count = 0; !isOver; count += 1) {
      const user = random.chance(0.05) ? `new ${number} ${count}` : `known ${random.whole(0, 9)}`
      const key = random.chance(0.5) ? { key: `${number}-${count}` } : {}
      const late = random.chance(0.05) ? { daysAgo: random.whole(1, 9) } : {}
      calls.push(await tell(engine, { user, ...key, ...late }))
    }
  }
  const callers = times(CALLERS, caller)
  return {
    calls,
    stop: async () => {
      isOver = true
      await Promise.all(callers)
    },
  }
}

async function openEngines(
  schema: string,
): Promise<{ readonly world: Awaited<ReturnType<typeof createWorld>>; readonly engines: readonly Engine[] }> {
  const world = await createWorld(schema, server.url)
  onTestFinished(() => world.close())
  // As two processes would have them: one with a pool of its own, one with that of the host.
  const pool = new pg.Pool({ connectionString: server.url, max: 4 })
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  const storages = [
    postgres(server.url, { schema, deadlineMs: 30_000 }),
    postgres(pool, { schema, deadlineMs: 30_000 }),
  ]
  return { world, engines: await Promise.all(storages.map((storage) => world.open({ storage }))) }
}

function ended(calls: readonly Told[]): { readonly [outcome: string]: number } {
  const counts: { [outcome: string]: number } = {}
  for (const outcome of outcomesOf(calls)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

test(`all backends terminated ${TERMINATIONS} times during load cost nobody an event (seed ${SEED})`, async () => {
  const { world, engines } = await openEngines('terminated')
  const random = createRandom(SEED)
  const { calls, stop } = load(engines, 1)
  let terminated = 0
  for (let time = 0; time < TERMINATIONS; time += 1) {
    await sleep(random.whole(50, 250))
    const rows = await world.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    terminated += rows.length
  }
  await sleep(100)
  await stop()
  process.stdout.write(`backends terminated: ${terminated}, events: ${JSON.stringify(ended(calls))}\n`)
  expect(ended(calls)).toEqual({ stored: calls.length })
  await expectTruth(world, calls)
}, 120_000)

test(`the server restarted ${RESTARTS} times during load costs nobody an event (seed ${SEED})`, async () => {
  const { world, engines } = await openEngines('restarted')
  const random = createRandom(SEED + 1)
  const { calls, stop } = load(engines, 2)
  for (let time = 0; time < RESTARTS; time += 1) {
    await sleep(random.whole(50, 250))
    await server.restart(time % 2 === 0 ? 'broken off' : 'in order')
  }
  await sleep(100)
  await stop()
  process.stdout.write(`server restarted: ${RESTARTS}, events: ${JSON.stringify(ended(calls))}\n`)
  expect(ended(calls)).toEqual({ stored: calls.length })
  await expectTruth(world, calls)
}, 120_000)
