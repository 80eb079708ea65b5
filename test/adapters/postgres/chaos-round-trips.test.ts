// The traffic on the wire: two round trips for a batch, no named statements, and no state that stays in a session.

import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type PostgresPool, postgres } from '../../../adapters/postgres/index.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useEmptySchemas, useSchemas } from '../../support/postgres.ts'
import { kindOf } from './processes.ts'
import type { PostgresProxy } from './proxy.ts'
import { outcomesOf, tell } from './told.ts'
import { createEngine, useWorld } from './world.ts'

const nextSchema = useSchemas()
const nextEmptySchema = useEmptySchemas()

async function asked(proxy: PostgresProxy, call: () => Promise<unknown>): Promise<readonly string[]> {
  const before = proxy.questions.length
  await call()
  // A process notes beside its calls, at most every 20 seconds, that it is at work.
  return proxy.questions
    .slice(before)
    .map(kindOf)
    .filter((kind) => kind !== 'seen')
}

describe('a batch', () => {
  test.each([
    ['of one user', 1],
    ['of 64 users', 64],
  ])('%s takes two round trips when it is read first, else one', async (_, users) => {
    const world = await useWorld(nextEmptySchema())
    const engine = await world.open()
    const wishes = times(users, (index) => ({ user: `user ${index}`, key: `key-${index}` }))
    const batch = (): Promise<unknown> =>
      Promise.all(wishes.map((wish) => tell(engine, wish))).then((calls) =>
        expect(new Set(outcomesOf(calls))).toEqual(new Set(['stored'])),
      )
    // Once, for the process.
    expect(await asked(world.proxy, () => tell(engine, { user: 'first' }))).toEqual([
      'tables',
      'load',
      'register',
      'save',
    ])
    // First-ever users; then known ones with replays, which only the save finds out.
    expect(await asked(world.proxy, batch)).toEqual(['load', 'save'])
    expect(await asked(world.proxy, batch)).toEqual(['save'])
    await engine.close()
    const other = await world.open()
    const again = (): Promise<unknown> => Promise.all(wishes.map((wish) => tell(other, wish)))
    await other.users.get('user 0')
    expect(await asked(world.proxy, again)).toEqual(['tables', 'load'])
  })
})

test('nothing is prepared under a name, and nothing is left in a session', async () => {
  const world = await useWorld(nextEmptySchema())
  const schema = nextSchema()
  const storage = postgres(world.proxy.url, { schema })
  const engine = createEngine(storage)
  await engine.migrate()
  const { id, key } = await engine.adminKeys.create()
  await Promise.all([tell(engine, { user: 'ann', key: 'one' }), tell(engine, { user: 'bob' })])
  await tell(engine, { user: 'ann', daysAgo: 3 })
  await engine.users.updatePreferences('ann', { notifications: { recap: ['email'] } })
  await engine.users.points('ann', 'xp')
  await engine.users.streak('ann')
  await engine.points.levelSummary('xp')
  await engine.points.summary('xp')
  await engine.authenticate(key)
  await engine.admin.applicationApiKeys.create([{ userId: 'ann' }])
  await engine.adminKeys.rotate(id)
  await engine.adminKeys.delete(id)
  let breaks = 1
  world.proxy.choose(({ text }) => (text.includes('save') && breaks-- > 0 ? 'answerLost' : 'passes'))
  await tell(engine, { user: 'ann' })
  await engine.close()

  const { questions } = world.proxy
  expect(questions.length).toBeGreaterThan(60)
  expect(questions.filter(({ name }) => name !== '')).toEqual([])
  // Settings of migrate(), of a lock and of a page end with their transaction.
  const texts = questions
    .map(({ text }) => text.trim())
    .filter((text) => !/^set local (lock_timeout = (\d+|'5s')|enable_bitmapscan = off)$/.test(text))
  const first = texts.map((text) => text.split(/\s/, 1)[0]?.toLowerCase() ?? '')
  const lasting = ['set', 'reset', 'listen', 'prepare', 'deallocate', 'declare', 'discard', 'load', 'lock', 'copy']
  expect(first.filter((word) => lasting.includes(word))).toEqual([])
  const own = texts.filter((text) => !/^create or replace function/i.test(text))
  expect(own.filter((text) => /\btemp(orary)?\b|set_config|\bset\s+(session|local)\b|\blisten\b/i.test(text))).toEqual(
    [],
  )
  expect(own.filter((text) => /pg_(try_)?advisory_lock/i.test(text))).toEqual([])
})

test('a connection is left as it was found', async () => {
  const world = await useWorld(nextEmptySchema())
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  onTestFinished(() => pool.end())
  const look = async (): Promise<unknown> => {
    const { rows } = await pool.query(`
      select pg_backend_pid() as pid, pg_current_xact_id_if_assigned() is null as outside,
        (select count(*) from pg_settings where source = 'session')::int as settings,
        (select count(*) from pg_prepared_statements)::int as statements,
        (select count(*) from pg_listening_channels())::int as channels,
        (select count(*) from pg_cursors where name <> '')::int as cursors,
        (select count(*) from pg_class where relpersistence = 't' and pg_table_is_visible(oid))::int as temporary,
        (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory')::int as locks`)
    return rows[0]
  }
  const before = await look()
  expect(before).toMatchObject({
    outside: true,
    settings: 0,
    statements: 0,
    channels: 0,
    cursors: 0,
    temporary: 0,
    locks: 0,
  })
  const schema = nextSchema()
  const engine = createEngine(postgres(pool as PostgresPool, { schema }))
  await engine.migrate()
  await Promise.all([tell(engine, { user: 'ann' }), tell(engine, { user: 'bob', key: 'one' })])
  await tell(engine, { user: 'ann', daysAgo: 2 })
  await engine.adminKeys.create()
  await engine.adminKeys.create()
  await expect(engine.users.get('nobody')).rejects.toMatchObject({ code: 'unknown_user' })
  await world.query(`alter table "${schema}".log rename to gone`)
  expect((await tell(engine, { user: 'ann' })).outcome).toBe('storage_unusable')
  await engine.close()
  expect(await look()).toEqual(before)
})
