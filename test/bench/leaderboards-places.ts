import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, type Gamification } from '../../src/index.ts'
import { START, scoreOf } from './leaderboards-game.ts'
import { runTexts } from './postgres.ts'
import { seedUsers } from './seed.ts'

/** A database with users in it, open for the library. */
export interface Place {
  readonly users: number
  readonly library: Gamification<DefinedGame>
  close(): Promise<void>
}

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
  await seedUsers(sqlite(file, { synchronous: 'NORMAL' }), game, users, scoreOf)
  const library = createGamification({ game, storage: sqlite(file, { synchronous: 'NORMAL' }), clock })
  return {
    users,
    library,
    close: async () => {
      await library.close()
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    },
  }
}

export async function makePostgres(url: string, game: DefinedGame, users: number): Promise<Place> {
  made += 1
  const schema = `bench_leaderboards_${made}`
  await runTexts(url, [`drop schema if exists ${schema} cascade`])
  await seedUsers(postgres(url, { schema }), game, users, scoreOf)
  await runTexts(url, [])
  const pool = new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 })
  const library = createGamification({ game, storage: postgres(pool, { schema }), clock })
  return {
    users,
    library,
    close: async () => {
      await library.close()
      await pool.end()
      await runTexts(url, [`drop schema if exists ${schema} cascade`])
    },
  }
}
