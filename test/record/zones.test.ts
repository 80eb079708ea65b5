// Streaks through every zone of the runtime, by the pure fold. Instants of local times are found with plain
// `Intl.DateTimeFormat`. SOAK=1 goes through every day from 2015 to 2030; SEED=… repeats a run.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { localDate, parseDate, toDateText } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { zoneOf } from '../../src/rules/profile.ts'
import { settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { type StreakView, viewStreak } from '../../src/rules/streak.ts'
import {
  boundsOf,
  createRandom,
  DAY,
  HOUR,
  instantsOf,
  SOAK,
  type Stretch,
  seedOfRun,
  stretchesOf,
  ZONES,
} from '../support/zones.ts'

const seed = seedOfRun()
const MINUTE = 60_000

const streakOf = (frequency: 'daily' | 'weekly' | 'monthly') =>
  defineGame({ metrics: { words: { name: 'Words' } }, streak: { frequency, metrics: { words: {} } } }).rules

const GAMES = { daily: streakOf('daily'), weekly: streakOf('weekly'), monthly: streakOf('monthly') }
type Frequency = keyof typeof GAMES

const day = (text: string): number => {
  const parsed = parseDate(text)
  if (parsed === null) throw new RangeError(`${text} is no date`)
  return parsed
}

/** An event, in the zone that the call says or, without one, in that of the call before. */
interface Sent {
  readonly at: number
  readonly tz?: string
}

function toEntry({ at, tz }: Sent, index: number): Entry {
  return {
    id: `entry-${index}`,
    seq: index + 1,
    at,
    recordedAt: at,
    epoch: 1,
    // Of no zone, so that the fold dates it.
    dating: { zone: '', date: 0, time: 0 },
    profile: tz === undefined ? null : { tz },
    kind: 'eventRecorded',
    metric: 'words',
    value: 1,
    attributes: new Map(),
    idempotencyKey: null,
  }
}

function* toEntries(sent: Iterable<Sent>): Iterable<Entry> {
  let index = 0
  for (const each of sent) {
    yield toEntry(each, index)
    index += 1
  }
}

/** Folds the events; `see` is told the placed entry and the state after each. */
function send(
  frequency: Frequency,
  sent: Iterable<Sent>,
  see: (entry: Entry, state: UserState) => void = () => undefined,
): UserState {
  const games = new Map([[1, GAMES[frequency]]])
  const state = foldLog(games, toEntries(sent), (entry, step) => see(entry, step.state))
  if (state === null) throw new RangeError('Nothing was sent')
  return state
}

/** The lengths after each of the events, given as instant and zone. */
function lengthsOf(frequency: Frequency, calls: readonly (readonly [at: string, tz?: string])[]): readonly number[] {
  const lengths: number[] = []
  const sent = calls.map(([at, tz]) => ({ at: Date.parse(at), ...(tz === undefined ? {} : { tz }) }))
  send(frequency, sent, (_, state) => lengths.push(state.streak.length))
  return lengths
}

function readAt(frequency: Frequency, state: UserState, at: string): StreakView {
  const game = GAMES[frequency]
  const instant = Date.parse(at)
  return viewStreak(game, settled(game, state, instant), localDate(zoneOf(state.profile), instant))
}

const FROM = day('2015-01-01')
const TO = day('2030-12-31')
// Changes of offset closer than this to each other would be missed; the test would then say that its instants are wrong.
const STEP = (SOAK ? 1 : 5) * DAY

const stretches = new Map<string, readonly Stretch[]>(
  ZONES.map((zone) => [zone, stretchesOf(zone, (FROM - 2) * DAY, (TO + 2) * DAY, STEP)]),
)

/** One event at each of the days: the streak grows with each, and each is dated as the runtime says. */
function* brokenIn(zone: string, days: Iterable<{ date: number; at: number }>): Iterable<string> {
  const dates: number[] = []
  function* sent(): Iterable<Sent> {
    for (const { date, at } of days) {
      dates.push(date)
      yield dates.length === 1 ? { at, tz: zone } : { at }
    }
  }
  const found: string[] = []
  let count = 0
  const state = send('daily', sent(), (entry, { streak }) => {
    const expected = dates[count]
    count += 1
    if (found.length > 0 || expected === undefined) return
    if (entry.dating.date !== expected) {
      found.push(`${zone}: ${toDateText(expected)} was dated ${toDateText(entry.dating.date)}`)
    } else if (streak.length !== count) {
      found.push(`${zone}: on ${toDateText(expected)} the length is ${streak.length}, not ${count}`)
    }
  })
  if (state.streak.length !== count && found.length === 0) found.push(`${zone}: ${state.streak.length} of ${count}`)
  yield* found
}

/** Noon of every day between the two that the zone has. */
function* noons(zone: string, from: number, to: number): Iterable<{ date: number; at: number }> {
  const all = stretches.get(zone) ?? []
  let index = 0
  for (let date = from; date <= to; date += 1) {
    while ((all[index]?.end ?? Number.POSITIVE_INFINITY) < (date - 1) * DAY) index += 1
    const [at] = instantsOf(all.slice(index, index + 4), date, 12 * HOUR)
    if (at !== undefined) yield { date, at }
  }
}

describe('One event on each local day', () => {
  test('at noon breaks no streak in any zone, from 2015 to 2030', { timeout: 600_000 }, () => {
    const broken: string[] = []
    for (const zone of ZONES) {
      // Two years that are not the same for all zones, unless there is time for all sixteen.
      const from = SOAK ? FROM : day(`${2015 + ((ZONES.indexOf(zone) + seed) % 15)}-01-01`)
      broken.push(...brokenIn(zone, noons(zone, from, SOAK ? TO : from + 730)))
    }
    expect(broken, `seed ${seed}`).toEqual([])
  })

  test('breaks no streak around any change of offset, though the first comes at the end of its day and the others at the beginning of theirs', () => {
    const broken: string[] = []
    let count = 0
    for (const zone of ZONES) {
      const all = stretches.get(zone) ?? []
      for (const { start, offset } of all.slice(1)) {
        const near = all.filter(({ start: from, end }) => end > start - 8 * DAY && from < start + 8 * DAY)
        const today = Math.floor((start + offset) / DAY)
        const days: { date: number; at: number }[] = []
        for (let date = today - 3; date <= today + 3; date += 1) {
          const bounds = boundsOf(near, date)
          if (bounds !== null) days.push({ date, at: days.length === 0 ? bounds.last : bounds.first })
        }
        broken.push(...brokenIn(zone, days))
        count += 1
      }
    }
    expect(broken).toEqual([])
    expect(count).toBeGreaterThan(1_000)
  })

  test('breaks no streak in Apia over 2011-12-30, which was not there', () => {
    const lengths = lengthsOf('daily', [
      ['2011-12-28T22:00:00Z', 'Pacific/Apia'],
      ['2011-12-29T22:00:00Z'],
      ['2011-12-30T22:00:00Z'],
      ['2011-12-31T22:00:00Z'],
    ])
    // Noon of the 28th and 29th, ten hours behind UTC; noon of the 31st and the 1st, fourteen hours ahead.
    expect(lengths).toEqual([1, 2, 3, 4])
    const state = send('daily', [{ at: Date.parse('2011-12-29T22:00:00Z'), tz: 'Pacific/Apia' }])
    expect(readAt('daily', state, '2011-12-29T23:00:00Z')).toEqual({
      length: 1,
      frequency: 'daily',
      started: day('2011-12-29'),
      periodStart: day('2011-12-29'),
      periodEnd: day('2011-12-29'),
      expires: day('2011-12-31'),
    })
    expect(readAt('daily', state, '2011-12-31T09:59:59Z').length).toBe(1)
    expect(readAt('daily', state, '2011-12-31T10:00:00Z').length).toBe(0)
  })

  test('breaks a streak in Apia that misses the 31st too', () => {
    expect(lengthsOf('daily', [['2011-12-29T22:00:00Z', 'Pacific/Apia'], ['2011-12-31T22:00:00Z']])).toEqual([1, 1])
  })
})

describe('A date that runs backwards', () => {
  test("changes nothing: in St. John's the clocks went from 00:01 on 2010-11-07 back to 23:01 on the 6th", () => {
    expect(
      lengthsOf('daily', [
        ['2010-11-06T22:30:00Z', 'America/St_Johns'],
        ['2010-11-07T02:30:30Z'],
        ['2010-11-07T02:31:30Z'],
        ['2010-11-07T03:29:59Z'],
        ['2010-11-07T03:30:00Z'],
        ['2010-11-08T03:30:30Z'],
      ]),
    ).toEqual([1, 2, 2, 2, 2, 3])
  })

  test('may count the earlier date first, when only the later one had nothing', () => {
    expect(
      lengthsOf('daily', [
        ['2010-11-05T22:30:00Z', 'America/St_Johns'],
        // 23:01:30 on the 6th, for the second time; then midnight of the 7th, for the second time.
        ['2010-11-07T02:31:30Z'],
        ['2010-11-07T03:30:00Z'],
      ]),
    ).toEqual([1, 2, 3])
  })

  test('is read as the streak it is, between the two midnights', () => {
    const state = send('daily', [
      { at: Date.parse('2010-11-06T22:30:00Z'), tz: 'America/St_Johns' },
      { at: Date.parse('2010-11-07T02:30:30Z') },
    ])
    expect(readAt('daily', state, '2010-11-07T02:45:00Z')).toMatchObject({ length: 2, expires: day('2010-11-08') })
  })
})

describe('A change of zone', () => {
  test('from Auckland to Los Angeles lets the same date count again, a day after', () => {
    expect(
      lengthsOf('daily', [
        // Tuesday 2026-03-10, 18:00; landing on the same Tuesday at 11:00, when Auckland has Wednesday.
        ['2026-03-10T05:00:00Z', 'Pacific/Auckland'],
        ['2026-03-10T18:00:00Z', 'America/Los_Angeles'],
        ['2026-03-11T19:00:00Z'],
        ['2026-03-12T19:00:00Z'],
      ]),
    ).toEqual([1, 2, 3, 4])
  })

  test.each(['daily', 'weekly', 'monthly'] as const)(
    `two hundred times within a minute, with an event each, makes at most 2: %s (seed ${seed})`,
    (frequency) => {
      const random = createRandom(seed)
      // Just before a midnight of UTC that ends a day, a week and a month.
      const from = Date.parse('2026-05-31T23:59:30Z')
      let longest = 0
      let shortest = 9
      const sent = Array.from({ length: 200 }, (_, index) => ({
        at: from + index * 300,
        tz: ZONES[Math.floor(random() * ZONES.length)]!,
      }))
      const state = send(frequency, sent, (_, { streak }) => {
        longest = Math.max(longest, streak.length)
        shortest = Math.min(shortest, streak.length)
      })
      expect(longest).toBeLessThanOrEqual(2)
      expect(shortest).toBe(1)
      expect(state.streak.length).toBe(longest)
    },
  )

  test.each(['daily', 'weekly', 'monthly'] as const)(
    'at random every few hours breaks no %s streak that has an event in between, and none grows faster than time',
    (frequency) => {
      const span = { daily: 24 * HOUR, weekly: 7 * 24 * HOUR, monthly: 28 * 24 * HOUR }[frequency]
      for (let run = 0; run < (SOAK ? 2_000 : 100); run += 1) {
        const random = createRandom(seed + run)
        let at = Date.parse('2011-12-01T00:00:00Z') + Math.floor(random() * 365 * DAY)
        const from = at
        const told: string[] = []
        const sent = Array.from({ length: 150 }, () => {
          at += Math.floor(random() * 12 * HOUR) + MINUTE
          const tz = ZONES[Math.floor(random() * ZONES.length)]!
          return random() < 0.5 ? { at, tz } : { at }
        })
        let previous = 0
        send(frequency, sent, (entry, { streak }) => {
          told.push(`${new Date(entry.at).toISOString()} ${entry.dating.zone} ${streak.length}`)
          const most = 2 + Math.floor((entry.at - from + 3 * HOUR) / span)
          if (streak.length < Math.max(1, previous) || streak.length > most) {
            throw new Error(
              `seed ${seed + run}: length ${streak.length} after ${previous}, at most ${most}\n${told.slice(-4).join('\n')}`,
            )
          }
          previous = streak.length
        })
      }
    },
  )

  test('together with the first event of an unknown user is no change', () => {
    const state = send('daily', [{ at: Date.parse('2026-03-10T05:00:00Z'), tz: 'Pacific/Auckland' }])
    expect(readAt('daily', state, '2026-03-10T06:00:00Z')).toEqual({
      length: 1,
      frequency: 'daily',
      started: day('2026-03-10'),
      periodStart: day('2026-03-10'),
      periodEnd: day('2026-03-10'),
      expires: day('2026-03-11'),
    })
  })
})
