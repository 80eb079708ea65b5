// Messages about challenges, and what the answers of events say of them.

import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage } from '../../../src/index.ts'
import { DAILY, PAGES_AND_XP, SPRINT } from '../../support/challenge-game.ts'
import { onEachStorage } from '../../support/engine.ts'

const game: GameDefinition = {
  ...PAGES_AND_XP,
  challenges: {
    daily: { ...DAILY, announce: [0.5, 0.9], ending: { before: { hours: 3 } } },
    sprint: { ...SPRINT, of: [{ metric: 'pages', value: 30 }] },
  },
}

const TYPES = ['challenge.progressed', 'challenge.completed', 'challenge.claimable', 'challenge.ending'] as const

onEachStorage('Messages of challenges', (open) => {
  async function begin() {
    const engine = await open(game)
    const told: GamificationMessage<(typeof TYPES)[number]>[] = []
    await engine.subscribe('quests', { types: TYPES }, (messages) => void told.push(...(messages as never[])))
    const read = (value: number, occurredAt?: string) =>
      engine.metrics.event('pages', {
        user: { id: 'ann' },
        value,
        ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
      })
    const tell = async (): Promise<readonly unknown[]> => {
      await engine.workOnce()
      return told.splice(0).map(({ type, data }) => [type, data.challenge.key, 'share' in data ? data.share : null])
    }
    return { engine, read, tell }
  }

  test('tell of shares, of completions and of rewards that wait, each once', async () => {
    const { engine, read, tell } = await begin()
    await engine.users.create({ id: 'ann' })
    await engine.challenges.enrol('sprint', { user: 'ann' })
    await read(11)
    await read(-1)
    await read(1)
    expect(await tell()).toEqual([['challenge.progressed', 'daily', 0.5]])
    await read(20)
    expect(await tell()).toEqual([
      ['challenge.completed', 'daily', null],
      ['challenge.completed', 'sprint', null],
      ['challenge.claimable', 'sprint', null],
    ])
    await engine.challenges.claim('sprint', { user: 'ann' })
    await read(20)
    expect(await tell()).toEqual([])
  })

  test('tell of a past window that a late event completes, and not again after a void', async () => {
    const { engine, read, tell } = await begin()
    await read(1)
    const { eventId } = await read(20, '2026-03-07T12:00:00.000Z')
    expect(await tell()).toEqual([['challenge.completed', 'daily', null]])
    await engine.events.void(eventId)
    await read(20, '2026-03-07T11:00:00.000Z')
    expect(await tell()).toEqual([])
  })

  test('tell of the end of a window that is begun and not completed', async () => {
    const { engine, read, tell } = await begin()
    await read(5)
    engine.at('2026-03-10T20:59:00.000Z')
    expect(await tell()).toEqual([])
    engine.at('2026-03-10T21:00:00.000Z')
    expect(await tell()).toEqual([['challenge.ending', 'daily', null]])
    engine.at('2026-03-11T12:00:00.000Z')
    await read(20)
    engine.at('2026-03-11T21:30:00.000Z')
    expect(await tell()).toEqual([['challenge.completed', 'daily', null]])
    // Nothing has been begun on this date.
    engine.at('2026-03-12T23:00:00.000Z')
    expect(await tell()).toEqual([])
  })

  test('are not sent about a window that is completed before it ends', async () => {
    const { engine, read, tell } = await begin()
    await read(5)
    engine.at('2026-03-10T20:00:00.000Z')
    await read(15)
    engine.at('2026-03-10T22:00:00.000Z')
    expect(await tell()).toEqual([['challenge.completed', 'daily', null]])
  })

  test('have the quest with its progress, and the challenge with its window', async () => {
    const { engine, read } = await begin()
    const told: GamificationMessage[] = []
    await engine.subscribe('all', { types: ['challenge.progressed', 'challenge.ending'] }, (messages) => {
      told.push(...messages)
    })
    await read(10)
    engine.at('2026-03-10T21:00:00.000Z')
    await engine.workOnce()
    const window = { start: '2026-03-10', end: '2026-03-10' }
    expect(told.map(({ data }) => data)).toMatchObject([
      { user: { id: 'ann' }, share: 0.5, challenge: { key: 'daily', window }, quest: { progress: { ratio: 0.5 } } },
      { timestamp: '2026-03-10T21:00:00.000Z', challenge: { window, endsAt: '2026-03-11T00:00:00.000Z' } },
    ])
  })

  test('answers of events name the quests that they moved', async () => {
    const { engine, read } = await begin()
    expect((await read(15)).challenges).toMatchObject([
      {
        key: 'daily',
        name: 'Daily',
        window: { start: '2026-03-10', end: '2026-03-10' },
        quest: { key: '', completedAt: null, progress: { ratio: 0.75 } },
      },
    ])
    expect((await read(5)).challenges).toMatchObject([
      { key: 'daily', quest: { completedAt: '2026-03-10T12:00:00.000Z' } },
    ])
    expect(await read(5)).not.toHaveProperty('challenges')
    await engine.challenges.enrol('sprint', { user: 'ann' })
    expect((await read(30)).challenges).toMatchObject([
      { key: 'sprint', quest: { claimUntil: '2026-03-12', claimed: false } },
    ])
  })
})
