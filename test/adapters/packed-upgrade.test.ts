// A database as it was before its log and its awards were packed keeps every row, and whoever might read them.

import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { quote } from '../../adapters/postgres/quote.ts'
import { postgresTraits } from '../../adapters/postgres/traits.ts'
import type { SqlTraits } from '../../adapters/sql/traits.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import { createGamification, type DefinedGame, defineGame, type Storage } from '../../src/index.ts'
import { type Life, lives } from '../engine/random-lives.ts'
import { openWorld } from '../engine/user-lives.ts'
import { makeSchema } from '../postgres/migrations-database.ts'
import { type OwnDatabase, useDatabases } from '../postgres/races-database.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { SOAK, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const LIVES = SOAK ? 300 : 4
const nextFile = useDatabaseFiles()
const nextDatabase = useDatabases()

/** What people read, in an order that depends on the rows alone. */
const SHOWN = [
  ...['log', 'awards', 'view_metric_totals', 'view_points_totals'],
  ...['view_streak_freezes', 'view_achievement_completions'],
]
const PACKED = ['packed_log', 'packed_awards']

/** The migrations before the one that packs rows, and what the library has to do for it. */
function before({ migrations }: SqlTraits) {
  const place = migrations.findIndex(({ name }) => name.endsWith('-packed-rows'))
  return { old: migrations.slice(0, place), packing: migrations.slice(place).map(({ name }) => name) }
}

/** Events of some users, some of them late, void, held back or of users who are gone, as far as `life` has them. */
async function play(storage: Storage, life: Life): Promise<void> {
  const world = await openWorld(storage, life)
  for (const [index, deed] of life.deeds.entries()) await world.play(deed, index)
}

/** Whether all that the storage has follows from its logs; closes it. */
async function expectSound(storage: Storage, { definition }: Life): Promise<void> {
  const clock = (): Date => new Date('2100-01-01T00:00:00Z')
  const engine = createGamification<DefinedGame>({ game: defineGame(definition), storage, clock })
  expect(await engine.verify()).toMatchObject({ drift: [] })
  await engine.close()
}

describe('A SQLite file', () => {
  const rowsOf = (database: Database.Database, names: readonly string[]) =>
    names.map((name) => [
      name,
      database
        .prepare(`select * from laurels_${name}`)
        .raw()
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ])

  test(`shows the same rows, and has packed them as new ones are, after any history (seed ${SEED})`, async () => {
    const { old, packing } = before(sqliteTraits)
    await fc.assert(
      fc.asyncProperty(lives(24), async (life) => {
        const [made, file] = [nextFile(), nextFile()]
        const fresh = sqlite(made)
        await play(fresh, life)
        await fresh.close()
        const database = new Database(file)
        database.exec(sqliteTraits.migrationsTable)
        for (const { name, texts } of old) {
          for (const text of texts) database.exec(text)
          database.prepare('insert into laurels_migrations values (?)').run(name)
        }
        database.exec(`attach '${made}' as made`)
        const tables = database
          .prepare<[], string>(
            `select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%' and name <> 'laurels_migrations'`,
          )
          .pluck()
          .all()
        for (const table of tables) {
          const columns = database.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all()
          database.exec(`delete from main.${table}`)
          database.exec(
            `insert into main.${table} (${columns.join(', ')}) select ${columns.join(', ')} from made.${table}`,
          )
        }
        database.exec('detach made')
        const shown = rowsOf(database, SHOWN)

        const storage = sqlite(file)
        expect(await storage.migrate()).toEqual({ applied: packing })
        expect(rowsOf(database, SHOWN)).toEqual(shown)
        const other = new Database(made)
        expect(rowsOf(database, PACKED)).toEqual(rowsOf(other, PACKED))
        await expectSound(storage, life)
        for (const each of [database, other]) each.close()
      }),
      { numRuns: LIVES, seed: SEED },
    )
  }, 120_000)
})

describe('A schema of Postgres', () => {
  /** Makes the schema as it was, and names the migrations that it lacks. */
  async function makeOld(own: OwnDatabase, schema: string): Promise<readonly string[]> {
    const { old, packing } = before(postgresTraits(schema))
    await makeSchema(own, schema, old.length)
    return packing
  }

  const rowsOf = async ({ query }: OwnDatabase, schema: string, names: readonly string[]) => {
    const rows: (readonly unknown[])[] = []
    for (const name of names) rows.push(await query(`select t::text as row from ${schema}.${name} t order by 1`))
    return rows
  }

  test(`shows the same rows, and has packed them as new ones are, after any history (seed ${SEED})`, async () => {
    const own = await nextDatabase()
    let number = 0
    await fc.assert(
      fc.asyncProperty(lives(24), async (life) => {
        number += 1
        const [made, schema] = [`made_${number}`, `old_${number}`]
        const fresh = postgres(own.url, { schema: made })
        await play(fresh, life)
        await fresh.close()
        const packing = await makeOld(own, schema)
        const tables = await own.query<{ name: string; columns: string }>(
          `select table_name as name, string_agg(column_name, ', ') as columns
            from information_schema.columns join information_schema.tables using (table_schema, table_name)
            where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> 'migrations' group by 1`,
          [schema],
        )
        for (const { name, columns } of tables) {
          await own.query(`delete from ${schema}.${name}`)
          await own.query(
            `insert into ${schema}.${name} (${columns}) overriding system value select ${columns} from ${made}.${name}`,
          )
        }
        const shown = await rowsOf(own, schema, SHOWN)

        const storage = postgres(own.url, { schema })
        expect(await storage.migrate()).toEqual({ applied: packing })
        expect(await rowsOf(own, schema, SHOWN)).toEqual(shown)
        expect(await rowsOf(own, schema, PACKED)).toEqual(await rowsOf(own, made, PACKED))
        await expectSound(storage, life)
      }),
      { numRuns: LIVES, seed: SEED },
    )
  }, 240_000)

  test('may be read and written by whom it was given to', async () => {
    const own = await nextDatabase()
    const [schema, id] = [`it's "granted"`, own.name.slice(-8)]
    const [app, analyst] = [`laurels_app_${id}`, `laurels "analyst" ${id}`]
    for (const role of [app, analyst]) await own.query(`create role ${quote(role)}`)
    onTestFinished(async () => {
      for (const role of [app, analyst]) await own.query(`drop owned by ${quote(role)}; drop role ${quote(role)}`)
    })
    const of = quote(schema)
    await makeOld(own, schema)
    await own.query(`grant usage on schema ${of} to ${quote(app)}, ${quote(analyst)}`)
    await own.query(`grant select, insert, update, delete on ${of}.log, ${of}.awards to ${quote(app)}`)
    await own.query(`grant select on ${of}.log to ${quote(analyst)} with grant option`)
    await own.query(`grant select on ${of}.view_metric_totals to ${quote(analyst)}`)
    const storage = postgres(own.url, { schema })
    await storage.migrate()
    await storage.close()
    const may = async (role: string, privilege: string): Promise<readonly string[]> => {
      const rows = await own.query<{ name: string }>(
        `select c.relname::text collate "C" as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = $1 and c.relname in ('log', 'awards', 'packed_log', 'packed_awards', 'view_metric_totals')
            and has_table_privilege($2, c.oid, $3) order by 1`,
        [schema, role, privilege],
      )
      return rows.map(({ name }) => name)
    }
    const all = ['awards', 'log', 'packed_awards', 'packed_log']
    for (const privilege of ['select', 'insert', 'update', 'delete']) {
      expect([privilege, ...(await may(app, privilege))]).toEqual([privilege, ...all])
    }
    expect(await may(analyst, 'select')).toEqual(['log', 'packed_log', 'view_metric_totals'])
    expect(await may(analyst, 'select with grant option')).toEqual(['log', 'packed_log'])
    expect(await may(analyst, 'insert')).toEqual([])
  }, 60_000)

  test('belongs to whom it belonged, whoever migrates it', async () => {
    const own = await nextDatabase()
    const [schema, owner] = ['owned', `laurels_owner_${own.name.slice(-8)}`]
    await own.query(`create role ${owner}`)
    onTestFinished(async () => {
      await own.query(
        `reset role; reassign owned by ${owner} to current_user; drop owned by ${owner}; drop role ${owner}`,
      )
    })
    await makeOld(own, schema)
    await own.query(`alter schema ${schema} owner to ${owner}`)
    const relations = await own.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'v')`,
    )
    for (const { name } of relations) await own.query(`alter table ${schema}.${name} owner to ${owner}`)
    // As where functions are not for everybody.
    await own.query(`alter default privileges revoke execute on functions from public`)
    const storage = postgres(own.url, { schema })
    await storage.migrate()
    await storage.close()
    await own.query(`alter default privileges grant execute on functions to public`)
    const read = ['log', 'awards', 'packed_log', 'packed_awards', ...SHOWN.slice(2)]
    await own.query(`set role ${owner}`)
    for (const name of read) {
      const rows = await own.query(`select * from ${schema}.${name}`).catch(String)
      expect([name, rows]).toEqual([name, []])
    }
    await own.query(`insert into ${schema}.awards (tenant_id, user_id, system, at, seq, ordinal, award_id, trigger_id,
      entry_id, awarded, total) values ('', 'ann', 'xp', 1, 1, 0, 'a', 't', 'e', 1, 1)`)
    expect(await own.query(`delete from ${schema}.awards returning award_id`)).toEqual([{ award_id: 'a' }])
    await own.query('reset role')
  }, 60_000)

  test('keeps rights on columns', async () => {
    const own = await nextDatabase()
    const role = `laurels_columns_${own.name.slice(-8)}`
    await own.query(`create role ${role}`)
    onTestFinished(async () => {
      await own.query(`drop owned by ${role}; drop role ${role}`)
    })
    await makeOld(own, 'columned')
    await own.query(`grant select (user_id, value) on columned.log to ${role}`)
    const storage = postgres(own.url, { schema: 'columned' })
    await storage.migrate()
    await storage.close()
    const may = async (relation: string, column: string) =>
      (
        await own.query(`select has_column_privilege('${role}', 'columned.${relation}', '${column}', 'select') as may`)
      )[0]
    expect([await may('log', 'value'), await may('log', 'profile'), await may('packed_log', 'value')]).toEqual([
      { may: true },
      { may: false },
      { may: false },
    ])
  }, 60_000)

  test.each([
    ['create view mine as select count(*) from old.log', 'drop view mine', 'view mine'],
    ['create materialized view mine as select * from old.awards', 'drop materialized view mine', 'view mine'],
    [
      'create function mine() returns bigint language sql begin atomic select count(*) from old.log; end',
      'drop function mine()',
      'function mine()',
    ],
    ['create policy mine on old.log using (true)', 'drop policy mine on old.log', 'policy mine on table old.log'],
    ['create publication mine for table old.awards', 'drop publication mine', 'publication'],
  ])(
    'on which somebody has made something is left as it is: %s',
    async (make, drop, named) => {
      const own = await nextDatabase()
      const packing = await makeOld(own, 'old')
      await own.query(make)
      const storage = postgres(own.url, { schema: 'old' })
      const error = await storage.migrate().catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'internal', cause: { message: expect.stringContaining(named) } })
      expect(await own.query(`select * from old.unpacked_log`).catch(() => 'none')).toBe('none')
      await own.query(drop)
      expect(await storage.migrate()).toEqual({ applied: packing })
      await storage.close()
    },
    60_000,
  )
})
