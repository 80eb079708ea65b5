import { spawn } from 'node:child_process'
import { on } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { applicationApi } from '../../adapters/express/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { game } from './game.ts'
import { median, type Row, table } from './measure.ts'
import { openPool } from './postgres-contestants.ts'

export interface ReadsBenchOptions {
  /** How long the user's log is. */
  readonly entries: readonly number[]
  /** Events of all others. */
  readonly others: number
  readonly rounds: number
}

const DAY = 86_400_000
const DAYS = 700
const END = Date.parse('2026-11-20T12:00:00Z')

const board = { name: 'Board', start: '2024-01-01', maxParticipants: 100 } as const
const rich: DefinedGame = defineGame({
  ...game.definition,
  leaderboards: {
    streaks: { ...board, rankBy: 'streak' },
    points: { ...board, rankBy: 'points', system: 'xp' },
    words: { ...board, rankBy: 'metric', metric: 'words' },
    window: { ...board, rankBy: 'metric', metric: 'words', startTime: '06:00', endTime: '23:00' },
  },
})

const days = (from: string, to: string): string => `aggregation=daily&startDate=${from}&endDate=${to}`
const LAST = days('2025-10-17', '2026-11-20')

/** Percentiles are kept for so long. */
const KEPT = 600_000

interface Sent {
  readonly body?: object
  /** How much time passes before it. */
  readonly ms?: number
}

/** Requests with the key of the user who has the long log. The change of zone comes last, for it stays. */
const REQUESTS: readonly (readonly [name: string, method: string, path: string, sent?: Sent])[] = [
  ['a plain event', 'POST', '/metrics/words/event', { body: { user: { id: 'old' }, value: 1 } }],
  ['streak, 400 periods', 'GET', '/users/old/streak?historyPeriods=400'],
  ['own place, streak board, 400', 'GET', '/users/old/leaderboards/streaks?numEvents=400'],
  ['own place, points board, 400', 'GET', '/users/old/leaderboards/points?numEvents=400'],
  ['own place, metric board, 400', 'GET', '/users/old/leaderboards/words?numEvents=400'],
  ['own place, board with a window, 400', 'GET', '/users/old/leaderboards/window?numEvents=400'],
  ['points summary, 400 days', 'GET', `/users/old/points/xp/event-summary?${LAST}`],
  ['metric summary, 400 days', 'GET', `/users/old/metrics/words/event-summary?${LAST}`],
  ['summary of an unused metric', 'GET', `/users/old/metrics/likes/event-summary?${LAST}`],
  ['points, 100 awards', 'GET', '/users/old/points/xp?awards=100'],
  ['achievements', 'GET', '/users/old/achievements?includeIncomplete=true'],
  ['board of 100 places', 'GET', '/leaderboards/words?limit=100'],
  ['wrapped, the first in ten minutes', 'GET', '/users/old/wrapped', { ms: KEPT }],
  ['wrapped', 'GET', '/users/old/wrapped'],
  ['wrapped, year 1', 'GET', '/users/old/wrapped?year=1'],
  ['change of zone', 'PATCH', '/users/old', { body: { tz: 'Pacific/Kiritimati' } }],
  ['streak after a change of zone', 'GET', '/users/old/streak'],
]

/** A client in a process of its own. */
const CLIENT = `process.on('message', async ({ url, ...request }) => {
  const response = await fetch(url, request)
  process.send({ status: response.status, text: await response.text() })
})`

/** What requests cost a process with one application key: its processor's time, and the longest turn of its event loop. */
export async function benchReads(
  folder: string,
  options: ReadsBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
  const server = given === undefined ? await startPostgres() : null
  const pool = openPool(server?.url ?? given ?? '', 8)
  try {
    for (const entries of options.entries) {
      const title = `a log of ${entries} entries, ${options.others} of others`
      const file = join(folder, `reads-${entries}.db`)
      print(await benchStorage(`SQLite, ${title}`, sqlite(file, { synchronous: 'NORMAL' }), entries, options))
      print(await benchStorage(`Postgres, ${title}`, postgres(pool, { schema: `reads_${entries}` }), entries, options))
    }
  } finally {
    await pool.end()
    await server?.stop()
  }
}

async function benchStorage(
  title: string,
  storage: Storage,
  entries: number,
  { others, rounds }: ReadsBenchOptions,
): Promise<string> {
  let now = END
  const library = createGamification({ game: rich, storage, clock: () => new Date(now) })
  await library.migrate()
  const step = (DAYS * DAY) / entries
  const history = (id: string, count: number, each: number) =>
    Array.from({ length: count }, (_, index) => {
      const metric = index % 3 === 0 ? 'pages' : 'words'
      return { metric, user: { id, tz: 'UTC' }, value: 1, occurredAt: new Date(END - (count - index) * each) } as const
    })
  await library.import(history('old', entries, step))
  for (let user = 0; user < 50; user += 1) {
    await library.import(history(`user-${user}`, Math.ceil(others / 50), (DAYS * DAY) / (others / 50)))
  }
  const { created } = await library.admin.applicationApiKeys.create([{ userId: 'old' }])
  const handle = applicationApi(library)
  const http = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const client = spawn(process.execPath, ['-e', CLIENT], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const answers = on(client, 'message')
  const root = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
  const headers = { 'x-api-key': created[0]?.key ?? '', 'content-type': 'application/json' }
  const send = async (method: string, path: string, { body, ms = 1 }: Sent = {}): Promise<void> => {
    now += ms
    client.send({ url: root + path, method, headers, body: body && JSON.stringify(body) })
    const [{ status, text }] = (await answers.next()).value
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
  const rows: (readonly [name: string, cpu: number, turn: number])[] = []
  for (const [name, ...request] of REQUESTS) {
    await send(...request)
    // A cheap request takes less than the clock of the processor tells.
    const count = rows.length === 0 ? 100 : rounds
    rows.push([
      name,
      await processorMs(() => send(...request), count),
      await longestTurn(() => send(...request), count),
    ])
  }
  const explained = () => library.explain('old', { achievement: 'words-1000' })
  rows.push(['explain an achievement', await processorMs(explained, rounds), await longestTurn(explained, rounds)])
  client.disconnect()
  http.close()
  await library.close()
  const [[, event] = ['', 0]] = rows
  const toRow = ([name, cpu, turn]: (typeof rows)[number]): Row => [name, cpu, cpu / event, turn]
  return table(title, ['', 'cpu ms', 'of an event', 'longest turn ms'], rows.map(toRow))
}

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

async function processorMs(call: () => Promise<unknown>, count: number): Promise<number> {
  const start = process.cpuUsage()
  for (let round = 0; round < count; round += 1) await call()
  return toMs(process.cpuUsage(start)) / count
}

/** Of the event loop, in time of the processor: other processes do not count. The median of so many calls. */
async function longestTurn(call: () => Promise<unknown>, count: number): Promise<number> {
  const longest: number[] = []
  for (let round = 0; round < count; round += 1) {
    let isOver = false
    let most = 0
    const done = Promise.resolve(call()).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const start = process.cpuUsage()
      await nextTurn()
      most = Math.max(most, toMs(process.cpuUsage(start)))
    }
    await done
    longest.push(most)
  }
  return median(longest)
}
