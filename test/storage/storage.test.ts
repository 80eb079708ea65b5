// @early: It takes long for its size.

import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { storageSuite } from '../../src/testing/storage-suite.ts'
import { queryCases } from '../sql/cases/query-cases.ts'
import { emptySchema } from '../support/empty-schema.ts'
import { sharedPool, useEmptySchemas, useSchemas } from '../support/postgres.ts'
import { HEAVY } from '../support/share.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { SOAK } from '../support/zones.ts'

const nextFile = useDatabaseFiles()
const nextEmptySchema = useEmptySchemas()
const nextSchema = useSchemas()

// `npm run test:heavy` has only the other drivers, because `npm test` has the rest. Any other way has all of them.
const HAS_STORAGES = process.env.npm_lifecycle_event !== 'test:heavy'
const IS_OTHER_NODE = process.env.npm_lifecycle_event === 'test:node'
const HAS_DRIVERS = HEAVY || process.env.npm_lifecycle_event !== 'test'
/** PGlite contains its own Postgres as WebAssembly. */
const HAS_PGLITE = HAS_DRIVERS && !IS_OTHER_NODE

let pglite: PGlite
// It takes long to start on a busy machine.
beforeAll(async () => {
  if (HAS_PGLITE) pglite = await PGlite.create()
}, 120_000)
afterAll(() => pglite?.close())

/** One schema for all cases, since making its tables takes longer than a case. */
const SCHEMA = 'laurels_cases'

const SQLITE: Record<string, () => Storage> = {
  'sqlite in a file': () => sqlite(nextFile()),
  'sqlite in memory': memory,
}

const POSTGRES: Record<string, () => Storage> = {
  postgres: () => postgres(sharedPool(), { schema: nextEmptySchema() }),
}

/** Other drivers of SQLite. */
const DRIVERS: Record<string, () => Storage> = {
  'node:sqlite in a file': () => sqlite(nextFile(), { driver: async () => DatabaseSync }),
  "a host's libsql in memory": () => sqlite(new Libsql(':memory:')),
}

let partitioned: string | undefined

/** Postgres with partitions, and in the process. */
const OTHER_POSTGRES: Record<string, () => Storage> = {
  'postgres in partitions': () => {
    partitioned ??= nextSchema()
    const schema = partitioned
    onTestFinished(() => emptySchema((text) => sharedPool().query(text), schema))
    return postgres(sharedPool(), { schema, partitions: 2 })
  },
  PGlite: () => {
    onTestFinished(() => emptySchema((text) => pglite.query(text), SCHEMA))
    return postgres(pglite, { deadlineMs: 60_000, schema: SCHEMA })
  },
}

/** Storages that differ little from another one. */
const MORE: Record<string, () => Storage> = {
  "a host's node:sqlite in memory": () => sqlite(new DatabaseSync(':memory:')),
  "a host's node:sqlite in a file": () => sqlite(new DatabaseSync(nextFile())),
  "a host's libsql in a file": () => sqlite(new Libsql(nextFile())),
}

const CHOSEN = {
  ...(HAS_STORAGES && SQLITE),
  ...(HAS_STORAGES && !IS_OTHER_NODE && POSTGRES),
  ...(HAS_DRIVERS && DRIVERS),
  ...(HAS_PGLITE && OTHER_POSTGRES),
  ...(SOAK && MORE),
}

describe.each(Object.entries(CHOSEN))('%s', (_, open) => {
  // `$name` would be cut off.
  for (const { name, run } of [...storageSuite, ...queryCases]) {
    // On a busy machine hundreds of transactions of PGlite take longer than the standard limit.
    test(name, { timeout: 120_000 }, async () => {
      const storage = open()
      try {
        await storage.migrate()
        await run(storage)
      } finally {
        await storage.close()
      }
    })
  }
})
