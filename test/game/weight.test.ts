import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/game/json.ts'
import { countValues, weightOf } from '../../src/game/weight.ts'

const daily = { frequency: 'daily', metrics: { words: {} } }
const weekly = { frequency: 'weekly', metrics: { words: {} } }
const shared = { ...daily, freezes: 'shared' }
const trigger = { type: 'metric', metric: 'words', threshold: 1, points: 1 }
const timed = (every: Json): Json => ({ points: { xp: { triggers: [{ type: 'time', every, points: 1 }] } } })
/** The weight of a rule without that of the points system around it. */
const ofTrigger = (definition: Json): number => weightOf(definition) - 1

describe('A game weighs', () => {
  test.each<[what: string, weight: number, definition: Json]>([
    ['nothing if it is empty', 0, {}],
    ['1 for a metric', 1, { metrics: { words: { name: 'Words' } } }],
    ['1 more for each limit of a metric', 3, { metrics: { words: { limits: [{ value: 1 }, { value: 2 }] } } }],
    ['1 for an achievement', 1, { achievements: { novelist: { trigger: 'metric', metric: 'words', value: 5 } } }],
    ['1 more for each tier', 3, { achievements: { writer: { tiers: { bronze: {}, silver: {} } } } }],
    [
      '2 more for the window of an achievement or a criterion',
      7,
      { achievements: { week: { within: { days: 7 } }, pro: { of: [{ within: { days: 7 } }] } } },
    ],
    ['1 more for each part of a composite', 4, { achievements: { all: { achievements: ['a', 'b', 'c'] } } }],
    ['1 more for each criterion', 3, { achievements: { pro: { of: [{ metric: 'words' }, { streak: 'streak' }] } } }],
    [
      '5 more for a criterion of points or of a level',
      11,
      { achievements: { pro: { of: [{ points: 'xp' }, { level: 'xp.gold' }] } } },
    ],
    ['1 for a points system', 1, { points: { xp: { name: 'XP' } } }],
    [
      '1 for each trigger, cap and cooldown',
      5,
      { points: { xp: { cap: {}, triggers: [{ ...trigger, cap: {}, cooldown: {} }] } } },
    ],
    [
      '1 for each level and each boost',
      4,
      { points: { xp: { levels: { one: {}, two: {} }, boosts: { summer: {} } } } },
    ],
    ['1 for a leaderboard', 1, { leaderboards: { words: { rankBy: 'metric', metric: 'words' } } }],
    ['2 for a leaderboard of streaks', 2, { leaderboards: { days: { rankBy: 'streak' } } }],
    [
      '1 for each metric and each reminder of a streak, beside the streak',
      8,
      { streak: { ...daily, reminders: [{}] } },
    ],
    ['6 for a daily streak', 7, { streaks: { writing: daily } }],
    ['1 for a weekly streak', 2, { streaks: { writing: weekly } }],
    ['twice as much for streaks that share freezes', 26, { streak: daily, streaks: { reading: shared } }],
    [
      '18 for a leaderboard of two such streaks',
      44,
      { streak: daily, streaks: { reading: shared }, leaderboards: { days: { rankBy: 'streak', streak: 'reading' } } },
    ],
    [
      '2 for a leaderboard of another streak beside them',
      35,
      {
        streak: daily,
        streaks: { reading: shared, own: daily },
        leaderboards: { days: { rankBy: 'streak', streak: 'own' } },
      },
    ],
  ])('%s', (_, weight, definition) => {
    expect(weightOf(definition)).toBe(weight)
  })

  test.each<[what: string, weight: number, every: Json]>([
    ['72 for a trigger that pays each hour', 72, { hours: 1 }],
    ['15 for one that pays every five hours', 15, { hours: 5 }],
    ['3 for one that pays each day', 3, { days: 1 }],
    ['1 for one that pays each month', 1, { days: 30 }],
    ['1 for one that is wrong', 1, { hours: 'often' }],
    ['1 for one that pays all the time, which is wrong', 1, { hours: 0 }],
  ])('%s', (_, weight, every) => {
    expect(ofTrigger(timed(every))).toBe(weight)
  })

  test.each<[what: string, definition: Json]>([
    ['null', null],
    ['a text', 'game'],
    ['a list', [daily]],
    ['rules that are no objects', { streak: 1, streaks: [daily], points: 'xp', leaderboards: null }],
  ])('something, even if the definition is %s', (_, definition) => {
    expect(weightOf(definition)).toBeLessThan(2)
  })
})

test('Values are counted at any depth, and no further than asked', () => {
  expect(countValues({ metrics: { words: { name: 'Words' } }, eventAttributes: ['source'] }, 100)).toBe(6)
  expect(countValues('text', 100)).toBe(1)
  expect(
    countValues(
      Array.from({ length: 1_000 }, () => [1, 2, 3]),
      100,
    ),
  ).toBe(101)
})
