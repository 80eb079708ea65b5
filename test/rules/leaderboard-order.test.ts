// Decisions, section 11: who ranks before whom, and what the event answers about it.

import { describe, expect, test } from 'vitest'
import { compareCodePoints } from '../../src/rules/position.ts'
import { usePlays } from '../api/leaderboards/play.ts'

const open = usePlays()

const words = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2024-01-01' } as const

describe('Of equal values', () => {
  test('the one reached first ranks first', async () => {
    const { add, ranking } = await open({ board: words })
    await add('2024-01-02T10:00:00Z', 'ann', 2)
    await add('2024-01-02T11:00:00Z', 'bob', 5)
    await add('2024-01-02T12:00:00Z', 'ann', 3)
    expect(await ranking('board')).toEqual(['bob 5', 'ann 5'])
  })

  test('one that was lost and reached again counts from then', async () => {
    const { add, ranking } = await open({ board: words })
    await add('2024-01-02T10:00:00Z', 'ann', 5)
    await add('2024-01-02T11:00:00Z', 'bob', 5)
    await add('2024-01-02T12:00:00Z', 'ann', 1)
    await add('2024-01-02T13:00:00Z', 'ann', -1)
    expect(await ranking('board')).toEqual(['bob 5', 'ann 5'])
  })

  test('an event of value 0 does not make one younger', async () => {
    const { add, ranking } = await open({ board: words })
    await add('2024-01-02T10:00:00Z', 'ann', 5)
    await add('2024-01-02T11:00:00Z', 'bob', 5)
    expect(await add('2024-01-02T12:00:00Z', 'ann', 0)).toEqual({})
    expect(await ranking('board')).toEqual(['ann 5', 'bob 5'])
  })

  test.each([
    ['ab', 'ac'],
    ['a', 'ab'],
    ['Zoe', 'ann'],
    ['a\u{1F600}', 'a\u{1F601}'],
    ['\uFF5E', '\u{1F600}'],
  ])('user %s ranks before user %s', (left, right) => {
    expect(Math.sign(compareCodePoints(left, right))).toBe(-1)
    expect(Math.sign(compareCodePoints(right, left))).toBe(1)
    expect(compareCodePoints(left, left)).toBe(0)
  })

  test('those of one instant are in order of the code points of the user ids', async () => {
    const { add, ranking } = await open({ board: words })
    for (const user of ['\u{1F600}', '\uFF5E', 'ann', 'Zoe', '9', '10']) await add('2024-01-02T10:00:00Z', user, 1)
    expect(await ranking('board')).toEqual(['10 1', '9 1', 'Zoe 1', 'ann 1', '\uFF5E 1', '\u{1F600} 1'])
  })

  test('one told late counts from when it happened', async () => {
    const { add, ranking } = await open({ board: words })
    await add('2024-01-02T11:00:00Z', 'bob', 5)
    await add('2024-01-02T12:00:00Z', 'ann', 5, { occurredAt: new Date('2024-01-02T10:00:00Z') })
    expect(await ranking('board')).toEqual(['ann 5', 'bob 5'])
  })
})

test('Values below 0 rank last, and who did nothing does not rank', async () => {
  const { add, engine, ranking } = await open({ board: words })
  await add('2024-01-02T10:00:00Z', 'ann', -3)
  await add('2024-01-02T11:00:00Z', 'bob', 0)
  await engine.users.create({ id: 'eve' })
  expect(await ranking('board')).toEqual(['bob 0', 'ann -3'])
})

test('Ten times 0.1 ties with 1', async () => {
  const { add, ranking } = await open({ board: words })
  await add('2024-01-02T10:00:00Z', 'ann', 1)
  for (let i = 0; i < 10; i += 1) await add('2024-01-02T11:00:00Z', 'bob', 0.1)
  expect(await ranking('board')).toEqual(['ann 1', 'bob 1'])
})

describe('An event answers', () => {
  test('the rank before and after it, and the value of the last who ranks once the board is full', async () => {
    const { add } = await open({ board: { ...words, maxParticipants: 2 } })
    const standing = async (user: string, value: number) => {
      const { board } = await add('2024-01-02T10:00:00Z', user, value)
      return [board?.previousRank, board?.rank, board?.threshold]
    }
    expect(await standing('ann', 5)).toEqual([null, 1, 0])
    expect(await standing('bob', 3)).toEqual([null, 2, 3])
    expect(await standing('eve', 2)).toEqual([null, null, 3])
    expect(await standing('eve', 2)).toEqual([null, 2, 4])
    expect(await standing('eve', 2)).toEqual([2, 1, 5])
    expect(await standing('eve', -6)).toEqual([1, null, 3])
  })

  test('no threshold where there is no limit, which is answered as the largest number a client takes', async () => {
    const { add } = await open({ board: { ...words, maxParticipants: null } })
    await add('2024-01-02T10:00:00Z', 'ann', 5)
    const { board } = await add('2024-01-02T10:00:00Z', 'bob', 6)
    expect(board).toMatchObject({ previousRank: null, rank: 1, threshold: 0, maxParticipants: 2_147_483_647 })
  })

  test('what those before it left, of calls made at once', async () => {
    const { add } = await open({ board: words })
    const at = '2024-01-02T10:00:00Z'
    const answers = await Promise.all([
      add(at, 'ann', 1),
      add(at, 'bob', 2),
      add(at, 'ann', 2),
      add(at, 'eve', 9),
      add(at, 'ann', -3),
    ])
    expect(answers.map(({ board }) => [board?.previousRank, board?.rank])).toEqual([
      [null, 1],
      [null, 1],
      [2, 1],
      [null, 1],
      [2, 3],
    ])
  })

  test('nothing when it is a replay', async () => {
    const { add } = await open({ board: words })
    expect(await add('2024-01-02T10:00:00Z', 'ann', 1, { idempotencyKey: 'k' })).toHaveProperty('board')
    expect(await add('2024-01-02T11:00:00Z', 'ann', 1, { idempotencyKey: 'k' })).toEqual({})
  })

  test('the run in which it happened, when it is told late', async () => {
    const { add, ranking } = await open({ board: { ...words, run: { unit: 'month', interval: 1 } } })
    await add('2024-01-10T10:00:00Z', 'ann', 1)
    await add('2024-01-10T11:00:00Z', 'bob', 2)
    await add('2024-02-10T10:00:00Z', 'ann', 7)
    const { board } = await add('2024-03-01T10:00:00Z', 'ann', 4, { occurredAt: new Date('2024-01-31T10:00:00Z') })
    expect(board).toMatchObject({ start: '2024-01-01', end: '2024-01-31', previousRank: 2, rank: 1 })
    expect(await ranking('board', '2024-01-15')).toEqual(['ann 5', 'bob 2'])
    expect(await ranking('board', '2024-02-15')).toEqual(['ann 7'])
  })
})
