import { join } from 'node:path'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type Storage } from '../../src/index.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { game } from './game.ts'
import { type Beside, measureBeside, measureFor, type Row, table } from './measure.ts'
import { createSchema, dropSchemas } from './postgres-schemas.ts'
import { seedUsers } from './seed.ts'

export interface DueBenchOptions {
  readonly users: number
  /** How long events are measured before anything is due. */
  readonly seconds: number
}

const SEEDED_AT = Date.parse('2026-03-01T12:00:00Z')
/** A day later, when nothing is lost yet, and the first minute in which the streak of everybody is. */
const BEFORE = Date.parse('2026-03-02T12:00:00Z')
const DUE = Date.parse('2026-03-03T00:00:10Z')
/** Of those who send events meanwhile. */
const OTHERS = 1_000

/** The streaks of all users are lost at one midnight, while somebody records events. */
export async function benchDue(folder: string, options: DueBenchOptions, print: (text: string) => void): Promise<void> {
  const rows: Row[] = []
  const file = join(folder, 'due.db')
  const library = createGamification({ game, storage: sqlite(file) })
  await library.migrate()
  await library.close()
  seedUsers(file, options.users, SEEDED_AT)
  rows.push(...(await drain('SQLite', sqlite(file, { synchronous: 'NORMAL' }), options)))

  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres() : null
  const url = given ?? server?.url ?? ''
  const schema = `laurels_due_${process.pid}`
  try {
    await createSchema(url, schema, options.users, SEEDED_AT)
    rows.push(...(await drain('Postgres', postgres(url, { schema }), options)))
    await dropSchemas(url, [schema])
  } finally {
    await server?.stop()
  }
  print(
    table(
      `${options.users} users whose streaks are lost in one minute`,
      ['', 'users per s', 'events per s', 'p50 ms', 'p99 ms', 'p50 of alone'],
      rows,
    ),
  )
}

async function drain(name: string, storage: Storage, { users, seconds }: DueBenchOptions): Promise<readonly Row[]> {
  let now = BEFORE
  const library = createGamification({ game, storage, clock: () => new Date(now) })
  await library.migrate()
  let handled = 0
  await library.subscribe('lost', { types: ['streak.lost'] }, (messages) => {
    handled += messages.length
  })
  const record = (index: number): Promise<unknown> =>
    library.metrics.event('notes', { user: { id: `other-${index % OTHERS}` }, value: 1 })
  let sent = 0
  const measureAlone = (): ReturnType<typeof measureFor> => measureFor(1, seconds, () => record(sent++))
  await measureAlone()
  const alone = await measureAlone()

  // Nobody has been looked at since the subscription.
  const passed = await measureBeside(library.workOnce(), record)
  now = DUE
  const drained = await measureBeside(library.workOnce(), record)
  await library.close()
  if (handled !== users) throw new Error(`${name}: ${handled} of ${users} lost streaks were handed over.`)
  return [
    [`${name}, nothing is due`, '', alone.perSecond, alone.p50, alone.p99, 1],
    toRow(`${name}, users are looked at`, users, passed, alone.p50),
    toRow(`${name}, streaks are lost, and told`, users, drained, alone.p50),
  ]
}

function toRow(name: string, users: number, { seconds, took }: Beside, alone: number): Row {
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? 0
  return [name, users / seconds, took.length / seconds, at(0.5), at(0.99), at(0.5) / alone]
}
