import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { addOnDate, findExceeded, keepDateSums, sumDate, toDateSums, usesLimits } from '../../src/rules/limit.ts'
import { emptyState } from '../../src/rules/state.ts'

const { rules: game } = defineGame({
  metrics: {
    steps: {
      name: 'Steps',
      limits: [
        { value: 10, per: { days: 3 }, then: 'hold' },
        { value: 8, per: { days: 1 }, then: 'refuse' },
      ],
    },
    words: { name: 'Words' },
  },
})

const step = (date: number, value: number, rest: object = {}): Extract<Entry, { kind: 'eventRecorded' }> => ({
  id: `event-${date}`,
  seq: 1,
  at: date * 86_400_000,
  recordedAt: date * 86_400_000,
  epoch: 1,
  dating: { zone: 'UTC', date, time: 0 },
  profile: null,
  kind: 'eventRecorded',
  metric: 'steps',
  value,
  attributes: new Map(),
  idempotencyKey: null,
  ...rest,
})

/** Sums by date. */
const sums = (dates: { readonly [date: number]: number }) =>
  new Map([['steps', Object.entries(dates).map(([date, sum]) => ({ date: Number(date), sum }))]])

const found = (dates: { readonly [date: number]: number }, entry: Entry) => {
  const exceeded = findExceeded(game, sums(dates), entry)
  return exceeded === null ? null : [exceeded.limit.value, exceeded.left, exceeded.room]
}

describe('A limit over three days', () => {
  test.each([
    ['the two before', { 98: 5, 99: 4 }, 100, [10, 1, 101]],
    ['one on each side', { 99: 5, 101: 4 }, 100, [10, 1, 102]],
    ['the two after', { 101: 5, 102: 4 }, 100, [10, 1, 104]],
    ['the date itself', { 100: 7, 101: 2 }, 100, null],
  ])('looks at %s', (_, dates, date, expected) => {
    const value = expected === null ? 1 : 2
    expect(found(dates, step(date, value))).toEqual(expected)
  })

  test('does not look at dates three days away', () => {
    expect(found({ 97: 8, 103: 8 }, step(100, 8))).toBeNull()
  })

  test('takes dates that are not all within one window one by one', () => {
    // Three days each: 98 to 100 have 6, and so have 100 to 102.
    expect(found({ 98: 6, 102: 6 }, step(100, 4))).toBeNull()
    expect(found({ 98: 6, 102: 6 }, step(100, 5))).toEqual([10, 4, 105])
  })
})

describe('An event', () => {
  test('that would exceed two limits is refused by the one that refuses', () => {
    expect(found({ 99: 8 }, step(100, 9))).toEqual([8, 8, null])
  })

  test('that is as large as the limit has room on a later date', () => {
    expect(found({ 100: 5 }, step(100, 8))).toEqual([8, 3, 101])
  })

  test('that takes away, or is void, or is of a metric without limits, exceeds none', () => {
    expect(found({ 100: 12 }, step(100, -1))).toBeNull()
    expect(found({ 100: 12 }, step(100, 0))).toBeNull()
    expect(found({ 100: 12 }, step(100, 5, { voidedBy: 'void' }))).toBeNull()
    expect(found({ 100: 12 }, step(100, 1e15, { metric: 'words' }))).toBeNull()
    expect(found({ 100: 12 }, step(100, 1e15, { metric: 'gone' }))).toBeNull()
  })
})

describe('The sums of dates', () => {
  const sumsAfter = (dates: { readonly [date: number]: number }, entry: ReturnType<typeof step>) => {
    const state = { ...emptyState(0, 1), dateSums: sums(dates) }
    return sumDate(game, state, entry, entry.dating.date).flatMap((change) =>
      change.type === 'dateSummed' ? change.sums.map(({ date, sum }) => [date, sum]) : [],
    )
  }

  test('are kept for as many days as the longest limit, and two for dates that run back', () => {
    expect(sumsAfter({ 95: 1, 96: 1, 97: 1, 98: 1, 99: 1 }, step(100, 2))).toEqual([
      [96, 1],
      [97, 1],
      [98, 1],
      [99, 1],
      [100, 2],
    ])
  })

  test('stay in order where a date runs back', () => {
    expect(sumsAfter({ 95: 1, 99: 1, 100: 1 }, step(98, 0.2))).toEqual([
      [98, 0.2],
      [99, 1],
      [100, 1],
    ])
  })

  test('go where a game has no limits for them any more', () => {
    const words = [{ date: 100, sum: 1 }]
    const both = new Map([...sums({ 100: 1 }), ['words', words]])
    expect([...keepDateSums(game, both).keys()]).toEqual(['steps'])
  })

  test('grow by what is added alone, as decimals', () => {
    expect(sumsAfter({ 100: 0.1 }, step(100, 0.2))).toEqual([[100, 0.3]])
    const state = { ...emptyState(0, 1), dateSums: sums({ 100: 1 }) }
    const others = [step(100, -1), step(100, 0), step(100, 1, { metric: 'words' })]
    expect(others.map((entry) => sumDate(game, state, entry, 100))).toEqual([[], [], []])
  })

  test('are kept in the state by each event', () => {
    const state = foldLog(new Map([[1, game]]), [step(100, 2, { seq: 1 }), step(101, 3, { seq: 2, id: 'next' })])
    expect(state?.dateSums.get('steps')).toEqual([
      { date: 100, sum: 2 },
      { date: 101, sum: 3 },
    ])
  })

  test('of a log are those of its events that use limits, in order', () => {
    const log = [
      step(101, 0.1),
      step(100, 2),
      step(101, 0.2),
      step(102, -1),
      step(103, 4, { voidedBy: 'void' }),
      step(104, 4, { metric: 'words' }),
    ]
    const added = new Map<string, Map<number, number>>()
    for (const entry of log) if (usesLimits(game, entry)) addOnDate(added, entry)
    expect([...added].map(([metric, dates]) => [metric, toDateSums(dates)])).toEqual([
      [
        'steps',
        [
          { date: 100, sum: 2 },
          { date: 101, sum: 0.3 },
        ],
      ],
    ])
  })
})
