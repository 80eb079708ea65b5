// Eight processes that migrate the same schemas at once. SOAK=1: twenty of each kind, and twenty where one is killed.

import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { type PostgresDriver, type PostgresPool, postgres } from '../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame } from '../../src/index.ts'
import { ANN, readState } from '../../src/testing/storage/samples.ts'
import { POSTGRES_NAMES } from '../support/migrations.ts'
import { times } from '../support/places.ts'
import { dumpSchema, makeOldSchema } from './migrations-database.ts'
import { runChildren, type Worked } from './races-children.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'
import { racesGame } from './races-game.ts'
import type { Job, MigrateReport } from './races-jobs.ts'

const SOAK = process.env.SOAK !== undefined
const ROUNDS = SOAK ? 20 : 4
const KILLS = SOAK ? 20 : 2
const PROCESSES = 8

interface Kind {
  readonly kind: 'empty' | 'old'
  readonly make: (database: OwnDatabase, schema: string) => Promise<void>
  readonly before: readonly string[]
}

const KINDS: readonly Kind[] = [
  { kind: 'empty', make: async () => undefined, before: [] },
  { kind: 'old', make: makeOldSchema, before: ['0001-tables'] },
]

const newDatabase = useDatabases()
let database: OwnDatabase
let schemas: readonly string[]
let children: readonly Worked<MigrateReport>[]
const alone = new Map<Kind, Alone>()

interface Alone {
  /** The migrations applied, as a process says it. */
  readonly applied: string
  readonly dump: readonly string[]
  /** Of how many statements a migration is. */
  readonly statements: number
}

/** What one process alone makes of it. */
async function migrateAlone({ kind, make, before }: Kind): Promise<Alone> {
  const schema = `alone_${kind}`
  await make(database, schema)
  let statements = 0
  const driver: PostgresDriver = async (url) => {
    const pool = new pg.Pool({ connectionString: url })
    pool.on('connect', (client) => {
      const { query } = client
      client.query = (...args: unknown[]): never => {
        statements += 1
        return query.apply(client, args as never) as never
      }
    })
    return pool as unknown as PostgresPool
  }
  const storage = postgres(database.url, { schema, driver })
  const { applied } = await storage.migrate()
  await storage.close()
  expect([...before, ...applied]).toEqual(POSTGRES_NAMES)
  return { applied: JSON.stringify(applied), dump: await dumpSchema(database, schema), statements }
}

const roundsOf = ({ kind }: Kind): readonly string[] => times(ROUNDS, (round) => `${kind}_${round}`)

/** From the statement after the lock to the commit. */
function killsOf(kind: Kind): readonly { readonly schema: string; readonly step: number }[] {
  const most = alone.get(kind)?.statements ?? Number.NaN
  const steps = times(KILLS, (kill) => 3 + Math.round((kill * (most - 3)) / (KILLS - 1)))
  return steps.map((step, kill) => ({ schema: `${kind.kind}_killed_${kill}_at_${step}`, step }))
}

// One run for all tests: processes start slowly.
beforeAll(async () => {
  database = await newDatabase()
  for (const kind of KINDS) alone.set(kind, await migrateAlone(kind))
  const kills = KINDS.flatMap((kind) => killsOf(kind))
  schemas = KINDS.flatMap((kind) => [...roundsOf(kind), ...killsOf(kind).map(({ schema }) => schema)])
  for (const kind of KINDS) {
    for (const schema of schemas.filter((each) => each.startsWith(kind.kind))) await kind.make(database, schema)
  }
  const { url } = database
  const survivor = schemas.map((schema, gate): Job => ({ job: 'migrate', url, schema, gate }))
  const victims = kills.map(({ schema, step }): readonly Job[] => [
    { job: 'die', url, schema, gate: schemas.indexOf(schema), step },
  ])
  children = await runChildren(url, [...times(PROCESSES, () => survivor), ...victims])
}, 600_000)

/** What each survivor says that it did with one schema, the longest first. */
function outcomesIn(schema: string): readonly string[] {
  const place = schemas.indexOf(schema)
  const outcomes = children.slice(0, PROCESSES).map(({ reports }) => JSON.stringify(reports[place]))
  return outcomes.sort((left, right) => right.length - left.length)
}

describe.each(KINDS)('A schema ($kind) that eight processes migrate at once', (kind) => {
  const idle = times(PROCESSES - 1, () => '[]')

  test(`is migrated by one of them, ${ROUNDS} times`, async () => {
    for (const schema of roundsOf(kind)) {
      expect([schema, ...outcomesIn(schema)]).toEqual([schema, alone.get(kind)?.applied, ...idle])
      expect(await dumpSchema(database, schema)).toEqual(alone.get(kind)?.dump)
    }
  })

  test(`is migrated all the same when a ninth is killed in the middle, ${KILLS} times`, async () => {
    expect(children.filter(({ ending }) => ending === 'killed')).toHaveLength(2 * KILLS)
    for (const { schema } of killsOf(kind)) {
      const [first, ...others] = outcomesIn(schema)
      // Whose commit was on its way may have made it.
      expect([alone.get(kind)?.applied, '[]']).toContain(first)
      expect([schema, ...others]).toEqual([schema, ...idle])
      expect(await dumpSchema(database, schema)).toEqual(alone.get(kind)?.dump)
    }
  })

  test('works, with all that was there before', async () => {
    const storage = postgres(database.url, { schema: roundsOf(kind)[0] ?? '' })
    const clock = (): Date => new Date('2026-03-10T12:00:00.000Z')
    const engine = createGamification<DefinedGame>({ game: racesGame, storage, clock })
    const isOld = kind.kind === 'old'
    if (isOld) expect((await readState(storage, ANN)).tallies.get('f3c5')?.total).toBe(0.30000000000000004)
    const { total } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 100 })
    expect(total).toBe(isOld ? 107.5 : 100)
    const users = (await storage.counters('')).find((counter) => counter.kind === 'users')
    expect(users?.count).toBe(isOld ? 2 : 1)
    await engine.close()
  })
})
