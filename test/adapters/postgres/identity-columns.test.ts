// Logical replication does not replicate sequences, so after a switch-over every insert into an identity column fails.

import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sharedPool, useEmptySchemas } from '../../support/postgres.ts'

const nextSchema = useEmptySchemas()

test('no table has an identity column or a sequence', async () => {
  const schema = nextSchema()
  const storage = postgres(sharedPool(), { schema })
  onTestFinished(() => storage.close())
  await storage.migrate()
  const { rows } = await sharedPool().query(
    `select table_name, column_name from information_schema.columns
      where table_schema = $1 and (is_identity = 'YES' or column_default like 'nextval(%')`,
    [schema],
  )
  // Ends the use of the blocks of leaderboards.
  const others = rows.filter(({ table_name }) => table_name !== 'leaderboard_pending')
  expect(others).toEqual([])
})
