import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { openBaseline } from './baseline.ts'
import { type BenchEvent, events, game } from './game.ts'
import { type Measured, measure, type Row, table } from './measure.ts'
import { seedUsers } from './seed.ts'
import type { Size } from './sizes.ts'

type Synchronous = 'NORMAL' | 'FULL'

/** The benchmarks that run on a copy of a file with users in it. */
interface Run {
  readonly seed: string
  readonly users: number
  readonly callers: number
  readonly count: number
  readonly synchronous: Synchronous
}

/** LAURELS_BENCH_SQLITE=node: the library on node:sqlite; what is beside it stays on better-sqlite3. */
const isOnNodeSqlite = process.env.LAURELS_BENCH_SQLITE === 'node'

const SEEDED_AT = Date.parse('2026-03-01T12:00:00Z')
const START = Date.parse('2026-03-02T12:00:00Z')

/** A clock that moves on by a second with every reading, the same in every run. */
function steppingClock(): () => Date {
  let now = START
  return () => {
    now += 1_000
    return new Date(now)
  }
}

async function openLibrary(file: string, synchronous: Synchronous): Promise<Gamification<DefinedGame>> {
  const storage = sqlite(file, { synchronous, ...(isOnNodeSqlite && { driver: async () => DatabaseSync }) })
  const library = createGamification({ game, storage, clock: steppingClock() })
  await library.migrate()
  return library
}

async function seededFile(folder: string, users: number): Promise<string> {
  const file = join(folder, `seed-${users}.db`)
  await seedUsers(sqlite(file), game, users, (index) => ({ user: `user-${index}`, value: 1, at: SEEDED_AT }))
  return file
}

interface MeasuredEvents extends Measured {
  /** Microseconds of the processor for an event, in all threads of the process, within the system too. */
  readonly processor: number
}

/** A tenth of the calls goes before, to warm up. */
async function measureWarm(
  { users, callers, count }: Run,
  record: (event: BenchEvent) => unknown,
): Promise<MeasuredEvents> {
  const source = events(users, callers)
  const all = Array.from({ length: count }, () => source.next().value as BenchEvent)
  const call = (index: number): unknown => record(all[index % count] as BenchEvent)
  await measure(callers, count / 10, call)
  const before = process.cpuUsage()
  const measured = await measure(callers, count, call)
  const { user, system } = process.cpuUsage(before)
  return { ...measured, processor: (user + system) / count }
}

async function runLibrary(run: Run): Promise<MeasuredEvents> {
  const file = `${run.seed}-library`
  copyFileSync(run.seed, file)
  const library = await openLibrary(file, run.synchronous)
  const measured = await measureWarm(run, ({ user, metric, value }) =>
    library.metrics.event(metric, { user: { id: user }, value }),
  )
  await library.close()
  remove(file)
  return measured
}

async function runBaseline(run: Run): Promise<MeasuredEvents> {
  const file = `${run.seed}-baseline`
  copyFileSync(run.seed, file)
  const baseline = openBaseline(file, game.rules, run.synchronous)
  const clock = steppingClock()
  const measured = await measureWarm(run, (event) => baseline.record(event, clock().getTime()))
  baseline.close()
  remove(file)
  return measured
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** Events on SQLite, beside a hand-written transaction per event. */
export async function benchEvents(
  folder: string,
  { users: sizes, callers: counts, count }: Size['events'],
  print: (text: string) => void,
): Promise<void> {
  const rows: Row[] = []
  let oneCaller = ''
  for (const users of sizes) {
    const seed = await seededFile(folder, users)
    for (const synchronous of ['NORMAL', 'FULL'] as const) {
      const run = { seed, users, count, synchronous }
      const baseline = await runBaseline({ ...run, callers: 1 })
      const line = (name: string, { perSecond, p50, p99, processor }: MeasuredEvents): void => {
        rows.push([name, users, synchronous, perSecond, p50, p99, processor, perSecond / baseline.perSecond])
      }
      line('by hand, prepared', baseline)
      for (const callers of counts) {
        const measured = await runLibrary({ ...run, callers })
        line(`laurels, ${callers} ${callers === 1 ? 'caller' : 'callers'}`, measured)
        if (callers === 1) {
          oneCaller ||= `One caller at NORMAL with ${users} users: ${measured.perSecond.toFixed(0)} events per second.`
        }
      }
    }
    remove(seed)
  }
  print(table('Events', ['', 'users', 'synchronous', 'per s', 'p50 ms', 'p99 ms', 'processor us', 'of by hand'], rows))
  print(`\n${oneCaller}\n`)
}
