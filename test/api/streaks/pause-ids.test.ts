// Ids of pauses, as `admin.streaks.pauses.delete` takes them.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { add, type Engine, onEachStorage } from '../../support/engine.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}

/** The ids of Ann's pauses, of one day each. */
const createPauses = async (engine: Engine, days: readonly string[]): Promise<readonly string[]> => {
  await add(engine, 'words', 1)
  const pauses = days.map((day) => ({ userId: 'ann', start: `2026-03-${day}`, end: `2026-03-${day}` }))
  const { created, issues } = await engine.admin.streaks.pauses.create({ pauses })
  expect(issues).toEqual([])
  return created.map(({ id }) => id)
}

onEachStorage('A pause', (open) => {
  test('is deleted by its id in capital letters, and answered as it is', async () => {
    const engine = await open(game)
    const [id = ''] = await createPauses(engine, ['12'])
    expect(await engine.admin.streaks.pauses.delete([id.toUpperCase()])).toEqual({ deleted: [{ id }], issues: [] })
    expect((await engine.users.streak('ann')).pauses).toEqual([])
  })

  test('that is named several times is deleted once, whatever its letters, in the order in which it was named', async () => {
    const engine = await open(game)
    const [first = '', second = ''] = await createPauses(engine, ['12', '14'])
    expect(await engine.admin.streaks.pauses.delete([second, first, second.toUpperCase(), first])).toEqual({
      deleted: [{ id: second }, { id: first }],
      issues: [],
    })
  })

  test('is deleted beside texts that are no id of a pause: each of these is an issue, as it was sent', async () => {
    const engine = await open(game)
    const [id = ''] = await createPauses(engine, ['12'])
    const message = 'There is no pause with this id.'
    expect(await engine.admin.streaks.pauses.delete(['Holiday', id])).toEqual({
      deleted: [{ id }],
      issues: [{ id: 'Holiday', severity: 'error', message }],
    })
  })
})
