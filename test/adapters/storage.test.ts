import { describe, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { Storage } from '../../src/storage.ts'
import { storageSuite } from '../../src/testing/storage-suite.ts'
import { databaseUrl, useSchemas } from '../support/postgres.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()
const nextSchema = useSchemas()

const STORAGES: Record<string, () => Storage> = {
  memory,
  'sqlite in a file': () => sqlite(nextFile()),
  'sqlite in memory': () => sqlite(':memory:'),
  postgres: () => postgres(databaseUrl(), { schema: nextSchema() }),
}

describe.each(Object.entries(STORAGES))('%s', (_, open) => {
  // `$name` would be cut off.
  for (const { name, run } of storageSuite) {
    test(name, async () => {
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
