import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/index.ts'
import { giveBack, sharedPool, takeEmptySchema } from '../support/postgres.ts'
import { HEAVY } from '../support/share.ts'

interface Opened {
  readonly storage: Storage
  readonly end?: () => Promise<void>
}

/** Each run of a model opens an empty storage. Files and Postgres have their turn among the heavy tests. */
export const STORAGES: readonly { readonly name: string; readonly open: () => Opened }[] = [
  { name: 'SQLite in memory', open: () => ({ storage: memory() }) },
  ...(HEAVY ? [{ name: 'a SQLite file', open: openFile }] : []),
  ...(HEAVY ? [{ name: 'Postgres', open: openPostgres }] : []),
]

/** A run gives its schema to the next one: a thousand schemas would have 75,000 tables and indexes. */
function openPostgres(): Opened {
  const schema = takeEmptySchema()
  return { storage: postgres(sharedPool(), { schema, deadlineMs: 60_000 }), end: () => giveBack(schema) }
}

function openFile(): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-model-'))
  const end = async (): Promise<void> => rmSync(folder, { recursive: true, force: true })
  return { storage: sqlite(join(folder, 'app.db')), end }
}
