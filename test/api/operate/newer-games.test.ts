import { expect, test } from 'vitest'
import { defineGame } from '../../../src/index.ts'
import { loadLog } from '../../../src/sql/log.ts'
import { useEngines, useFiles } from '../../support/places.ts'

const xp = (points: number) =>
  defineGame({
    metrics: { words: { name: 'Words' } },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points }] } },
  })
const make = useFiles()
const start = useEngines('2026-03-10T12:00:00.000Z')

test('A call is decided under the game that another process has stored', async () => {
  const open = make()
  const storage = open()
  const engine = await start(xp(5), storage)
  const send = (id: string) => engine.metrics.event('words', { user: { id }, value: 10 })
  expect(await send('ann')).toMatchObject({ points: { xp: { added: 5 } } })
  await start(xp(1_000), open())
  expect(await send('ann')).toMatchObject({ points: { xp: { added: 1_000, total: 1_005 } } })
  expect(await send('bob')).toMatchObject({ points: { xp: { added: 1_000, total: 1_000 } } })
  const log = await loadLog(storage, { tenant: '', user: 'bob' })
  expect(log.map(({ epoch }) => epoch)).toEqual([2])
})
