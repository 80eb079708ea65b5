import { describe, expect, test } from 'vitest'
import { boostDue, multiplierOf } from '../../src/rules/boost.ts'
import type { Change } from '../../src/rules/change.ts'
import type { Entry, EntryBody } from '../../src/rules/entry.ts'
import { dateEntry, foldLog } from '../../src/rules/fold.ts'
import type { Game, Rounding } from '../../src/rules/game.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { emptyState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type Boosts = NonNullable<NonNullable<NonNullable<Parameters<typeof rules>[0]['points']>[string]['boosts']>>

const FIVE = { type: 'metric', metric: 'words', threshold: 10, points: 5 } as const
const WEEKEND = { name: 'Double weekend', start: '2026-03-14', end: '2026-03-15', multiplier: 2 }

function xp(boosts: Boosts, more: object = {}): Game {
  return rules({ points: { xp: { name: 'XP', triggers: [FIVE], boosts, ...more } } })
}

/** The points of the last of these boosts. */
function lastDue(game: Game, said: readonly Said[]): readonly number[] {
  const changes = given(game, said).changes.at(-1) ?? []
  return changes.flatMap((change) => (change.type === 'pointsAwarded' ? [change.awarded] : []))
}

function on(date: string, time = '12:00', tz = 'UTC'): readonly Said[] {
  return [{ at: `${date}T${time}:00Z`, value: 10, profile: { tz } }]
}

describe('A planned boost', () => {
  test('multiplies what is paid on its dates, the first and the last included', () => {
    const game = xp({ weekend: WEEKEND })
    expect(['13', '14', '15', '16'].map((day) => lastDue(game, on(`2026-03-${day}`)))).toEqual([[5], [10], [10], [5]])
  })

  test('has the dates of each user: Saturday begins in Auckland while it is Friday in Greenwich', () => {
    const game = xp({ weekend: WEEKEND })
    expect(lastDue(game, on('2026-03-13', '12:00', 'Pacific/Auckland'))).toEqual([10])
    expect(lastDue(game, on('2026-03-15', '12:00', 'Pacific/Auckland'))).toEqual([5])
    expect(lastDue(game, on('2026-03-16', '03:00', 'America/Los_Angeles'))).toEqual([10])
  })

  test('without an end it never ends', () => {
    expect(lastDue(xp({ always: { name: 'A', start: '2026-01-01', multiplier: 3 } }), on('2199-12-31'))).toEqual([15])
  })

  test('is for users with its attributes, as they are after the profile that the entry brought', () => {
    const game = xp({ pro: { ...WEEKEND, userAttributes: { plan: 'pro' } } })
    const become = (plan: string, at: string): Said => ({
      at: `2026-03-14T${at}:00Z`,
      value: 10,
      profile: { attributes: new Map([['plan', plan]]) },
    })
    expect(lastDue(game, [become('free', '12:00')])).toEqual([5])
    expect(lastDue(game, [become('free', '12:00'), become('pro', '13:00')])).toEqual([10])
    expect(lastDue(game, [become('pro', '12:00'), become('free', '13:00')])).toEqual([5])
  })

  test('multiplies what a new user, an achievement and a streak bring, and takes no more away', () => {
    const triggers = [
      { type: 'user_creation', points: 7 },
      { type: 'achievement', achievement: 'first', points: 11 },
      { type: 'streak', length: 1, points: 13 },
      { type: 'metric', metric: 'words', threshold: 10, points: -3 },
    ] as const
    const game = rules({
      achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
      streak: { frequency: 'daily', metrics: { words: {} } },
      points: { xp: { name: 'XP', triggers, boosts: { weekend: WEEKEND } } },
    })
    expect(lastDue(game, on('2026-03-14'))).toEqual([14, 22, 26, -3])
  })

  test('comes before maxPoints, and the award says what it would have been', () => {
    const { changes, state } = given(xp({ weekend: WEEKEND }, { maxPoints: 8 }), on('2026-03-14'))
    expect(changes[0]?.filter(({ type }) => type === 'pointsAwarded')).toMatchObject([
      { due: 10, awarded: 8, boosts: [{ name: 'Double weekend', multiplier: 2 }] },
    ])
    expect(state.points.get('xp')?.total).toBe(8)
  })

  test('that leaves nothing awards nothing', () => {
    const { changes, state } = given(xp({ none: { ...WEEKEND, multiplier: 0.1 } }), on('2026-03-14'))
    expect(changes[0]?.filter(({ type }) => type === 'pointsClipped')).toMatchObject([{ due: 0 }])
    expect(state.points.has('xp')).toBe(false)
  })

  test('lets an event pass that would be refused without it: what is due is looked at after boosts', () => {
    const triggers = [
      { type: 'metric', metric: 'words', threshold: 10, points: 5 },
      { type: 'metric', metric: 'words', threshold: 10, points: -8, blockIfOutOfPoints: true },
    ] as const
    const game = rules({ points: { xp: { name: 'XP', triggers, boosts: { weekend: WEEKEND } } } })
    const refusalOn = (date: string): string | undefined => {
      const state = emptyState(Date.parse(`${date}T00:00:00Z`), 1)
      return refuse(game, state, dateEntry(state, toEntry({ at: `${date}T12:00:00Z`, value: 10 }, 0)))?.code
    }
    expect([refusalOn('2026-03-13'), refusalOn('2026-03-14')]).toEqual(['out_of_points', undefined])
  })

  test('has an award without boosts where none holds', () => {
    const awarded = given(xp({ weekend: WEEKEND }), on('2026-03-13')).changes[0]?.find(isAward)
    expect(awarded !== undefined && 'boosts' in awarded).toBe(false)
  })
})

function isAward(change: Change): boolean {
  return change.type === 'pointsAwarded'
}

describe('Several boosts', () => {
  const three: readonly (readonly [string, Boosts[string]])[] = [
    ['spring', { name: 'Spring', start: '2026-03-01', multiplier: 1.5, rounding: 'up' }],
    ['week', { name: 'Week', start: '2026-03-09', multiplier: 1.1, rounding: 'nearest' }],
    ['weekend', { name: 'Weekend', start: '2026-03-14', multiplier: 1.3, rounding: 'down' }],
  ]

  test('multiply each other, and are rounded once, as the one that starts last says', () => {
    // 5 × 1.5 × 1.1 × 1.3 = 10.725
    expect(lastDue(xp(Object.fromEntries(three)), on('2026-03-14'))).toEqual([10])
    // 5 × 1.5 × 1.1 = 8.25
    expect(lastDue(xp(Object.fromEntries(three)), on('2026-03-10'))).toEqual([8])
    // 5 × 1.5 = 7.5
    expect(lastDue(xp(Object.fromEntries(three)), on('2026-03-02'))).toEqual([8])
  })

  test('give the same in every order of the definition', () => {
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]
    const names = orders.map((order) => {
      const game = xp(Object.fromEntries(order.flatMap((place) => three.slice(place, place + 1))))
      const [award] = given(game, on('2026-03-14')).changes[0]?.filter(({ type }) => type === 'pointsAwarded') ?? []
      return award?.type === 'pointsAwarded' ? [award.awarded, ...(award.boosts ?? []).map(({ name }) => name)] : []
    })
    expect(new Set(names.map(String))).toEqual(new Set(['10,Spring,Week,Weekend']))
  })

  test('that start on one date are in the order of their ids, which follow from their keys', () => {
    const alike = (rounding: Rounding): Boosts[string] => {
      return { name: 'B', start: '2026-03-14', multiplier: 1.5, rounding }
    }
    const one = lastDue(xp({ a: alike('down'), b: alike('up') }), on('2026-03-14'))
    const other = lastDue(xp({ b: alike('up'), a: alike('down') }), on('2026-03-14'))
    expect(one).toEqual(other)
  })

  test('are exact where doubles are not', () => {
    // 0.1 + 0.2 of doubles: 3 × 1.1 is 3.3000000000000003, and 70 × 1.1 is 77.00000000000001.
    expect(boostDue(7, 10, multiplierOf([{ multiplier: 1.1, rounding: 'up' }]))).toBe(77)
    expect(boostDue(1, 100, multiplierOf([{ multiplier: 1.15, rounding: 'down' }]))).toBe(115)
    expect(boostDue(1, 50, multiplierOf([{ multiplier: 0.29, rounding: 'nearest' }]))).toBe(15)
    expect(boostDue(1, 5, multiplierOf([{ multiplier: 0.1, rounding: 'nearest' }]))).toBe(1)
    expect(boostDue(1, 5, multiplierOf([{ multiplier: 0.09999999, rounding: 'nearest' }]))).toBe(0)
    expect(boostDue(1, 1, multiplierOf([{ multiplier: 5e-324, rounding: 'up' }]))).toBe(1)
  })

  test('pay no more than can be counted', () => {
    expect(boostDue(9_007_199_254_740_991, 1_000, multiplierOf([{ multiplier: 99.5, rounding: 'down' }]))).toBe(
      9_007_199_254_740_991,
    )
  })

  test('three at once, with every rounding, are what exact fractions say', () => {
    const roundings: readonly Rounding[] = ['down', 'up', 'nearest']
    const fractions = [
      [3n, 2n, 1.5],
      [11n, 10n, 1.1],
      [1n, 8n, 0.125],
      [7n, 1n, 7],
      [33n, 100n, 0.33],
      [999_999n, 10_000n, 99.9999],
      [1n, 1_000_000n, 0.000001],
    ] as const
    let compared = 0
    for (const [n1, d1, m1] of fractions) {
      for (const [n2, d2, m2] of fractions) {
        for (const [n3, d3, m3] of fractions) {
          for (const points of [1, 2, 5, 7, 100, 12_345]) {
            for (const rounding of roundings) {
              const boosts = [
                { multiplier: m1, rounding: 'down' as const },
                { multiplier: m2, rounding: 'up' as const },
                { multiplier: m3, rounding },
              ]
              const top = 3n * BigInt(points) * n1 * n2 * n3
              const bottom = d1 * d2 * d3
              const whole = top / bottom
              const rest = top % bottom
              const isUp = rounding === 'up' ? rest > 0n : rounding === 'nearest' && 2n * rest >= bottom
              expect(boostDue(3, points, multiplierOf(boosts))).toBe(Number(isUp ? whole + 1n : whole))
              compared += 1
            }
          }
        }
      }
    }
    expect(compared).toBe(6_174)
  })
})

describe('A boost of one user', () => {
  const plain = xp({})
  const say = (index: number, at: string, body: EntryBody): Entry => {
    const { id, seq, at: instant, recordedAt, epoch, dating, profile } = toEntry({ at, isProfileOnly: true }, index)
    return { id, seq, at: instant, recordedAt, epoch, dating, profile, ...body }
  }
  const give = (more: object = {}): EntryBody => ({
    kind: 'boostGiven',
    system: 'xp',
    name: 'For you',
    start: Date.parse('2026-03-10') / 86_400_000,
    end: null,
    multiplier: 2,
    rounding: 'down',
    ...more,
  })
  const words = (index: number, at: string): Entry => toEntry({ at, value: 10 }, index)

  function awards(game: Game, log: readonly Entry[]): readonly number[] {
    const paid: number[] = []
    foldLog(new Map([[1, game]]), log, (_, step) => {
      for (const change of step.changes) if (change.type === 'pointsAwarded') paid.push(change.awarded)
    })
    return paid
  }

  test('holds from its place in the log on, until it is deleted; what it paid stays', () => {
    const log = [
      words(0, '2026-03-10T08:00:00Z'),
      say(1, '2026-03-10T09:00:00Z', give()),
      words(2, '2026-03-10T10:00:00Z'),
      say(3, '2026-03-10T11:00:00Z', { kind: 'boostChanged', boost: 'entry-2', multiplier: 3 }),
      words(4, '2026-03-10T12:00:00Z'),
      say(5, '2026-03-10T13:00:00Z', { kind: 'boostDeleted', boost: 'entry-2' }),
      words(6, '2026-03-10T14:00:00Z'),
    ]
    expect(awards(plain, log)).toEqual([5, 10, 15, 5])
  })

  test('is newer than what the game plans, so its rounding counts', () => {
    const game = xp({ later: { name: 'L', start: '2026-03-11', multiplier: 1.5, rounding: 'up' } })
    const log = [
      say(0, '2026-03-10T09:00:00Z', give({ multiplier: 1.1, rounding: 'down' })),
      words(1, '2026-03-11T10:00:00Z'),
    ]
    // 5 × 1.5 × 1.1 = 8.25
    expect(awards(game, log)).toEqual([8])
  })

  test('is of one points system', () => {
    const game = rules({
      points: { xp: { name: 'XP', triggers: [FIVE] }, gold: { name: 'Gold', triggers: [{ ...FIVE, points: 3 }] } },
    })
    expect(
      awards(game, [say(0, '2026-03-10T09:00:00Z', give({ system: 'gold' })), words(1, '2026-03-10T10:00:00Z')]),
    ).toEqual([5, 6])
  })

  test('is kept where a later game has no such system, and at most 100 are', () => {
    const many = Array.from({ length: 120 }, (_, index) => say(index, '2026-03-10T09:00:00Z', give()))
    expect(foldLog(new Map([[1, rules({})]]), many)?.boosts).toHaveLength(100)
  })

  test('is refused on arrival: a system that is not there, dates the wrong way, one too many, one that is not there', () => {
    const log = Array.from({ length: 100 }, (_, index) => say(index, '2026-03-10T09:00:00Z', give()))
    const one = foldLog(new Map([[1, plain]]), log.slice(0, 1))
    const full = foldLog(new Map([[1, plain]]), log)
    if (one === null || full === null) throw new RangeError('Nothing happened')
    const refusal = (state: typeof one, body: EntryBody): string | undefined =>
      refuse(plain, state, dateEntry(state, say(state.seq, '2026-03-10T10:00:00Z', body)))?.code
    expect(refusal(one, give())).toBe(undefined)
    expect(refusal(one, give({ system: 'gold' }))).toBe('unknown_points_system')
    expect(refusal(one, give({ end: 0 }))).toBe('boost_out_of_range')
    expect(refusal(full, give())).toBe('too_many_boosts')
    expect(refusal(one, { kind: 'boostChanged', boost: 'entry-1', end: 0 })).toBe('boost_out_of_range')
    expect(refusal(one, { kind: 'boostChanged', boost: 'entry-2', multiplier: 3 })).toBe('unknown_boost')
    expect(refusal(one, { kind: 'boostDeleted', boost: 'entry-2' })).toBe('unknown_boost')
    expect(refusal(one, { kind: 'boostDeleted', boost: 'entry-1' })).toBe(undefined)
  })
})
