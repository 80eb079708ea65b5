import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { databaseUrl } from '../../support/postgres.ts'

test.each(['information_schema', 'pg_catalog', 'pg_temp', 'pg_x'])('%s is no schema for tables of ours', (schema) => {
  expect(() => postgres(databaseUrl(), { schema })).toThrow(
    expect.objectContaining({
      code: 'storage_unusable',
      message: `The schema ${schema} is that of Postgres itself: name another.`,
    }),
  )
})
