// A user above `maxPoints`, because a newer game has lowered it.

import { expect, test } from 'vitest'
import { given, rules } from '../support/given.ts'

const at = '2026-03-10T12:00:00Z'
const xp = (maxPoints?: number) =>
  rules({
    points: {
      xp: {
        name: 'XP',
        ...(maxPoints === undefined ? {} : { maxPoints }),
        triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 5 }],
      },
    },
  })

test('Who is above a lowered maxPoints keeps the points, and gets no more', () => {
  const { states } = given(
    [xp(), xp(10)],
    [
      { at, value: 40 },
      { at, value: 10, epoch: 2 },
      { at, value: 30, epoch: 2 },
    ],
  )
  expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([20, 20, 20])
})
