import Database from 'better-sqlite3'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { fromKysely, fromPg, postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, defineGame, type Gamification, type Storage } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import { databaseUrl } from '../support/postgres.ts'
import { CALLS } from './calls.ts'
import { GAME, TENANTS_GAME } from './game.ts'
import { beginPg } from './postgres-hosts.ts'
import { useWorld } from './postgres-world.ts'
import { codeOf } from './settled.ts'
import { joined } from './writer.ts'

const world = useWorld()

async function engineOn(storage: Storage): Promise<Gamification<DefinedGame>> {
  const engine = createGamification<DefinedGame>({ game: defineGame(GAME), storage })
  await engine.migrate()
  return engine
}

describe('a transaction that cannot be joined is storage_unusable', () => {
  test('on memory()', async () => {
    const engine = await engineOn(memory())
    const opened = await beginPg(world().pool)
    for (const { run } of CALLS) {
      expect(await codeOf(run(joined(engine, opened.tx), 'ann'))).toBe('storage_unusable')
    }
    await opened.rollback()
    expect(() => engine.within({}, () => 7)).toThrow(expect.objectContaining({ code: 'storage_unusable' }))
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
    await engine.close()
  })

  test('of Postgres on SQLite, and of better-sqlite3 on Postgres', async () => {
    const onSqlite = await engineOn(sqlite(':memory:'))
    const opened = await beginPg(world().pool)
    const { run } = CALLS[0] ?? expect.fail()
    expect(await codeOf(run(joined(onSqlite, opened.tx), 'ann'))).toBe('storage_unusable')
    expect(() => onSqlite.within(opened.tx, () => 7)).toThrow(expect.objectContaining({ code: 'storage_unusable' }))
    expect(() => world().engine.within(opened.tx, () => 7)).toThrow(
      expect.objectContaining({ code: 'storage_unusable' }),
    )
    await opened.rollback()
    await onSqlite.close()
  })

  test.each([
    ['null', null],
    ['a client', () => ({ query: async () => ({ rows: [] }) })],
    ['text', 'tx'],
    ['nothing of it', {}],
  ])('when it is %s', async (_, tx) => {
    const { engine, nextUser } = world()
    const id = nextUser()
    expect(await codeOf(joined(engine, untyped(tx)).users.create({ id }))).toBe('storage_unusable')
    expect(await codeOf(engine.users.get(id))).toBe('unknown_user')
  })

  test('when the Database itself is given as tx, and nothing is recorded', async () => {
    const database = new Database(':memory:')
    const engine = await engineOn(sqlite(database))
    const code = await codeOf(joined(engine, untyped(database)).users.create({ id: 'ann' }))
    expect(await codeOf(engine.users.get('ann'))).toBe('unknown_user')
    expect(code).toBe('storage_unusable')
    await engine.close()
  })
})

test('a transaction on another database, without laurels in it, is told as such', async () => {
  const { schema, pool, nextUser } = world()
  const storage = postgres(databaseUrl(), { schema: `${schema}_not` })
  const engine = createGamification<DefinedGame>({ game: defineGame(GAME), storage })
  const opened = await beginPg(pool)
  expect(await codeOf(joined(engine, opened.tx).users.create({ id: nextUser() }))).toBe('storage_unusable')
  await opened.rollback()
  await engine.close()
})

describe('kysely', () => {
  test('a controlled transaction, with savepoints of its own', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
    const transaction = await kysely.startTransaction().execute()
    const tx = fromKysely(transaction)
    await joined(engine, tx).users.create({ id: ann })
    const marked = await transaction.savepoint('laurels').execute()
    await joined(engine, fromKysely(marked)).users.create({ id: bob })
    await joined(engine, tx).users.update(ann, { name: 'Ann' })
    await marked.rollbackToSavepoint('laurels').execute()
    await joined(engine, tx).users.update(ann, { tz: 'Asia/Tokyo' })
    await transaction.commit().execute()
    expect(await engine.users.get(ann)).toMatchObject({ name: null, tz: 'Asia/Tokyo' })
    expect(await codeOf(engine.users.get(bob))).toBe('unknown_user')
  })

  test('calls at once on one transaction and on the same with a plugin go one after the other', async () => {
    const { engine, pool, nextUser } = world()
    const users = Array.from({ length: 8 }, () => nextUser())
    const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
    const codes = await kysely.transaction().execute(async (transaction) => {
      const views = [transaction, transaction.withSchema('public'), transaction.withoutPlugins()]
      return Promise.all(
        users.map((id, index) => {
          const { metrics } = joined(engine, fromKysely(views[index % 3] ?? transaction))
          return codeOf(metrics.event('words', { user: { id }, value: 1 }))
        }),
      )
    })
    expect(codes).toEqual(users.map(() => 'ok'))
    expect(await Promise.all(users.map((id) => codeOf(engine.users.get(id))))).toEqual(users.map(() => 'ok'))
  })

  test('a transaction that has ended is refused', async () => {
    const { engine, pool, nextUser } = world()
    const kysely = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
    const tx = await kysely.transaction().execute(async (transaction) => {
      await transaction.executeQuery(CompiledQuery.raw('select 1'))
      return fromKysely(transaction)
    })
    const id = nextUser()
    const code = await codeOf(joined(engine, tx).users.create({ id }))
    expect(await codeOf(engine.users.get(id))).toBe('unknown_user')
    // kysely says it without a code.
    expect(code).toEqual(expect.stringMatching(/^(storage_unusable|unavailable)$/))
  })
})

describe('tenants', () => {
  test('are apart within a transaction too', async () => {
    const { schema, pool } = world()
    const own = `${schema}_tenants`
    const storage = postgres(databaseUrl(), { schema: own })
    const engine = createGamification<DefinedGame>({ game: defineGame(TENANTS_GAME), storage })
    await engine.migrate()
    try {
      const opened = await beginPg(pool)
      const { tx } = opened
      expect(await codeOf(joined(engine, tx).users.create({ id: 'ann' }))).toBe('tenant_required')
      const [acme, bolt] = [engine.tenant('acme'), engine.tenant('bolt')]
      await joined(acme, tx).metrics.event('words', { user: { id: 'ann' }, value: 100, idempotencyKey: 'a' })
      const answer = await joined(bolt, tx).metrics.event('words', {
        user: { id: 'ann' },
        value: 1,
        idempotencyKey: 'a',
      })
      expect(answer).toMatchObject({ total: 1, idempotentReplayed: false })
      await opened.commit()
      const rarityOf = async (tenant: typeof acme): Promise<unknown> =>
        (await tenant.achievements.all()).find(({ key }) => key === 'hundred')?.rarity
      expect([await rarityOf(acme), await rarityOf(bolt)]).toEqual([100, 0])
      const tenants: unknown[] = []
      engine.on('user.created', ({ tenant }) => void tenants.push(tenant))
      await tx.committed()
      expect(tenants).toEqual(['acme', 'bolt'])
    } finally {
      await engine.close()
      await pool.query(`drop schema "${own}" cascade`)
    }
  })
})

test.each([1, 2, 3, 4])(
  'a COMMIT before the end of a call that nobody awaited leaves nothing of it: %i',
  async (place) => {
    const { engine, pool, nextUser } = world()
    const id = nextUser()
    const client = await pool.connect()
    await client.query('begin')
    let statements = 0
    const tx = fromPg({
      query: async (text, values) => {
        statements += 1
        if (statements === place) await client.query('commit')
        return client.query(text, values)
      },
    })
    const code = await codeOf(joined(engine, tx).users.create({ id }))
    client.release()
    expect(code).not.toBe('ok')
    expect(await codeOf(engine.users.get(id))).toBe('unknown_user')
  },
)
