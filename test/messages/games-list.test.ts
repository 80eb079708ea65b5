import { expect, test } from 'vitest'
import { onEachStorage } from '../support/engine.ts'

onEachStorage('The games that are stored', (open) => {
  test('are listed once each, whatever was subscribed to meanwhile', async () => {
    const first = await open({ metrics: { words: { name: 'Words' } } })
    await first.subscribe('mails', { types: ['achievement.completed'] }, () => undefined)
    await first.webhooks.create({ url: 'https://example.com/hook', types: ['points.changed'] })
    expect((await first.games.list()).games.map(({ epoch }) => epoch)).toEqual([1])
    const second = await first.redefine({ metrics: { words: { name: 'Words written' } } })
    const { games } = await second.games.list()
    expect(games.map(({ epoch, definition }) => [epoch, definition.metrics])).toEqual([
      [(await second.games.current()).epoch, { words: { name: 'Words written', status: 'active' } }],
      [1, { words: { name: 'Words', status: 'active' } }],
    ])
  })
})
