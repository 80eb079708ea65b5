import { afterEach } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification, type Gamification, type GamificationOptions } from '../../src/gamification.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { databaseUrl, useEmptySchemas } from './postgres.ts'
import { useDatabaseFiles } from './sqlite-files.ts'

/** Opens the same place, as another process would. */
export type Open = () => Storage

interface NamedPlace {
  readonly name: string
  /** A new empty place with each call. */
  readonly make: () => Open
}

/** Makes empty SQLite files. */
export function useFiles(): () => Open {
  const nextFile = useDatabaseFiles()
  return () => {
    const file = nextFile()
    return () => sqlite(file, { synchronous: 'NORMAL' })
  }
}

/** A SQLite file and Postgres, for `describe.each`. */
export function usePlaces(): readonly NamedPlace[] {
  const nextSchema = useEmptySchemas()
  return [
    { name: 'sqlite', make: useFiles() },
    {
      name: 'postgres',
      make: () => {
        const schema = nextSchema()
        return () => postgres(databaseUrl(), { schema, deadlineMs: 60_000 })
      },
    },
  ]
}

export type Start = <G extends DefinedGame>(
  game: G,
  storage: Storage,
  options?: Partial<GamificationOptions<G>>,
) => Promise<Gamification<G>>

/** Starts engines whose clock is fixed at `now`, and closes them after each test. */
export function useEngines(now: string): Start {
  const started: { close(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((engine) => engine.close()))
  })
  return async (game, storage, options = {}) => {
    const engine = createGamification({ game, storage, clock: () => new Date(now), ...options })
    started.push(engine)
    await engine.migrate()
    return engine
  }
}

/** `make(0)` to `make(count - 1)`. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** The code of the error each promise rejects with, or `ok`. */
export async function codesOf(promises: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(promises)
  return settled.map((outcome) => (outcome.status === 'fulfilled' ? 'ok' : codeOf(outcome.reason)))
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error)
}
