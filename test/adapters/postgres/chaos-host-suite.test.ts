// @heavy: It breaks connections to Postgres.
// The storage suite on what hosts bring along: their pools and kysely instances, with type parsers of their own. A third of the cases, another one for each seed. SOAK=1: all of them.

import pg from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { storageSuite } from '../../../src/testing/storage-suite.ts'
import { queryCases } from '../../sql/cases/query-cases.ts'
import { databaseUrl, useSchemas } from '../../support/postgres.ts'
import { seedOfRun } from '../../support/zones.ts'
import { HOSTS } from './hosts.ts'

const SOAK = process.env.SOAK === '1'
const TRIED = SOAK ? HOSTS : HOSTS.slice(0, 1)
const seed = seedOfRun()
const ALL = [...storageSuite, ...queryCases]
const CASES = SOAK ? ALL : ALL.filter((_, index) => index % 3 === seed % 3)
const nextSchema = useSchemas()

describe.each(TRIED)(`with $name of the host, whose types are parsed in its own way (seed ${seed})`, ({ toSource }) => {
  const schema = nextSchema()
  let pool: pg.Pool
  let tables = ''
  const { builtins } = pg.types
  const ids = [builtins.INT8, builtins.FLOAT8, builtins.JSON, builtins.JSONB, builtins.BOOL, builtins.NUMERIC]
  const parsers = ids.map((id) => [id, pg.types.getTypeParser(id)] as const)

  beforeAll(async () => {
    for (const id of ids) pg.types.setTypeParser(id, () => ({ parsedBy: 'the host' }))
    pool = new pg.Pool({ connectionString: databaseUrl() })
    const storage = postgres(toSource(pool), { schema })
    await storage.migrate()
    await storage.close()
    const { rows } = await pool.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = $1 and tablename <> 'migrations'`,
      [schema],
    )
    tables = rows.map(({ name }) => `delete from "${schema}"."${name}"`).join('; ')
  })
  afterAll(async () => {
    for (const [id, parse] of parsers) pg.types.setTypeParser(id, parse)
    await pool.end()
  })

  test.each(CASES)('$name', async ({ run }) => {
    await pool.query(tables)
    const storage = postgres(toSource(pool), { schema })
    await run(storage).finally(() => storage.close())
  })
})
