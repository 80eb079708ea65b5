import { expect, test } from 'vitest'
import { laurels } from '../../support/cli.ts'
import { POSTGRES_NAMES } from '../../support/migrations.ts'
import { dumpSchema } from '../postgres/migrations-database.ts'
import { useDatabases } from '../postgres/races-database.ts'

const newDatabase = useDatabases()

const sqlFor = async (url: string, schema: string): Promise<string> =>
  (await laurels(['migrate', '--sql', '--db', url, '--schema', schema])).out

test('The SQL of an empty database makes what migrate makes, and info then says that it is up to date', async () => {
  const { url, query } = await newDatabase()
  const sql = await sqlFor(url, 'by_hand')
  expect(await query(`select 1 from pg_namespace where nspname = 'by_hand'`)).toEqual([])
  expect(sql).toMatch(/^-- laurels \S+: 0001-schema\n-- psql -v ON_ERROR_STOP=1 /)
  // Under another level it would copy what was there before it had the lock.
  expect(sql).toContain('\nbegin isolation level read committed;\n')
  expect(sql).toContain('create schema "by_hand";\n')
  await query(sql)

  await laurels(['migrate', '--db', url, '--schema', 'migrated'])
  expect(await dumpSchema({ query }, 'by_hand')).toEqual(await dumpSchema({ query }, 'migrated'))
  const info = await laurels(['info', '--json', '--db', url, '--schema', 'by_hand'])
  expect(JSON.parse(info.out)).toMatchObject({ migrations: { applied: POSTGRES_NAMES, pending: [] } })
  const again = await laurels(['migrate', '--db', url, '--schema', 'by_hand'])
  expect(again.out).toBe('no migration to apply\n')
  expect(await sqlFor(url, 'by_hand')).toBe('-- no migration to apply\n')
})

test('The name of the schema is within quotes, whatever it is', async () => {
  const { url, query } = await newDatabase()
  const schema = `it's "a" $laurels$`
  await query(await sqlFor(url, schema))
  expect((await laurels(['migrate', '--db', url, '--schema', schema])).out).toBe('no migration to apply\n')
})

test('Run where somebody else has migrated meanwhile, it fails and changes nothing', async () => {
  const { url, query } = await newDatabase()
  const sql = await sqlFor(url, 'laurels')
  await laurels(['migrate', '--db', url])
  const before = await dumpSchema({ query }, 'laurels')
  await expect(query(sql)).rejects.toThrow('already exists')
  await query('rollback')
  expect(await dumpSchema({ query }, 'laurels')).toEqual(before)
})

test('In a database of another encoding it says what is needed', async () => {
  const { url, query } = await newDatabase(`encoding 'LATIN1' locale 'C' template template0`)
  const sql = await sqlFor(url, 'laurels')
  await expect(query(sql)).rejects.toThrow('The database has the encoding LATIN1: laurels needs one with UTF8.')
})
