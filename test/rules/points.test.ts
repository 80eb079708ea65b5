// Decisions, section 4: triggers, thresholds, clipping, blocking.

import { describe, expect, test } from 'vitest'
import { decide } from '../../src/rules/decide.ts'
import { dateEntry } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { findOverdraft } from '../../src/rules/points.ts'
import { refuse } from '../../src/rules/refuse.ts'
import type { UserState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type Trigger = NonNullable<NonNullable<Parameters<typeof rules>[0]['points']>[string]['triggers']>[number]

const at = '2026-03-10T12:00:00Z'
const xp = (triggers: readonly Trigger[], more: object = {}) =>
  rules({ points: { xp: { name: 'XP', triggers, ...more } } })

/** The total of `xp` after each event. */
function totals(game: Game, values: readonly (number | Partial<Said>)[]): readonly (number | undefined)[] {
  const said = values.map((value): Said => ({ at, ...(typeof value === 'number' ? { value } : value) }))
  return given(game, said).states.map(({ points }) => points.get('xp')?.total)
}

function refusalOf(game: Game, state: UserState, said: Said) {
  return refuse(game, state, dateEntry(state, toEntry(said, state.seq)))
}

describe('A metric trigger', () => {
  const tens = xp([{ type: 'metric', metric: 'words', threshold: 10, points: 5 }])

  test('gives its points for every full threshold that is newly reached', () => {
    expect(totals(tens, [9, 1, 9, 1, 25, 5])).toEqual([undefined, 5, 5, 10, 20, 25])
  })

  test('gives nothing twice when the total goes down and up again', () => {
    expect(totals(tens, [30, -30, 30, -100, 99, 10])).toEqual([15, 15, 15, 15, 15, 15])
    expect(totals(tens, [30, -30, 39, 1])).toEqual([15, 15, 15, 20])
  })

  test('gives nothing for what is below 0', () => {
    expect(totals(tens, [-100, 95, 14, 1])).toEqual([undefined, undefined, undefined, 5])
  })

  test('counts thresholds of a tenth exactly', () => {
    const tenths = xp([{ type: 'metric', metric: 'words', threshold: 0.1, points: 1 }])
    expect(totals(tenths, [0.1, 0.1, 0.1, 0.6, 0.09, 0.01])).toEqual([1, 2, 3, 9, 9, 10])
  })

  test('gives nothing for the events of another metric', () => {
    expect(totals(tens, [{ metric: 'laps', value: 100 }])).toEqual([undefined])
  })

  test('leaves a total between 0 and maxPoints, however tiny its threshold', () => {
    for (const threshold of [1e-300, 5e-324]) {
      const tiny = xp([{ type: 'metric', metric: 'words', threshold, points: 1 }], { maxPoints: 100 })
      expect(totals(tiny, [1e10, 1e10, 1e15])).toEqual([100, 100, 100])
      const taken = xp([
        { type: 'metric', metric: 'laps', threshold: 1, points: 7 },
        { type: 'metric', metric: 'words', threshold, points: -1 },
      ])
      expect(totals(taken, [{ metric: 'laps', value: 1 }, 1e10, 1e10])).toEqual([7, 0, 0])
    }
  })

  test('gives its points for thresholds that are newly reached near the greatest total too', () => {
    const tenths = xp([{ type: 'metric', metric: 'words', threshold: 0.1, points: 1 }])
    const { state } = given(
      [rules({}), tenths],
      [
        { at, value: 950_000_000_000_000 },
        { at, epoch: 2, value: 50_000_000_000_000 },
      ],
    )
    expect(state.points.get('xp')?.total).toBe(500_000_000_000_000)
  })

  test('with filters has a running total and a mark of its own', () => {
    const web = xp([{ type: 'metric', metric: 'words', threshold: 10, points: 5, eventAttributes: { source: 'web' } }])
    const from = (source: string, value: number) => ({ value, attributes: { source } })
    expect(
      totals(web, [100, from('app', 100), from('web', 9), from('web', 1), from('web', -10), from('web', 10)]),
    ).toEqual([undefined, undefined, undefined, 5, 5, 5])
  })

  test('for users with an attribute counts what they do while they have it', () => {
    const pro = xp([{ type: 'metric', metric: 'words', threshold: 10, points: 5, userAttributes: { plan: 'pro' } }])
    const as = (plan: string, value: number) => ({ value, profile: { attributes: new Map([['plan', plan]]) } })
    expect(totals(pro, [100, as('pro', 9), as('free', 50), as('pro', 1)])).toEqual([undefined, undefined, undefined, 5])
  })

  test('that is inactive pays nothing, and its own total grows meanwhile', () => {
    const trigger = (status: 'active' | 'inactive') =>
      xp([
        { type: 'metric', metric: 'words', threshold: 10, points: 5, eventAttributes: { source: 'web' }, status },
        { type: 'metric', metric: 'words', threshold: 10, points: 1, status },
      ])
    const from = (value: number, epoch: number) => ({ at, value, epoch, attributes: { source: 'web' } })
    const { states } = given([trigger('inactive'), trigger('active')], [from(19, 1), from(0, 2), from(1, 2)])
    expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([undefined, undefined, 6])
  })
})

describe('Clipping', () => {
  test('stores what was left of an award, and what is clipped is gone', () => {
    const game = xp(
      [
        { type: 'metric', metric: 'words', threshold: 1, points: 7 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -4 },
      ],
      { maxPoints: 10 },
    )
    const { changes, state } = given(game, [
      { at, value: 1 },
      { at, value: 1 },
      { at, value: 1 },
      { at, metric: 'laps', value: 1 },
      { at, metric: 'laps', value: 2 },
      { at, metric: 'laps', value: 1 },
      { at, value: 1 },
    ])
    const points = changes.map((list) =>
      list.filter(({ type }) => type === 'pointsAwarded' || type === 'pointsClipped'),
    )
    expect(points.map(([change]) => change)).toMatchObject([
      { type: 'pointsAwarded', due: 7, awarded: 7, total: 7 },
      { type: 'pointsAwarded', due: 7, awarded: 3, total: 10 },
      { type: 'pointsClipped', due: 7 },
      { type: 'pointsAwarded', due: -4, awarded: -4, total: 6 },
      { type: 'pointsAwarded', due: -8, awarded: -6, total: 0 },
      { type: 'pointsClipped', due: -4 },
      { type: 'pointsAwarded', due: 7, awarded: 7, total: 7 },
    ])
    expect(state.points.get('xp')?.total).toBe(7)
  })

  test('goes by the order of the triggers', () => {
    const give: Trigger = { type: 'metric', metric: 'words', threshold: 1, points: 8 }
    const take: Trigger = { type: 'metric', metric: 'words', threshold: 1, points: -5 }
    expect(totals(xp([give, take]), [1, 1])).toEqual([3, 6])
    expect(totals(xp([take, give]), [1, 1])).toEqual([8, 11])
    expect(totals(xp([give, take], { maxPoints: 10 }), [1, 1, 1])).toEqual([3, 5, 5])
    expect(totals(xp([take, give], { maxPoints: 10 }), [1, 1, 1])).toEqual([8, 10, 10])
  })

  test('keeps a total a safe integer', () => {
    const game = xp([{ type: 'metric', metric: 'words', threshold: 1, points: 9_007_199_254_740_991 }])
    expect(totals(game, [1, 1e15])).toEqual([9_007_199_254_740_991, 9_007_199_254_740_991])
  })

  test('never leaves a total of -0', () => {
    const game = xp([{ type: 'metric', metric: 'words', threshold: 1, points: -1 }])
    const { state, changes } = given(game, [{ at, value: 1 }])
    expect(state.points.get('xp')?.total ?? 0).toBe(0)
    expect(changes[0]?.filter(({ type }) => type === 'pointsAwarded')).toEqual([])
  })
})

describe('Other triggers', () => {
  test('of user creation pay once, with the first entry, to users with the attribute', () => {
    const game = xp([
      { type: 'user_creation', points: 7 },
      { type: 'user_creation', points: 100, userAttributes: { plan: 'pro' } },
    ])
    expect(totals(game, [1, 1])).toEqual([7, 7])
    const pro = { attributes: new Map([['plan', 'pro']]) }
    expect(totals(game, [{ profile: pro }, 1])).toEqual([107, 107])
    expect(totals(game, [1, { profile: pro }])).toEqual([7, 7])
    expect(totals(game, [{ isProfileOnly: true, profile: pro }, 1])).toEqual([107, 107])
  })

  test('of an achievement pay once, of a composite with the one that completes it', () => {
    const game = rules({
      achievements: {
        ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
        joined: { name: 'Joined', trigger: 'api' },
        both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'joined'] },
        all: { name: 'All', trigger: 'achievement', achievements: ['both', 'ten'] },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'achievement', achievement: 'ten', points: 1 },
            { type: 'achievement', achievement: 'joined', points: 10 },
            { type: 'achievement', achievement: 'both', points: 100 },
            { type: 'achievement', achievement: 'all', points: 1000 },
          ],
        },
      },
    })
    expect(totals(game, [{ claims: 'joined' }, 9, 1, 10, { claims: 'joined' }])).toEqual([10, 10, 1111, 1111, 1111])
    expect(totals(game, [10, { claims: 'joined' }, { claims: 'joined' }])).toEqual([1, 1111, 1111])
  })

  test('of a streak pay at every multiple of their length within a streak, once each', () => {
    const game = rules({
      points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 5 }] } },
      streak: { frequency: 'daily', metrics: { words: {} } },
    })
    const days = ['01', '02', '02', '03', '04', '06', '07', '07', '08', '09']
    const said = days.map((day): Said => ({ at: `2026-03-${day}T12:00:00Z` }))
    const { states } = given(game, said)
    expect(states.map(({ streak }) => streak.length)).toEqual([1, 2, 2, 3, 4, 1, 2, 2, 3, 4])
    expect(states.map(({ points }) => points.get('xp')?.total ?? 0)).toEqual([0, 5, 5, 5, 10, 10, 15, 15, 15, 20])
  })
})

describe('blockIfOutOfPoints', () => {
  const spend: Trigger = { type: 'metric', metric: 'laps', threshold: 1, points: -10, blockIfOutOfPoints: true }
  const earn: Trigger = { type: 'metric', metric: 'words', threshold: 1, points: 1 }
  const back: Trigger = { type: 'metric', metric: 'laps', threshold: 1, points: 4 }

  test('refuses the event after which the total would be below 0', () => {
    const game = xp([earn, spend])
    const { state } = given(game, [{ at, value: 19 }])
    expect(refusalOf(game, state, { at, metric: 'laps', value: 1 })).toBeNull()
    expect(refusalOf(game, state, { at, metric: 'laps', value: 2 })?.code).toBe('out_of_points')
    expect(refusalOf(game, state, { at, metric: 'laps', value: 0.5 })).toBeNull()
  })

  test('counts all triggers together and before clipping', () => {
    const { state } = given(xp([earn]), [{ at, value: 6 }])
    // 6 − 10 + 4 is 0, whatever the order.
    for (const triggers of [
      [earn, spend, back],
      [earn, back, spend],
    ]) {
      expect(refusalOf(xp(triggers), state, { at, metric: 'laps', value: 1 })).toBeNull()
    }
    const { state: poorer } = given(xp([earn]), [{ at, value: 5 }])
    expect(refusalOf(xp([earn, spend, back]), poorer, { at, metric: 'laps', value: 1 })?.code).toBe('out_of_points')
    // A gift that maxPoints would clip counts in full.
    const full = xp([{ ...back, points: 100 }, spend], { maxPoints: 5 })
    expect(refusalOf(full, given(full, [{ at, value: 1 }]).state, { at, metric: 'laps', value: 1 })).toBeNull()
  })

  test('stops an event of an unknown user, for whom what creation pays is there before', () => {
    const game = xp([spend])
    const poor = given(game, [{ at, isProfileOnly: true }]).state
    expect(refusalOf(game, poor, { at, metric: 'laps', value: 1 })?.code).toBe('out_of_points')
    const rich = xp([{ type: 'user_creation', points: 10 }, spend])
    expect(totals(rich, [{ metric: 'laps', value: 1 }])).toEqual([0])
  })

  test('does not stop what takes points without it', () => {
    const game = xp([earn, { ...spend, blockIfOutOfPoints: false }, { ...spend, metric: 'words', threshold: 100 }])
    const { state } = given(game, [{ at, value: 3 }])
    expect(refusalOf(game, state, { at, metric: 'laps', value: 1 })).toBeNull()
    const entry = dateEntry(state, toEntry({ at, metric: 'laps', value: 1 }, state.seq))
    expect(findOverdraft(game, state, decide(game, state, entry), entry)).toBeNull()
    expect(totals(game, [3, { metric: 'laps', value: 1 }])).toEqual([3, 0])
  })

  test('does not stop an inactive trigger', () => {
    const game = xp([{ ...spend, status: 'inactive' }])
    const { state } = given(game, [{ at, value: 1 }])
    expect(refusalOf(game, state, { at, metric: 'laps', value: 5 })).toBeNull()
  })
})

describe('Levels', () => {
  test('follow the total up and down, below every level too', () => {
    const game = xp(
      [
        { type: 'metric', metric: 'words', threshold: 1, points: 1 },
        { type: 'metric', metric: 'laps', threshold: 1, points: -1 },
      ],
      { levels: { two: { name: 'Two', points: 20 }, one: { name: 'One', points: 10 } } },
    )
    const { states } = given(game, [
      { at, value: 9 },
      { at, value: 1 },
      { at, value: 15 },
      { at, metric: 'laps', value: 10 },
      { at, metric: 'laps', value: 10 },
    ])
    expect(states.map(({ points }) => points.get('xp')?.level)).toEqual([null, 'one', 'two', 'one', null])
  })
})

test('Points that a newer game grants for the past are clipped, and change the level', () => {
  const game = rules({
    points: {
      xp: { name: 'XP', maxPoints: 25, levels: { one: { name: 'One', points: 10 } } },
      gems: { name: 'Gems', levels: { first: { name: 'First', points: 0 } } },
    },
  })
  const grant = (points: { readonly [system: string]: number }) => ({
    ...toEntry({ at, isProfileOnly: true }, 1),
    kind: 'granted' as const,
    achievements: [],
    points: Object.entries(points).map(([system, due]) => ({ system, trigger: 'past', points: due })),
  })
  const { state } = given(game, [{ at, value: 1 }])
  const entry = { at: Date.parse(at), entryId: 'entry-2', trigger: 'past' }
  const changesOf = (points: { readonly [system: string]: number }) =>
    decide(game, state, grant(points)).filter(({ type }) => type === 'pointsAwarded' || type === 'levelChanged')
  expect(changesOf({ xp: 10 })).toEqual([
    { type: 'pointsAwarded', system: 'xp', due: 10, awarded: 10, total: 10, ...entry },
    { type: 'levelChanged', system: 'xp', level: 'one' },
  ])
  expect(changesOf({ gems: 3, xp: 30 })).toEqual([
    { type: 'pointsAwarded', system: 'xp', due: 30, awarded: 25, total: 25, ...entry },
    { type: 'levelChanged', system: 'xp', level: 'one' },
    { type: 'pointsAwarded', system: 'gems', due: 3, awarded: 3, total: 3, ...entry },
  ])
  expect(changesOf({ xp: -5, gone: 5 })).toEqual([])
})
