// Streaks on chosen weekdays, and weeks that count by a number of dates.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import {
  type Day,
  instantOf,
  isDateInZone,
  toDateText,
  WEEKDAYS,
  type Weekday,
  weekdayOf,
} from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import { settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { currentStreak } from '../../src/rules/streak.ts'
import { given, type Said, toEntry } from '../support/given.ts'
import { createRandom, seedOfRun } from '../support/zones.ts'

const SEED = seedOfRun()
const ZONES = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'Europe/Moscow', 'Europe/Lisbon', 'Africa/Cairo', 'Africa/Casablanca'],
  ...['America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo', 'America/Santiago', 'America/St_Johns'],
  ...['Asia/Kolkata', 'Asia/Tehran', 'Asia/Tokyo', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Apia'],
  ...['Pacific/Kiritimati', 'Pacific/Chatham'],
]
const WORKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const metrics = { words: { name: 'Words' } } as const

const daily = (on: readonly Weekday[], more: object = {}) =>
  defineGame({ metrics, streak: { frequency: 'daily', metrics: { words: {} }, on, ...more } }).rules
const workdays = daily(WORKDAYS)

/** Events at noon; 2026-03-02 is a Monday. */
const on = (...days: readonly number[]): Said[] =>
  days.map((day) => ({ at: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z` }))

const lengthsOf = (states: readonly UserState[]): number[] => states.map(({ streak }) => streak.length)

const lengthOn = (game: typeof workdays, state: UserState, day: number): number =>
  settled(game, state, Date.parse(`2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`)).streak.length

test('weekdays are those of the calendar', () => {
  expect(
    ['2026-03-02', '2026-03-08', '1969-12-31', '1970-01-01'].map((text) => weekdayOf(Date.parse(text) / 86_400_000)),
  ).toEqual(['mon', 'sun', 'wed', 'thu'])
})

describe('A streak on workdays', () => {
  test('goes from Friday on to Monday, and grows with events of the weekend', () => {
    expect(lengthsOf(given(workdays, on(5, 6, 9)).states)).toEqual([1, 2, 3])
    expect(lengthsOf(given(workdays, on(5, 6, 7, 8, 9)).states)).toEqual([1, 2, 3, 4, 5])
  })

  test('starts on a day off, and is lost with the first workday that passes', () => {
    const { state, states } = given(workdays, on(7, 9))
    expect(lengthsOf(states)).toEqual([1, 2])
    expect([10, 11].map((day) => lengthOn(workdays, state, day))).toEqual([2, 0])
  })

  test('needs the threshold on a day off, too', () => {
    const game = daily(WORKDAYS, { metrics: { words: { threshold: 3 } } })
    const [fri, sat, again] = on(6, 7, 7)
    const said = [
      { ...fri, value: 3 },
      { ...sat, value: 2 },
      { ...again, value: 1 },
    ] as Said[]
    expect(lengthsOf(given(game, said).states)).toEqual([1, 1, 2])
  })

  test('expires on Monday, and is lost when Monday passes', () => {
    const { state } = given(workdays, on(5, 6))
    const view = currentStreak(workdays, state, Date.parse('2026-03-07') / 86_400_000)
    expect(view.expires === null ? null : toDateText(view.expires)).toBe('2026-03-09')
    expect([7, 8, 9, 10].map((day) => lengthOn(workdays, state, day))).toEqual([2, 2, 2, 0])
  })

  test('takes no freeze for neutral days', () => {
    const game = daily(WORKDAYS, { freezes: { initial: 1, max: 1 } })
    const { state } = given(game, on(6, 9))
    expect([state.streak.length, state.freezes?.count]).toEqual([2, 1])
    expect([lengthOn(game, state, 11), lengthOn(game, state, 12)]).toEqual([2, 0])
  })

  test('survives a flight to a day later or earlier over a weekend', () => {
    const zone = (tz: string, at: string): Said => ({ at, profile: { tz }, isProfileOnly: true })
    const west: Said[] = [
      { at: '2026-03-06T01:00:00.000Z', profile: { tz: 'Pacific/Kiritimati' } },
      // Monday in Kiritimati, Sunday in Honolulu.
      zone('Pacific/Honolulu', '2026-03-08T20:00:00.000Z'),
      { at: '2026-03-09T22:00:00.000Z' },
    ]
    expect(lengthsOf(given(workdays, west).states)).toEqual([1, 1, 2])
  })

  test.each(ZONES)(`is that of a walk from day to day over three years in %s (seed ${SEED})`, (tz) => {
    const random = createRandom(SEED + ZONES.indexOf(tz))
    const chosen = WEEKDAYS.filter((day) => day === 'wed' || random() < 0.6)
    const game = daily(chosen, { freezes: { initial: 3, max: 3 } })
    const first = Date.parse('2026-01-01') / 86_400_000
    const entries: Entry[] = []
    const expected: [length: number, freezes: number][] = []
    const walk = { length: 0, freezes: 3, paused: -1 }
    const put = (day: Day, hour: number, rest: object): void => {
      const at = new Date(instantOf(tz, day, hour * 3_600_000)).toISOString()
      const said = { at, ...(entries.length === 0 ? { profile: { tz } } : {}) }
      entries.push({ ...toEntry(said, entries.length), ...rest } as Entry)
      expected.push([walk.length, walk.freezes])
    }
    for (let day = first; day < first + 1_095; day += 1) {
      if (!isDateInZone(tz, day)) continue
      const isActive = day === first || random() < 0.9
      if (isActive) walk.length += 1
      else if (chosen.includes(weekdayOf(day)) && walk.length > 0 && day > walk.paused) {
        if (walk.freezes > 0) walk.freezes -= 1
        else walk.length = 0
      }
      if (isActive) put(day, 12, {})
      if (!isActive || day <= walk.paused || random() > 0.03) continue
      walk.paused = day + 1 + Math.floor(random() * 8)
      put(day, 13, { kind: 'pauseCreated', start: day + 1, end: walk.paused })
    }
    const found: [number, number][] = []
    foldLog(new Map([[1, game]]), entries, (_, { state }) =>
      found.push([state.streak.length, state.freezes?.count ?? 0]),
    )
    expect(found).toEqual(expected)
  })
})

describe('Days that a user chose', () => {
  const game = defineGame({
    metrics,
    streak: { frequency: 'daily', metrics: { words: {} }, customization: true },
  }).rules
  const choose = (at: string, days: readonly Weekday[], seq: number): Entry => ({
    ...toEntry({ at }, seq),
    ...{ kind: 'preferencesChanged', notifications: new Map(), streak: { on: days } },
  })
  const fold = (entries: readonly Entry[]): number[] => {
    const lengths: number[] = []
    foldLog(new Map([[1, game]]), entries, (_, { state }) => lengths.push(state.streak.length))
    return lengths
  }

  test('count from the next date on', () => {
    const [mon, sat, monday] = on(6, 7, 9)
    // On Saturday noon every day counts still; from Sunday on only workdays.
    const entries = [mon, sat].map((each, index) => toEntry(each as Said, index))
    const chosen = [...entries, choose('2026-03-07T13:00:00.000Z', WORKDAYS, 2), toEntry(monday as Said, 3)]
    expect(fold(chosen)).toEqual([1, 2, 2, 3])
    expect(fold([...entries, toEntry(monday as Said, 2)])).toEqual([1, 2, 1])
  })

  test('do not save a day that was missed before, and the last choice of a day counts', () => {
    const [friday, monday] = on(6, 9)
    const late = [
      toEntry(friday as Said, 0),
      choose('2026-03-08T12:00:00.000Z', WORKDAYS, 1),
      toEntry(monday as Said, 2),
    ]
    expect(fold(late)).toEqual([1, 0, 1])
    const twice = [
      toEntry(friday as Said, 0),
      choose('2026-03-06T13:00:00.000Z', ['sat'], 1),
      choose('2026-03-06T14:00:00.000Z', WORKDAYS, 2),
      toEntry(monday as Said, 3),
    ]
    expect(fold(twice)).toEqual([1, 1, 1, 2])
  })
})

describe('A week of three days', () => {
  const game = defineGame({
    metrics,
    streak: { frequency: 'weekly', days: 3, metrics: { words: { threshold: 2 } } },
  }).rules
  const events = (...days: readonly (readonly [day: number, value: number])[]): Said[] =>
    days.map(([day, value]) => ({ ...(on(day)[0] as Said), value }))

  test('counts when the condition holds on three dates', () => {
    const { states } = given(game, events([2, 2], [2, 9], [3, 1], [4, 5], [8, 1], [8, 1]))
    expect(lengthsOf(states)).toEqual([0, 0, 0, 0, 0, 1])
  })

  test('is followed by the next one, and missed without enough dates', () => {
    const { state } = given(game, events([2, 2], [3, 2], [4, 2], [9, 2], [10, 2], [15, 2], [16, 2]))
    expect(state.streak.length).toBe(2)
    expect([22, 23].map((day) => lengthOn(game, state, day))).toEqual([2, 0])
  })

  test('keeps its dates in the state, and no more than those of two weeks', () => {
    const { state } = given(game, events(...Array.from({ length: 28 }, (_, index) => [index + 1, 1] as const)))
    expect(state.streak.open.length).toBe(14)
  })
})

describe('A week of days and a change of zone', () => {
  const week = (days: number) =>
    defineGame({ metrics, streak: { frequency: 'weekly', days, metrics: { words: {} } } }).rules
  const at = (instant: string, tz: string): Said => ({ at: instant, profile: { tz } })

  test('three zones in two minutes are one date', () => {
    const hops = [
      at('2026-03-05T10:30:00Z', 'Etc/GMT+12'),
      at('2026-03-05T10:31:00Z', 'UTC'),
      at('2026-03-05T10:32:00Z', 'Pacific/Kiritimati'),
    ]
    expect(lengthsOf(given(week(3), hops).states)).toEqual([0, 0, 0])
    expect(lengthsOf(given(week(2), hops).states)).toEqual([0, 0, 0])
  })

  test('two days that are 48 hours apart are two dates, although the calendar names one', () => {
    const flight = [at('2026-03-03T10:30:00Z', 'Pacific/Kiritimati'), at('2026-03-05T10:31:00Z', 'Etc/GMT+12')]
    expect(lengthsOf(given(week(2), flight).states)).toEqual([0, 1])
  })

  test('the first date of a week stays in it, even if the move takes it to the week before', () => {
    // Monday in Kiritimati, and two days later Monday again.
    const flight = [at('2026-03-01T10:30:00Z', 'Pacific/Kiritimati'), at('2026-03-03T10:31:00Z', 'Etc/GMT+12')]
    expect(lengthsOf(given(week(2), flight).states)).toEqual([0, 1])
  })

  test('a flight to the west at the start of a week takes neither the week before nor what was done in this one', () => {
    const flight = [
      at('2026-03-03T10:00:00Z', 'Pacific/Kiritimati'),
      at('2026-03-05T10:00:00Z', 'Pacific/Kiritimati'),
      // Monday in Kiritimati, and an hour later Sunday in Honolulu.
      at('2026-03-08T20:00:00Z', 'Pacific/Kiritimati'),
      { ...at('2026-03-08T21:00:00Z', 'Pacific/Honolulu'), isProfileOnly: true },
      at('2026-03-11T20:00:00Z', 'Pacific/Honolulu'),
    ]
    const { states, state } = given(week(2), flight)
    expect(lengthsOf(states)).toEqual([0, 1, 1, 1, 2])
    expect([22, 24].map((day) => lengthOn(week(2), state, day))).toEqual([2, 0])
  })

  test('a week that counted before a flight to the west is over when the next one begins again', () => {
    const flight = [
      at('2026-03-08T10:30:00Z', 'Pacific/Kiritimati'),
      // Tuesday in Kiritimati, and then Sunday in the zone furthest to the west.
      at('2026-03-09T10:30:00Z', 'Pacific/Kiritimati'),
      at('2026-03-09T10:40:00Z', 'Etc/GMT+12'),
      at('2026-03-11T20:00:00Z', 'Etc/GMT+12'),
      at('2026-03-13T20:00:00Z', 'Etc/GMT+12'),
    ]
    expect(lengthsOf(given(week(2), flight).states)).toEqual([0, 1, 1, 1, 1])
  })

  test('a flight to the east at the end of a week leaves the whole new week to count', () => {
    const flight = [
      at('2026-03-04T12:00:00Z', 'Europe/Berlin'),
      at('2026-03-06T12:00:00Z', 'Europe/Berlin'),
      // Sunday evening in Berlin, and Monday morning in Tokyo.
      { ...at('2026-03-08T22:00:00Z', 'Asia/Tokyo'), isProfileOnly: true },
      at('2026-03-11T03:00:00Z', 'Asia/Tokyo'),
      at('2026-03-13T03:00:00Z', 'Asia/Tokyo'),
    ]
    expect(lengthsOf(given(week(2), flight).states)).toEqual([0, 1, 1, 1, 2])
  })

  test('a week that a flight to the east cut short is not missed, and counts after the flight back', () => {
    const cut = [
      at('2026-02-24T12:00:00Z', 'Europe/Berlin'),
      at('2026-02-26T12:00:00Z', 'Europe/Berlin'),
      at('2026-03-04T12:00:00Z', 'Europe/Berlin'),
      { ...at('2026-03-08T22:00:00Z', 'Asia/Tokyo'), isProfileOnly: true },
    ]
    const { states, state } = given(week(2), cut)
    expect(lengthsOf(states)).toEqual([0, 1, 1, 1])
    expect([15, 16].map((day) => lengthOn(week(2), state, day))).toEqual([1, 0])
    const back = [...cut, at('2026-03-08T22:30:00Z', 'Europe/Berlin')]
    expect(lengthsOf(given(week(2), back).states)).toEqual([0, 1, 1, 1, 2])
  })

  test('midnights of many zones in one night do not win a week', () => {
    // Each hour on the next zone to the west, a minute before its midnight and a minute after it.
    const night = Array.from({ length: 20 }, (_, index) => {
      const midnight = Date.parse('2026-03-03T12:00:00Z') + index * 3_600_000
      const tz = index <= 12 ? `Etc/GMT-${12 - index}` : `Etc/GMT+${index - 12}`
      return [-1, 1].map((minute) => at(new Date(midnight + minute * 60_000).toISOString(), index === 12 ? 'UTC' : tz))
    }).flat()
    expect(given(week(3), night).state.streak.length).toBe(0)
  })
})

test('What was done on a day off counts on the same day after a move to a zone in which it is none', () => {
  const weekend = daily(['sat', 'sun'])
  const flight: Said[] = [
    // A Friday in Newfoundland, and Saturday in Kiritimati.
    { at: '2026-02-27T18:35:00Z', profile: { tz: 'America/St_Johns' } },
    { at: '2026-02-27T21:56:00Z', profile: { tz: 'Pacific/Kiritimati' }, value: 0 },
    { at: '2026-02-28T12:00:00Z' },
  ]
  expect(lengthsOf(given(weekend, flight).states)).toEqual([1, 1, 2])
})
