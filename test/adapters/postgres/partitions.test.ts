// @heavy: It takes more than three seconds.

// Tables of users in hash partitions: what is made, what it keeps, and how an existing database is moved.

import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromPg, postgres } from '../../../adapters/postgres/index.ts'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import { createGamification, type DefinedGame, defineGame, type Gamification } from '../../../src/index.ts'
import { compiler } from '../../../src/sql/database.ts'
import { FIND_BY_KEY, FIND_BY_VALUE } from '../../../src/sql/log.ts'
import { laurels } from '../../support/cli.ts'
import { pageOf, textsOf } from '../../support/pages.ts'
import { times } from '../../support/places.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { dumpSchema } from './migrations-database.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'

const nextSchema = useSchemas()
const newDatabase = useDatabases()

const game = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: {
    all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01', maxParticipants: null },
  },
})

const TABLES = [
  'awards',
  'challenge_windows',
  'completions',
  'given_boosts',
  'leaderboard_entries',
  'log',
  'movements',
  'points',
  'redemptions',
  'snapshots',
  'streak_pauses',
  'streak_periods',
  'tallies',
  'totals',
  'users',
]

type Query = OwnDatabase['query']

function openPool(url = databaseUrl(), max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true, max })
  onTestFinished(() => pool.end())
  return pool
}

function open(pool: pg.Pool, options: { readonly schema?: string; readonly partitions?: number }) {
  const engine = createGamification<DefinedGame>({
    game,
    storage: postgres(pool, { deadlineMs: 60_000, ...options }),
    clock: () => new Date('2026-03-10T12:00:00.000Z'),
  })
  onTestFinished(() => engine.close())
  return engine
}

async function openPartitioned(partitions = 4, connections = 10) {
  const pool = openPool(databaseUrl(), connections)
  const schema = nextSchema()
  const engine = open(pool, { schema, partitions })
  await engine.migrate()
  const query: Query = async (text, values = []) => (await pool.query(text, [...values])).rows
  return { pool, schema, engine, query }
}

const write = (engine: Gamification<DefinedGame>, id: string, value: number, idempotencyKey?: string) =>
  engine.metrics.event('words', { user: { id }, value, ...(idempotencyKey && { idempotencyKey }) })

/** The tables that are partitioned, each with its number of partitions. */
async function partitionsIn(query: Query, schema: string) {
  const rows = await query(
    `select c.relname as name, count(*)::int as count from pg_inherits i join pg_class c on c.oid = i.inhparent
      where c.relnamespace = $1::regnamespace and c.relkind = 'p' group by 1 order by 1`,
    [`"${schema}"`],
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

const allIn = (count: number) => Object.fromEntries(TABLES.map((name) => [name, count]))

/** Writes a user, and returns the number of the partition that has the user's rows. */
async function partitionOf(engine: Gamification<DefinedGame>, query: Query, schema: string): Promise<string> {
  await write(engine, 'ann', 10)
  const rows = await query(
    `select right(tableoid::regclass::text, 1) as part from "${schema}".log where user_id = 'ann'`,
  )
  return String(rows[0]?.part)
}

/** How often each partition was read. A connection reports it at the end of a transaction. */
async function scansIn(pool: pg.Pool, schema: string): Promise<readonly { name: string; count: number }[]> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query(
    `select relname as name, (coalesce(idx_scan, 0) + seq_scan)::int as count from pg_stat_user_tables
      where schemaname = $1 and relname ~ '_[0-9]$'`,
    [schema],
  )
  return rows
}

describe('With partitions: 4', () => {
  test('migrate() makes each table of a user in four partitions, and no other table', async () => {
    const { query, schema } = await openPartitioned()
    expect(await partitionsIn(query, schema)).toEqual(allIn(4))
  })

  test('the log refuses an idempotency key and an entry id that are stored already', async () => {
    const { engine, query, schema } = await openPartitioned()
    await write(engine, 'ann', 10, 'chapter-1')
    const copy = (columns: string) =>
      query(`insert into "${schema}".log select (l).* from (
      select json_populate_record(l, '${columns}') as l from "${schema}".log l) l`)
    await expect(copy('{"at": 1, "entry_id": "\\\\x0102"}')).rejects.toMatchObject({
      code: '23505',
      constraint: expect.stringMatching(/^laurels_log_by_idempotency_[0-3]$/),
    })
    await expect(copy('{"at": 1, "idempotency_key": "chapter-2"}')).rejects.toMatchObject({
      code: '23505',
      constraint: expect.stringMatching(/^laurels_log_by_entry_[0-3]$/),
    })
  })

  test('a key that two processes send at once counts once for each user', async () => {
    const { engine, pool, schema } = await openPartitioned()
    const other = open(pool, { schema })
    const users = Array.from({ length: 20 }, (_, n) => `u${n}`)
    await Promise.all(users.flatMap((id) => [engine, other, engine].map((by) => write(by, id, 10, 'chapter-1'))))
    const totals = await Promise.all(users.map((id) => engine.users.singleMetric(id, 'words')))
    expect(totals.map(({ current }) => current)).toEqual(users.map(() => 10))
  })

  test('users are in all partitions, and totals, ranks, views and the audit have them all', async () => {
    const { engine, query, schema } = await openPartitioned()
    const values = Array.from({ length: 40 }, (_, n) => n + 1)
    await Promise.all(values.map((n) => write(engine, `u${n}`, n * 10)))
    await engine.metrics.event('words', {
      user: { id: 'u1' },
      value: 500,
      occurredAt: new Date('2026-03-09T12:00:00.000Z'),
    })
    const { eventId } = await write(engine, 'u2', 1_000)
    await engine.events.void(eventId)

    const counts = await query(
      `select tableoid::regclass::text, count(*)::int as count from "${schema}".users group by 1`,
    )
    expect(counts).toHaveLength(4)
    expect(
      (await engine.leaderboards.get('all', { limit: 3 })).rankings.map(({ userId, value }) => [userId, value]),
    ).toEqual([
      ['u1', 510],
      ['u40', 400],
      ['u39', 390],
    ])
    expect((await engine.users.streak('u1')).length).toBe(2)
    // Forty events, the late one, and the voided one, which gave nothing.
    expect(
      await query(`select count(*)::int as events from "${schema}".view_log where kind = 'eventRecorded'`),
    ).toEqual([{ events: 42 }])
    expect(
      await query(
        `select count(*)::int as users, sum(total)::int as total from "${schema}".view_points_totals where date = '2026-03-10'`,
      ),
    ).toEqual([{ users: 40, total: 870 }])
    expect(await engine.verify()).toMatchObject({ users: 40, drift: [] })
    await engine.users.delete('u1')
    expect(await engine.verify()).toMatchObject({ users: 39, drift: [] })
  })

  test('an idempotency key and a new value are looked up in one partition, by their index', async () => {
    const { engine, query, schema } = await openPartitioned()
    const partition = await partitionOf(engine, query, schema)
    const compile = compiler(postgresTraits(schema, 4))
    const lookups = [
      [`laurels_log_by_idempotency_${partition}`, compile(FIND_BY_KEY)],
      [`log_${partition}_expr_expr1_metric_new_value_idx`, compile(FIND_BY_VALUE)],
    ] as const
    for (const [index, { text, toValues }] of lookups) {
      const values = toValues({
        tenant: '',
        user: 'ann',
        metric: 'words',
        idempotencyKey: 'chapter-7',
        newValue: 'Oslo',
      })
      const plan = (await query(`explain ${text}`, values)).map((line) => String(line['QUERY PLAN']))
      expect(plan.flatMap((line) => /Scan using (\S+ on \S+)/.exec(line)?.[1] ?? [])).toEqual([
        `${index} on log_${partition}`,
      ])
    }
  })

  test('calls about one user read the partition of that user alone, except for ranks', async () => {
    const { engine, pool, query, schema } = await openPartitioned(4, 1)
    for (let n = 0; n < 20; n += 1) await write(engine, `u${n}`, 10)
    const partition = await partitionOf(engine, query, schema)
    const before = await scansIn(pool, schema)

    await write(engine, 'ann', 10, 'chapter-1')
    await write(engine, 'ann', 10, 'chapter-1')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 5, occurredAt: new Date('2026-03-09T12:00:00Z') })
    const client = new pg.Client({ connectionString: databaseUrl() })
    await client.connect()
    await client.query('begin')
    await engine.metrics.event(
      'words',
      { user: { id: 'ann' }, value: 1, idempotencyKey: 'note-1' },
      { tx: fromPg(client) },
    )
    await client.query('commit')
    await client.end()
    await engine.users.get('ann')
    await engine.users.points('ann', 'xp', { awards: 10 })
    await engine.users.streak('ann', { historyPeriods: 7 })
    await engine.users.achievements('ann')
    expect(await engine.verify({ users: ['ann'] })).toMatchObject({ drift: [] })

    const read = (await scansIn(pool, schema)).filter(({ name, count }) => {
      return count > (before.find((one) => one.name === name)?.count ?? 0)
    })
    const elsewhere = read.filter(({ name }) => !name.endsWith(`_${partition}`))
    expect(read.length).toBeGreaterThan(8)
    expect(elsewhere.map(({ name }) => name.replace(/_\d$/, ''))).toEqual(times(3, () => 'leaderboard_entries'))
  })

  test('an entry is found by its id with an index of each partition', async () => {
    const { query, schema } = await openPartitioned()
    await query('set enable_seqscan = off')
    const lines = await query(`explain select 1 from "${schema}".log where tenant_id = '' and entry_id = '\\x01'`)
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    expect(
      plan.match(/Index Scan using laurels_log_by_entry_\d|Index Only Scan using laurels_log_by_entry_\d/g),
    ).toHaveLength(4)
  })

  test('health() names a partition that is missing', async () => {
    const { engine, query, schema } = await openPartitioned()
    expect(await engine.health()).toMatchObject({ status: 'ok' })
    await query(`drop table "${schema}".awards_2`)
    expect(await engine.health()).toMatchObject({
      status: 'failing',
      message: `The schema ${schema} lacks awards_2. Restore it from a backup.`,
    })
  })
})

describe('The number of partitions of an existing database', () => {
  const refusal = (message: string) => expect.objectContaining({ code: 'storage_unusable', message })

  test('is never changed: migrate() and health() name both numbers', async () => {
    const { pool, query, schema, engine } = await openPartitioned(2)
    const before = await dumpSchema({ query }, schema)
    const message =
      `The option partitions of postgres() is 4, but the tables of users in the schema ${schema} have 2 partitions each. ` +
      'migrate() moves no rows, so nothing was changed. Give it 2 or leave it out, or move the rows by hand: ' +
      'see the page "Partitions".'
    const wrong = open(pool, { schema, partitions: 4 })
    await expect(wrong.migrate()).rejects.toEqual(refusal(message))
    expect(await wrong.health()).toMatchObject({ status: 'failing', message })
    expect(await dumpSchema({ query }, schema)).toEqual(before)
    expect((await write(engine, 'ann', 10)).total).toBe(10)
  })

  test('is none if it was made without: the option is then refused', async () => {
    const pool = openPool()
    const schema = nextSchema()
    await open(pool, { schema }).migrate()
    await expect(open(pool, { schema, partitions: 4 }).migrate()).rejects.toEqual(
      refusal(
        `The option partitions of postgres() is 4, but the tables of users in the schema ${schema} are not partitioned. ` +
          'migrate() moves no rows, so nothing was changed. Leave the option out, or move the rows by hand: ' +
          'see the page "Partitions".',
      ),
    )
  })

  test('need not be given again: a process without the option records, migrates and is healthy', async () => {
    const { pool, schema } = await openPartitioned(2)
    const other = open(pool, { schema })
    expect((await other.migrate()).applied).toEqual([])
    expect((await write(other, 'ann', 10)).total).toBe(10)
    expect(await other.health()).toMatchObject({ status: 'ok' })
  })
})

test('A role with rights on the tables alone, and not on their partitions, is enough', async () => {
  const { query, url } = await newDatabase()
  await open(openPool(url), { partitions: 2 }).migrate()
  const role = `laurels_parts_${process.pid}`
  await query(`create role ${role} login password 'secret'`)
  onTestFinished(() => query(`drop owned by ${role}; drop role ${role}`).then(() => undefined))
  await query(`grant usage on schema laurels to ${role}; grant execute on all functions in schema laurels to ${role}`)
  const by = new URL(url)
  by.username = role
  by.password = 'secret'
  const doctor = async () => (await laurels(['doctor', '--db', by.href])).out
  // Four rights on 25 tables.
  expect(await doctor()).toContain(
    'delete on awards, delete on challenge_windows, delete on completions, delete on counters, delete on deliveries and 95 more',
  )
  const tables = await query(
    `select string_agg('laurels.' || relname, ', ') as names from pg_class
      where relnamespace = 'laurels'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  await query(`grant select, insert, update, delete on ${tables[0]?.names} to ${role}`)
  const engine = open(openPool(by.href), {})
  expect((await write(engine, 'ann', 10)).total).toBe(10)
  expect(await engine.health()).toMatchObject({ status: 'ok' })
  expect(await doctor()).not.toContain('lacks')
})

describe('On the command line', () => {
  test('migrate --partitions makes them, and its SQL makes the same', async () => {
    const { url, query } = await newDatabase()
    await laurels(['migrate', '--db', url, '--schema', 'migrated', '--partitions', '3'])
    expect(await partitionsIn(query, 'migrated')).toEqual(allIn(3))
    await query((await laurels(['migrate', '--sql', '--db', url, '--schema', 'by_hand', '--partitions', '3'])).out)
    expect(await dumpSchema({ query }, 'by_hand')).toEqual(await dumpSchema({ query }, 'migrated'))
    const info = await laurels(['info', '--json', '--db', url, '--schema', 'by_hand'])
    expect(JSON.parse(info.out)).toMatchObject({ users: 0, migrations: { pending: [] } })
  })

  test('--partitions is refused for SQLite', async () => {
    expect(await laurels(['migrate', '--db', ':memory:', '--partitions', '3'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--partitions is for Postgres: leave it out'),
    })
  })
})

test('The statements of the page move a database with rows into partitions, and out of them again', async () => {
  const { url, query } = await newDatabase()
  const texts = textsOf(pageOf('limits-and-costs'), 'sql')
  const [settings = '', rename = '', copy = '', drop = ''] = texts
  expect(texts).toHaveLength(4)
  const first = open(openPool(url), {})
  await first.migrate()
  for (let n = 0; n < 30; n += 1) await write(first, `u${n}`, 100, 'chapter-1')
  await first.close()

  for (const option of [['--partitions', '4'], ['--partitions', '2'], []]) {
    await query(rename)
    await laurels(['migrate', '--db', url, ...option])
    await query(copy)
    await query(drop)
    const partitions = Number(option[1] ?? 0)
    expect(await partitionsIn(query, 'laurels')).toEqual(partitions === 0 ? {} : allIn(partitions))
    await query(settings)
    const engine = open(openPool(url), partitions === 0 ? {} : { partitions })
    expect(await engine.verify()).toMatchObject({ users: 30, drift: [] })
    expect((await write(engine, 'u7', 100, 'chapter-1')).total).toBe(100)
    expect(await engine.health()).toMatchObject({ status: 'ok' })
    await engine.close()
  }
})
