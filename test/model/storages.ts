import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import type { Storage } from '../../src/index.ts'
import { giveBack, sharedPool, takeEmptySchema } from '../support/postgres.ts'
import { HEAVY } from '../support/share.ts'

interface Opened {
  readonly storage: Storage
  readonly end?: () => Promise<void>
}

/** Each run of a model opens an empty storage. Postgres has its turn among the heavy tests. */
export const STORAGES: readonly { readonly name: string; readonly open: () => Opened }[] = [
  { name: 'SQLite', open: () => ({ storage: memory() }) },
  ...(HEAVY ? [{ name: 'Postgres', open: openPostgres }] : []),
]

/** A run gives its schema to the next one: a thousand schemas would have 75,000 tables and indexes. */
function openPostgres(): Opened {
  const schema = takeEmptySchema()
  return { storage: postgres(sharedPool(), { schema, deadlineMs: 60_000 }), end: () => giveBack(schema) }
}
