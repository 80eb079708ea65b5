import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_5 } from '../../support/engine.ts'
import { onEachStorage, serve } from './serve.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'words', threshold: 1, points: 1, cap: { points: 10, per: 'ever' } },
        { type: 'time', every: { days: 7 }, points: -3, key: 'decay', created: '2026-01-01T00:00:00Z' },
      ],
    },
  },
}

onEachStorage('Caps and time triggers over HTTP', () => {
  test('an event says what a cap took, and a points system how often time pays', async () => {
    const server = await serve(game)
    const { body } = await server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' }, value: 25 } })
    expect(body).toMatchObject({
      points: { xp: { total: 10, added: 10, capped: [{ triggerId: UUID_5, due: 25, awarded: 10, resetsAt: null }] } },
    })
    const system = await server.call('GET', '/v1/points/xp')
    expect(system.body).toMatchObject({
      triggers: [
        { type: 'metric' },
        { type: 'time', points: -3, timeUnit: 'day', timeInterval: 7, created: '2026-01-01T00:00:00.000Z' },
      ],
    })
  })
})
