import pg from 'pg'
import { postgres } from '../../adapters/postgres/index.ts'
import { createGamification } from '../../src/index.ts'
import { game } from './game.ts'
import type { Measured } from './measure.ts'
import { type KeyedEvent, openByHand, type Style } from './postgres-transaction.ts'

/** One whose figures are taken in turn with those of the others. */
export interface Contestant {
  readonly name: string
  run(): Promise<Measured>
  close(): Promise<void>
}

/** One in this process, whom events are given. */
interface Recorder {
  readonly name: string
  record(event: KeyedEvent): Promise<unknown>
  close(): Promise<void>
}

type OpenRecorder = (url: string, connections: number, clock: () => Date) => Recorder

export const SCHEMAS = {
  library: 'bench_laurels',
  plain: 'bench_plain',
  tuned: 'bench_tuned',
} as const
const LIBRARY = 'laurels'
export const BY_HAND = { plain: 'by hand', tuned: 'by hand, tuned' } as const

/** No connection is closed while others have their turn. */
export function openPool(url: string, connections: number, options?: string): pg.Pool {
  return new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0, ...(options && { options }) })
}

export const openLibrary: OpenRecorder = (url, connections, clock) => {
  const pool = openPool(url, connections)
  const engine = createGamification({ game, storage: postgres(pool, { schema: SCHEMAS.library }), clock })
  return {
    name: LIBRARY,
    record: ({ user, metric, value, idempotencyKey }) =>
      engine.metrics.event(metric, { user: { id: user }, value, idempotencyKey }),
    close: async () => {
      await engine.close()
      await pool.end()
    },
  }
}

const openTransactions =
  (style: Style): OpenRecorder =>
  (url, connections, clock) => {
    const pool = openPool(url, connections, `-c search_path=${SCHEMAS[style]}`)
    const byHand = openByHand(pool, game.rules, style)
    return {
      name: BY_HAND[style],
      record: (event) => byHand.record(event, clock().getTime()),
      close: () => pool.end(),
    }
  }

export const openPlain: OpenRecorder = openTransactions('plain')
export const openTuned: OpenRecorder = openTransactions('tuned')
