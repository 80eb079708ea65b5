import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { BOARDS, type Board, LIMIT, LIMITED, RUNS, START, scoreOf, UNLIMITED } from './leaderboards-game.ts'
import { blockTexts, type Dialect, postgresDialect, SQLITE, seedSqlite, seedTexts } from './leaderboards-seed.ts'
import { runTexts } from './postgres.ts'

/** A database with users in it, open for the library. */
export interface Place {
  readonly users: number
  readonly storage: Storage
  readonly library: Gamification<DefinedGame>
  /** What a query in the words of this database answers: one value. */
  ask(text: string): Promise<unknown>
  readonly dialect: Dialect
  close(): Promise<void>
}

const SEEDED_TABLES = [
  ...['users', 'log', 'totals', 'points', 'awards', 'completions', 'counters'],
  ...['leaderboard_entries', 'leaderboard_blocks'],
]

const ORDER_INDEX = 'laurels_leaderboard_order'

let now = START
/** A clock for all places: no event is ever late. */
const clock = (): Date => {
  now += 5
  return new Date(now)
}

let made = 0

export async function makeSqlite(folder: string, game: DefinedGame, users: number): Promise<Place> {
  made += 1
  const file = join(folder, `leaderboards-${made}.db`)
  const open = (): Storage => sqlite(file, { synchronous: 'NORMAL' })
  await migrate(open(), game)
  seedSqlite(file, game, users)
  const storage = open()
  const library = createGamification({ game, storage, clock })
  return {
    users,
    storage,
    library,
    dialect: SQLITE,
    ask: async (text) => {
      const database = new Database(file, { readonly: true })
      const value = database.prepare(text).pluck().get()
      database.close()
      return value
    },
    close: async () => {
      await library.close()
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    },
  }
}

export async function makePostgres(url: string, game: DefinedGame, users: number): Promise<Place> {
  made += 1
  const schema = `bench_leaderboards_${made}`
  const dialect = postgresDialect(schema)
  await runTexts(url, [`drop schema if exists ${schema} cascade`])
  await migrate(postgres(url, { schema }), game)
  await seedPostgres(url, dialect, game, users)
  const pool = new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 })
  const storage = postgres(pool, { schema })
  const library = createGamification({ game, storage, clock })
  return {
    users,
    storage,
    library,
    dialect,
    ask: async (text) => {
      const { rows } = await pool.query({ text, rowMode: 'array' })
      return rows[0]?.[0]
    },
    close: async () => {
      await library.close()
      await pool.end()
      await runTexts(url, [`drop schema if exists ${schema} cascade`])
    },
  }
}

async function seedPostgres(url: string, dialect: Dialect, game: DefinedGame, users: number): Promise<void> {
  const { table } = dialect
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select pg_get_indexdef($1::regclass) as text', [table(ORDER_INDEX)])
    const texts = [
      'set synchronous_commit = off',
      // The seed counts without slots.
      `alter table ${table('counters')} alter column slot set default 0`,
      `drop index ${table(ORDER_INDEX)}`,
      ...seedTexts(dialect, game, users),
      // As full as one is into which entries came at random.
      `${rows[0]?.text} with (fillfactor = 70)`,
      ...blockTexts(dialect, game),
      ...SEEDED_TABLES.map((name) => `vacuum analyze ${table(name)}`),
    ]
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

async function migrate(storage: Storage, game: DefinedGame): Promise<void> {
  const library = createGamification({ game, storage, clock: () => new Date(0) })
  await library.migrate()
  await library.close()
}

/** The rank of somebody on a board, counted row by row. */
async function countedRank({ ask, dialect }: Place, board: Board, user: string): Promise<number | null> {
  const entries = dialect.table('leaderboard_entries')
  const ofBoard = `tenant_id = '' and leaderboard = '${board}' and run = '${RUNS[board]}' and group_key = ''`
  const own = (column: string): string => `(select ${column} from ${entries} where user_id = '${user}' and ${ofBoard})`
  if (Number(await ask(`select count(*) from ${entries} where user_id = '${user}' and ${ofBoard}`)) === 0) return null
  const before = await ask(`select count(*) from ${entries} where ${ofBoard}
    and (minus_value, reached_at, user_id) < (${own('minus_value')}, ${own('reached_at')}, ${own('user_id')})`)
  const rank = Number(before) + 1
  return board === LIMITED && rank > LIMIT ? null : rank
}

/** Throws unless an event answers, and a page shows, what the database says that sorts and counts everybody. */
export async function checkRanks(place: Place): Promise<void> {
  const { ask, dialect, library, storage, users } = place
  if (library.game.rules.leaderboards.size === 0) return
  const entries = dialect.table('leaderboard_entries')
  const best = await ask(`select user_id from ${entries} where leaderboard = '${UNLIMITED}'
    order by minus_value, reached_at, user_id limit 1 offset 3`)
  for (const user of [String(best), scoreOf(Math.floor(users / 2)).user]) {
    const { leaderboards } = await library.metrics.event('words', { user: { id: user }, value: 2 })
    for (const board of BOARDS) {
      const expected = await countedRank(place, board, user)
      const answered = leaderboards[board]?.rank
      if (answered !== expected) throw new Error(`${user} was ranked ${answered} on ${board}, and not ${expected}.`)
    }
  }
  const middle = Math.floor(users / 2)
  const key = { leaderboard: UNLIMITED, run: RUNS[UNLIMITED], group: '' }
  const [shown] = await storage.leaderboardPage('', key, { limit: null, at: 0, offset: middle, count: 1 })
  const expected = await ask(`select user_id from ${entries} where leaderboard = '${UNLIMITED}'
    order by minus_value, reached_at, user_id limit 1 offset ${middle}`)
  if (shown?.user !== expected) throw new Error(`${shown?.user} was shown in the middle, and not ${expected}.`)
}
