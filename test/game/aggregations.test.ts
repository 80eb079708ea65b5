// How a definition says that a metric is no sum, and what does not go with that.

import { describe, expect, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { readDefinition } from '../../src/game/read-definition.ts'

const metrics = {
  words: { name: 'Words' },
  score: { name: 'Score', aggregation: 'max' },
  lap: { name: 'Lap', aggregation: 'min' },
  rating: { name: 'Rating', aggregation: 'last' },
}

function mistakesIn(definition: object): readonly string[] {
  try {
    readDefinition({ metrics, ...definition })
  } catch (error) {
    if (!(error instanceof GamificationError)) throw error
    return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

const achievement = (rest: object) => ({ achievements: { quick: { name: 'Quick', trigger: 'metric', ...rest } } })
const trigger = (metric: string) => ({
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric, threshold: 10, points: 1 }] } },
})
const STEPS = 'so its total does not rise in steps'

describe('A definition', () => {
  test('says how values become the total, and in which unit', () => {
    const { rules, definition } = defineGame({ metrics: { lap: { name: 'Lap', aggregation: 'min', unit: 's' } } })
    expect(rules.metrics.get('lap')).toMatchObject({ aggregation: 'min', unit: 's' })
    expect(definition.metrics).toEqual({ lap: { name: 'Lap', status: 'active', aggregation: 'min', unit: 's' } })
  })

  test('that says `sum` is the one that says nothing', () => {
    const said = defineGame({ metrics: { words: { name: 'Words', aggregation: 'sum' } } })
    expect(said.fingerprint).toBe(defineGame({ metrics: { words: { name: 'Words' } } }).fingerprint)
  })

  test('cannot have another aggregation or an empty unit', () => {
    expect(mistakesIn({ metrics: { words: { name: 'Words', aggregation: 'mean', unit: '' } } })).toEqual([
      "metrics.words.aggregation: must be 'sum', 'max', 'min', 'last' or 'distinct', not 'mean'",
      "metrics.words.unit: must be a string of 1 to 255 characters, not ''",
    ])
  })

  test('limits sums only', () => {
    const limits = [{ value: 5, per: { days: 1 }, then: 'hold' }]
    expect(mistakesIn({ metrics: { score: { name: 'Score', aggregation: 'max', limits } } })).toEqual([
      "metrics.score.limits: limits what events add, but the aggregation is 'max'; remove it",
    ])
  })

  test('counts the different values of an attribute that events have', () => {
    const cities = { name: 'Cities', aggregation: 'distinct', of: 'city' } as const
    const counted = defineGame({ metrics: { cities }, eventAttributes: ['city'] })
    expect(counted.rules.metrics.get('cities')).toMatchObject({ aggregation: 'distinct', of: 'city' })
    expect(mistakesIn({ metrics: { cities } })).toEqual([
      "metrics.cities.of: unknown event attribute 'city'; add it to eventAttributes",
    ])
    const limits = [{ value: 5, per: { days: 1 }, then: 'hold' }]
    expect(
      mistakesIn({
        metrics: { cities: { ...cities, of: undefined, limits }, words: { name: 'W', of: 'city' } },
        eventAttributes: ['city'],
      }),
    ).toEqual([
      "metrics.cities.limits: limits what events add, but the aggregation is 'distinct'; remove it",
      'metrics.cities.of: is missing; name the event attribute whose values are counted',
      "metrics.words.of: is only for the aggregation 'distinct'; remove it",
    ])
    const misspelt = () =>
      defineGame({
        // @ts-expect-error the game has no event attribute `town`
        metrics: { cities: { ...cities, of: 'town' } },
        eventAttributes: ['city'],
      })
    expect(misspelt).toThrow("metrics.cities.of: unknown event attribute 'town'")
  })

  test.each(['min', 'last'])('pays and repeats nothing for the steps of a %s', (aggregation) => {
    const metric = aggregation === 'min' ? 'lap' : 'rating'
    expect(mistakesIn(trigger(metric))).toEqual([
      `points.xp.triggers[0].metric: '${metric}' has the aggregation '${aggregation}', ${STEPS}; a trigger needs a metric with 'sum', 'max' or 'distinct'`,
    ])
    expect(mistakesIn(achievement({ metric, value: 60, repeat: true }))).toEqual([
      `achievements.quick.repeat: '${metric}' has the aggregation '${aggregation}', ${STEPS}; \`repeat\` needs a metric with 'sum', 'max' or 'distinct'`,
    ])
    expect(mistakesIn({ ...trigger('score'), ...achievement({ metric: 'score', value: 60, repeat: true }) })).toEqual(
      [],
    )
  })

  test('has tiers that fall for a lowest value', () => {
    const tiers = (metric: string, ...values: readonly number[]) =>
      achievement({ metric, tiers: Object.fromEntries(values.map((value, index) => [`t${index}`, { value }])) })
    expect(mistakesIn(tiers('lap', 60, 55))).toEqual([])
    expect(mistakesIn(tiers('lap', 55, 60))).toEqual([
      "achievements.quick.tiers.t1.value: must be less than 55, which 't0' before it has: tiers fall in the order in which they are written",
    ])
    expect(mistakesIn(tiers('rating', 60, 55))).toEqual([
      "achievements.quick.tiers.t1.value: must be more than 60, which 't0' before it has: tiers rise in the order in which they are written",
    ])
  })
})

test('the compiler refuses a trigger on a total that does not rise in steps', () => {
  const all = {
    words: { name: 'Words' },
    score: { name: 'Score', aggregation: 'max' },
    lap: { name: 'Lap', aggregation: 'min' },
  } as const
  defineGame({
    metrics: all,
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'score', threshold: 1, points: 1 }] } },
  })
  const wrong = () =>
    defineGame({
      metrics: all,
      // @ts-expect-error the metric keeps its lowest value
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'lap', threshold: 1, points: 1 }] } },
    })
  expect(wrong).toThrow('points.xp.triggers[0].metric')
  const literal = () =>
    defineGame({
      metrics: { words: { name: 'Words' }, rating: { name: 'Rating', aggregation: 'last' } },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'metric', metric: 'words', threshold: 1, points: 1 },
            // @ts-expect-error the metric keeps its newest value
            { type: 'metric', metric: 'rating', threshold: 1, points: 1 },
          ],
        },
      },
    })
  expect(literal).toThrow('points.xp.triggers[1].metric')
})
