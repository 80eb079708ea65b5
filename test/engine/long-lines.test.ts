// A user who has changed as much of the profile as may be, again and again: then everything that reads the log.
// SOAK=1: 900 changes. How late
// timers came is told too, which on a busy machine says more of the others there than of this process.

import { beforeAll, describe, expect, test } from 'vitest'
import { compiled, runCompiled } from '../support/compiled.ts'
import { databaseUrl, useEmptySchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const SOAK = process.env.SOAK !== undefined
const CHANGES = SOAK ? 900 : 40
const MOST_MS = 50
const MOST_MEGABYTES = 100

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

/**
 * Prints for each call how much of the processor's time the longest turn of the event loop took, how late a timer came,
 * and by how much the process grew meanwhile.
 */
const SCRIPT = `
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  import v8 from 'node:v8'
  import vm from 'node:vm'
  import { createGamification, defineGame } from './src/index.js'

  const [database, place, changes] = process.argv.slice(1)
  const adapter = await import('./adapters/' + database + '/index.js')
  const open = database === 'sqlite' ? () => adapter.sqlite(place, { synchronous: 'NORMAL' }) : () => adapter.postgres(process.env.TEST_DATABASE_URL, { schema: place })
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc')

  const definition = {
    metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
    userAttributes: ['plan'],
    achievements: {
      many: { name: 'Many', trigger: 'metric', metric: 'words', value: 50 },
      pro: { name: 'Pro', trigger: 'metric', metric: 'words', value: 1, userAttributes: { plan: 'pro' } },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 2 }] } },
    streak: { frequency: 'daily', metrics: { words: {} } },
    leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
  }
  const start = Date.parse('2026-03-01T12:00:00.000Z')
  let now = start
  const engine = createGamification({ game: defineGame(definition), storage: open(), clock: () => new Date(now) })
  await engine.migrate()
  const user = { id: 'ann', tz: 'Europe/London' }
  await engine.metrics.event('words', { user, value: 1 })
  let eventId = ''
  for (let count = 0; count < Number(changes); count += 1) {
    now += 600_000
    // Each character takes six bytes in JSON.
    const deviceTokens = Array.from({ length: 20 }, (_, index) => (count + ' ' + index + ' ').padEnd(1_024, '\\u0001'))
    const change = { deviceTokens, name: 'n'.repeat(1_024), email: 'e'.repeat(1_024), attributes: { plan: 'p'.repeat(1_023) + (count % 2) } }
    if (count % 10 > 0) await engine.users.update('ann', change)
    else eventId = (await engine.metrics.event('words', { user: { id: 'ann', ...change }, value: 1 })).eventId
  }
  const days = { aggregation: 'daily', startDate: '2026-03-01', endDate: '2026-03-02' }
  const late = (minutes) => ({ user, value: 1, occurredAt: new Date(start + minutes * 60_000) })
  const next = defineGame({ ...definition, achievements: { ...definition.achievements, few: { name: 'Few', trigger: 'metric', metric: 'words', value: 2 } } })
  const calls = {
    user: () => engine.users.get('ann'),
    metrics: () => engine.users.allMetrics('ann'),
    'event summary': () => engine.users.metricEventSummary('ann', 'words', days),
    'event summary of a metric without events': () => engine.users.metricEventSummary('ann', 'laps', days),
    achievements: () => engine.users.achievements('ann', { includeIncomplete: true }),
    streak: () => engine.users.streak('ann', { historyPeriods: 400 }),
    points: () => engine.users.points('ann', 'xp', { awards: 100 }),
    'own place, with history': () => engine.users.leaderboard('ann', 'top', { numEvents: 400 }),
    leaderboard: () => engine.leaderboards.get('top'),
    'why an achievement': () => engine.explain('ann', { achievement: 'pro' }),
    'why an event': () => engine.explain('ann', { event: eventId }),
    'why a streak': () => engine.explain('ann', { streak: '2026-03-01' }),
    'event that is tried': () => engine.metrics.event('words', late(-5), { dryRun: true }),
    'late event': () => engine.metrics.event('words', late(-4)),
    'late events of a zone that dates the whole log anew': () => engine.metrics.event('words', { ...late(-3), user: { id: 'ann', tz: 'Asia/Tokyo' } }),
    void: () => engine.events.void(eventId),
    verify: () => engine.verify(),
    rebuild: () => engine.rebuild(),
    'what if': () => engine.whatIf(next),
    grant: () => engine.apply(next, { policy: 'grant' }),
    recompute: () => engine.apply(defineGame({ ...definition, weekStartsOn: 'sunday' }), { policy: 'recompute' }),
  }
  for (const [name, call] of Object.entries(calls)) {
    let longest = 0
    let largest = 0
    gc()
    const before = process.memoryUsage.rss()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    let isOver = false
    let used = process.cpuUsage()
    const turn = () => {
      const { user, system } = process.cpuUsage(used)
      used = process.cpuUsage()
      longest = Math.max(longest, (user + system) / 1_000)
      largest = Math.max(largest, process.memoryUsage.rss() - before)
      if (!isOver) setImmediate(turn)
    }
    delay.enable()
    setImmediate(turn)
    const began = performance.now()
    await call()
    const all = performance.now() - began
    isOver = true
    await new Promise((resolve) => setImmediate(resolve))
    delay.disable()
    console.log(JSON.stringify({ name, all, longest, delay: delay.max / 1e6, grown: largest / 1e6 }))
  }
  console.log(JSON.stringify({ drift: (await engine.verify()).drift, tokens: (await engine.users.get('ann')).deviceTokens.length }))
  await engine.close()
`

interface Told {
  readonly name: string
  readonly all: number
  readonly longest: number
  readonly delay: number
  readonly grown: number
}

beforeAll(() => void compiled(), 60_000)

describe.each([
  ['sqlite', () => nextFile()],
  ['postgres', () => nextSchema()],
] as const)('On %s', (database, place) => {
  test(`after ${CHANGES} changes of 128 KB each, no read and no late event holds the event loop, or much memory`, async () => {
    expect(databaseUrl()).toBe(process.env.TEST_DATABASE_URL)
    const long = await longCalls()
    // A busy machine makes a turn long once, the call itself each time.
    const again = long.length === 0 ? [] : (await longCalls()).map(({ name }) => name)
    expect(long.filter(({ name }) => again.includes(name))).toEqual([])
  }, 600_000)

  async function longCalls(): Promise<readonly Told[]> {
    const { stdout } = await runCompiled(SCRIPT, database, place(), String(CHANGES))
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const end = lines.pop()
    const calls: readonly Told[] = lines
    expect(calls).toHaveLength(21)
    process.stdout.write(
      calls
        .map(
          ({ name, all, longest, delay, grown }) =>
            `${database}, ${name}: ${all.toFixed(0)} ms, longest turn ${longest.toFixed(0)} ms of the processor, ${delay.toFixed(0)} ms by the clock, ${grown.toFixed(0)} MB\n`,
        )
        .join(''),
    )
    expect(end).toEqual({ drift: [], tokens: 20 })
    expect(calls.filter(({ grown }) => grown > MOST_MEGABYTES)).toEqual([])
    return calls.filter(({ longest }) => longest > MOST_MS)
  }
})
