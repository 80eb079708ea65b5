// Caps and cooldowns: what they let through, period by period.

import { describe, expect, test } from 'vitest'
import { dateEntry } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

type System = NonNullable<Parameters<typeof rules>[0]['points']>[string]
type Trigger = NonNullable<System['triggers']>[number]

const MONDAY = '2026-03-09T12:00:00Z'
const xp = (triggers: readonly Trigger[], more: object = {}) =>
  rules({ points: { xp: { name: 'XP', triggers, ...more } } })
const perWord = (more: object = {}): Trigger => ({ type: 'metric', metric: 'words', threshold: 1, points: 1, ...more })

/** `03-09T12:00 10 UTC` of 2026: an event of 10, with the zone to which the user moves. */
function toSaid(said: string | Said): Said {
  if (typeof said !== 'string') return said
  const [at = '', value, tz] = said.split(' ')
  const profile = tz === undefined ? {} : { profile: { tz } }
  return { at: `${/^\d{4}-/.test(at) ? at : `2026-${at}`}Z`, value: Number(value), ...profile }
}

/** The total of `xp` after each event. */
function totals(games: Game | readonly Game[], said: readonly (string | Said)[]) {
  return given(games, said.map(toSaid)).states.map(({ points }) => points.get('xp')?.total ?? 0)
}

/** The points that were held back at each event. */
function heldBack(game: Game, said: readonly string[], tz = 'UTC') {
  return given(
    game,
    said.map((each) => ({ ...toSaid(each), profile: { tz } })),
  ).changes.map((changes) =>
    changes.flatMap((change) => {
      if (change.type !== 'pointsAwarded' && change.type !== 'pointsClipped') return []
      const { reduction } = change
      if (reduction === undefined) return []
      const resetsAt = reduction.resetsAt === null ? null : new Date(reduction.resetsAt).toISOString()
      return [{ left: reduction.left, by: reduction.by, resetsAt }]
    }),
  )
}

describe('A cap of a trigger', () => {
  test('lets so many points through on a local day, and clips the rest for good', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, ['03-09T08:00 7', '03-09T12:00 7', '03-09T23:59:59 1', '03-10T00:00 4'])
    expect(seen).toEqual([7, 10, 10, 14])
  })

  test('moves the mark of the metric with what it clips, so that it is not paid the next day', () => {
    const game = xp([perWord({ threshold: 10, points: 5, cap: { points: 5, per: 'day' } })])
    const seen = totals(game, ['03-09T12:00 95', '03-10T12:00 4', '03-10T13:00 1'])
    expect(seen).toEqual([5, 5, 10])
  })

  test('counts the dates of the zone that the user is in', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, ['03-09T22:59:59 20 Europe/Berlin', '03-09T23:00 3'])
    expect(seen).toEqual([10, 13])
  })

  test('holds for a week from the day on which weeks start', () => {
    const weekly = [perWord({ cap: { points: 10, per: 'week' } })]
    const said = ['03-07T12:00 10', '03-08T12:00 10', '03-09T12:00 10']
    expect(totals(xp(weekly), said)).toEqual([10, 10, 20])
    const fromSunday = rules({ weekStartsOn: 'sunday', points: { xp: { name: 'XP', triggers: weekly } } })
    expect(totals(fromSunday, said)).toEqual([10, 20, 20])
  })

  test('holds for a calendar month', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'month' } })])
    const seen = totals(game, ['02-28T12:00 15', '03-01T12:00 8', '03-31T12:00 8'])
    expect(seen).toEqual([10, 18, 20])
  })

  test('holds for ever', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'ever' } })])
    const seen = totals(game, ['02-28T12:00 6', '2031-03-01T12:00 6', '2056-03-31T12:00 6'])
    expect(seen).toEqual([6, 10, 10])
  })

  test('counts what was awarded, not what maxPoints clipped', () => {
    const game = xp(
      [perWord({ cap: { points: 10, per: 'day' } }), { type: 'metric', metric: 'laps', threshold: 1, points: -1 }],
      { maxPoints: 6 },
    )
    const laps = (value: number): Said => ({ at: MONDAY, metric: 'laps', value })
    expect(totals(game, ['03-09T12:00 8', laps(6), '03-09T12:00 8', laps(4), '03-09T12:00 8'])).toEqual([6, 0, 4, 0, 0])
  })

  test('is neither used nor refunded by a trigger that takes points away', () => {
    const game = xp([
      perWord({ cap: { points: 10, per: 'day' } }),
      { type: 'metric', metric: 'laps', threshold: 1, points: -3 },
    ])
    expect(totals(game, ['03-09T12:00 10', { at: MONDAY, metric: 'laps', value: 2 }, '03-09T12:00 10'])).toEqual([
      10, 4, 4,
    ])
  })

  test('of the system is neither used nor refunded by one either', () => {
    const taking = { type: 'metric', metric: 'laps', threshold: 1, points: -3 } as const
    const game = xp([perWord(), taking], { cap: { points: 10, per: 'day' } })
    const laps = { at: MONDAY, metric: 'laps', value: 2 }
    expect(totals(game, ['03-09T12:00 10', laps, '03-09T12:00 10'])).toEqual([10, 4, 4])
  })

  test('holds on to a date when a flight takes today back to it', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, [
      '03-09T10:30 10 Pacific/Auckland',
      '03-09T12:00 10 Pacific/Auckland',
      '03-09T13:00 10 Pacific/Honolulu',
    ])
    expect(seen).toEqual([10, 20, 20])
  })

  test('remembers the third newest date, to which a flight of 26 hours goes back', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, [
      // On the 8th, the 9th, the 10th, and the 8th again.
      '03-09T10:00 10 Pacific/Pago_Pago',
      '03-09T10:00:01 2 UTC',
      '03-09T10:00:02 2 Pacific/Kiritimati',
      '03-09T10:00:03 10 Etc/GMT+12',
    ])
    expect(seen).toEqual([10, 12, 14, 14])
  })

  test('pays what is left of the third newest date', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, [
      // On the 8th, the 9th, the 10th, and the 8th again.
      '03-09T10:00 2 Pacific/Pago_Pago',
      '03-09T10:00:01 10 UTC',
      '03-09T10:00:02 10 Pacific/Kiritimati',
      '03-09T10:00:03 10 Etc/GMT+12',
    ])
    expect(seen).toEqual([2, 12, 22, 30])
  })

  test('counts a date before all that it remembers in the oldest that it does', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, [
      '03-07T10:00 4 UTC',
      '03-08T10:00 4',
      '03-09T10:00 4',
      '03-10T10:00 4',
      // A date that no flight can return to: the 6th, which counts as the 8th.
      '03-06T10:00 10',
    ])
    expect(seen).toEqual([4, 8, 12, 16, 22])
  })

  test('leaves all of an earlier date to a flight that goes back to it', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    const seen = totals(game, ['03-09T12:00 10 Pacific/Auckland', '03-09T13:00 10 Pacific/Honolulu'])
    expect(seen).toEqual([10, 20])
  })

  test('keeps the sums of the three newest dates in order, or one sum without a period', () => {
    const sums = (per: string) => {
      const { state } = given(xp([perWord({ cap: { points: 10, per } })]), [
        { at: '2026-03-07T12:00:00Z', value: 1, profile: { tz: 'UTC' } },
        { at: '2026-03-08T12:00:00Z', value: 2 },
        { at: '2026-03-09T12:00:00Z', value: 4, profile: { tz: 'Pacific/Auckland' } },
        { at: '2026-03-09T13:00:00Z', value: 3, profile: { tz: 'Pacific/Honolulu' } },
      ])
      return [...state.caps.values()]
    }
    expect(sums('day')).toEqual([
      [
        { period: 20_520, sum: 2 },
        { period: 20_521, sum: 3 },
        { period: 20_522, sum: 4 },
      ],
    ])
    expect(sums('ever')).toEqual([[{ period: 0, sum: 10 }]])
  })
})

describe('A cap of a points system', () => {
  test('holds over all its triggers in their order, but those that are exempt', () => {
    const game = xp(
      [
        perWord({ cap: { points: 6, per: 'day' } }),
        perWord({ points: 2 }),
        perWord({ threshold: 5, points: 100, exempt: true }),
      ],
      { cap: { points: 12, per: 'day' } },
    )
    expect(totals(game, ['03-09T12:00 4', '03-09T12:00 4'])).toEqual([12, 112])
  })

  test('leaves out what creating a user pays only where that is exempt', () => {
    const welcome = (exempt: boolean): Trigger => ({ type: 'user_creation', points: 50, exempt })
    const cap = { points: 30, per: 'day' }
    expect(totals(xp([welcome(false)], { cap }), ['03-09T12:00 0'])).toEqual([30])
    expect(totals(xp([welcome(true)], { cap }), ['03-09T12:00 0'])).toEqual([50])
  })
})

describe('A cooldown', () => {
  const game = xp([perWord({ cooldown: { minutes: 5 } })])

  test('refuses what comes less than its minutes after the last payment', () => {
    const seen = totals(game, ['03-09T12:00 1', '03-09T12:04:59.999 10', '03-09T12:05 1', '03-09T12:09:59.999 10'])
    expect(seen).toEqual([1, 1, 2, 2])
  })

  test('begins anew only with a payment of more than nothing', () => {
    const capped = xp([perWord({ cooldown: { minutes: 60 }, cap: { points: 1, per: 'day' } })])
    const seen = totals(capped, ['03-09T22:00 1', '03-09T23:30 1', '03-10T00:00 1'])
    expect(seen).toEqual([1, 1, 2])
  })

  test('is of one trigger alone', () => {
    const two = xp([perWord({ cooldown: { minutes: 5 } }), perWord({ points: 10 })])
    expect(totals(two, ['03-09T12:00 1', '03-09T12:00 1'])).toEqual([11, 21])
  })
})

describe('What is held back', () => {
  test('is told with the local midnight at which it can be paid again', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    expect(heldBack(game, ['03-09T12:00 10', '03-09T12:00 1'])).toEqual([
      [],
      [{ left: 0, by: ['trigger_cap'], resetsAt: '2026-03-10T00:00:00.000Z' }],
    ])
  })

  test('can be paid when the date is over for good, where a clock goes back over its midnight', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })])
    // At 00:01 on 7 November 2010 it was 23:01 on the 6th again in St. John's, two and a half hours behind, then three and a half.
    const all = heldBack(
      game,
      ['2010-11-07T02:29:59 11', '2010-11-07T02:30 1', '2010-11-07T02:31 1', '2010-11-07T03:30 9'],
      'America/St_Johns',
    )
    const over = { by: ['trigger_cap'], resetsAt: '2010-11-07T03:30:00.000Z' }
    expect(all).toEqual([[{ left: 10, ...over }], [], [{ left: 0, ...over }], []])
  })

  test('can be paid from the latest on of all that took something', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })], { cap: { points: 5, per: 'week' } })
    expect(heldBack(game, ['03-09T12:00 12'])).toEqual([
      [{ left: 5, by: ['trigger_cap', 'system_cap'], resetsAt: '2026-03-16T00:00:00.000Z' }],
    ])
  })

  test('can be paid at the end of the cooldown, or never', () => {
    const cooling = xp([perWord({ cooldown: { minutes: 90 }, cap: { points: 30, per: 'day' } })])
    expect(heldBack(cooling, ['03-09T12:00 10', '03-09T12:00 10'])[1]).toEqual([
      { left: 0, by: ['cooldown'], resetsAt: '2026-03-09T13:30:00.000Z' },
    ])
    const ever = xp([perWord({ cap: { points: 10, per: 'ever' } })], { cap: { points: 5, per: 'day' } })
    expect(heldBack(ever, ['03-09T12:00 12'])[0]).toEqual([
      { left: 5, by: ['trigger_cap', 'system_cap'], resetsAt: null },
    ])
  })

  test('can be paid when nothing is left that would hold it back, whatever took something', () => {
    const once = xp([perWord({ cooldown: { minutes: 90 }, cap: { points: 10, per: 'day' } })])
    const twice = heldBack(once, ['03-09T12:00 10', '03-09T12:00 10'])
    // The cooldown takes all; but the day has nothing left either.
    expect(twice[1]).toEqual([{ left: 0, by: ['cooldown'], resetsAt: '2026-03-10T00:00:00.000Z' }])
    const both = xp([perWord({ cap: { points: 10, per: 'day' } })], { cap: { points: 10, per: 'week' } })
    expect(heldBack(both, ['03-09T12:00 12'])).toEqual([
      [{ left: 10, by: ['trigger_cap'], resetsAt: '2026-03-16T00:00:00.000Z' }],
    ])
    const ever = xp([perWord({ cap: { points: 10, per: 'day' } })], { cap: { points: 10, per: 'ever' } })
    expect(heldBack(ever, ['03-09T12:00 12'])).toEqual([[{ left: 10, by: ['trigger_cap'], resetsAt: null }]])
    const long = xp([perWord({ cooldown: { minutes: 2_880 }, cap: { points: 10, per: 'day' } })])
    expect(heldBack(long, ['03-09T12:00 12'])).toEqual([
      [{ left: 10, by: ['trigger_cap'], resetsAt: '2026-03-11T12:00:00.000Z' }],
    ])
    // Points that maxPoints took do not use up the week.
    const full = xp([perWord({ cap: { points: 10, per: 'day' } })], { cap: { points: 10, per: 'week' }, maxPoints: 8 })
    expect(heldBack(full, ['03-09T12:00 12'])).toEqual([
      [{ left: 10, by: ['trigger_cap'], resetsAt: '2026-03-10T00:00:00.000Z' }],
    ])
  })

  test('can be paid at midnight when a cooldown has never begun, or is over', () => {
    const unpaid = xp([perWord(), perWord({ cooldown: { minutes: 5 } })], { cap: { points: 5, per: 'day' } })
    expect(heldBack(unpaid, ['03-09T12:00 5'])).toEqual([
      [{ left: 0, by: ['system_cap'], resetsAt: '2026-03-10T00:00:00.000Z' }],
    ])
    const over = xp([perWord({ cooldown: { minutes: 60 }, cap: { points: 1, per: 'day' } })])
    const clipped = heldBack(over, ['03-09T22:00 1', '03-09T23:30 1'])
    expect(clipped[1]).toEqual([{ left: 0, by: ['trigger_cap'], resetsAt: '2026-03-10T00:00:00.000Z' }])
  })

  test('is nothing where only maxPoints clips', () => {
    const game = xp([perWord({ cap: { points: 10, per: 'day' } })], { maxPoints: 3 })
    expect(heldBack(game, ['03-09T12:00 8'])).toEqual([[]])
  })
})

describe('Under a newer game', () => {
  const capped = (points: number, per: string) => xp([perWord({ cap: { points, per } })])
  const [before, after] = ['2026-03-09T10:00:00Z', '2026-03-09T20:00:00Z']
  const deploy = (oldGame: Game, newGame: Game) =>
    totals(
      [oldGame, newGame],
      [
        { at: before, value: 20 },
        { at: after, value: 20, epoch: 2 },
      ],
    )

  test('a cap goes on with its sums, whatever its points are now', () => {
    expect(deploy(capped(10, 'day'), capped(15, 'day'))).toEqual([10, 15])
    expect(deploy(capped(10, 'day'), capped(5, 'day'))).toEqual([10, 10])
  })

  test('a cap over other periods begins at 0, as one that is new does', () => {
    expect(deploy(capped(10, 'day'), capped(15, 'month'))).toEqual([10, 25])
    expect(deploy(xp([perWord()]), capped(15, 'month'))).toEqual([20, 35])
  })

  test('a cap or cooldown that is gone leaves nothing behind', () => {
    const both = xp([perWord({ cap: { points: 10, per: 'day' }, cooldown: { minutes: 5 } })])
    const { state } = given([both, xp([perWord()])], [{ at: before }, { at: after, epoch: 2 }])
    expect([state.caps.size, state.cooldowns.size]).toEqual([0, 0])
  })

  test('a cooldown goes on', () => {
    const said = (at: string, epoch: number): Said => ({ at, epoch })
    const cooling = xp([perWord({ cooldown: { minutes: 60 } })])
    const seen = totals(
      [cooling, cooling],
      [said('2026-03-09T10:00:00Z', 1), said('2026-03-09T10:59:59Z', 2), said('2026-03-09T11:00:00Z', 2)],
    )
    expect(seen).toEqual([1, 1, 2])
  })

  test('weeks that begin on another day are other weeks, and months go on', () => {
    const triggers = (per: string) => [perWord({ cap: { points: 10, per } })]
    const sunday = (per: string) =>
      rules({ weekStartsOn: 'sunday', points: { xp: { name: 'XP', triggers: triggers(per) } } })
    expect(deploy(xp(triggers('week')), sunday('week'))).toEqual([10, 20])
    expect(deploy(xp(triggers('month')), sunday('month'))).toEqual([10, 10])
  })
})

test('An event is refused by what caps and cooldowns leave for it, not by what it was due', () => {
  const game = xp([
    perWord({ points: 10, cap: { points: 10, per: 'day' } }),
    perWord({ points: -4, blockIfOutOfPoints: true }),
  ])
  const { state } = given(game, [{ at: MONDAY, value: 1 }])
  expect(state.points.get('xp')?.total).toBe(6)
  const event = (value: number): Said => ({ at: MONDAY, value })
  const refused = (value: number) => refuse(game, state, dateEntry(state, toEntry(event(value), state.seq)))
  expect(refused(1)).toBeNull()
  // Nothing more is paid today: two more words cost 8, and the user has 6.
  expect(refused(2)?.code).toBe('out_of_points')
})

test('What maxPoints would clip uses a cap all the same where an event may be refused', () => {
  const game = xp(
    [perWord({ points: 10 }), perWord({ points: -30, blockIfOutOfPoints: true }), perWord({ points: 8 })],
    { maxPoints: 20, cap: { points: 10, per: 'day' } },
  )
  const before = given(xp([perWord({ points: 18 })], { maxPoints: 20 }), [{ at: MONDAY, value: 1 }]).state
  expect(before.points.get('xp')?.total).toBe(18)
  const entry = dateEntry(before, toEntry({ at: MONDAY, value: 1 }, before.seq))
  // 18 + 10 - 30: with the 10 the day's cap is used up, though only 2 of them would have fitted.
  expect(refuse(game, before, entry)?.code).toBe('out_of_points')
})
