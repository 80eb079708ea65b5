import { expect, test } from 'vitest'
import { defineGame } from '../../../src/index.ts'
import { loadLog } from '../../../src/sql/log.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { useEngines, useFiles } from '../../support/places.ts'

const game = defineGame({ metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } } })
const make = useFiles()
const start = useEngines('2026-03-10T12:00:00.000Z')

const item = (metric: 'words' | 'laps', day: string) => ({
  metric,
  user: { id: 'ann' },
  value: 1,
  idempotencyKey: day,
  occurredAt: new Date(`${day}T09:00:00.000Z`),
})
const ITEMS = [item('words', '2026-03-01'), item('laps', '2026-03-01'), item('words', '2026-03-02')]

async function idsAfter(storage: Storage, items: readonly ReturnType<typeof item>[]): Promise<readonly string[]> {
  const engine = await start(game, storage)
  await engine.import(items)
  return (await loadLog(storage, { tenant: '', user: 'ann' })).map(({ id }) => id).sort()
}

test('Imported events have the same ids in whatever order they come', async () => {
  const ids = [
    '15670717-71f3-5216-b195-05cce6b7fb88',
    '6059a66c-7228-5c16-a9dc-800b5f0acb7d',
    'abf542e1-ee83-57e6-aaa4-f5f7e891eadc',
  ]
  expect(await idsAfter(make()(), ITEMS)).toEqual(ids)
  expect(await idsAfter(make()(), ITEMS.toReversed())).toEqual(ids)
})
