import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startPostgres } from '../support/postgres-server.ts'
import { CASES, type Case } from './guard-cases.ts'
import { type GuardProcess, startProcess } from './guard-process.ts'
import { type Row, table } from './measure.ts'

export interface GuardOptions {
  /** The project folder of the other build, with `dist` in it. */
  readonly against: string
  /** Keys of cases; empty for all. */
  readonly only: readonly string[]
  /** A new folder. */
  readonly folder: string
  /** A case fails above this ratio. */
  readonly most: number
  readonly turns: number
  /** How much is in the database before: 1, or less for a smoke test. */
  readonly share: number
}

/** If the build of these sources is made: below `node_modules`, so that it finds its dependencies. */
export const GUARDED: string = join(process.cwd(), 'node_modules/.cache/laurels-guard')
/** The first turns warm up. */
const WARM_UP = 0.2
const HEAD = ['', 'µs of a call', 'of the other', 'ratio', 'µs of the processor', 'ratio', '']

/**
 * Compares the sources of this folder with another build. Bursts of both run in turns, and the quickest tenth of each is
 * compared: it is steady to about 3 % also on a busy machine. So is the quickest quarter of the turns by time of the processor,
 * which leaves out the server of Postgres. Returns whether no case is slower.
 */
export async function guard(options: GuardOptions, print: (text: string) => void): Promise<boolean> {
  const keys = options.only.length > 0 ? options.only : Object.keys(CASES)
  const unknown = keys.filter((key) => !(key in CASES))
  if (unknown.length > 0) {
    throw new Error(`Unknown: ${unknown.join(', ')}. The cases are ${Object.keys(CASES).join(', ')}.`)
  }
  const mine = bundle(GUARDED)
  const needsServer = keys.some((key) => CASES[key]?.database === 'Postgres')
  const given = process.env.BENCH_DATABASE_URL
  const server = needsServer && given === undefined ? await startPostgres() : null
  const rows: Row[] = []
  const slower: string[] = []
  try {
    for (const key of keys) {
      const { row, ratio } = await compareTwice(key, mine, { ...options, url: server?.url ?? given ?? '' })
      rows.push(row)
      if (ratio > options.most) slower.push(key)
      print(`${key} ${ratio.toFixed(3)}\n`)
    }
  } finally {
    await server?.stop()
  }
  print(table(`Against ${options.against}`, HEAD, rows))
  print(slower.length === 0 ? '' : `\nMore than ${options.most} times as slow: ${slower.join(', ')}\n`)
  return slower.length === 0
}

/** Makes the package that these sources give. */
function bundle(folder: string): string {
  mkdirSync(folder, { recursive: true })
  execFileSync(process.execPath, ['build/main.ts', join(folder, 'dist')])
  copyFileSync('package.json', join(folder, 'package.json'))
  return folder
}

interface CaseOptions extends GuardOptions {
  readonly url: string
}

interface Compared {
  readonly row: Row
  /** NaN if the other build cannot run the case. */
  readonly ratio: number
}

/**
 * Measures a case again if it is slower, because a busy machine can slow one of the processes down. Then the other build
 * starts first: for calls that allocate much, a build against itself gives up to 1.15 for the one that starts first.
 */
async function compareTwice(key: string, mine: string, options: CaseOptions): Promise<Compared> {
  const first = await compareCase(key, mine, options, 'first')
  if (!(first.ratio > options.most)) return first
  const second = await compareCase(key, mine, options, 'second')
  return second.ratio < first.ratio ? second : first
}

async function compareCase(
  key: string,
  mine: string,
  { against, folder, turns, share, url }: CaseOptions,
  attempt: string,
): Promise<Compared> {
  const { name, database, calls, bursts } = CASES[key] as Case
  const place = database === 'Postgres' ? url : folder
  const start = (build: string, which: string): GuardProcess => {
    const schema = ['guard', key.replaceAll('-', '_'), which, attempt].join('_')
    return startProcess({ folder: resolve(build), key, place, share, schema })
  }
  const builds = [start(mine, 'this'), start(against, 'other')] as const
  const label = `${key}: ${name}, ${database}`
  try {
    const isFirst = attempt === 'first'
    if (isFirst) await builds[0].run(1)
    const refusal = await builds[1].run(1).then(
      () => null,
      ({ message }: Error) => message,
    )
    if (!isFirst) await builds[0].run(1)
    if (refusal !== null)
      return { row: [label, '', '', '', '', '', `The other build cannot run it: ${refusal}`], ratio: Number.NaN }
    const [own, other] = await takeTurns(builds, turns, Math.ceil(bursts * share))
    const each = (took: number): number => (took * 1_000) / calls
    const ratio = own.took / other.took
    const ofProcessor = (own.processor / other.processor).toFixed(3)
    const row = [label, each(own.took), each(other.took), ratio.toFixed(3), each(own.processor), ofProcessor, '']
    return { row, ratio }
  } finally {
    await Promise.all(builds.map(({ stop }) => stop()))
  }
}

type Pair<Item> = readonly [own: Item, other: Item]

/** Milliseconds of a burst. */
interface Quickest {
  readonly took: number
  readonly processor: number
}

async function takeTurns(builds: Pair<GuardProcess>, turns: number, bursts: number): Promise<Pair<Quickest>> {
  const took: Pair<number[]> = [[], []]
  const processor: Pair<number[]> = [[], []]
  for (let turn = 0; turn < turns; turn += 1) {
    // Neither build always comes first.
    for (const index of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const run = await builds[index].run(bursts)
      if (turn < turns * WARM_UP) continue
      took[index].push(...run.took)
      processor[index].push(run.processor / bursts)
    }
  }
  const of = (index: 0 | 1): Quickest => {
    return { took: meanOfQuickest(took[index], 1 / 10), processor: meanOfQuickest(processor[index], 1 / 4) }
  }
  return [of(0), of(1)]
}

function meanOfQuickest(times: readonly number[], share: number): number {
  const quickest = [...times].sort((left, right) => left - right).slice(0, Math.ceil(times.length * share))
  return quickest.reduce((sum, time) => sum + time, 0) / quickest.length
}
