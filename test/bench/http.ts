import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification } from '../../src/index.ts'
import { game } from './game.ts'
import { compareAnswers } from './http-answers.ts'
import type { Load, LoadResult } from './http-load.ts'
import type { Calls, Ready } from './http-server.ts'
import { type Measured, median, type Row, table } from './measure.ts'
import { seedUsers } from './seed.ts'

export interface HttpBenchOptions {
  readonly modes: readonly Synchronous[]
  readonly users: number
  readonly connections: readonly number[]
  readonly rounds: number
  /** Of each server in each round. */
  readonly seconds: number
  /** Whether what the hand-written server needs is installed; else it is left out where that is not there. */
  readonly installs: boolean
}

type Synchronous = 'NORMAL' | 'FULL'

export interface Target extends Ready {
  readonly name: string
  readonly child: ChildProcess
}

interface Seeds {
  readonly library: string
  readonly byHand: string
}

const DAY = 86_400_000
export const BY_HAND = join('test', 'bench', 'by-hand')
export const IN_PROCESS = 'in-process'
/** What each server's framework takes for an empty route. */
const EMPTY: { readonly [name: string]: string } = {
  'laurels-node': 'empty-node',
  'laurels-express': 'empty-express',
  'laurels-fastify': 'empty-fastify',
  'laurels-fetch': 'empty-fetch',
  'by-hand': 'empty-express',
}
const TITLES: { readonly [name: string]: string } = {
  'laurels-node': 'laurels on node:http',
  'laurels-express': 'laurels on Express 5',
  'laurels-fastify': 'laurels on Fastify 5',
  'laurels-fetch': 'laurels on fetch',
  'by-hand': 'by hand, Express 5 and Sequelize',
}
/** Above this share of its time at work, the load generator is what is measured. */
const MOST_BUSY = 0.9

/** What has to be there of the hand-written server's dependencies, and how they are installed. */
const NEEDED = {
  Postgres: { file: '.package-lock.json', options: ['--ignore-scripts'], note: '' },
  // Its driver's binary.
  SQLite: { file: 'sqlite3/build', options: [], note: ' Its driver may compile for a minute or two.' },
} as const

/** Whether the hand-written server can run. Its dependencies are nobody else's: they are installed when they are needed. */
export function findByHand(database: keyof typeof NEEDED, installs: boolean): boolean {
  const { file, options, note } = NEEDED[database]
  if (existsSync(join(BY_HAND, 'node_modules', file))) return true
  if (!installs) {
    process.stdout.write(`\nThe hand-written server is left out: npm ci --prefix ${BY_HAND} has not been run.\n`)
    return false
  }
  process.stdout.write(`\nInstalling test/bench/by-hand.${note}\n`)
  const { status } = spawnSync('npm', ['ci', ...options, '--prefix', BY_HAND], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm ci --prefix test/bench/by-hand failed.')
  return true
}

/** Databases with the same users in them, each with one event of yesterday. */
async function seed(folder: string, users: number, hasByHand: boolean): Promise<Seeds> {
  const yesterday = Date.now() - DAY
  const library = join(folder, 'http-library.db')
  const engine = createGamification({ game, storage: sqlite(library) })
  await engine.migrate()
  await engine.close()
  seedUsers(library, users, yesterday)

  const byHand = join(folder, 'http-by-hand.db')
  if (!hasByHand) return { library, byHand }
  const { status } = spawnSync(
    process.execPath,
    [join(BY_HAND, 'server.js'), byHand, 'seed', String(users), String(yesterday)],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('The hand-written server could not be seeded.')
  return { library, byHand }
}

export const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
export const env = { ...process.env, NODE_ENV: 'production' }

/** The next message of a process. */
function hear<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`A process of the benchmark ended with ${code}.`))
    child.once('exit', fail)
    child.once('message', (message) => {
      child.off('exit', fail)
      resolve(message as T)
    })
  })
}

export async function ask<T>(child: ChildProcess, request: Load | Calls): Promise<T> {
  const reply = hear<{ readonly result: T } | { readonly error: string }>(child)
  child.send(request)
  const answer = await reply
  if ('error' in answer) throw new Error(answer.error)
  return answer.result
}

export async function start(name: string, file: string, synchronous: Synchronous): Promise<Target> {
  if (name !== 'by-hand') {
    const child = fork(compiled('./http-server.js'), [name, file, synchronous], { env })
    return { name, child, ...(await hear<Ready>(child)) }
  }
  const child = spawn(process.execPath, [join(BY_HAND, 'server.js'), file, '0', synchronous], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return { name, child, ...JSON.parse(line) }
  throw new Error('The hand-written server did not start.')
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
}

export function check(name: string, { statuses, busy }: LoadResult): void {
  const others = Object.keys(statuses).filter((status) => status !== '201')
  if (others.length > 0) throw new Error(`${name} answered ${JSON.stringify(statuses)}.`)
  if (busy <= MOST_BUSY) return
  process.stdout.write(`\n${name}: the load generator was at work ${busy.toFixed(2)} of the time.\n`)
}

/** What each server did in each round. */
type Results = ReadonlyMap<string, readonly Measured[]>

/** All servers, in turns, so that what else the machine does falls on all of them. */
async function measureAll(
  targets: readonly Target[],
  generator: ChildProcess,
  connections: number,
  { users, rounds, seconds }: HttpBenchOptions,
): Promise<Results> {
  const results = new Map<string, Measured[]>(targets.map(({ name }) => [name, []]))
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, child, port, key } of targets) {
      const common = { seconds, users, seed: connections * 100 + round }
      let result: Measured
      if (name === IN_PROCESS) result = await ask<Measured>(child, { callers: connections, ...common })
      else {
        const loaded = await ask<LoadResult>(generator, { port, key, connections, ...common })
        check(name, loaded)
        result = loaded
      }
      if (round > 0) results.get(name)?.push(result)
    }
  }
  return results
}

/** Every ratio is taken within a round; of the rounds, the median. */
function toRows(results: Results): Row[] {
  const of = (name: string): readonly Measured[] => results.get(name) ?? []
  const over = (name: string, read: (measured: Measured, round: number) => number): number => median(of(name).map(read))
  const rate = (name: string, round: number): number => of(name)[round]?.perSecond ?? 0
  const own = (name: string): number[] => [
    over(name, ({ perSecond }) => perSecond),
    over(name, ({ p50 }) => p50),
    over(name, ({ p99 }) => p99),
    over(name, ({ perSecond }, round) => perSecond / rate(IN_PROCESS, round)),
  ]
  const rows: Row[] = [['laurels in-process', ...own(IN_PROCESS), '', '', '', '']]
  for (const [name, empty] of Object.entries(EMPTY)) {
    if (!results.has(name)) continue
    const beyond = (round: number): number => 1 / rate(name, round) - 1 / rate(empty, round)
    rows.push([
      TITLES[name] ?? name,
      ...own(name),
      over(empty, ({ perSecond }) => perSecond),
      over(name, (_, round) => beyond(round) * 1e6),
      over(name, (_, round) => beyond(round) * rate(IN_PROCESS, round)),
      results.has('by-hand') ? over(name, ({ perSecond }, round) => perSecond / rate('by-hand', round)) : '',
    ])
  }
  return rows
}

const HEAD = [
  '',
  'per s',
  'p50 ms',
  'p99 ms',
  'of in-process',
  'empty route per s',
  'µs beyond empty',
  'in events',
  'of by hand',
]

/**
 * `POST /v1/metrics/{key}/event` on each binding, against the event without HTTP, against an empty route of the same
 * framework and against what a team would write by hand. `in events`: what a request takes beyond the empty route, in
 * times of the event without HTTP. Every event has an idempotency key of its own.
 */
export async function benchHttp(
  folder: string,
  options: HttpBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const hasByHand = findByHand('SQLite', options.installs)
  const seeds = await seed(folder, options.users, hasByHand)
  const names = new Set([IN_PROCESS, ...Object.entries(EMPTY).flat()])
  if (!hasByHand) names.delete('by-hand')
  for (const synchronous of options.modes) {
    const children: ChildProcess[] = []
    try {
      const started = [...names].map((name) => {
        const file = join(folder, `http-${synchronous}-${name}.db`)
        copyFileSync(name === 'by-hand' ? seeds.byHand : seeds.library, file)
        return start(name, file, synchronous)
      })
      for (const one of await Promise.allSettled(started)) {
        if (one.status === 'fulfilled') children.push(one.value.child)
      }
      const targets = await Promise.all(started)
      const compared = await compareAnswers(targets.filter(({ name }) => name in EMPTY))
      print(`\nHTTP, ${synchronous}: ${compared} answers of each server were compared, and say the same.\n`)

      const generator = fork(compiled('./http-load.js'), { env })
      children.push(generator)
      for (const connections of options.connections) {
        const results = await measureAll(targets, generator, connections, options)
        const count = connections === 1 ? '1 connection' : `${connections} connections`
        print(table(`HTTP, ${synchronous}, ${count}, ${options.users} users`, HEAD, toRows(results)))
      }
    } finally {
      await Promise.all(children.map(stop))
    }
  }
}
