import { expect, test } from 'vitest'
import { onEachStorage } from '../support/engine.ts'
import { configurationGame as game, METRICS } from './configuration-game.ts'

onEachStorage('what the game has, for dashboards', (open) => {
  test('an id goes before a key that looks like it', async () => {
    const words = METRICS[0].id
    const { admin } = await open({ metrics: { [words]: { name: 'Odd' }, words: { name: 'Words' } } })
    expect((await admin.metrics.get(words)).name).toBe('Words')
  })

  test('it is what the newest game has, once the process has met that', async () => {
    const engine = await open(game)
    await engine.admin.metrics.list()
    await (await engine.redefine({ metrics: { laps: { name: 'Laps' } } })).users.create({ id: 'ann' })
    await engine.users.update('ann', { name: 'Ann' })
    expect((await engine.admin.metrics.list()).map(({ key }) => key)).toEqual(['laps'])
  })
})
