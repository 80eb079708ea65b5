import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import {
  createGamification,
  defineGame,
  type GameDefinition,
  type Gamification,
  type Storage,
} from '../../src/index.ts'
import { dump } from '../support/dump.ts'
import { NOON } from '../support/engine.ts'
import { GAME } from './game.ts'

export interface SqliteWorld {
  readonly file: string
  readonly storage: Storage
  readonly engine: Gamification<DefinedGame>
  /** The host's own connection, with a table `orders (note)`. */
  readonly db: Database.Database
  /** The rows of every table of ours, as another connection sees them. */
  dump(): ReadonlyMap<string, readonly string[]>
  notes(): readonly unknown[]
}

interface SqliteWorldOptions {
  readonly definition?: GameDefinition
  readonly busyDeadlineMs?: number
}

/** A file, or `:memory:`, with the game in it; closed after the test. */
export async function openSqliteWorld(file: string, options: SqliteWorldOptions = {}): Promise<SqliteWorld> {
  const { definition = GAME, busyDeadlineMs = 5_000 } = options
  const db = new Database(file, { timeout: 50 })
  if (file !== ':memory:') db.pragma('journal_mode = wal')
  db.exec('create table orders (note text primary key)')
  const storage = sqlite(file === ':memory:' ? db : file, { busyDeadlineMs, synchronous: 'NORMAL' })
  const engine = createGamification<DefinedGame>({ game: defineGame(definition), storage, clock: () => new Date(NOON) })
  await engine.migrate()
  const other = file === ':memory:' ? db : new Database(file)
  onTestFinished(async () => {
    if (db.open && db.inTransaction) db.exec('rollback')
    await engine.close()
    db.close()
    other.close()
  })
  return {
    file,
    storage,
    engine,
    db,
    dump: () => withoutDefinition(dump(other, { everything: true })),
    notes: () => other.prepare('select note from orders order by note').pluck().all(),
  }
}

/** The game is long, and no call changes it but for its epoch. */
function withoutDefinition(tables: Map<string, string[]>): ReadonlyMap<string, readonly string[]> {
  const games = tables.get('laurels_games') ?? []
  return tables.set(
    'laurels_games',
    games.map((row) => row.slice(0, 120)),
  )
}

/** The thrown error. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}
