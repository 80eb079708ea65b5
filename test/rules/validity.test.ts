// Achievements that end on a date, and completions that expire.

import { describe, expect, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { readDefinition } from '../../src/game/read-definition.ts'
import { timeBrings } from '../../src/rules/due.ts'
import type { Game } from '../../src/rules/game.ts'
import { progressOf } from '../../src/rules/progress.ts'
import { given, type Said } from '../support/given.ts'

const { rules: game } = defineGame({
  metrics: { words: { name: 'Words' } },
  achievements: {
    summer: { name: 'Summer', trigger: 'metric', metric: 'words', value: 10, until: '2026-08-31' },
    trained: { name: 'Trained', trigger: 'metric', metric: 'words', value: 10, validFor: { days: 30 } },
    regular: { name: 'Regular', trigger: 'streak', length: 2, validFor: { days: 1 } },
    both: { name: 'Both', trigger: 'achievement', achievements: ['trained', 'regular'] },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'trained', points: 5 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
})

const at = (instant: string, value = 10, rest: Partial<Said> = {}): Said => ({
  at: instant.length === 10 ? `${instant}T12:00:00.000Z` : instant,
  ...{ metric: 'words', value, ...rest },
})

/** The completions of each entry. */
const completedBy = (said: readonly Said[], of: Game = game) =>
  given(of, said).changes.map((each) =>
    each.flatMap((change) => (change.type === 'achievementCompleted' ? [change.achievement] : [])),
  )

function mistakesIn(achievement: object): readonly string[] {
  const words = { name: 'Words' }
  try {
    const common = { name: 'Summer', trigger: 'metric', metric: 'words', value: 10 }
    readDefinition({ metrics: { words }, achievements: { summer: { ...common, ...achievement } } })
  } catch (error) {
    if (!(error instanceof GamificationError)) throw error
    return (error.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

describe('An achievement with a last date', () => {
  test.each([
    ['2026-08-31T23:59:59.999Z', 'UTC', true],
    ['2026-09-01T00:00:00.000Z', 'UTC', false],
    // In New York it is still 31 August.
    ['2026-09-01T03:59:59.999Z', 'America/New_York', true],
    ['2026-09-01T04:00:00.000Z', 'America/New_York', false],
    // In Auckland it is 1 September.
    ['2026-08-31T12:00:00.000Z', 'Pacific/Auckland', false],
  ])('at %s in %s can be completed: %s', (instant, tz, isCompleted) => {
    const [completed] = completedBy([at(instant, 10, { profile: { tz } })])
    expect(completed?.includes('summer')).toBe(isCompleted)
  })

  test('shows no progress afterwards, and stays completed', () => {
    const summer = game.achievements.get('summer')
    const { state } = given(game, [at('2026-08-31', 4)])
    const progress = (instant: string) => summer && progressOf(summer, state, Date.parse(instant))?.current
    expect([progress('2026-08-31T23:00:00Z'), progress('2026-09-01T01:00:00Z')]).toEqual([4, undefined])
    expect(given(game, [at('2026-08-31'), at('2026-10-01')]).state.completions.get('summer')?.count).toBe(1)
  })
})

test('an expired streak achievement waits for the next event of the streak that runs', () => {
  const regular = game.achievements.get('regular')
  const { state } = given(game, [at('2026-03-01'), at('2026-03-02')])
  const progress = regular && progressOf(regular, state, Date.parse('2026-03-03T12:00:00Z'))
  expect(progress).toEqual({ current: 2, target: 2, ratio: 0.9999 })
})

describe('A completion that is valid for 30 days', () => {
  test('expires after so many times 24 hours, and the next event completes it again', () => {
    const said = [
      '2026-03-01T12:00:00.000Z',
      '2026-03-31T11:59:59.999Z',
      '2026-03-31T12:00:00.000Z',
      '2026-04-01T12:00:00.000Z',
    ]
    const { state } = given(
      game,
      said.map((instant) => at(instant)),
    )
    expect(completedBy(said.map((instant) => at(instant)))).toEqual([
      ['summer', 'trained'],
      [],
      ['trained'],
      ['regular', 'both'],
    ])
    expect(state.completions.get('trained')).toEqual({
      ...{ at: Date.parse('2026-03-31T12:00:00.000Z'), entryId: 'entry-3', count: 2 },
    })
    expect(state.points.get('xp')?.total).toBe(10)
  })

  test('is not completed again while the total is too low', () => {
    expect(completedBy([at('2026-03-01'), at('2026-04-01', -5), at('2026-04-02', 5)]).flat()).toEqual([
      ...['summer', 'trained', 'trained'],
    ])
  })

  test('is on the way again once it has expired', () => {
    const trained = game.achievements.get('trained')
    const { state } = given(game, [at('2026-03-01'), at('2026-03-02', -6)])
    const progress = (instant: string) => trained && progressOf(trained, state, Date.parse(instant))?.current
    expect([progress('2026-03-30T12:00:00Z'), progress('2026-03-31T12:00:00Z')]).toEqual([undefined, 4])
  })

  test('expires once, at its instant', () => {
    const { state } = given(game, [at('2026-03-01')])
    const brought = timeBrings(game, state, state.at, Date.parse('2026-12-31T00:00:00Z'))
    expect(
      brought.flatMap(({ at, change }) =>
        change.type === 'achievementExpired' ? [[new Date(at).toISOString(), change.achievement, change.count]] : [],
      ),
    ).toEqual([['2026-03-31T12:00:00.000Z', 'trained', 1]])
  })
})

test('A completion by a streak expires, and the next day of the streak completes it again', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']
  expect(completedBy(days.map((day) => at(day, 1))).map((each) => each.includes('regular'))).toEqual([
    ...[false, true, true, true],
  ])
})

test('A definition says a date and days, and nothing expires that repeats', () => {
  expect(mistakesIn({ until: '2026-12-31', validFor: { days: 365 } })).toEqual([])
  expect(mistakesIn({ until: '31.12.2026' })).toEqual([
    "achievements.summer.until: must be a date as YYYY-MM-DD, not '31.12.2026'",
  ])
  expect(mistakesIn({ validFor: { days: 0 } })).toEqual([
    'achievements.summer.validFor.days: must be a whole number of days from 1 to 3650, not 0',
  ])
  expect(mistakesIn({ validFor: { days: 1 }, repeat: true })).toEqual([
    'achievements.summer.validFor: does not go with `repeat`: a completion expires or repeats; remove one',
  ])
})
