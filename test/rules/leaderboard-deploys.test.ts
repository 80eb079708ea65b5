// Decisions, section 11: what stays of a board when the game changes.

import { expect, test } from 'vitest'
import { gameWith, toPlay } from '../api/leaderboards/play.ts'
import { onEachStorage } from '../support/engine.ts'

const words = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2024-01-01' } as const

onEachStorage('A deploy', (open) => {
  test('that changes the metric lets the board start afresh', async () => {
    const { engine, add } = toPlay(await open(gameWith({ board: words })))
    await add('2024-01-02T08:00:00Z', 'ann', 5)
    const next = toPlay(await engine.redefine(gameWith({ board: { ...words, metric: 'laps' } })))
    expect(await next.ranking('board')).toEqual([])
    expect(await next.add('2024-01-03T08:00:00Z', 'ann', 1)).toEqual({})
    const { leaderboards } = await next.engine.metrics.event('laps', { user: { id: 'ann' }, value: 2 })
    expect(leaderboards.board).toMatchObject({ previousRank: null, rank: 1, metricKey: 'laps' })
    expect(await next.ranking('board')).toEqual(['ann 2'])
  })

  test('that changes the length of the runs lets it start afresh', async () => {
    const { engine, add } = toPlay(await open(gameWith({ board: words })))
    await add('2024-01-02T08:00:00Z', 'ann', 5)
    const next = toPlay(await engine.redefine(gameWith({ board: { ...words, run: { unit: 'month', interval: 1 } } })))
    await next.add('2024-01-03T08:00:00Z', 'ann', 1)
    expect(await next.ranking('board')).toEqual(['ann 1'])
  })

  test('that changes the name, the end or the limit keeps the scores', async () => {
    const { engine, add } = toPlay(await open(gameWith({ board: { ...words, maxParticipants: 1 } })))
    await add('2024-01-02T08:00:00Z', 'ann', 5)
    await add('2024-01-02T09:00:00Z', 'bob', 4)
    const changed = { ...words, name: 'Better words', end: '2024-01-31' }
    for (const maxParticipants of [2, null, 3]) {
      const next = toPlay(await engine.redefine(gameWith({ board: { ...changed, maxParticipants } })))
      expect(await next.ranking('board')).toEqual(['ann 5', 'bob 4'])
    }
    const last = toPlay(await engine.redefine(gameWith({ board: { ...changed, maxParticipants: 4 } })))
    expect((await last.add('2024-01-04T08:00:00Z', 'bob', 2)).board).toMatchObject({
      name: 'Better words',
      end: '2024-01-31',
      previousRank: 2,
      rank: 1,
    })
    expect(await last.ranking('board')).toEqual(['bob 6', 'ann 5'])
  })

  test('that adds a board begins it with what happens from then on', async () => {
    const { engine, add } = toPlay(await open(gameWith({})))
    await add('2024-01-02T08:00:00Z', 'ann', 5)
    const next = toPlay(await engine.redefine(gameWith({ board: words })))
    await next.add('2024-01-03T08:00:00Z', 'ann', 1)
    expect(await next.ranking('board')).toEqual(['ann 1'])
  })

  test('that removes a board and brings it back leaves out what happened meanwhile', async () => {
    const { engine, add } = toPlay(await open(gameWith({ board: words })))
    await add('2024-01-02T08:00:00Z', 'ann', 5)
    const without = toPlay(await engine.redefine(gameWith({})))
    expect(await without.add('2024-01-03T08:00:00Z', 'ann', 1)).toEqual({})
    const again = toPlay(await engine.redefine(gameWith({ board: { ...words, name: 'Words again' } })))
    await again.add('2024-01-04T08:00:00Z', 'ann', 1)
    expect(await again.ranking('board')).toEqual(['ann 6'])
  })
})

onEachStorage('Tenants', (open) => {
  test('have boards of their own', async () => {
    const { engine } = toPlay(await open(gameWith({ board: words }, { multiTenant: true })))
    engine.at('2024-01-02T08:00:00Z')
    const [acme, other] = [engine.tenant('acme'), engine.tenant('other')]
    await acme.metrics.event('words', { user: { id: 'ann' }, value: 1 })
    const { leaderboards } = await other.metrics.event('words', { user: { id: 'bob' }, value: 2 })
    expect(leaderboards.board).toMatchObject({ previousRank: null, rank: 1 })
    const { rankings } = await acme.leaderboards.get('board')
    expect(rankings).toEqual([{ userId: 'ann', userName: null, rank: 1, value: 1 }])
  })
})
