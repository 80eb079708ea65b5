// @early: It takes long for its size.

import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { fromPg, postgres } from '../../adapters/postgres/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { checkFold } from '../support/check-fold.ts'
import { NOON } from '../support/engine.ts'
import { databaseUrl } from '../support/postgres.ts'
import { SOAK } from '../support/zones.ts'
import { CALLS, type Call } from './calls.ts'
import { GAME } from './game.ts'
import { LIBRARIES } from './library-hosts.ts'
import { HOSTS, type Opened } from './postgres-hosts.ts'
import { useWorld, type World } from './postgres-world.ts'
import { joined } from './writer.ts'

const world = useWorld()
afterAll(() => checkFold(world().storage))
const currentId = 'select pg_current_xact_id()::text as id'

/** Records a call within the host's transaction, between two statements of the host's, and rolls back. */
async function rollsBack(
  { engine, orders, dump, notes }: World,
  opened: Opened,
  { run }: Pick<Call, 'run'>,
  user: string,
): Promise<void> {
  const before = await dump()
  await opened.query(`insert into ${orders} values ($1)`, [`${user} before`])
  const [id] = await opened.query(currentId)
  await run(joined(engine, opened.tx), user)
  await opened.query(`insert into ${orders} values ($1)`, [`${user} after`])
  const [same] = await opened.query(currentId)
  const meanwhile = { tables: await dump(), notes: await notes() }
  await opened.rollback()
  expect(same).toEqual(id)
  expect(meanwhile.tables).toEqual(before)
  expect(await dump()).toEqual(before)
  for (const seen of [meanwhile.notes, await notes()]) expect(seen.filter((note) => note.startsWith(user))).toEqual([])
}

/** Each library tries some of the calls, so that every call is tried by one of them. The soak tries all with each. */
const ROWS = [
  ...HOSTS.map(([name, begin]) => [name, begin, CALLS] as const),
  ...LIBRARIES.map(([name, begin], place) => {
    const isItsOwn = (_: Call, index: number): boolean => SOAK || index % LIBRARIES.length === place
    return [name, begin, CALLS.filter(isItsOwn)] as const
  }),
]

describe.each(ROWS)('%s', (_, begin, calls) => {
  test.each(calls)('$name: ROLLBACK leaves nothing, COMMIT everything', async (call) => {
    const { engine, storage, pool, orders, dump, notes, nextUser } = world()
    const [user, like] = [nextUser(), nextUser()]
    for (const each of [user, like]) await call.prepare?.(engine, each)
    await rollsBack(world(), await begin(pool), call, user)

    const before = await dump()
    const opened = await begin(pool)
    await opened.query(`insert into ${orders} values ($1)`, [user])
    const answer = await call.run(joined(engine, opened.tx), user)
    expect(await dump()).toEqual(before)
    await opened.commit()
    expect(await notes()).toContain(user)

    // The same as through the queue.
    const usual = await call.run(engine, like)
    const anyId = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replaceAll(like, user)
    expect(anyId(JSON.stringify(answer))).toBe(anyId(JSON.stringify(usual)))
    const stateOf = async (id: string): Promise<unknown> => {
      const { state, awards, periods } = await loadUser(storage, { tenant: '', user: id }, { awards: {}, periods: {} })
      return JSON.parse(anyId(JSON.stringify([state?.seq, state?.at, state?.streak, awards, periods])))
    }
    expect(await stateOf(user)).toEqual(await stateOf(like))
  })

  test('calls at once in one transaction are recorded in the order they were made', async () => {
    const { engine, pool, nextUser } = world()
    const [ann, bob] = [nextUser(), nextUser()]
    const opened = await begin(pool)
    const { metrics, achievements } = joined(engine, opened.tx)
    const totals = await Promise.all([
      metrics.event('words', { user: { id: ann }, value: 1 }),
      metrics.event('words', { user: { id: bob }, value: 10 }),
      metrics.event('words', { user: { id: ann }, value: 2, idempotencyKey: 'a' }),
      metrics.event('words', { user: { id: ann }, value: 3, occurredAt: new Date('2026-03-09T12:00:00Z') }),
      metrics.event('words', { user: { id: ann }, value: 4, idempotencyKey: 'a' }),
      metrics.event('words', { user: { id: bob }, value: 90 }),
      metrics.event('words', { user: { id: ann }, value: 5 }),
    ])
    expect(totals.map(({ total }) => total)).toEqual([1, 10, 3, 6, 6, 100, 11])
    await Promise.all([
      achievements.complete('joined', { user: { id: bob } }),
      achievements.complete('joined', { user: { id: ann } }),
    ])
    await opened.commit()
    expect((await engine.users.achievements(bob)).map(({ key }) => key).sort()).toEqual([
      'both',
      'first',
      'hundred',
      'joined',
    ])
  })
})

test('an implementation that commits the transaction of the host would be caught', async () => {
  const { pool, nextUser } = world()
  const client = await pool.connect()
  await client.query('begin')
  const own: { readonly [text: string]: string } = {
    'savepoint laurels': 'begin',
    'release savepoint laurels': 'commit',
  }
  const opened: Opened = {
    tx: fromPg({ query: (text, values) => client.query(own[text] ?? text, values) }),
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
    commit: async () => client.release(),
    rollback: async () => {
      await client.query('rollback')
      client.release()
    },
  }
  const [call] = CALLS
  if (call === undefined) throw new Error('There is no call')
  await expect(rollsBack(world(), opened, call, nextUser())).rejects.toThrow()
})

test('nothing is asked of the connection but savepoints and statements', async () => {
  const { engine, pool, nextUser } = world()
  const client = await pool.connect()
  const texts: string[] = []
  const tx = fromPg({
    query: (text, values) => {
      texts.push(text)
      return client.query(text, values)
    },
  })
  await client.query('begin')
  const writer = joined(engine, tx)
  const id = nextUser()
  await writer.metrics.event('words', { user: { id }, value: 1 })
  await writer.metrics.event('words', { user: { id }, value: 1, occurredAt: new Date('2026-03-08T12:00:00Z') })
  await client.query('rollback')
  client.release()
  const first = texts.map((text) => text.trim().split(/\s+/, 1)[0])
  expect([...new Set(first)].sort()).toEqual(['release', 'savepoint', 'select', 'with'])
  // A lone event: the savepoint, the lock, the user, the save, and the end of the savepoint.
  expect(first.indexOf('release')).toBeLessThanOrEqual(5)
})

test('a read beside a transaction that has the only connection of the pool says so at its deadline', async () => {
  const { schema } = world()
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  const storage = postgres(pool, { schema, deadlineMs: 300 })
  const engine = createGamification<DefinedGame>({ game: defineGame(GAME), storage, clock: () => new Date(NOON) })
  const client = await pool.connect()
  await client.query('begin')
  await expect(engine.users.get('18')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      /could not be reached: no connection of the pool became free \(max: 1\)\. Read before BEGIN, or raise max\. Nothing was saved; try again\.$/,
    ),
  })
  await client.query('rollback')
  client.release()
  await engine.close()
  await pool.end()
})

test('needs no other connection, and no migrate() in this process', async () => {
  const { schema, nextUser } = world()
  const pool = new pg.Pool({ connectionString: databaseUrl(), max: 1 })
  const storage = postgres(pool, { schema, deadlineMs: 5_000 })
  const engine = createGamification<DefinedGame>({ game: defineGame(GAME), storage, clock: () => new Date(NOON) })
  const client = await pool.connect()
  await client.query('begin')
  const writer = joined(engine, fromPg(client))
  const id = nextUser()
  for (const { prepare, run } of CALLS) {
    await prepare?.(writer, id)
    await run(writer, id)
  }
  await client.query('rollback')
  client.release()
  await expect(engine.users.get(id)).rejects.toMatchObject({ code: 'unknown_user' })
  await engine.close()
  await pool.end()
})
