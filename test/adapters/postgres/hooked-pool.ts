import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { PostgresClient, PostgresPool } from '../../../adapters/postgres/index.ts'
import { databaseUrl } from '../../support/postgres.ts'

interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

type Answer = Awaited<ReturnType<PostgresClient['query']>>

/** Runs between a query and its answer: `run` asks the database. */
type Hook = (asked: Asked, run: () => Promise<Answer>) => Promise<Answer>

interface HookedPool {
  /** As a host would give it to `postgres()`. */
  readonly pool: PostgresPool
  readonly real: pg.Pool
  hook(hook: Hook): void
}

/** A pool of a host's, in which a test can come between a query and its answer. It is closed after the test. */
export function useHookedPool(config: pg.PoolConfig = {}): HookedPool {
  const real = new pg.Pool({ connectionString: databaseUrl(), ...config })
  real.on('error', () => undefined)
  onTestFinished(() => real.end())
  let hook: Hook = (_, run) => run()

  const connect = async (): Promise<PostgresClient> => {
    const client = await real.connect()
    return {
      query: (text, values = []) => hook({ text, values }, () => client.query(text, values)),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: (error) => client.release(error),
    }
  }
  return {
    real,
    pool: {
      connect,
      on: (event, listener) => real.on(event, listener),
      off: (event, listener) => real.off(event, listener),
      end: () => Promise.reject(new Error("The host's own pool was ended")),
    },
    hook: (next) => {
      hook = next
    },
  }
}
