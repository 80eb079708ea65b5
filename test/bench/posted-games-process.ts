import { setImmediate as nextTurn } from 'node:timers/promises'
import { adminApi } from '../../adapters/fetch/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'

/* A process of its own, with a small heap: one user with a history, whom a client asks what-if for. */

export interface Posted {
  readonly definition: object
  /** A file, or the address of a Postgres server. */
  readonly database: string
  /** On Postgres. */
  readonly schema: string
  readonly events: number
}

export interface Answered {
  readonly status: number
  /** Milliseconds of processor time of the main thread between two turns of the loop. */
  readonly longestTurn: number
  readonly cpu: number
  /** Bytes. */
  readonly rss: number
}

const DAY_MS = 86_400_000
const START = Date.parse('2025-01-01T12:00:00Z')

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Events on each day, a pause of a year, and then events again. */
async function open({ database, schema, events }: Posted) {
  let now = START + events * DAY_MS
  const library = createGamification({
    game: defineGame({
      metrics: { steps: { name: 'Steps' } },
      streak: { frequency: 'daily', metrics: { steps: {} } },
    }),
    storage: database.startsWith('postgres') ? postgres(database, { schema }) : sqlite(database),
    clock: () => new Date(now),
  })
  await library.migrate()
  const user = { id: 'ann', tz: 'UTC' }
  await library.import(
    Array.from({ length: events }, (_, index) => {
      return { metric: 'steps' as const, user, value: 1, occurredAt: new Date(START + index * DAY_MS) }
    }),
  )
  const dateAfter = (days: number): string => new Date(now + days * DAY_MS).toISOString().slice(0, 10)
  await library.admin.streaks.pauses.create({ pauses: [{ userId: 'ann', start: dateAfter(0), end: dateAfter(365) }] })
  now += 366 * DAY_MS
  for (let index = 0; index < 3; index += 1) await library.metrics.event('steps', { user, value: 1 })
  return library
}

async function answer(posted: Posted): Promise<Answered> {
  const library = await open(posted)
  const handle = adminApi(library)
  const { key } = await library.adminKeys.create()
  const body = JSON.stringify({ definition: posted.definition })
  let [last, longestTurn] = [cpuMs(), 0]
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      await nextTurn()
      const now = cpuMs()
      longestTurn = Math.max(longestTurn, now - last)
      last = now
    }
  }
  await nextTurn()
  const before = cpuMs()
  last = before
  const watching = watch()
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await handle(new Request('http://localhost/admin/v1/what-if', { method: 'POST', headers, body }))
  const text = await response.text()
  isOver = true
  await watching
  const cpu = cpuMs() - before
  await library.close()
  const status = text.includes('"report"') ? response.status : 500
  return { status, longestTurn, cpu, rss: process.memoryUsage().rss }
}

if (process.send !== undefined) {
  process.once('message', async (posted: Posted) => {
    process.send?.(await answer(posted))
    process.disconnect()
  })
}
