// How far a user is from each kind of achievement.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { announcedBy, progressedBy, progressOf } from '../../src/rules/progress.ts'
import { settled } from '../../src/rules/settle.ts'
import { emptyState, type UserState } from '../../src/rules/state.ts'
import { given, type Said } from '../support/given.ts'

const { rules: game } = defineGame({
  metrics: { words: { name: 'Words' }, lap: { name: 'Lap', aggregation: 'min' } },
  eventAttributes: ['source'],
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 300, announce: [0.5, 0.9] },
    mobile: { name: 'Mobile', trigger: 'metric', metric: 'words', value: 50, eventAttributes: { source: 'app' } },
    tens: { name: 'Tens', trigger: 'metric', metric: 'words', value: 0.1, repeat: { max: 3 } },
    quick: { name: 'Quick', trigger: 'metric', metric: 'lap', value: 60 },
    week: { name: 'Week', trigger: 'streak', length: 3, announce: [0.5] },
    again: { name: 'Again', trigger: 'streak', length: 2, repeat: true },
    tour: { name: 'Tour', trigger: 'api' },
    all: { name: 'All', trigger: 'achievement', achievements: ['novelist', 'quick'] },
    old: { name: 'Old', trigger: 'api', status: 'locked' },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
})

const on = (day: number, value: number, rest: Partial<Said> = {}): Said => ({
  at: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  ...{ value, ...rest },
})

function of(key: string, said: readonly Said[], day?: number) {
  const { state } = given(game, said)
  const at = day === undefined ? state.at : Date.parse(`2026-03-${day}T12:00:00.000Z`)
  const achievement = game.achievements.get(key)
  const progress = achievement === undefined ? null : progressOf(achievement, settled(game, state, at), at)
  return progress && [progress.current, progress.target, progress.ratio]
}

describe('Progress', () => {
  test('is the total, and rounded down', () => {
    expect(of('novelist', [on(1, 100)])).toEqual([100, 300, 0.3333])
    expect(of('novelist', [on(1, -5)])).toEqual([-5, 300, 0])
    expect(of('novelist', [on(1, 299.9999)])).toEqual([299.9999, 300, 0.9999])
    // A division of doubles gives a little less.
    expect(of('novelist', [on(1, 0.03)])).toEqual([0.03, 300, 0.0001])
    expect(of('novelist', [on(1, 300)])).toBeNull()
  })

  test('is the total of the matching events', () => {
    expect(of('mobile', [on(1, 100), on(1, 20, { attributes: { source: 'app' } })])).toEqual([20, 50, 0.4])
  })

  test('goes towards the next completion, in decimals, and ends with the last one', () => {
    expect(of('tens', [on(1, 0.25)])).toEqual([0.05, 0.1, 0.5])
    expect(of('tens', [on(1, 0.3)])).toBeNull()
  })

  test('of a lowest value is the best so far', () => {
    expect(of('quick', [on(1, 1)])).toEqual([null, 60, 0])
    expect(of('quick', [on(1, 70, { metric: 'lap' }), on(1, 80, { metric: 'lap' })])).toEqual([70, 60, 0])
  })

  test('is the length of the running streak', () => {
    expect(of('week', [on(10, 1), on(11, 1)])).toEqual([2, 3, 0.6666])
    expect(of('week', [on(10, 1), on(11, 1)], 13)).toEqual([0, 3, 0])
  })

  test('of a streak that completed it already waits for another streak', () => {
    expect(of('again', [on(10, 1), on(11, 1), on(12, 1)])).toEqual([0, 2, 0])
    expect(of('again', [on(10, 1), on(11, 1), on(15, 1)])).toEqual([1, 2, 0.5])
  })

  test('is the number of parts', () => {
    expect(of('all', [on(1, 300)])).toEqual([1, 2, 0.5])
  })

  test('is 0 of 1 for what the application completes, and none for what nobody can complete', () => {
    expect(of('tour', [on(1, 1)])).toEqual([0, 1, 0])
    expect(of('old', [on(1, 1)])).toBeNull()
  })
})

describe('An event', () => {
  const moved = (said: readonly Said[], metric = 'words') => {
    const { states } = given(game, said)
    const [before, after] = states.slice(-2) as [UserState, UserState]
    return progressedBy(game, settled(game, before, after.at), after, metric, 'all').map(
      ({ achievement, progress }) => [achievement.key, progress.current],
    )
  }

  test('moves the achievements of its metric, of the streaks and of their parts', () => {
    expect(moved([on(10, 1), on(11, 99)])).toEqual([
      ['week', 2],
      ['novelist', 100],
      ['again', 0],
    ])
    expect(moved([on(10, 1), on(10, 99)])).toEqual([['novelist', 100]])
    expect(moved([on(10, 1), on(10, 299)])).toEqual([['all', 1]])
    expect(moved([on(10, 1), on(10, 70, { metric: 'lap' })], 'lap')).toEqual([['quick', 70]])
  })

  test('does not move a total by 0, nor the next completion by less than the highest total', () => {
    expect(moved([on(10, 70, { metric: 'lap' }), on(10, 0)])).toEqual([])
    expect(moved([on(10, 0.25), on(10, -0.05)])).toEqual([['novelist', 0.2]])
    expect(moved([on(10, 0.25), on(10, 0)])).toEqual([])
    // Time ended the streak, and not the event.
    expect(moved([on(10, 1), on(14, 0)])).toEqual([])
  })

  test('announces each share once, and a completion none', () => {
    const shares = (key: string, said: readonly Said[]) => {
      const { states } = given(game, said)
      const achievement = game.achievements.get(key)
      return states
        .slice(1)
        .map((after, index) => achievement && announcedBy(achievement, states[index] as UserState, after))
    }
    const values = [1, 149, -50, 50, 100, 20, 31]
    expect(
      shares(
        'novelist',
        values.map((value) => on(10, value)),
      ),
    ).toEqual([0.5, null, null, null, 0.9, null])
    expect(shares('novelist', [on(10, 1), on(10, 280)])).toEqual([0.9])
    expect(shares('week', [on(1, 1), on(2, 1), on(5, 1), on(6, 1)])).toEqual([0.5, null, null])
  })

  test('lists the three nearest, the first in the game at equal ratios, and those that announce a share', () => {
    const words = (value: number, rest = {}) =>
      ({ name: 'Words', trigger: 'metric', metric: 'words', value, ...rest }) as const
    const { rules } = defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: {
        far: words(1_000),
        half: words(200),
        some: words(250),
        same: words(250),
        told: words(5_000, { announce: [0.01] }),
        tens: words(30, { repeat: true }),
        most: words(120),
      },
    })
    const { state } = given(rules, [on(1, 100)])
    const listed = progressedBy(rules, emptyState(state.at, state.epoch), state, 'words', 'nearest')
    expect(listed.map(({ achievement, progress }) => [achievement.key, progress.ratio])).toEqual([
      ['most', 0.8333],
      ['half', 0.5],
      ['some', 0.4],
      ['told', 0.02],
    ])
  })

  test('lists an achievement whose total fell below 0, at the ratio 0', () => {
    const { rules } = defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: { three: { name: 'Three', trigger: 'metric', metric: 'words', value: 3 } },
    })
    const { state } = given(rules, [on(1, -3)])
    const listed = progressedBy(rules, emptyState(state.at, state.epoch), state, 'words', 'nearest')
    expect(listed.map(({ progress }) => progress)).toEqual([{ current: -3, target: 3, ratio: 0 }])
  })

  test('announces a share that is reached exactly, as decimals', () => {
    const { rules } = defineGame({
      metrics: { words: { name: 'Words' }, laps: { name: 'Laps' } },
      achievements: {
        seven: { name: 'Seven', trigger: 'metric', metric: 'words', value: 7, announce: [0.9] },
        dozens: { name: 'Dozens', trigger: 'metric', metric: 'laps', value: 12, repeat: true, announce: [0.9] },
        tour: { name: 'Tour', trigger: 'api' },
        parts: { name: 'Parts', trigger: 'achievement', achievements: ['seven', 'dozens', 'tour'], announce: [1 / 3] },
      },
    })
    const { states } = given(rules, [on(1, 6.3), on(1, 12, { metric: 'laps' }), on(1, 10.8, { metric: 'laps' })])
    const announced = states.map((after, index) => {
      const before = states[index - 1] ?? emptyState(after.at, after.epoch)
      return [...rules.achievements.values()].map((each) => announcedBy(each, before, after))
    })
    expect(announced).toEqual([
      [0.9, null, null, null],
      [null, null, null, 1 / 3],
      [null, 0.9, null, null],
    ])
  })
})
