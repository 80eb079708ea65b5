// Metrics that keep the highest, the lowest or the newest value, in the rules alone.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import type { MetricDefinition } from '../../src/game/definition.ts'
import type { Change } from '../../src/rules/change.ts'
import { type Game, withAggregations } from '../../src/rules/game.ts'
import type { UserState } from '../../src/rules/state.ts'
import { aggregate } from '../../src/rules/total.ts'
import { given, type Said } from '../support/given.ts'

const { rules: game } = defineGame({
  metrics: {
    distance: { name: 'Distance', unit: 'km' },
    score: { name: 'High score', aggregation: 'max' },
    lap: { name: 'Fastest lap', aggregation: 'min', unit: 's' },
    rating: { name: 'Rating', aggregation: 'last' },
  },
  eventAttributes: ['track'],
  achievements: {
    century: { name: 'Century', trigger: 'metric', metric: 'score', value: 100 },
    quick: { name: 'Quick', trigger: 'metric', metric: 'lap', value: 60 },
    'quick-north': {
      ...{ name: 'Quick in the north', trigger: 'metric', metric: 'lap', value: 60 },
      eventAttributes: { track: 'north' },
    },
    expert: { name: 'Expert', trigger: 'metric', metric: 'rating', value: 1_500 },
    hundreds: { name: 'Hundreds', trigger: 'metric', metric: 'score', value: 100, repeat: true },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'score', threshold: 50, points: 5 }] } },
  streaks: {
    laps: { frequency: 'daily', metrics: { lap: { threshold: 60 } } },
    scores: { frequency: 'daily', metrics: { score: { threshold: 50 } } },
    any: { frequency: 'daily', metrics: { rating: {} } },
  },
  leaderboards: {
    scores: { name: 'Scores', rankBy: 'metric', metric: 'score', start: '2026-03-01', run: { unit: 'day' } },
    ratings: { name: 'Ratings', rankBy: 'metric', metric: 'rating', start: '2026-03-01', run: { unit: 'day' } },
  },
})

const on = (day: number, metric: string, value: number, rest: Partial<Said> = {}): Said => ({
  at: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  ...{ metric, value, ...rest },
})

const totalOf = ({ totals }: UserState, metric: string) => totals.get(metric)?.total

const completedIn = (changes: readonly (readonly Change[])[]) =>
  changes.map((each) => each.flatMap((change) => (change.type === 'achievementCompleted' ? [change.achievement] : [])))

test.each([
  ['sum', [3, 5, 4], 12],
  ['max', [3, 5, 4], 5],
  ['max', [-3, -5], -3],
  ['min', [3, 5, 4], 3],
  ['last', [3, 5, 4], 4],
] as const)('the %s of %j is %d', (aggregation, values, total) => {
  const all = values.reduce<number | undefined>((known, value) => aggregate(aggregation, known, value), undefined)
  expect(all).toBe(total)
})

describe('A total', () => {
  test('is the highest, the lowest or the newest value', () => {
    const said = ['distance', 'score', 'lap', 'rating'].flatMap((metric) =>
      [70, 90, 80].map((value, index) => on(index + 1, metric, value)),
    )
    const { state } = given(
      game,
      said.toSorted((left, right) => (left.at < right.at ? -1 : 1)),
    )
    expect(['distance', 'score', 'lap', 'rating'].map((metric) => totalOf(state, metric))).toEqual([240, 90, 70, 80])
  })

  test('begins again when a newer game has another aggregation for its metric', () => {
    const sums = defineGame({ metrics: { lap: { name: 'Laps' } } }).rules
    const games = [sums, defineGame({ metrics: { lap: { name: 'Laps', aggregation: 'min' } } }).rules]
    const { states } = given(games, [on(1, 'lap', 5), on(2, 'lap', 7), on(3, 'lap', 60, { epoch: 2 })])
    expect(states.map((state) => totalOf(state, 'lap'))).toEqual([5, 12, 60])
  })
})

describe('A history that is older than its metric', () => {
  const of = (metrics: { readonly [key: string]: MetricDefinition<never> }): Game => defineGame({ metrics }).rules
  const known = (games: readonly Game[]) =>
    [...withAggregations(new Map(games.map((each, index) => [index + 1, each]))).values()].map(
      ({ aggregations }) => aggregations.get('lap')?.aggregation,
    )
  const [none, min, max] = [
    of({}),
    of({ lap: { name: 'Lap', aggregation: 'min' } }),
    of({ lap: { name: 'Lap', aggregation: 'max' } }),
  ]

  test('has the aggregation of the nearest earlier game with the metric, else of the nearest later one', () => {
    expect(known([none, none, min, none, max, none])).toEqual(['min', 'min', 'min', 'min', 'max', 'max'])
  })

  test('is the lowest value, though the game of its time did not know the metric', () => {
    const games = withAggregations(new Map([none, min].map((each, index) => [index + 1, each])))
    const { state } = given([...games.values()], [on(1, 'lap', 70), on(2, 'lap', 65), on(3, 'lap', 80, { epoch: 2 })])
    expect(totalOf(state, 'lap')).toBe(65)
  })
})

describe('An achievement', () => {
  test('of a lowest value is completed at or below its value', () => {
    const { changes } = given(game, [on(1, 'lap', 60.1), on(2, 'lap', 60)])
    expect(completedIn(changes)).toEqual([[], ['quick']])
  })

  test('with filters looks at the lowest of the matching events', () => {
    const north = { attributes: { track: 'north' } }
    const { changes } = given(game, [on(1, 'lap', 50), on(2, 'lap', 61, north), on(3, 'lap', 59, north)])
    expect(completedIn(changes)).toEqual([['quick'], [], ['quick-north']])
  })

  test('of a highest or newest value is completed at or above its value', () => {
    const { changes } = given(game, [
      on(1, 'score', 99),
      on(1, 'score', 100),
      on(2, 'rating', 1_500),
      on(3, 'score', 99),
    ])
    expect(completedIn(changes)).toEqual([[], ['century', 'hundreds'], ['expert'], []])
  })

  test('that repeats is completed at each multiple of the highest value', () => {
    const { state } = given(game, [on(1, 'score', 350), on(1, 'score', 120)])
    expect(state.completions.get('hundreds')?.count).toBe(3)
  })
})

test('a trigger pays each step of the highest value once', () => {
  const { states } = given(game, [on(1, 'score', 120), on(1, 'score', 60), on(1, 'score', 150)])
  expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([10, 10, 15])
})

describe('A streak', () => {
  test('counts a period by its own events: at or below the threshold of a lowest value', () => {
    const { states } = given(game, [on(1, 'lap', 59), on(2, 'lap', 70), on(2, 'lap', 60), on(3, 'lap', 61)])
    expect(states.map(({ streaks }) => streaks.get('laps')?.streak.length)).toEqual([1, 1, 2, 2])
  })

  test('does not count a high score of an earlier period', () => {
    const { states } = given(game, [on(1, 'score', 90), on(2, 'score', 30), on(2, 'score', 30)])
    expect(states.map(({ streaks }) => streaks.get('scores')?.streak.length)).toEqual([1, 1, 1])
  })

  test('without a threshold counts any event of a metric that is no sum', () => {
    const { state } = given(game, [on(1, 'rating', -5), on(2, 'rating', 0)])
    expect(state.streaks.get('any')?.streak.length).toBe(2)
  })
})

describe('A score', () => {
  const scores = (said: readonly Said[], board: string) =>
    given(game, said).states.map(({ leaderboards }) => leaderboards.get(board)?.map(({ value }) => value))

  test('is the highest value of the run, and does not move for less', () => {
    const said = [on(1, 'score', 30), on(1, 'score', 20), on(2, 'score', 10), on(2, 'score', 25)]
    expect(scores(said, 'scores')).toEqual([[30], [30], [30, 10], [30, 25]])
  })

  test('that is the newest value may fall', () => {
    expect(scores([on(1, 'rating', 30), on(1, 'rating', 20)], 'ratings')).toEqual([[30], [20]])
  })
})
