import { expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { databaseUrl, giveBack, sharedPool, takeEmptySchema } from './postgres.ts'

async function migrate(schema: string): Promise<readonly string[]> {
  const storage = postgres(databaseUrl(), { schema })
  const { applied } = await storage.migrate()
  await storage.close()
  return applied
}

test('a schema that a test left as it was comes back with all its tables, one that was changed does not', async () => {
  const schema = takeEmptySchema()
  await migrate(schema)
  await giveBack(schema)
  expect(takeEmptySchema()).toBe(schema)
  expect(await migrate(schema)).toEqual([])

  await sharedPool().query(`alter table "${schema}".users add column more integer`)
  await giveBack(schema)
  const other = takeEmptySchema()
  expect(other).not.toBe(schema)
  await giveBack(other)
  expect(await migrate(schema)).not.toEqual([])
  await giveBack(schema)
})

test('a schema that is given back twice is refused, so that no two tests share it', async () => {
  const schema = takeEmptySchema()
  await migrate(schema)
  await giveBack(schema)
  await expect(giveBack(schema)).rejects.toThrow('given back twice')
})
