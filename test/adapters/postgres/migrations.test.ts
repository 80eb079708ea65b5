// Eight processes that migrate the same schemas at once. SOAK=1: twenty of each kind, and twenty where one is killed.

import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { type PostgresDriver, type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame } from '../../../src/index.ts'
import { POSTGRES_NAMES } from '../../support/migrations.ts'
import { times } from '../../support/places.ts'
import { dumpSchema } from './migrations-database.ts'
import { runChildren, type Worked } from './races-children.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'
import { racesGame } from './races-game.ts'
import type { Job, MigrateReport } from './races-jobs.ts'

const SOAK = process.env.SOAK !== undefined
const ROUNDS = SOAK ? 20 : 4
const KILLS = SOAK ? 20 : 2
const PROCESSES = 8

const newDatabase = useDatabases()
let database: OwnDatabase
let schemas: readonly string[]
let children: readonly Worked<MigrateReport>[]
let alone: Alone

interface Alone {
  /** The migrations applied, as a process says it. */
  readonly applied: string
  readonly dump: readonly string[]
  /** Of how many statements a migration is. */
  readonly statements: number
}

/** What one process alone makes of it. */
async function migrateAlone(): Promise<Alone> {
  const schema = 'alone'
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
  expect(applied).toEqual(POSTGRES_NAMES)
  return { applied: JSON.stringify(applied), dump: await dumpSchema(database, schema), statements }
}

const rounds: readonly string[] = times(ROUNDS, (round) => `empty_${round}`)

/** From the statement after the lock to the commit. */
function killed(): readonly { readonly schema: string; readonly step: number }[] {
  const most = alone.statements
  const steps = times(KILLS, (kill) => 3 + Math.round((kill * (most - 3)) / (KILLS - 1)))
  return steps.map((step, kill) => ({ schema: `killed_${kill}_at_${step}`, step }))
}

// One run for all tests: processes start slowly.
beforeAll(async () => {
  database = await newDatabase()
  alone = await migrateAlone()
  const kills = killed()
  schemas = [...rounds, ...kills.map(({ schema }) => schema)]
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

describe('A schema that eight processes migrate at once', () => {
  const idle = times(PROCESSES - 1, () => '[]')

  test(`is migrated by one of them, ${ROUNDS} times`, async () => {
    for (const schema of rounds) {
      expect([schema, ...outcomesIn(schema)]).toEqual([schema, alone.applied, ...idle])
      expect(await dumpSchema(database, schema)).toEqual(alone.dump)
    }
  })

  test(`is migrated all the same when a ninth is killed in the middle, ${KILLS} times`, async () => {
    expect(children.filter(({ ending }) => ending === 'killed')).toHaveLength(KILLS)
    for (const { schema } of killed()) {
      const [first, ...others] = outcomesIn(schema)
      // Whose commit was on its way may have made it.
      expect([alone.applied, '[]']).toContain(first)
      expect([schema, ...others]).toEqual([schema, ...idle])
      expect(await dumpSchema(database, schema)).toEqual(alone.dump)
    }
  })

  test('works', async () => {
    const storage = postgres(database.url, { schema: rounds[0] ?? '' })
    const clock = (): Date => new Date('2026-03-10T12:00:00.000Z')
    const engine = createGamification<DefinedGame>({ game: racesGame, storage, clock })
    const { total } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 100 })
    expect(total).toBe(100)
    const users = (await storage.counters('')).find((counter) => counter.kind === 'users')
    expect(users?.count).toBe(1)
    await engine.close()
  })
})
