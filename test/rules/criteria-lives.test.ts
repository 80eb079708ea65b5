// Random lives under random criteria: what is met stays met, and an achievement is completed when enough is.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { progressOf } from '../../src/rules/progress.ts'
import { given, type Said } from '../support/given.ts'
import { seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()

const number = (max: number) => fc.integer({ min: 1, max })
const within = fc.option(
  fc.record({ days: number(10) }).map((days) => ({ within: days })),
  { nil: {} },
)
const criterion = fc.oneof(
  fc.tuple(number(60), within).map(([value, more]) => ({ metric: 'km', value, ...more })),
  fc.tuple(number(8), within).map(([count, more]) => ({ events: 'km', count, ...more })),
  number(60).map((value) => ({ metric: 'lap', value })),
  number(5).map((length) => ({ streak: 'streak', length })),
  number(300).map((total) => ({ points: 'xp', total })),
  number(30).map((days) => ({ membership: { days } })),
  fc.constant({ achievement: 'ten' }),
)
const criteria = fc.uniqueArray(criterion, { minLength: 1, maxLength: 5, selector: (each) => JSON.stringify(each) })
const event = fc.record({
  hours: fc.integer({ min: 0, max: 60 }),
  metric: fc.constantFrom('km', 'km', 'lap'),
  value: fc.integer({ min: -30, max: 30 }),
})

function gameOf(of: readonly object[], atLeast: number) {
  return defineGame({
    metrics: { km: { name: 'Km' }, lap: { name: 'Lap', aggregation: 'min' } },
    streak: { frequency: 'daily', metrics: { km: {} } },
    points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'km', threshold: 1, points: 3 }] } },
    achievements: {
      ten: { name: 'Ten', trigger: 'metric', metric: 'km', value: 10 },
      one: { name: 'One', trigger: 'criteria', atLeast, of },
    },
  } as never).rules
}

test(`a met criterion stays met, and enough of them are a completed achievement (seed ${SEED})`, () => {
  const life = fc.array(event, { minLength: 1, maxLength: 25 })
  const property = fc.property(criteria, fc.nat(), life, (of, wish, events) => {
    const atLeast = 1 + (wish % of.length)
    const game = gameOf(of, atLeast)
    let at = Date.parse('2026-03-01T06:00:00.000Z')
    const said = events.map(({ hours, metric, value }): Said => {
      at += hours * 3_600_000
      return { at: new Date(at).toISOString(), metric, value }
    })
    let before: readonly boolean[] = of.map(() => false)
    for (const state of given(game, said).states) {
      const achievement = game.achievements.get('one')
      const progress = achievement === undefined ? null : progressOf(achievement, state, state.at)
      expect(progress === null).toBe(state.completions.has('one'))
      if (progress === null) continue
      const met = progress.criteria?.map(({ satisfied }) => satisfied) ?? []
      expect(before.every((isMet, index) => !isMet || met[index])).toBe(true)
      expect(progress.current).toBe(met.filter(Boolean).length)
      expect(progress.current).toBeLessThan(atLeast)
      expect(progress.ratio).toBeLessThan(1)
      expect(progress.criteria?.every(({ ratio, satisfied }) => (ratio === 1) === satisfied)).toBe(true)
      before = met
    }
  })
  fc.assert(property, { seed: SEED, numRuns: 300 })
})
