import Database from 'better-sqlite3'
import { sql as drizzleSql } from 'drizzle-orm'
import knexFactory from 'knex'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { DataSource } from 'typeorm'
import { expect, onTestFinished } from 'vitest'

/** A library over better-sqlite3, with the connection that its transactions are on. */
export interface Library {
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

/** Libraries as their users open them, over better-sqlite3. */
export const SQLITE_LIBRARIES: readonly (readonly [
  name: string,
  open: (file: string) => Library | Promise<Library>,
])[] = [
  ['Drizzle', openDrizzle],
  ['Kysely', openKysely],
  ['Knex', openKnex],
  ['TypeORM', openTypeORM],
]
