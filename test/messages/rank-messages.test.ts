import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

// `leaderboard.rank_changed` goes to the first hundred after any user's action, and to others after their own.

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-03-01', maxParticipants: 3 } },
}

async function listen(engine: Engine): Promise<GamificationMessage<'leaderboard.rank_changed'>[]> {
  const handed: GamificationMessage<'leaderboard.rank_changed'>[] = []
  await engine.subscribe('ranks', { types: ['leaderboard.rank_changed'] }, (messages) => {
    for (const message of messages) if (message.type === 'leaderboard.rank_changed') handed.push(message)
  })
  return handed
}

/** The next quarter of an hour is over: what was handed over, in order of user. */
async function atQuarter(
  engine: Engine,
  handed: GamificationMessage<'leaderboard.rank_changed'>[],
  time: string,
): Promise<readonly string[]> {
  engine.at(`2026-03-10T${time}:00.000Z`)
  await engine.workOnce()
  const lines = handed.splice(0).map(({ userId, data: { user, leaderboard: board } }) => {
    expect(user.id).toBe(userId)
    return `${userId} ${board.previousRank} to ${board.rank}, ${board.previousValue} to ${board.value}`
  })
  return lines.sort()
}

const write = (engine: Engine, id: string, value: number) => add(engine, 'words', value, { user: { id } })

/** Ann has rank 1, Bob rank 2 and Cid rank 3. */
async function rankThree(engine: Engine, handed: Parameters<typeof atQuarter>[1]): Promise<void> {
  await write(engine, 'ann', 30)
  await write(engine, 'bob', 20)
  await write(engine, 'cid', 10)
  await atQuarter(engine, handed, '12:15')
}

onEachStorage('A rank', (open) => {
  test('that others have changed is published to the user, once in a quarter of an hour', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await write(engine, 'ann', 30)
    await write(engine, 'bob', 20)
    await write(engine, 'cid', 10)
    expect(await atQuarter(engine, handed, '12:15')).toEqual([
      'ann null to 1, null to 30',
      'bob null to 2, null to 20',
      'cid null to 3, null to 10',
    ])

    await write(engine, 'cid', 15)
    await write(engine, 'cid', 15)
    expect(await atQuarter(engine, handed, '12:30')).toEqual([
      'ann 1 to 2, 30 to 30',
      'bob 2 to 3, 20 to 20',
      'cid 3 to 1, 10 to 40',
    ])
    expect(await atQuarter(engine, handed, '12:45')).toEqual([])
  })

  test('is null for who is pushed off a board with a limit', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await rankThree(engine, handed)
    await write(engine, 'dan', 25)
    expect(await atQuarter(engine, handed, '12:30')).toEqual([
      'bob 2 to 3, 20 to 20',
      'cid 3 to null, 10 to 10',
      'dan null to 2, null to 25',
    ])
  })

  test('of a user whom support suspended since is not published', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await write(engine, 'ann', 30)
    await write(engine, 'bob', 20)
    await engine.users.suspend('ann')
    expect(await atQuarter(engine, handed, '12:15')).toEqual(['bob null to 1, null to 20'])
  })

  test('of a user who was merged since is not published', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await write(engine, 'ann', 30)
    await write(engine, 'bob', 20)
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect(await atQuarter(engine, handed, '12:15')).toEqual(['ann null to 1, null to 50'])
  })

  test('that others gain from a user who writes and hides is published to them alone', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await rankThree(engine, handed)
    await write(engine, 'ann', 1)
    await engine.users.updatePreferences('ann', { leaderboards: 'hidden' })
    expect(await atQuarter(engine, handed, '12:30')).toEqual(['bob 2 to 1, 20 to 20', 'cid 3 to 2, 10 to 10'])
  })

  test('that is the same in the end is not published', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await write(engine, 'ann', 30)
    await write(engine, 'bob', 20)
    await atQuarter(engine, handed, '12:15')
    await write(engine, 'bob', 11)
    await write(engine, 'ann', 5)
    expect(await atQuarter(engine, handed, '12:30')).toEqual([])
  })
})
