import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { openBaseline } from './baseline.ts'
import { benchCalendar } from './calendar.ts'
import { benchFold, benchFoldMemory } from './fold.ts'
import { type BenchEvent, events, game } from './game.ts'
import { benchHttp } from './http.ts'
import { benchImport } from './import.ts'
import { benchLate } from './late.ts'
import { benchLeaderboards } from './leaderboards.ts'
import { type Measured, measure, table } from './measure.ts'
import { benchPostgres } from './postgres.ts'
import { benchRules } from './rules.ts'
import { seedUsers } from './seed.ts'
import { benchStreaks } from './streaks.ts'

/*
 * npm run bench                    everything
 * npm run bench -- http            one part, or several: events, import, rules, calendar, streaks, late, fold,
 *                                  http, postgres, leaderboards
 * npm run bench -- --quick         with fewer users and shorter runs
 * LAURELS_BENCH_LARGE=1            leaderboards with five million participants too: half an hour, and 20 GB in the
 *                                  directory for temporary files
 */
const PARTS = [
  'events',
  'import',
  'rules',
  'calendar',
  'streaks',
  'late',
  'fold',
  'http',
  'postgres',
  'leaderboards',
] as const
type Part = (typeof PARTS)[number]

const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = chosen.filter((part) => !PARTS.includes(part as Part))
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. The parts are ${PARTS.join(', ')}.`)
const isChosen = (part: Part): boolean => chosen.length === 0 || chosen.includes(part)

const isQuick = process.argv.includes('--quick')
const USERS = isQuick ? [1_000] : [1_000, 1_000_000]
const COUNT = 20_000
const SEEDED_AT = Date.parse('2026-03-01T12:00:00Z')
const START = Date.parse('2026-03-02T12:00:00Z')

const folder = mkdtempSync(join(tmpdir(), 'laurels-bench-'))
const print = (text: string): void => void process.stdout.write(text)

/** A clock that moves on by a second with every reading, the same in every run. */
function steppingClock(): () => Date {
  let now = START
  return () => {
    now += 1_000
    return new Date(now)
  }
}

async function openLibrary(file: string, synchronous: 'NORMAL' | 'FULL'): Promise<Gamification<DefinedGame>> {
  const library = createGamification({ game, storage: sqlite(file, { synchronous }), clock: steppingClock() })
  await library.migrate()
  return library
}

function take(users: number, count: number, seed: number): BenchEvent[] {
  const source = events(users, seed)
  return Array.from({ length: count }, () => source.next().value as BenchEvent)
}

async function seededFile(users: number): Promise<string> {
  const file = join(folder, `seed-${users}.db`)
  const library = await openLibrary(file, 'NORMAL')
  await library.close()
  seedUsers(file, users, SEEDED_AT)
  return file
}

async function runLibrary(
  seed: string,
  users: number,
  callers: number,
  synchronous: 'NORMAL' | 'FULL',
): Promise<Measured> {
  const file = join(folder, 'library.db')
  copyFileSync(seed, file)
  const library = await openLibrary(file, synchronous)
  const all = take(users, COUNT, callers)
  const call = (index: number): unknown => {
    const { user, metric, value } = all[index % COUNT] as BenchEvent
    return library.metrics.event(metric, { user: { id: user }, value })
  }
  await measure(callers, 2_000, call)
  const measured = await measure(callers, COUNT, call)
  await library.close()
  remove(file)
  return measured
}

async function runBaseline(seed: string, users: number, synchronous: 'NORMAL' | 'FULL'): Promise<Measured> {
  const file = join(folder, 'baseline.db')
  copyFileSync(seed, file)
  const baseline = openBaseline(file, game.rules, synchronous)
  const clock = steppingClock()
  const all = take(users, COUNT, 1)
  const call = (index: number): unknown => baseline.record(all[index % COUNT] as BenchEvent, clock().getTime())
  await measure(1, 2_000, call)
  const measured = await measure(1, COUNT, call)
  baseline.close()
  remove(file)
  return measured
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function benchEvents(): Promise<Measured> {
  const rows: (string | number)[][] = []
  let oneCaller: Measured | null = null
  for (const users of USERS) {
    const seed = await seededFile(users)
    for (const synchronous of ['NORMAL', 'FULL'] as const) {
      const baseline = await runBaseline(seed, users, synchronous)
      const line = (name: string, { perSecond, p50, p99 }: Measured): void => {
        rows.push([name, users, synchronous, perSecond, p50, p99, perSecond / baseline.perSecond])
      }
      line('by hand, prepared', baseline)
      for (const callers of [1, 32, 256]) {
        const measured = await runLibrary(seed, users, callers, synchronous)
        line(`laurels, ${callers} ${callers === 1 ? 'caller' : 'callers'}`, measured)
        if (callers === 1) oneCaller ??= measured
      }
    }
    remove(seed)
  }
  print(table('Events', ['', 'users', 'synchronous', 'per s', 'p50 ms', 'p99 ms', 'of by hand'], rows))
  return oneCaller as unknown as Measured
}

async function benchActivity(
  title: string,
  bench: (folder: string, activity: string) => Promise<string>,
): Promise<string> {
  const activity = process.env.LAURELS_ACTIVITY_CSV ?? join('..', 'shared', 'data', 'open-source-activity.csv')
  if (existsSync(activity)) return bench(folder, activity)
  return `\n${title}: left out, because ${activity} is not there (LAURELS_ACTIVITY_CSV names it).\n`
}

try {
  const oneCaller = isChosen('events') ? await benchEvents() : null
  if (isChosen('import')) print(await benchActivity('Import', benchImport))
  if (isChosen('rules')) print(benchRules())
  if (isChosen('calendar')) print(benchCalendar(isQuick ? 1 : 9))
  if (isChosen('streaks')) {
    print(await benchStreaks(folder, isQuick ? { rounds: 1, count: 200 } : { rounds: 5, count: 1_000 }))
  }
  if (isChosen('late')) print(await benchLate(folder))
  if (isChosen('fold')) {
    print(await benchActivity('Folding', benchFold))
    print(await benchFoldMemory(folder, isQuick))
  }
  if (isChosen('http')) {
    const size = isQuick
      ? { connections: [32], rounds: 1, seconds: 1 }
      : { connections: [1, 32], rounds: 5, seconds: 1 }
    await benchHttp(folder, size, print)
  }
  if (isChosen('postgres')) {
    const size = isQuick
      ? { callers: [32], rounds: 1, seconds: 1 }
      : { callers: [1, 8, 32, 256], rounds: 5, seconds: 2 }
    await benchPostgres(folder, size, print)
  }
  if (isChosen('leaderboards')) {
    const users = [1_000, 100_000, ...(isQuick ? [] : [1_000_000])]
    const large = process.env.LAURELS_BENCH_LARGE === undefined || isQuick ? [] : [5_000_000]
    const size = isQuick ? { many: 100_000, rounds: 1, count: 100 } : { many: 1_000_000, rounds: 5, count: 300 }
    const all = { SQLite: [...users, ...large], Postgres: [...users, ...large] }
    await benchLeaderboards(folder, { users: all, few: 1_000, ...size, seconds: 1 }, print)
  }
  if (oneCaller !== null) {
    print(`\nOne caller at NORMAL with ${USERS[0]} users: ${oneCaller.perSecond.toFixed(0)} events per second.\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
