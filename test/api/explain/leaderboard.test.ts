// Why a user is on a leaderboard, or not: by choice, default, consent, suspension, score and size of the group.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { codeOf } from '../../support/engine.ts'
import { useExplained } from './world.ts'

const board = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-03-02' } as const
const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  leaderboards: {
    all: board,
    weekly: { ...board, run: { unit: 'week' } },
    asked: { ...board, consent: true },
    small: { ...board, smallestGroup: 3 },
    one: { ...board, maxParticipants: 1 },
  },
}
const start = useExplained()
const ON_ALL = 'The user is on the leaderboard "all" with 7, in the run from 2026-03-02, and has the rank 1.'

describe('A user is on a leaderboard', () => {
  test('with a rank, in the run that is asked for', async () => {
    const { tell, add, at } = await start(GAME)
    await add('words', 7)
    expect(await tell({ leaderboard: 'all' })).toEqual([true, ON_ALL])
    at('2026-03-17T12:00:00Z')
    expect(await tell({ leaderboard: 'weekly' })).toEqual([
      false,
      'The user has nothing that counts on the leaderboard "weekly" in the run from 2026-03-16.',
    ])
    expect(await tell({ leaderboard: 'weekly', run: '2026-03-10' })).toEqual([
      true,
      'The user is on the leaderboard "weekly" with 7, in the run from 2026-03-09, and has the rank 1.',
    ])
  })

  test('without a rank beyond the most who have one', async () => {
    const { engine, tell, add } = await start(GAME)
    await add('words', 7)
    await engine.metrics.event('words', { user: { id: 'bob' }, value: 9 })
    expect(await tell({ leaderboard: 'one' })).toEqual([
      false,
      'The user is on the leaderboard "one" with 7, in the run from 2026-03-02, and is not among the first, who have ranks.',
    ])
  })

  test('without a name, by choice or by the default of the game', async () => {
    const { engine, tell, add } = await start(GAME)
    await add('words', 7)
    await engine.users.updatePreferences('ann', { leaderboards: 'anonymous' })
    expect(await tell({ leaderboard: 'all' })).toEqual([
      true,
      ON_ALL,
      'Others see the place without its user: the user chose it.',
    ])
    const other = await start({ ...GAME, preferences: { leaderboards: 'anonymous' } })
    await other.add('words', 7)
    expect(await other.tell({ leaderboard: 'all' })).toEqual([
      true,
      ON_ALL,
      'Others see the place without its user: it is the default of the game.',
    ])
  })

  test('that other users do not see, because the group is too small', async () => {
    const { tell, add } = await start(GAME)
    await add('words', 7)
    expect(await tell({ leaderboard: 'small' })).toEqual([
      false,
      ON_ALL.replace('all', 'small'),
      'Other users see no places of the group: it has 1 participant, and 3 are needed.',
    ])
  })
})

describe('A user is not on a leaderboard', () => {
  test.each([
    [{ leaderboards: 'hidden' }, 'The user chose to be hidden on leaderboards.'],
    [{ gamification: 'off' }, 'The user has turned the game off, and is on no leaderboard.'],
  ] as const)('by the own choice: %j', async (choice, sentence) => {
    const { engine, tell, add } = await start(GAME)
    await add('words', 7)
    await engine.users.updatePreferences('ann', choice)
    expect(await tell({ leaderboard: 'all' })).toEqual([false, sentence])
  })

  test('by the default of the game', async () => {
    const { tell, add } = await start({ ...GAME, preferences: { leaderboards: 'hidden' } })
    await add('words', 7)
    expect(await tell({ leaderboard: 'all' })).toEqual([
      false,
      'The game hides users who have not chosen to be on leaderboards, and the user has chosen nothing.',
    ])
  })

  test('that asks for consent', async () => {
    const { engine, tell, add } = await start(GAME)
    await add('words', 7)
    expect(await tell({ leaderboard: 'asked' })).toEqual([
      false,
      'The leaderboard has only users who chose to be on it, and the user has chosen nothing.',
    ])
    await engine.users.updatePreferences('ann', { leaderboards: 'shown' })
    expect(await tell({ leaderboard: 'asked' })).toEqual([true, ON_ALL.replace('all', 'asked')])
  })

  test('while a suspension and a choice hold beside each other', async () => {
    const { engine, tell, add } = await start(GAME)
    await add('words', 7)
    await engine.users.suspend('ann', { reason: 'suspected' })
    await engine.users.updatePreferences('ann', { leaderboards: 'hidden' })
    expect(await tell({ leaderboard: 'all' })).toEqual([
      false,
      'Support suspended the user from leaderboards at 2026-03-10T12:00:00.000Z, because "suspected".',
      'The user chose to be hidden on leaderboards.',
    ])
  })
})

test('A leaderboard or user that does not exist is refused', async () => {
  const { engine, add } = await start(GAME)
  await add('words', 7)
  expect(await codeOf(engine.explain('ann', { leaderboard: 'none' }))).toBe('unknown_leaderboard')
  expect(await codeOf(engine.explain('zoe', { leaderboard: 'all' }))).toBe('unknown_user')
})
