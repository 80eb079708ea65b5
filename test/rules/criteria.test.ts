// Achievements by criteria: what meets each of them, and that what was met stays met.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { announcedBy, progressedBy, progressOf } from '../../src/rules/progress.ts'
import { settled } from '../../src/rules/settle.ts'
import { given, type Said } from '../support/given.ts'

const base = {
  metrics: {
    km: { name: 'Km' },
    lap: { name: 'Lap', aggregation: 'min' },
    best: { name: 'Best', aggregation: 'max' },
    rating: { name: 'Rating', aggregation: 'last' },
  },
  eventAttributes: ['surface'],
  userAttributes: ['plan'],
  streak: { frequency: 'daily', metrics: { km: {} } },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'metric', metric: 'km', threshold: 10, points: 100 },
        { type: 'achievement', achievement: 'one', points: 50 },
      ],
      levels: { gold: { name: 'Gold', points: 150 } },
    },
  },
} as const

const on = (day: number, value: number, rest: Partial<Said> = {}): Said => ({
  at: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  metric: 'km',
  ...{ value, ...rest },
})
const lost = (day: number): Said => on(day, -1_000)

/** A game in which one criterion completes `one`, and `one` and a claim complete `two`. */
const gameOf = (criterion: object, more: object = {}) =>
  defineGame({
    ...base,
    achievements: {
      one: { name: 'One', trigger: 'criteria', of: [criterion], ...more },
      claimed: { name: 'Claimed', trigger: 'api' },
      two: { name: 'Two', trigger: 'criteria', of: [{ achievement: 'one' }, { achievement: 'claimed' }] },
    },
  } as never).rules

/** The entry, from 1, that completes `one`, or null if no entry does. */
function completedBy(criterion: object, said: readonly Said[], more?: object): number | null {
  const index = given(gameOf(criterion, more), said).states.findIndex(({ completions }) => completions.has('one'))
  return index === -1 ? null : index + 1
}

describe('A criterion is met', () => {
  test('by a total', () => {
    expect(completedBy({ metric: 'km', value: 100 }, [on(1, 99.9), on(1, -5), on(2, 5), on(3, 0.1)])).toBe(4)
  })

  test('by the total of the events that match', () => {
    const trail = { attributes: { surface: 'trail' } }
    const said = [on(1, 50), on(1, 6, trail), on(2, 4, trail)]
    expect(completedBy({ metric: 'km', value: 10, eventAttributes: { surface: 'trail' } }, said)).toBe(3)
  })

  test('by the best, the lowest or the newest value', () => {
    const values = (metric: string) => [on(1, 30, { metric }), on(1, 9, { metric }), on(1, 60, { metric })]
    expect(completedBy({ metric: 'best', value: 60 }, values('best'))).toBe(3)
    expect(completedBy({ metric: 'lap', value: 10 }, values('lap'))).toBe(2)
    expect(completedBy({ metric: 'lap', value: 10 }, [on(1, 5)])).toBeNull()
    expect(completedBy({ metric: 'rating', value: 30 }, values('rating'))).toBe(1)
  })

  test('by a number of events, whatever their values', () => {
    expect(completedBy({ events: 'km', count: 3 }, [on(1, 0), on(1, -7), on(2, 100)])).toBe(3)
    expect(completedBy({ events: 'lap', count: 2 }, [on(1, 9, { metric: 'lap' }), on(1, 9, { metric: 'lap' })])).toBe(2)
  })

  test('by the values of some consecutive dates', () => {
    const week = { metric: 'km', value: 30, within: { days: 7 } }
    expect(completedBy(week, [on(1, 20), on(8, 10), on(14, 19), on(14, 1)])).toBe(4)
    expect(completedBy(week, [on(1, 29), on(8, 29), on(15, 29)])).toBeNull()
    expect(completedBy({ ...week, within: { days: 1 } }, [on(1, 20), on(2, 20), on(2, 10)])).toBe(3)
  })

  test('by a number of events on some consecutive dates', () => {
    const thrice = { events: 'km', count: 3, within: { days: 2 } }
    expect(completedBy(thrice, [on(1, 1), on(2, 1), on(3, 1), on(3, 1)])).toBe(4)
  })

  test('by a streak, also if it is lost before another criterion is met', () => {
    const said = [on(1, 1), on(2, 1), on(3, 1), on(9, 1), on(9, 10)]
    const both = [
      { streak: 'streak', length: 3 },
      { metric: 'km', value: 10 },
    ]
    const { rules } = defineGame({
      ...base,
      achievements: { one: { name: 'One', trigger: 'criteria', of: both } },
    } as never)
    const { states } = given(rules, said)
    expect(states.map(({ completions }) => completions.has('one'))).toEqual([false, false, false, false, true])
  })

  test('by points and levels, with the entry that pays them', () => {
    expect(completedBy({ points: 'xp', total: 100 }, [on(1, 9), on(1, 1), on(2, 1)])).toBe(2)
    expect(completedBy({ level: 'xp.gold' }, [on(1, 10), on(1, 9), on(2, 1)])).toBe(3)
  })

  test('by a completion of an achievement', () => {
    const { states } = given(gameOf({ metric: 'km', value: 1 }), [on(1, 1), { ...on(2, 0), claims: 'claimed' }])
    expect(states.map(({ completions }) => [...completions.keys()])).toEqual([['one'], ['one', 'claimed', 'two']])
  })

  test('by the dates since the user was created, at the next entry of any kind', () => {
    const day: Said = { ...on(1, 0), isProfileOnly: true }
    const said = [day, { ...day, at: '2026-03-10T23:59:59.999Z' }, { ...day, at: '2026-03-11T00:00:00.000Z' }]
    expect(completedBy({ membership: { days: 10 } }, said)).toBe(3)
  })
})

describe('An achievement with criteria', () => {
  const three = [
    { metric: 'km', value: 50 },
    { events: 'km', count: 3 },
    { metric: 'lap', value: 60 },
  ]
  const gameWith = (more: object) =>
    defineGame({ ...base, achievements: { one: { name: 'One', trigger: 'criteria', of: three, ...more } } } as never)
      .rules
  const lap = (day: number, value: number) => on(day, value, { metric: 'lap' })

  test('is completed by as many criteria as it says, else by all of them', () => {
    const said = [on(1, 50), lost(1), lap(2, 59), on(3, 1)]
    const doneWith = (more: object) => given(gameWith(more), said).states.map((state) => state.completions.size)
    expect(doneWith({ atLeast: 1 })).toEqual([1, 1, 1, 1])
    expect(doneWith({ atLeast: 2 })).toEqual([0, 0, 1, 1])
    expect(doneWith({})).toEqual([0, 0, 0, 1])
  })

  test('waits for the attributes of the user, while its criteria are met', () => {
    const plan = (value: string): Said => ({
      ...on(5, 0),
      isProfileOnly: true,
      profile: { attributes: new Map([['plan', value]]) } as never,
    })
    const said = [on(1, 50), lost(2), plan('free'), plan('pro')]
    const { states } = given(gameWith({ atLeast: 1, userAttributes: { plan: 'pro' } }), said)
    expect(states.map(({ completions }) => completions.size)).toEqual([0, 0, 0, 1])
  })

  test('pays for itself, and what that meets is completed by the same entry', () => {
    const { rules } = defineGame({
      ...base,
      achievements: {
        rich: { name: 'Rich', trigger: 'criteria', of: [{ points: 'xp', total: 150 }] },
        one: { name: 'One', trigger: 'criteria', of: [{ metric: 'km', value: 10 }] },
        both: { name: 'Both', trigger: 'achievement', achievements: ['rich', 'one'] },
      },
    } as never)
    const { state } = given(rules, [on(1, 10)])
    expect([...state.completions.keys()]).toEqual(['one', 'rich', 'both'])
    expect(state.points.get('xp')).toEqual({ total: 150, level: 'gold' })
  })

  test('pays once for each achievement, however many rounds there are', () => {
    const chain = ['a', 'b', 'c', 'd']
    const { rules } = defineGame({
      ...base,
      points: {
        xp: { name: 'XP', triggers: chain.map((achievement) => ({ type: 'achievement', achievement, points: 10 })) },
      },
      achievements: Object.fromEntries(
        chain.map((key, index) => [
          key,
          {
            name: key,
            trigger: 'criteria',
            of: index === 0 ? [{ events: 'km', count: 1 }] : [{ points: 'xp', total: index * 10 }],
          },
        ]),
      ),
    } as never)
    const { states } = given(rules, [on(1, 1), on(1, 1)])
    expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([40, 40])
  })

  test('of a newer game judges what the user has now', () => {
    const games = [defineGame({ ...base, points: {} } as never).rules, gameWith({ atLeast: 1 })]
    const { states } = given(games, [on(1, 60), on(1, 0, { metric: 'best', epoch: 2 })])
    expect(states.map(({ completions }) => completions.size)).toEqual([0, 1])
  })

  test('keeps what was met when other criteria change', () => {
    const next = defineGame({
      ...base,
      achievements: { one: { name: 'One', trigger: 'criteria', of: [three[0], { events: 'lap', count: 1 }] } },
    } as never).rules
    const said = [on(1, 60), lost(2), { ...lap(3, 99), epoch: 2 }]
    expect(given([gameWith({}), next], said).state.completions.has('one')).toBe(true)
  })
})

describe('An achievement within some days', () => {
  const gameWith = (within: number, value = 30) =>
    defineGame({
      ...base,
      points: {},
      achievements: { week: { name: 'Week', trigger: 'metric', metric: 'km', value, within: { days: within } } },
    } as never).rules

  test('adds up consecutive local dates', () => {
    const { states } = given(gameWith(7), [on(1, 20), on(8, 10), on(14, 20)])
    expect(states.map(({ completions }) => completions.has('week'))).toEqual([false, false, true])
  })

  test('does not take the best of other windows when its number of days changes', () => {
    const said = [on(1, 29), on(10, 1), on(20, 0, { epoch: 2 }), on(20, 1, { epoch: 2 })]
    expect(given([gameWith(7, 31), gameWith(1, 29)], said).state.completions.has('week')).toBe(false)
  })

  test('keeps the sums of as many dates as it needs, and no more', () => {
    const said = Array.from({ length: 28 }, (_, index) => on(index + 1, 1))
    const sums = [...given(gameWith(3, 999), said).state.dateSums.values()]
    expect(sums.map((dates) => dates.length)).toEqual([5])
  })
})

describe('The progress of criteria', () => {
  const of = [
    { metric: 'km', value: 100 },
    { streak: 'streak', length: 4 },
    { metric: 'lap', value: 60 },
    { membership: { days: 10 } },
  ]
  const gameWith = (more: object) =>
    defineGame({
      ...base,
      points: {},
      achievements: { one: { name: 'One', trigger: 'criteria', of, announce: [0.5], ...more } },
    } as never).rules

  function progressAt(more: object, said: readonly Said[], day: number) {
    const game = gameWith(more)
    const at = Date.parse(on(day, 0).at)
    const achievement = game.achievements.get('one')
    const { state } = given(game, said)
    return achievement === undefined ? undefined : progressOf(achievement, settled(game, state, at), at)
  }

  test('is that of each, and the mean of those that are furthest', () => {
    expect(progressAt({ atLeast: 2 }, [on(1, 33.3333), on(2, 0.1), lost(2), on(2, 1_030)], 2)).toEqual({
      current: 0,
      target: 2,
      ratio: 0.5671,
      criteria: [
        { current: 63.4333, target: 100, ratio: 0.6343, satisfied: false },
        { current: 2, target: 4, ratio: 0.5, satisfied: false },
        { current: null, target: 60, ratio: 0, satisfied: false },
        { current: 1, target: 10, ratio: 0.1, satisfied: false },
      ],
    })
  })

  test('does not go back where a criterion was met', () => {
    const said = [on(1, 100), lost(1), on(2, 1), on(3, 1), on(4, 1)]
    expect(progressAt({}, said, 9)).toMatchObject({
      current: 2,
      criteria: [
        { current: -897, ratio: 1, satisfied: true },
        { current: 0, ratio: 1, satisfied: true },
        { satisfied: false },
        { satisfied: false },
      ],
    })
  })

  test('counts what time has met already, and is 1 only for a completed achievement', () => {
    expect(progressAt({ atLeast: 1 }, [on(1, 1)], 11)).toMatchObject({
      current: 1,
      target: 1,
      ratio: 0.9999,
      criteria: [{}, {}, {}, { current: 10, ratio: 1, satisfied: true }],
    })
    expect(progressAt({ atLeast: 1 }, [on(1, 100)], 1)).toBeNull()
  })

  test('is told of an event that moved a criterion, and announced by the share that is met', () => {
    const game = gameWith({ atLeast: 2 })
    const { states } = given(game, [on(1, 1), on(2, 0, { metric: 'best' }), on(2, 99), lost(3), on(3, 2_000)])
    const moved = states.slice(1).map((after, index) => {
      const before = states[index] ?? after
      return progressedBy(game, settled(game, before, after.at), after, 'km', 'all').map(
        ({ progress }) => progress.current,
      )
    })
    expect(moved).toEqual([[], [1], [1], [1]])
    const achievement = game.achievements.get('one')
    const shares = states.slice(1).map((after, index) => {
      const before = states[index] ?? after
      return achievement === undefined ? null : announcedBy(achievement, before, after)
    })
    expect(shares).toEqual([null, 0.5, null, null])
  })
})
