// The columns that the migrations make are those that the types of the tables have.

import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import { COLUMNS } from '../../src/sql/tables.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { textsOf } from '../support/statements.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const ADVICE = 'The types of the tables and the migrations differ: a column more or less takes a new migration.'

type Found = { readonly table: string; readonly column: string; readonly type: string; readonly required: boolean }

/** The declared types, in a database that has these names for its storage classes. */
function expected(words: { readonly [kept: string]: string }): readonly Found[] {
  return Object.entries(COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, kept]) => {
      const [word = '', nullable] = kept.split(' ')
      return { table, column, type: words[word] ?? word, required: nullable === undefined }
    }),
  )
}

const idOf = ({ table, column }: Found): string => `${table}.${column}`
const byName = (columns: readonly Found[]): ReadonlyMap<string, Found> =>
  new Map(columns.map((found) => [idOf(found), found] as const).sort(([a], [b]) => (a < b ? -1 : 1)))

describe('The columns', () => {
  test('of a new SQLite file are those of the types', async () => {
    const file = nextFile()
    const storage = sqlite(file)
    await storage.migrate()
    await storage.close()
    const database = new Database(file)
    onTestFinished(() => void database.close())
    const found = database
      .prepare<[], Omit<Found, 'required'> & { readonly required: number }>(
        `select substr(t.name, 9) as "table", c.name as "column", lower(c.type) as type, c."notnull" as required
          from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`,
      )
      .all()
    const types = expected({
      text: 'text',
      bytes: 'blob',
      integer: 'integer',
      small: 'integer',
      double: 'real',
      boolean: 'integer',
    })
    expect(byName(found.map((each) => ({ ...each, required: each.required === 1 }))), ADVICE).toEqual(byName(types))
  })

  test('of a new schema of Postgres are those of the types, and its own', async () => {
    const schema = nextSchema()
    const storage = postgres(databaseUrl(), { schema })
    await storage.migrate()
    await storage.close()
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    onTestFinished(() => client.end())
    const { rows } = await client.query<Found>(
      `select table_name as "table", column_name as "column", data_type as type, is_nullable = 'NO' as required
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = $1 and table_type = 'BASE TABLE'`,
      [schema],
    )
    const numbers = { integer: 'bigint', small: 'integer', double: 'double precision' }
    const types = expected({ text: 'text', bytes: 'bytea', boolean: 'boolean', ...numbers })
    const all = byName(rows)
    expect(new Map([...all].filter(([name]) => byName(types).has(name))), ADVICE).toEqual(byName(types))
    expect(
      [...all.keys()].filter((name) => !byName(types).has(name)),
      ADVICE,
    ).toEqual([
      'leaderboard_pending.delta',
      'leaderboard_pending.group_key',
      'leaderboard_pending.id',
      'leaderboard_pending.leaderboard',
      'leaderboard_pending.minus_value',
      'leaderboard_pending.reached_at',
      'leaderboard_pending.run',
      'leaderboard_pending.tenant_id',
      'leaderboard_pending.user_id',
      'processes.batch',
      'processes.id',
      'processes.outcome',
      'processes.used_at',
    ])
  })

  test('are all named by what SQLite inserts', () => {
    // Messages have statements of their own, and positions are given later.
    const { migrations, messages, outbox_head, documents, deliveries, users, ...others } = COLUMNS
    const { notices_sent_until, next_notice_at, ...state } = users
    const tables = { ...others, users: state }
    const all = Object.entries(tables).map(([table, columns]) => [table, Object.keys(columns).sort()] as const)
    const found = textsOf(sqliteTraits).flatMap((text) => insertIn(text) ?? [])
    // A repair also writes how far notices were sent.
    const inserts = found.filter(({ table, columns }) => table in tables && !columns.includes('notices_sent_until'))
    expect(new Map(inserts.map(({ table, columns }) => [table, columns])), ADVICE).toEqual(new Map(all))
    for (const { columns, replaced } of inserts) expect(replaced ?? columns, ADVICE).toEqual(columns)
  })
})

const INSERT =
  /^insert into "laurels_(\w+)"(?: as \w+)? \(([^)]*)\)(?:.*\s+on conflict \(([^)]*)\) do update set (.*))?/
const namesIn = (list: string): readonly string[] => list.split(', ')

/** The columns of an insert, and the columns of its key with the ones that it replaces in an existing row. */
function insertIn(text: string) {
  const [, table, columns = '', key, set] = INSERT.exec(text) ?? []
  if (table === undefined) return null
  const replaced = key === undefined || set === undefined ? null : [...namesIn(key), ...assignedIn(set)].sort()
  return { table, columns: namesIn(columns).toSorted(), replaced }
}

const assignedIn = (set: string): readonly string[] => [...set.matchAll(/(\w+) = /g)].map(([, name = '']) => name)
