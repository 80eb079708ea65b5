// The checks of challenges in a game: parts that do not go together, and circles.

import { describe, expect, test } from 'vitest'
import { defineGame, GamificationError } from '../../src/index.ts'

const OF = [{ metric: 'pages', value: 20 }]
const REST = {
  metrics: { pages: { name: 'Pages' } },
  points: { xp: { name: 'XP', levels: { gold: { name: 'Gold', points: 100 } } } },
  achievements: {
    gift: { name: 'Gift', trigger: 'api' },
    rich: { name: 'Rich', trigger: 'criteria', of: [{ level: 'xp.gold' }, { events: 'pages', count: 1 }] },
    regular: { name: 'Regular', trigger: 'metric', metric: 'challenge:a', value: 2 },
  },
}

function mistakesIn(challenge: object, rest: object = REST): readonly string[] {
  try {
    defineGame({ ...rest, challenges: { a: { name: 'A', ...challenge } } } as never)
  } catch (error) {
    if (error instanceof GamificationError) return error.issues.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const POOL = { one: { name: 'One', of: OF }, two: { name: 'Two', of: OF } }

describe('A challenge', () => {
  test.each([
    [{}, 'challenges.a: says nothing that a user can do; give `of` or `pool`'],
    [{ of: OF, pool: POOL, pick: 1 }, 'challenges.a: has criteria and a pool; give `of` or `pool`'],
    [{ of: OF, pick: 1 }, 'challenges.a.pick: is for a challenge with a pool; remove it'],
    [{ pool: POOL, pick: 1, inOrder: true }, 'challenges.a.inOrder: belongs to each quest of the pool; move it there'],
    [{ pool: POOL }, 'challenges.a.pick: is missing; say how many quests each window has'],
    [{ pool: POOL, pick: 3 }, 'challenges.a.pick: is more than the pool has, which is 2; lower it, or add quests'],
    [
      { of: OF, within: { days: 7 } },
      "challenges.a.within: counts from an enrolment; use it with enrol: 'manual', and without `every`",
    ],
    [
      { of: OF, start: '2026-06-30', end: '2026-06-01' },
      'challenges.a.end: must not be before start, which is 2026-06-30',
    ],
    [
      { of: [{ metric: 'pagse', value: 1 }] },
      "challenges.a.of[0].metric: unknown metric 'pagse'; did you mean 'pages'?",
    ],
    [
      { of: OF, reward: { points: { xq: 1 } } },
      "challenges.a.reward.points.xq: unknown points system 'xq'; did you mean 'xp'?",
    ],
    [
      { of: OF, reward: { achievement: 'rich' } },
      "challenges.a.reward.achievement: 'rich' is completed by the rules; name one with the trigger 'api'",
    ],
    [
      { of: OF, reward: { freezes: 1 } },
      "challenges.a.reward.freezes: needs the freezes of the game's `streak`, which it does not have; add `streak.freezes`",
    ],
  ])('%j has one mistake', (challenge, mistake) => {
    expect(mistakesIn(challenge)).toEqual([mistake])
  })

  test('is counted under a name that no metric may have', () => {
    const metrics = { ...REST.metrics, 'challenge:a': { name: 'A' } }
    expect(mistakesIn({ of: OF }, { ...REST, metrics })).toEqual([
      'metrics["challenge:a"]: is the name under which a challenge is counted; rename one of the two',
    ])
  })

  test('counts in rules, and clients may take part in it only if the game has it', () => {
    expect(mistakesIn({ of: OF }, { ...REST, clients: { challenges: ['a'] } })).toEqual([])
    expect(mistakesIn({ of: OF }, { ...REST, clients: { challenges: ['b'] } })).toEqual([
      "clients.challenges[0]: unknown challenge 'b'; add it to challenges, or use one of 'a'",
    ])
  })
})

describe('A circle', () => {
  test('over points, a level and an achievement names its path', () => {
    expect(
      mistakesIn({ of: [{ achievement: 'rich' }, { metric: 'pages', value: 1 }], reward: { points: { xp: 100 } } }),
    ).toEqual([
      'challenges.a.of: leads back to itself: challenge a → achievement rich → level xp.gold → points xp → challenge a; remove one of these references',
    ])
  })

  test('over the count of its own windows names its path', () => {
    expect(mistakesIn({ of: [{ achievement: 'regular' }, { metric: 'pages', value: 1 }] })).toEqual([
      'challenges.a.of: leads back to itself: challenge a → achievement regular → challenge a; remove one of these references',
    ])
  })

  test('in a quest of a pool is found', () => {
    const pool = { one: { name: 'One', of: [{ points: 'xp', total: 5 }, ...OF], reward: { points: { xp: 1 } } } }
    expect(mistakesIn({ pool, pick: 1 })).toEqual([
      'challenges.a.pool: leads back to itself: challenge a → points xp → challenge a; remove one of these references',
    ])
  })

  test('is none where a challenge only gives what another needs', () => {
    const challenges = {
      a: { name: 'A', of: OF, reward: { points: { xp: 100 } } },
      b: { name: 'B', of: [{ level: 'xp.gold' }, ...OF] },
    }
    expect(() => defineGame({ ...REST, challenges } as never)).not.toThrow()
  })
})
