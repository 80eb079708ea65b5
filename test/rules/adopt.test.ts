// A game that changes in the middle of a log (design, "Games are data").

import { describe, expect, test } from 'vitest'
import { given, rules, type Said } from '../support/given.ts'

type Definition = Parameters<typeof rules>[0]
type Triggers = NonNullable<NonNullable<Definition['points']>[string]['triggers']>

const at = '2026-03-10T12:00:00Z'
const xp = (triggers: Triggers, more: object = {}): Definition => ({
  points: { xp: { name: 'XP', triggers, ...more } },
})

/** The total of `xp` after each of these values: `2 10 web` is 10 from the web under the second game. */
function totals(games: readonly Definition[], said: string): readonly number[] {
  const entries = said.split(', ').map((each): Said => {
    const [epoch, value, source] = each.split(' ')
    const attributes = source === undefined ? {} : { attributes: { source } }
    return { at, epoch: Number(epoch), value: Number(value), ...attributes }
  })
  return given(games.map(rules), entries).states.map(({ points }) => points.get('xp')?.total ?? 0)
}

describe('A new trigger', () => {
  test('does not pay the past: it goes on from the highest the total has been', () => {
    const games = [xp([]), xp([{ type: 'metric', metric: 'words', threshold: 10, points: 5 }])]
    expect(totals(games, '1 25, 2 1, 2 4, 2 10')).toEqual([0, 0, 5, 10])
    expect(totals(games, '1 25, 1 -25, 2 25, 2 5')).toEqual([0, 0, 0, 5])
  })

  test('with filters starts at 0', () => {
    const filtered = {
      type: 'metric',
      metric: 'words',
      threshold: 10,
      points: 5,
      eventAttributes: { source: 'web' },
    } as const
    const games = [xp([]), xp([filtered])]
    expect(totals(games, '1 25 web, 2 9 web, 2 1 web')).toEqual([0, 0, 5])
  })

  test('of user creation pays nobody who is there already', () => {
    expect(totals([xp([]), xp([{ type: 'user_creation', points: 7 }])], '1 1, 2 1')).toEqual([0, 0])
  })

  test('of an achievement pays nobody who has it already', () => {
    const achievements = { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 } } as const
    const games = [
      { ...xp([]), achievements },
      { ...xp([{ type: 'achievement', achievement: 'ten', points: 7 }]), achievements },
    ]
    expect(totals(games, '1 10, 2 10')).toEqual([0, 0])
    expect(totals(games, '1 9, 2 1')).toEqual([0, 7])
  })
})

describe('A trigger that is changed', () => {
  test('pays the new points from then on, for what is newly reached', () => {
    const games = [5, 50].map((points) => xp([{ type: 'metric', metric: 'words', threshold: 10, points }]))
    expect(totals(games, '1 19, 2 1, 2 10')).toEqual([5, 55, 105])
  })

  test('to another threshold pays what is newly reached of that', () => {
    const games = [10, 4].map((threshold) => xp([{ type: 'metric', metric: 'words', threshold, points: 1 }]))
    // 19 words are one full ten; the next word makes 20, the fifth full four.
    expect(totals(games, '1 19, 2 1, 2 3, 2 1')).toEqual([1, 2, 2, 3])
  })

  test('and has a key keeps what its users have reached', () => {
    const keyed = (points: number, threshold: number) =>
      xp([{ key: 'web', type: 'metric', metric: 'words', threshold, points, eventAttributes: { source: 'web' } }])
    expect(totals([keyed(1, 10), keyed(100, 20)], '1 19 web, 2 1 web, 2 20 web')).toEqual([1, 101, 201])
  })

  test('and is gone for a while does not pay for the time without it', () => {
    const trigger = { type: 'metric', metric: 'words', threshold: 10, points: 5 } as const
    expect(totals([xp([trigger]), xp([]), xp([trigger])], '1 10, 2 20, 3 5, 3 5')).toEqual([5, 5, 5, 10])
  })
})

describe('A level', () => {
  test('follows the total as soon as the new game is adopted', () => {
    const triggers: Triggers = [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }]
    const levels = (...points: number[]) => ({
      levels: Object.fromEntries(points.map((least) => [`from-${least}`, { name: 'L', points: least }])),
    })
    const games = [xp(triggers, levels(10)), xp(triggers, levels(20, 5)), xp(triggers)]
    const { states, changes } = given(games.map(rules), [
      { at, value: 12 },
      { at, epoch: 2, metric: 'laps' },
      { at, epoch: 2, value: 8 },
      { at, epoch: 3, metric: 'laps' },
    ])
    expect(states.map(({ points }) => points.get('xp')?.level)).toEqual(['from-10', 'from-5', 'from-20', null])
    expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([12, 12, 20, 20])
    expect(changes[1]?.map(({ type }) => type).slice(0, 2)).toEqual(['gameAdopted', 'levelChanged'])
  })

  test('at 0 is reached by who has no points yet', () => {
    const games = [xp([]), xp([], { levels: { none: { name: 'None', points: 0 } } })]
    const { state } = given(games.map(rules), [{ at }, { at, epoch: 2 }])
    expect(state.points.get('xp')).toEqual({ total: 0, level: 'none' })
  })
})

describe('A streak', () => {
  const streak = (
    frequency: 'daily' | 'weekly' | 'monthly',
    more: object = {},
    outer: Definition = {},
  ): Definition => ({ ...outer, streak: { frequency, metrics: { words: {} }, ...more } })
  /** Lengths after events such as `2 03-11 laps`, with the longest: `1 of 2`. */
  const lengths = (games: readonly Definition[], said: string) => {
    const entries = said.split(', ').map((each): Said => {
      const [epoch, date, metric = 'words'] = each.split(' ')
      return { at: `2026-${date}T12:00:00Z`, epoch: Number(epoch), metric }
    })
    const { states } = given(games.map(rules), entries)
    return states.map(({ streak: { length, longest } }) => `${length} of ${longest}`)
  }

  test('goes on when the metrics that keep it change', () => {
    const games = [streak('daily'), streak('daily', { metrics: { laps: {} } })]
    expect(lengths(games, '1 03-09, 1 03-10, 2 03-11, 2 03-11 laps')).toEqual(['1 of 1', '2 of 2', '2 of 2', '3 of 3'])
  })

  test('that has become weekly starts again, and the longest is kept', () => {
    const games = [streak('daily'), streak('weekly')]
    expect(lengths(games, '1 03-09, 1 03-10, 2 03-11, 2 03-16')).toEqual(['1 of 1', '2 of 2', '1 of 2', '2 of 2'])
  })

  test('of weeks starts again when weeks start on another day', () => {
    const games = [streak('weekly'), streak('weekly', {}, { weekStartsOn: 'sunday' })]
    expect(lengths(games, '1 03-03, 1 03-10, 2 03-17')).toEqual(['1 of 1', '2 of 2', '1 of 2'])
  })

  test.each(['daily', 'monthly'] as const)('that is %s goes on when weeks start on another day', (frequency) => {
    const games = [streak(frequency), streak(frequency, {}, { weekStartsOn: 'sunday' })]
    const dates = frequency === 'daily' ? ['03-09', '03-10', '03-11'] : ['01-31', '02-28', '03-01']
    expect(lengths(games, `1 ${dates[0]}, 1 ${dates[1]}, 2 ${dates[2]}`)).toEqual(['1 of 1', '2 of 2', '3 of 3'])
  })

  test('is gone with the streak of the game, and does not come back with it', () => {
    const games = [streak('daily'), {}, streak('daily')]
    expect(lengths(games, '1 03-09, 2 03-10, 3 03-11')).toEqual(['1 of 1', '0 of 1', '1 of 1'])
  })

  test('that ended under the old game is over under the new one', () => {
    const games = [streak('daily'), streak('daily', { customization: true })]
    expect(lengths(games, '1 03-08, 1 03-09, 2 03-11')).toEqual(['1 of 1', '2 of 2', '1 of 2'])
  })
})

describe('An achievement', () => {
  const ten = (value: number, status: 'active' | 'locked' | 'inactive' = 'active'): Definition => ({
    achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'words', value, status } },
  })
  const completedAt = (games: readonly Definition[], said: readonly Said[]) =>
    given(games.map(rules), said).state.completions.get('ten')?.entryId

  test('that has become easier is completed with the next event of its metric', () => {
    const games = [ten(100), ten(10)]
    expect(
      completedAt(games, [
        { at, value: 50 },
        { at, epoch: 2, metric: 'laps' },
        { at, epoch: 2, value: 0 },
      ]),
    ).toBe('entry-3')
  })

  test('that has become harder, locked or inactive is not taken away', () => {
    for (const harder of [ten(1000), ten(10, 'locked'), ten(10, 'inactive'), {}]) {
      expect(
        completedAt(
          [ten(10), harder],
          [
            { at, value: 10 },
            { at, epoch: 2, value: -10 },
          ],
        ),
      ).toBe('entry-1')
    }
  })

  test('that is locked or inactive is completed by nobody', () => {
    for (const status of ['locked', 'inactive'] as const) {
      expect(completedAt([ten(10, status)], [{ at, value: 10 }])).toBeUndefined()
    }
  })

  test('of several steps is completed in one when the game makes it so', () => {
    const before: Definition = { achievements: { joined: { name: 'Joined', trigger: 'api' } } }
    const after: Definition = {
      achievements: {
        last: { name: 'Last', trigger: 'achievement', achievements: ['middle'] },
        middle: { name: 'Middle', trigger: 'achievement', achievements: ['joined'] },
        joined: { name: 'Joined', trigger: 'api' },
      },
    }
    const { state } = given(
      [rules(before), rules(after)],
      [
        { at, claims: 'joined' },
        { at, epoch: 2, metric: 'words' },
      ],
    )
    // A composite is looked at when something is completed.
    const { state: later } = given(
      [
        rules(before),
        rules({
          ...after,
          achievements: { ...after.achievements, ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 1 } },
        }),
      ],
      [
        { at, claims: 'joined' },
        { at, epoch: 2, metric: 'words' },
      ],
    )
    expect(state.completions.has('joined')).toBe(true)
    expect([...later.completions.keys()].sort()).toEqual(['joined', 'last', 'middle', 'ten'])
  })
})
