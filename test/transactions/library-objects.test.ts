import { drizzle } from 'drizzle-orm/node-postgres'
import { describe, expect, test } from 'vitest'
import {
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPg,
  fromPostgresJs,
  fromPrisma,
  fromTypeORM,
} from '../../adapters/postgres/index.ts'
import { untyped } from '../support/engine.ts'
import { openKnex, openPostgresJs, openPrisma, openTypeORM } from './library-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { joined } from './writer.ts'

const world = useWorld()

const FUNCTIONS = { fromPg, fromKysely, fromDrizzle, fromPrisma, fromKnex, fromTypeORM, fromPostgresJs }
type Name = keyof typeof FUNCTIONS

/** The expected value in each message. */
const WANTED: readonly (readonly [Name, string])[] = [
  ['fromPg', 'the client of pg on which you called BEGIN'],
  ['fromKysely', 'the trx that db.transaction().execute() of kysely hands to its callback'],
  ['fromDrizzle', 'the tx that db.transaction() of Drizzle on Postgres hands to its callback'],
  ['fromPrisma', 'the tx that prisma.$transaction(async (tx) => …) hands to its callback, not the client itself'],
  ['fromKnex', 'the trx that knex.transaction() hands to its callback, or resolves to'],
  ['fromTypeORM', 'the manager that dataSource.transaction() of TypeORM hands to its callback, or a QueryRunner'],
  [
    'fromPostgresJs',
    'the sql that sql.begin() of postgres.js hands to its callback, not the one that opens connections',
  ],
]

const NOTHING: readonly (readonly [text: string, given: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'tx'],
  ['an empty object', {}],
  ['a function', () => 7],
]

describe.each(WANTED)('%s', (name, wanted) => {
  test.each(NOTHING)('refuses %s in words that say what it wants', (text, given) => {
    const call = () => FUNCTIONS[name](untyped(given))
    const message = `${name}() expects ${wanted}, but received ${text}.`
    expect(call).toThrow(expect.objectContaining({ name: 'GamificationError', code: 'storage_unusable', message }))
  })

  test('refuses what opens transactions in place of one', async () => {
    const { pool } = world()
    const typeorm = await openTypeORM(pool)
    const roots: { readonly [key in Name]?: readonly unknown[] } = {
      fromDrizzle: [drizzle(pool), pool],
      fromPrisma: [await openPrisma(pool)],
      fromKnex: [openKnex(pool)],
      fromTypeORM: [typeorm, typeorm.manager],
      fromPostgresJs: [openPostgresJs(pool)],
    }
    for (const root of roots[name] ?? []) {
      expect(() => FUNCTIONS[name](untyped(root))).toThrow(expect.objectContaining({ code: 'storage_unusable' }))
    }
  })
})

test('what none of them made is refused in words that name them all', async () => {
  const { engine, pool } = world()
  const { users } = joined(engine, untyped(pool))
  await expect(users.create({ id: 'nobody' })).rejects.toMatchObject({
    code: 'storage_unusable',
    message:
      'The option tx must be made with fromPg, fromKysely, fromDrizzle, fromPrisma, fromKnex, fromTypeORM or fromPostgresJs.',
  })
})

describe('other ways in which libraries begin transactions', () => {
  const total = async (id: string): Promise<number> => (await world().engine.users.singleMetric(id, 'words')).current

  test('Drizzle: a nested one, which is a savepoint', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    const undone = new Error('The host undoes the nested one')
    await drizzle(pool).transaction(async (tx) => {
      await engine.metrics.event('words', { user: { id: ann }, value: 1 }, { tx: fromDrizzle(tx) })
      const nested = tx.transaction(async (inner) => {
        await engine.metrics.event('words', { user: { id: ann }, value: 10 }, { tx: fromDrizzle(inner) })
        throw undone
      })
      await expect(nested).rejects.toBe(undone)
      await engine.metrics.event('words', { user: { id: bob }, value: 100 }, { tx: fromDrizzle(tx) })
    })
    expect([await total(ann), await total(bob)]).toEqual([1, 100])
  })
})
