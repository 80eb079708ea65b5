// When another process comes in between.

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { readState, saveOf } from '../../../src/testing/storage/case.ts'
import { ANN, sampleEvent } from '../../../src/testing/storage/samples.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

/** The code of the error that SQLite answers with, or `free`. */
function lockOf(database: Database.Database): string {
  try {
    database.exec('begin immediate; rollback')
    return 'free'
  } catch (error) {
    return error instanceof Database.SqliteError ? error.code : String(error)
  }
}

test('Nobody else can begin to write while a commit decides', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  const other = new Database(file, { timeout: 0 })
  const locks: string[] = []
  await storage.commit([{ ...ANN, lookups: [] }], (users) => {
    locks.push(lockOf(other))
    return users.map((user) => saveOf(user, { appended: [sampleEvent(1)] }))
  })
  expect(locks).toEqual(['SQLITE_BUSY'])
  expect(lockOf(other)).toBe('free')
  expect((await readState(storage, ANN)).seq).toBe(1)
  other.close()
  await storage.close()
})

test('Writes that waited for the file go before one that comes as it is free', async () => {
  const file = nextFile()
  const storage = sqlite(file)
  await storage.migrate()
  const order: string[] = []
  const write = (name: string): Promise<unknown> =>
    storage.commit([{ ...ANN, lookups: [] }], () => {
      order.push(name)
      return [null]
    })
  await write('before')
  const other = new Database(file)
  other.exec('begin immediate')
  const waiting = [write('first'), write('second')]
  await new Promise((resolve) => setTimeout(resolve, 5))
  other.exec('rollback')
  await Promise.all([...waiting, write('third')])
  expect(order).toEqual(['before', 'first', 'second', 'third'])
  other.close()
  await storage.close()
})

test('A migration that another process has made between the look and the lock is found done', async () => {
  const sample = nextFile()
  const migrated = sqlite(sample)
  const { applied } = await migrated.migrate()
  await migrated.close()
  const file = nextFile()

  const storage = sqlite(file, {
    driver: async () =>
      class extends Database {
        constructor(path: string, options: Database.Options) {
          super(path, options)
          const prepare = this.prepare.bind(this)
          const value = (text: string): unknown => {
            if (text === 'BEGIN IMMEDIATE') copyTables(sample, file)
            return prepare(text)
          }
          Object.defineProperty(this, 'prepare', { value })
        }
      },
  })
  expect(await storage.migrate()).toEqual({ applied: [] })
  const names = new Database(file).prepare('select name from laurels_migrations').pluck().all()
  expect(names).toEqual(applied)
  await storage.close()
})

/** The work of a process that migrates the second file like the first. */
function copyTables(from: string, to: string): void {
  const sample = new Database(from, { readonly: true })
  const texts = sample
    .prepare(`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid`)
    .pluck()
    .all()
  const names = sample.prepare('select name from laurels_migrations').pluck().all()
  sample.close()
  const database = new Database(to)
  for (const text of texts) database.exec(String(text))
  for (const name of names) database.prepare('insert into laurels_migrations values (?, 1)').run(name)
  database.close()
}
