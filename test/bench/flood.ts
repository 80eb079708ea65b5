import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { FLOODER, game } from './game.ts'
import { ask, check, compiled, env, IN_PROCESS, start, stop, type Target } from './http.ts'
import type { LoadResult } from './http-load.ts'
import { type Measured, median, type Row, table } from './measure.ts'
import { DURABLE } from './postgres.ts'
import { SCHEMAS } from './postgres-contestants.ts'
import { createSchema, dropSchemas } from './postgres-schemas.ts'
import { seedUsers } from './seed.ts'

export interface FloodBenchOptions {
  readonly users: number
  /** How many others there are, each waiting for an answer before the next event. */
  readonly callers: readonly number[]
  /** On how many connections, or by how many calls at once, the one user sends. */
  readonly flood: readonly number[]
  readonly rounds: number
  /** Of each measurement in each round. */
  readonly seconds: number
}

const DAY = 86_400_000
const SERVER = 'laurels-express'
const HEAD = ['', 'others', 'flood', 'p50 ms without', 'p50 ms with', 'times', 'p99 ms without', 'p99 ms with']

/** What others wait for their events while one user, over HTTP with one application key, sends all it can. */
export async function benchFlood(
  folder: string,
  options: FloodBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const yesterday = Date.now() - DAY
  const file = join(folder, 'flood.db')
  const engine = createGamification({ game, storage: sqlite(file) })
  await engine.migrate()
  await engine.close()
  seedUsers(file, options.users, yesterday)

  const given = process.env.BENCH_DATABASE_URL
  const database = given === undefined ? await startPostgres(DURABLE) : null
  const url = database?.url ?? given ?? ''
  const rows: Row[] = []
  try {
    await dropSchemas(url, [SCHEMAS.library])
    await createSchema(url, SCHEMAS.library, options.users, yesterday)
    for (const [storage, place] of [
      ['SQLite', file],
      ['Postgres', url],
    ] as const) {
      rows.push(...(await measureServer(`${storage}, in-process`, IN_PROCESS, place, options)))
      rows.push(...(await measureServer(`${storage}, Express`, SERVER, place, options)))
    }
  } finally {
    await dropSchemas(url, [SCHEMAS.library])
    await database?.stop()
  }
  print(table(`One user's flood, ${options.users} users`, HEAD, rows))
}

async function measureServer(
  title: string,
  name: string,
  place: string,
  { users, callers, flood, rounds, seconds }: FloodBenchOptions,
): Promise<readonly Row[]> {
  const target = await start(name, place, 'NORMAL')
  const generator = fork(compiled('./http-load.js'), { env })
  try {
    const rows: Row[] = []
    for (const others of callers) {
      for (const many of flood) {
        const without: Measured[] = []
        const beside: Measured[] = []
        // The first round warms up.
        for (let round = 0; round <= rounds; round += 1) {
          const common = { seconds, users, seed: others * 100 + round }
          const alone = await measureOthers(target, generator, others, 0, common)
          const flooded = await measureOthers(target, generator, others, many, common)
          if (round === 0) continue
          without.push(alone)
          beside.push(flooded)
        }
        const over = (measured: readonly Measured[], read: (one: Measured) => number): number =>
          median(measured.map(read))
        rows.push([
          title,
          others,
          many,
          over(without, ({ p50 }) => p50),
          over(beside, ({ p50 }) => p50),
          median(beside.map(({ p50 }, round) => p50 / (without[round]?.p50 ?? 0))),
          over(without, ({ p99 }) => p99),
          over(beside, ({ p99 }) => p99),
        ])
      }
    }
    return rows
  } finally {
    await Promise.all([stop(target.child), stop(generator)])
  }
}

async function measureOthers(
  { name, child, port, key, userKey }: Target,
  generator: ChildProcess,
  others: number,
  flood: number,
  common: { readonly seconds: number; readonly users: number; readonly seed: number },
): Promise<Measured> {
  if (name === IN_PROCESS) return ask<Measured>(child, { callers: others, flood, ...common })
  const loaded = await ask<LoadResult>(generator, {
    ...{ port, key, connections: others, ...common },
    ...(flood > 0 && { flood: { key: userKey, user: FLOODER, connections: flood } }),
  })
  check(name, loaded)
  return loaded
}
