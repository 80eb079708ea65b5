import { expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { databaseUrl, giveBack, sharedPool, takeEmptySchema } from './postgres.ts'

test('a schema that a test left as it was comes back with all its tables, one that was changed does not', async () => {
  const schema = takeEmptySchema()
  const migrate = async () => {
    const storage = postgres(databaseUrl(), { schema })
    const { applied } = await storage.migrate()
    await storage.close()
    return applied
  }
  await migrate()
  await giveBack(schema)
  expect(await migrate()).toEqual([])

  await sharedPool().query(`alter table "${schema}".users add column more integer`)
  await giveBack(schema)
  expect(await migrate()).not.toEqual([])
  await giveBack(schema)
})
