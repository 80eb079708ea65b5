import Database from 'better-sqlite3'
import { sql as drizzleSql } from 'drizzle-orm'
import knexFactory from 'knex'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { DataSource } from 'typeorm'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkFold } from '../support/check-fold.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { openSqliteWorld } from './sqlite-world.ts'

const nextFile = useDatabaseFiles()

/** A library over better-sqlite3, with the connection that its transactions are on. */
interface Library {
  readonly db: Database.Database
  /** Runs a transaction of the library's, in which it makes a note before `work`, and one after it. */
  transaction(note: string, work: () => void): Promise<void>
}

async function openDrizzle(file: string): Promise<Library> {
  // It loads better-sqlite3 at once.
  const { drizzle } = await import('drizzle-orm/better-sqlite3')
  const db = drizzle(file)
  onTestFinished(() => void db.$client.close())
  return {
    db: db.$client,
    transaction: async (note, work) => {
      const insert = (text: string) => drizzleSql`insert into orders values (${text})`
      db.transaction(
        (tx) => {
          tx.run(insert(note))
          work()
          tx.run(insert(`${note} too`))
        },
        { behavior: 'immediate' },
      )
    },
  }
}

function openKysely(file: string): Library {
  const db = new Database(file)
  const kysely = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database: db }) })
  onTestFinished(() => kysely.destroy())
  return {
    db,
    transaction: (note, work) =>
      kysely.transaction().execute(async (trx) => {
        const insert = (text: string) => trx.executeQuery(CompiledQuery.raw('insert into orders values (?)', [text]))
        await insert(note)
        work()
        await insert(`${note} too`)
      }),
  }
}

async function openKnex(file: string): Promise<Library> {
  let opened: Database.Database | null = null
  const knex = knexFactory({
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: Database.Database, done: (error: null, connection: Database.Database) => void) => {
        opened = connection
        done(null, connection)
      },
    },
  })
  onTestFinished(() => knex.destroy())
  await knex.raw('select 1')
  return {
    db: opened ?? expect.fail('Knex has opened nothing'),
    transaction: (note, work) =>
      knex.transaction(async (trx) => {
        await trx('orders').insert({ note })
        work()
        await trx('orders').insert({ note: `${note} too` })
      }),
  }
}

async function openTypeORM(file: string): Promise<Library> {
  let opened: Database.Database | null = null
  const source = new DataSource({
    type: 'better-sqlite3',
    database: file,
    entities: [],
    prepareDatabase: (connection) => {
      opened = connection
    },
  })
  await source.initialize()
  onTestFinished(() => source.destroy())
  return {
    db: opened ?? expect.fail('TypeORM has opened nothing'),
    transaction: (note, work) =>
      source.transaction(async (manager) => {
        await manager.query('insert into orders values (?)', [note])
        work()
        await manager.query('insert into orders values (?)', [`${note} too`])
      }),
  }
}

const LIBRARIES: readonly (readonly [name: string, open: (file: string) => Library | Promise<Library>])[] = [
  ['Drizzle', openDrizzle],
  ['Kysely', openKysely],
  ['Knex', openKnex],
  ['TypeORM', openTypeORM],
]

// These libraries bring better-sqlite3, so there is nothing to try if it does not run.
const isWithout = process.env.LAURELS_TEST_SQLITE === 'node'

describe.skipIf(isWithout).each(LIBRARIES)('%s over better-sqlite3', (_, open) => {
  test('events, a replay and an achievement are committed with its transaction', async () => {
    const { file, engine, storage, notes } = await openSqliteWorld(nextFile())
    const { db, transaction } = await open(file)
    const told: string[] = []
    engine.on('achievement.completed', ({ achievement }) => void told.push(achievement.key))
    let committed = (): void => expect.fail('There was no transaction')
    const totals: number[] = []
    await transaction('order', () => {
      expect(db.inTransaction).toBe(true)
      engine.within(db, (g) => {
        for (const value of [60, 60]) {
          totals.push(g.metrics.event('words', { user: { id: 'ann' }, value, idempotencyKey: 'a' }).total)
        }
        totals.push(g.metrics.event('words', { user: { id: 'ann' }, value: 40.5 }).total)
        g.achievements.complete('joined', { user: { id: 'ann' } })
        committed = g.committed
      })
    })
    expect(totals).toEqual([60, 60, 100.5])
    expect(notes()).toEqual(['order', 'order too'])
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(100.5)
    expect(told).toEqual([])
    committed()
    expect(told).toEqual(['first', 'hundred', 'joined', 'both'])
    await checkFold(storage)
  })
})
