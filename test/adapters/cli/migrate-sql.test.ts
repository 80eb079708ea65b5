import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'
import { SQLITE_NAMES } from '../../support/migrations.ts'

const file = useFiles()

async function sqlFor(db: string): Promise<string> {
  const { code, out, err } = await laurels(['migrate', '--sql', '--db', db])
  expect([code, err]).toEqual([0, ''])
  return out
}

function change(db: string, text: string): void {
  const database = new Database(db)
  try {
    database.exec(text)
  } finally {
    database.close()
  }
}

/** The texts of the schema and the rows that say which migrations were applied. */
function read(db: string): readonly unknown[] {
  const database = new Database(db)
  const schema = database.prepare('select type, name, sql from sqlite_schema order by type, name').all()
  const applied = database.prepare('select name from laurels_migrations order by name').all()
  database.close()
  return [...schema, ...applied]
}

test('The SQL of an empty file makes what migrate makes, and info then says that it is up to date', async () => {
  const byHand = file('by-hand.db')
  const sql = await sqlFor(byHand)
  expect(existsSync(byHand)).toBe(false)
  expect(sql).toMatch(/^-- laurels \S+: 0001-schema\n-- sqlite3 -bail /)
  change(byHand, sql)

  const migrated = file('migrated.db')
  await laurels(['migrate', '--db', migrated])
  expect(read(byHand)).toEqual(read(migrated))
  expect(JSON.parse((await laurels(['info', '--json', '--db', byHand])).out)).toMatchObject({
    migrations: { applied: SQLITE_NAMES, pending: [] },
  })
  expect((await laurels(['migrate', '--db', byHand])).out).toBe('no migration to apply\n')
})

test('Run where somebody else has migrated meanwhile, it fails', async () => {
  const db = file('meanwhile.db')
  const sql = await sqlFor(db)
  await laurels(['migrate', '--db', db])
  expect(() => change(db, sql)).toThrow('already exists')
})

test('Where nothing is pending, it is a comment', async () => {
  const db = file('current.db')
  await laurels(['migrate', '--db', db])
  expect(await sqlFor(db)).toBe('-- no migration to apply\n')
})

test.each([
  [['--dry-run'], '--sql runs nothing: leave --dry-run out'],
  [
    ['--game', 'game.ts'],
    '--sql prints the SQL of the tables: leave --game out, and the first process stores its game',
  ],
])('With %j it is refused', async (args, message) => {
  const called = await laurels(['migrate', '--sql', '--db', file('x.db'), ...args])
  expect(called).toMatchObject({ code: 2, out: '', err: `laurels: ${message}\nSee laurels migrate --help\n` })
})
