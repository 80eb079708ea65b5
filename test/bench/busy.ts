import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type ImportItem, type Storage } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { game } from './game.ts'
import { compiled, env } from './http.ts'
import { type Measured, measure, measureBeside, measureFor, type Row, table } from './measure.ts'
import { DURABLE } from './postgres.ts'
import { dropSchemas } from './postgres-schemas.ts'

export interface BusyBenchOptions {
  /** How many entries the user has at the beginning. */
  readonly entries: number
  readonly lateEvents: number
  readonly voids: number
  /** How many processes write events of the user, one after the other each. */
  readonly processes: number
  /** How many late events, or voids, are under way at once. */
  readonly callers: number
  /** How long others are measured before the first late event. */
  readonly seconds: number
}

const HOT = 'hot'
const OTHERS = 1_000
const DAY_MS = 86_400_000
/** How late an event is at the most. What was written since then is folded again with it. */
const LATEST_MS = 2_000
const HEAD = ['', 'done', 'per s', 'p50 ms', 'p99 ms', "others' p50 ms", "others' p99 ms", 'of before']

/**
 * Late events, and voids of them, of one user to whom several processes write all the time, and what others wait
 * meanwhile.
 */
export async function benchBusy(
  folder: string,
  options: BusyBenchOptions,
  print: (text: string) => void,
): Promise<void> {
  const file = join(folder, 'busy.db')
  const rows = [...(await measureStorage('SQLite', [file, ''], () => sqlite(file, { synchronous: 'NORMAL' }), options))]
  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres(DURABLE) : null
  const url = given ?? server?.url ?? ''
  const schema = `laurels_busy_${process.pid}`
  try {
    rows.push(...(await measureStorage('Postgres', [url, schema], () => postgres(url, { schema }), options)))
    await dropSchemas(url, [schema])
  } finally {
    await server?.stop()
  }
  const { entries, processes } = options
  print(table(`A user with ${entries} entries to whom ${processes} processes write without a pause`, HEAD, rows))
}

async function measureStorage(
  name: string,
  place: readonly [place: string, schema: string],
  open: () => Storage,
  { entries, lateEvents, voids, processes, callers, seconds }: BusyBenchOptions,
): Promise<readonly Row[]> {
  const library = createGamification({ game, storage: open() })
  await library.migrate()
  await library.import(history(entries))
  const writers = Array.from({ length: processes }, () =>
    fork(compiled('./busy-writer.js'), [name, ...place, HOT], { env }),
  )
  await Promise.all(writers.map((writer) => once(writer, 'message')))

  let sent = 0
  const record = (): Promise<unknown> =>
    library.metrics.event('notes', { user: { id: `other-${sent++ % OTHERS}` }, value: 1 })
  await measureFor(1, seconds, record)
  const before = await measureFor(1, seconds, record)

  const ids: string[] = []
  const late = await measureTwo(record, () =>
    measure(callers, lateEvents, async (index) => {
      const occurredAt = new Date(Date.now() - 1 - ((index * 7_919) % LATEST_MS))
      const { eventId } = await library.metrics.event('words', { user: { id: HOT }, value: 1, occurredAt })
      ids.push(eventId)
    }),
  )
  const voided = await measureTwo(record, () =>
    measure(callers, voids, (index) => library.events.void(ids[index] ?? '')),
  )

  const written = (await Promise.all(writers.map(end))).reduce((sum, count) => sum + count, 0)
  const totals = await Promise.all(['words', 'notes'].map((metric) => library.users.singleMetric(HOT, metric)))
  const { drift } = await library.verify({ users: [HOT] })
  await library.close()
  const expected = [entries + lateEvents - voids, written]
  const found = totals.map(({ current }) => current)
  if (found.join() !== expected.join() || drift.length > 0) {
    throw new Error(`${name}: the totals are ${found}, not ${expected}; ${drift.length} rows differ.`)
  }
  return [
    [`${name}, others alone`, '', before.perSecond, '', '', before.p50, before.p99, 1],
    toRow(`${name}, late events`, lateEvents, late, before),
    toRow(`${name}, voids`, voids, voided, before),
  ]
}

interface Two {
  readonly own: Measured
  readonly others: Measured
}

/** What calls take, and what those of one other caller take meanwhile. */
async function measureTwo(record: () => Promise<unknown>, run: () => Promise<Measured>): Promise<Two> {
  const running = run()
  const { took, seconds } = await measureBeside(running, record)
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return { own: await running, others: { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99) } }
}

function toRow(name: string, count: number, { own, others }: Two, before: Measured): Row {
  return [name, count, own.perSecond, own.p50, own.p99, others.p50, others.p99, others.p99 / before.p99]
}

/** How many events a writer has recorded. */
async function end(writer: ChildProcess): Promise<number> {
  const told = once(writer, 'message')
  writer.send('stop')
  const [count] = await told
  return Number(count)
}

function* history(count: number): Generator<ImportItem> {
  const first = Date.now() - 10 * DAY_MS
  const step = (9 * DAY_MS) / count
  for (let index = 0; index < count; index += 1) {
    yield { metric: 'words', user: { id: HOT }, value: 1, occurredAt: new Date(first + index * step) }
  }
}
