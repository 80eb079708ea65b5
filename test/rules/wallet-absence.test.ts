import { describe, expect, test } from 'vitest'
import type { PointsDefinition } from '../../src/game/definition.ts'
import { evolveAll } from '../../src/rules/evolve.ts'
import type { Game } from '../../src/rules/game.ts'
import { settle } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { type Act, coins, earn, figures, hold, play, spend, textsOf, visit } from '../support/wallets.ts'

/* A long absence has the same wallet as if the user had been looked at every day. */

const DAY = 86_400_000
const TRIGGER = { type: 'metric', metric: 'words', threshold: 1, points: 1 } as const
const daily = { type: 'time', every: { days: 1 }, points: 3 } as const
const weekly = { type: 'time', every: { days: 7 }, points: 25 } as const
const hourly = { type: 'time', every: { hours: 5 }, points: 2 } as const

const BY_DAY = { after: { days: 90 }, roundTo: 'day' } as const
const YEARLY = { after: { months: 12 } } as const
const LONG = { after: { years: 3 }, roundTo: 'year' } as const

const SYSTEMS: readonly (readonly [string, Partial<PointsDefinition>])[] = [
  ['lots by day', { expires: BY_DAY }],
  ['lots by day, paid daily', { expires: BY_DAY, triggers: [TRIGGER, daily] }],
  [
    'lots by day, pending, paid daily and weekly',
    { expires: BY_DAY, pending: { days: 14 }, triggers: [TRIGGER, daily, weekly] },
  ],
  [
    'lots by day, paid daily and hourly up to a maximum',
    { expires: BY_DAY, maxPoints: 400, triggers: [TRIGGER, daily, hourly] },
  ],
  ['lots by month, paid hourly', { expires: YEARLY, triggers: [TRIGGER, hourly] }],
  ['lots by month, pending, paid daily', { expires: YEARLY, pending: { days: 20 }, triggers: [TRIGGER, daily] }],
  [
    'lots by month, pending, up to a maximum',
    { expires: YEARLY, pending: { days: 20 }, maxPoints: 333, triggers: [TRIGGER, daily, weekly] },
  ],
  ['days by month, paid weekly', { expires: { after: { days: 45 } }, triggers: [TRIGGER, weekly] }],
  ['lots by year, paid daily', { expires: LONG, triggers: [TRIGGER, daily] }],
  ['no expiry, paid hourly', { triggers: [TRIGGER, hourly] }],
  [
    'no expiry, pending, paid weekly, up to a maximum',
    { pending: { days: 5 }, maxPoints: 500, triggers: [TRIGGER, weekly] },
  ],
]

const STARTS: readonly (readonly [string, readonly Act[]])[] = [
  [
    'lots, pending points and holds',
    [
      earn('2026-01-05', 40),
      hold('2026-01-06', 'one', 10, '2026-03-25T22:30:00Z'),
      earn('2026-02-05', 60),
      hold('2026-03-04', 'two', 15, '2026-05-31T22:00:00Z'),
      hold('2026-03-05', 'three', 15, '2026-05-31T22:00:00.001Z'),
      earn('2026-03-05T12:30:00Z', 30),
    ],
  ],
  [
    'a debt',
    [
      earn('2026-01-05', 40),
      hold('2026-01-06', 'one', 60, '2026-03-25T22:30:00Z'),
      spend('2026-03-04', 'order', 200),
      earn('2026-03-05', 30),
    ],
  ],
]

const ZONE = 'Europe/Berlin'

function read(game: Game, state: UserState, at: number): UserState {
  return evolveAll(state, settle(game, state, at))
}

const textOf = ({ wallets, points }: UserState): unknown => {
  const wallet = wallets.get('coins')
  if (wallet === undefined) return null
  const pending = wallet.pending.map(({ available, amount }) => [available, amount])
  return [points.get('coins')?.total, figures(wallet), textsOf(wallet.lots), pending, wallet.holds]
}

describe.each(SYSTEMS)('ten years without a visit: %s', (_, system) => {
  test.each(STARTS)('after %s', (_name, acts) => {
    const game = coins(system)
    const { state } = play(game, [visit('2026-01-04T12:00:00Z', ZONE), ...acts])
    let byDay = state
    for (let date = 0; date <= 3_653; date += 1) {
      const at = state.at + date * DAY + 1
      byDay = read(game, byDay, at)
      // A date of every second month is enough to see where they part.
      if (date % 61 === 0 || date < 130) expect([date, textOf(read(game, state, at))]).toEqual([date, textOf(byDay)])
    }
  })
})

test('ten years without a visit leave what was earned last, in its lots', () => {
  const game = coins({ expires: { after: { months: 3 } }, triggers: [TRIGGER, daily] })
  const { lots, wallet } = play(game, [visit('2026-01-04T12:00:00Z', ZONE)], '2036-01-04T12:00:00Z')
  // 3 points for each date: in October, November and December all, and four in January.
  expect(lots).toEqual(['2036-02-01 93', '2036-03-01 90', '2036-04-01 93', '2036-05-01 12'])
  expect(figures(wallet)).toBe('balance 288, pending 0, held 0, spent 0, expired 10668')
})
