// Several processes that send and read for a while on one file. SOAK=1: eight for a minute, else four for three seconds.

import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { checkFold } from '../support/check-fold.ts'
import { compiled } from '../support/compiled.ts'
import { times, useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { runChild } from './child.ts'
import { crashGame } from './crash-game.ts'
import { expectSound, lookInto } from './evidence.ts'

const SOAK = process.env.SOAK === '1'
const PROCESSES = SOAK ? 8 : 4
const SECONDS = SOAK ? 60 : 3
const USERS = 100
const TOLERATED_STALL_MS = SOAK ? 150 : 1_000
const NOW = '2026-06-01T12:00:00.000Z'

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

interface Report {
  /** Events with keys of the process's own that were answered. */
  readonly own: number
  /** Of the events that every process sends: those that were new to this one. */
  readonly shared: number
  /** All of them, replays too. */
  readonly sharedSent: number
  readonly reads: number
  /** Code and message of everything that was rejected. */
  readonly errors: readonly string[]
  readonly longestStall: number
  /** The slowest event, in milliseconds. */
  readonly slowest: number
}

const MEASURE = `
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  const delay = monitorEventLoopDelay({ resolution: 5 })
  // The first seconds are those of starting: loading, migrating, compiling.
  await new Promise((resolve) => setTimeout(resolve, args.startAt - Date.now()))
  delay.enable()
  // What the histogram says includes the 5 milliseconds themselves.
  const longestStall = () => Math.max(0, delay.max / 1e6 - 5)
`

/** Waves of sixteen events, of which some are late and some are those of all processes, and two reads. */
const TRAFFIC = `
  const clock = () => new Date(args.now)
  const storage = sqlite(args.file, { synchronous: args.synchronous })
  const engine = createGamification({ game: defineGame(args.definition), storage, clock })
  const report = { own: 0, shared: 0, sharedSent: 0, reads: 0, errors: [], longestStall: 0, slowest: 0 }
  await engine.migrate()
  const guard = (work) => work.catch((error) => void report.errors.push(error.code + ': ' + error.message))
  const userOf = (n) => 'user-' + (n % args.users)
  async function send(n, idempotencyKey, more = {}) {
    const began = performance.now()
    const user = { id: userOf(n), tz: 'Europe/London' }
    const answer = await engine.metrics.event('words', { user, value: 1, idempotencyKey, ...more })
    report.slowest = Math.max(report.slowest, performance.now() - began)
    return answer
  }
  async function sendOwn(n) {
    const late = n % 800 === 17 ? { occurredAt: new Date(clock().getTime() - (1 + (n % 7)) * 86_400_000) } : {}
    await send(n * 7 + args.index, 'own-' + args.index + '-' + n, late)
    report.own += 1
  }
  async function sendShared(n) {
    const { idempotentReplayed } = await send(n, 'shared-' + n)
    report.sharedSent += 1
    if (!idempotentReplayed) report.shared += 1
  }
  async function read(n) {
    await engine.users.points(userOf(n), 'xp', { awards: 5 })
    await engine.users.streak(userOf(n))
    report.reads += 2
  }
  ${MEASURE}
  // On a busy machine some begin late, or are slow to come to every user.
  const end = Date.now() + args.seconds * 1_000
  for (let wave = 0; wave < 10 || Date.now() < end; wave += 1) {
    const own = Array.from({ length: 15 }, (_, i) => guard(sendOwn(wave * 15 + i)))
    await Promise.all([...own, guard(sendShared(wave))])
    await guard(read(wave))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
  }
  report.longestStall = longestStall()
  await engine.close()
  say(JSON.stringify(report))
`

/** Does nothing but measure: what it finds is the machine's, not the library's. */
const IDLE = `
  ${MEASURE}
  await new Promise((resolve) => setTimeout(resolve, args.seconds * 1_000))
  say(JSON.stringify({ longestStall: longestStall() }))
`

async function run<T>(script: string, args: { readonly [name: string]: unknown }): Promise<T> {
  const lines = await runChild({ directory, script, args })
  return JSON.parse(lines.at(-1) ?? '')
}

describe(`${PROCESSES} processes on one file for ${SECONDS} seconds`, () => {
  test(
    'lose nothing, are never told that it is busy, and never stand still for long',
    async () => {
      const file = nextFile()
      const startAt = Date.now() + (SOAK ? 3_000 : 1_500)
      const common = { file, startAt, seconds: SECONDS, users: USERS, now: NOW, definition: crashGame.definition }
      const idle = run<Pick<Report, 'longestStall'>>(IDLE, common)
      const running = times(PROCESSES, (index) =>
        run<Report>(TRAFFIC, { ...common, index, synchronous: index % 2 === 0 ? 'FULL' : 'NORMAL' }),
      )
      const reports = await Promise.all(running)
      const stalls = reports.map(({ longestStall }) => Math.round(longestStall))
      const sum = (count: (report: Report) => number): number => reports.reduce((all, each) => all + count(each), 0)
      process.stdout.write(
        `${PROCESSES} processes for ${SECONDS} s: ${sum(({ own, shared }) => own + shared)} events, ` +
          `longest stalls ${stalls.join(', ')} ms (a process that did nothing: ` +
          `${Math.round((await idle).longestStall)} ms), slowest event ` +
          `${Math.round(Math.max(...reports.map(({ slowest }) => slowest)))} ms\n`,
      )
      expect(reports.flatMap(({ errors }) => errors)).toEqual([])
      for (const { own, reads } of reports) expect([own > 0, reads > 0]).toEqual([true, true])

      const count = (pattern: string): number =>
        lookInto(
          file,
          (database) =>
            database
              .prepare<[string], number>('select count(*) from laurels_view_log where idempotency_key like ?')
              .pluck()
              .get(pattern) ?? 0,
        )
      for (const [index, { own }] of reports.entries()) expect([index, count(`own-${index}-%`)]).toEqual([index, own])
      expect(count('shared-%')).toBe(sum(({ shared }) => shared))
      // Every process sends them from the first on: there are as many as the fastest one sent.
      expect(count('shared-%')).toBe(Math.max(...reports.map(({ sharedSent }) => sharedSent)))

      expectSound(file)
      const storage = sqlite(file)
      const engine = await start(crashGame, storage)
      const totals = await Promise.all(
        times(USERS, async (index) => (await engine.users.singleMetric(`user-${index}`, 'words')).current),
      )
      expect(totals.reduce((all, total) => all + total, 0)).toBe(sum(({ own, shared }) => own + shared))
      expect(await checkFold(storage)).toBe(USERS)
      expect(Math.max(...stalls)).toBeLessThan(TOLERATED_STALL_MS)
    },
    SOAK ? 300_000 : 60_000,
  )
})
