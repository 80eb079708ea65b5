import { describe, expect, test } from 'vitest'
import { GamificationError } from '../../src/errors.ts'
import { compileGame } from '../../src/game/compile.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { readDefinition } from '../../src/game/read-definition.ts'

const withCoins = (system: object): unknown => ({
  metrics: { words: { name: 'Words' } },
  points: { coins: { name: 'Coins', ...system } },
})
const withExpiry = (after: object, rest: object = {}): unknown =>
  withCoins({ spendable: true, expires: { after, ...rest } })

function mistakesIn(definition: unknown): readonly string[] {
  try {
    readDefinition(definition)
  } catch (error) {
    if (error instanceof GamificationError) return error.issues.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

describe('a mistake', () => {
  test.each([
    [
      'expiry of points that nobody can spend',
      withCoins({ expires: { after: { months: 12 } } }),
      'points.coins.expires: is for spendable points; add `spendable: true`, or remove it',
    ],
    [
      'pending points that nobody can spend',
      withCoins({ spendable: false, pending: { days: 14 } }),
      'points.coins.pending: is for spendable points; add `spendable: true`, or remove it',
    ],
    [
      'a grace of points that nobody can spend',
      withCoins({ refundGrace: { days: 14 } }),
      'points.coins.refundGrace: is for spendable points; add `spendable: true`, or remove it',
    ],
    [
      'a trigger that takes spendable points away',
      withCoins({ spendable: true, triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: -5 }] }),
      'points.coins.triggers[0].points: is negative, and triggers do not take away spendable points; take them with `points.spend`, or make the system not spendable',
    ],
    [
      'points that are no whole number',
      withCoins({ spendable: true, triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 0.5 }] }),
      'points.coins.triggers[0].points: must be a whole number, not 0.5',
    ],
    [
      'an expiry after nothing',
      withExpiry({}),
      'points.coins.expires.after: says neither days nor months nor years; give one of them, as { months: 12 }',
    ],
    [
      'an expiry after two things',
      withExpiry({ days: 3, months: 12 }),
      'points.coins.expires.after: says both days and months; give one of them, as { months: 12 }',
    ],
    [
      'points that expire before they are available',
      withCoins({ spendable: true, expires: { after: { months: 1 } }, pending: { days: 28 } }),
      'points.coins.expires.after: is not longer than pending, which is 28 days, so points would expire before they are available; make it longer, or pending shorter',
    ],
    [
      'too many dates of expiry, by day',
      withExpiry({ months: 4 }, { roundTo: 'day' }),
      "points.coins.expires.after: leads to 124 dates of expiry at once, and 120 are the most; make `after` shorter, or `roundTo` longer: 'month' or 'year'",
    ],
    [
      'too many dates of expiry, by month',
      withExpiry({ years: 10 }),
      "points.coins.expires.after: leads to 121 dates of expiry at once, and 120 are the most; make `after` shorter, or `roundTo` longer: 'month' or 'year'",
    ],
    [
      'pending for longer than 90 days',
      withCoins({ spendable: true, pending: { days: 91 } }),
      'points.coins.pending.days: must be a whole number of days from 1 to 90, not 91',
    ],
    [
      'a rounding to weeks',
      withExpiry({ days: 30 }, { roundTo: 'week' }),
      "points.coins.expires.roundTo: must be 'day', 'month' or 'year', not 'week'",
    ],
  ])('is %s', (_, definition, message) => {
    expect(mistakesIn(definition)).toEqual([message])
  })
})

describe('no mistake', () => {
  test.each([
    ['120 dates of expiry, by day', withExpiry({ days: 120 }, { roundTo: 'day' })],
    ['120 dates of expiry, by month', withExpiry({ months: 119 })],
    ['100 years, by year', withExpiry({ years: 100 }, { roundTo: 'year' })],
    [
      'pending for a day less than the shortest month',
      withCoins({ spendable: true, expires: { after: { months: 1 } }, pending: { days: 27 } }),
    ],
    [
      'a level above maxPoints, which bounds the balance alone',
      withCoins({ spendable: true, maxPoints: 100, levels: { gold: { name: 'Gold', points: 1_000 } } }),
    ],
  ])('is %s', (_, definition) => {
    expect(mistakesIn(definition)).toEqual([])
  })
})

describe('a game', () => {
  test('lists its spendable systems, with the defaults', () => {
    const definition = readDefinition({
      metrics: { words: { name: 'Words' } },
      points: {
        xp: { name: 'XP' },
        coins: { name: 'Coins', spendable: true, expires: { after: { months: 12 } } },
        gems: {
          name: 'Gems',
          spendable: true,
          expires: { after: { days: 30 }, roundTo: 'day', warn: { days: 7 } },
          pending: { days: 14 },
          refundGrace: { days: 60 },
        },
      },
    })
    expect(compileGame(definition).spendableSystems.map(({ key, wallet }) => [key, wallet])).toEqual([
      [
        'coins',
        {
          expires: { unit: 'month', count: 12, roundTo: 'month', warnDays: null },
          pendingDays: 0,
          graceDays: 30,
        },
      ],
      ['gems', { expires: { unit: 'day', count: 30, roundTo: 'day', warnDays: 7 }, pendingDays: 14, graceDays: 60 }],
    ])
  })

  test('is the same one with `spendable: false` as without it', () => {
    const make = (system: object) => {
      return defineGame({ metrics: { words: { name: 'Words' } }, points: { xp: { name: 'XP', ...system } } })
        .fingerprint
    }
    expect(make({ spendable: false })).toBe(make({}))
    expect(make({ spendable: true })).not.toBe(make({}))
  })
})
