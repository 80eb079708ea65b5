// @heavy: It takes more than three seconds.
// The calendar against the runtime's own `Intl.DateTimeFormat`, and against literal dates. SOAK=1 looks at ten times as
// many instants, SEED=… repeats a run.

import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  addMonths,
  afterDate,
  beforeDate,
  type Day,
  endOfDate,
  firstDayOf,
  firstDayOfYear,
  isDateInZone,
  isTimeZone,
  lastDayOf,
  localDate,
  localTime,
  monthsBetween,
  offsetAt,
  parseDate,
  parseTime,
  periodBefore,
  periodOf,
  periodsBetween,
  toDateText,
  toTimeText,
  toZoneName,
  yearOf,
} from '../../src/rules/calendar.ts'
import {
  boundsOf,
  createRandom,
  DAY,
  HOUR,
  offsetOf,
  SOAK,
  seedOfRun,
  stretchesOf,
  wallClock,
  ZONES,
} from '../support/zones.ts'

const FROM = Date.UTC(1970, 0, 2)
const TO = Date.UTC(2035, 11, 31)
const MONTH = 30 * DAY
const seed = seedOfRun()

const day = (text: string): Day => {
  const parsed = parseDate(text)
  if (parsed === null) throw new RangeError(`${text} is no date`)
  return parsed
}

/** Every change of offset from 1970 to 2035 that outlasts a month, with its zone. */
const changes = ZONES.flatMap((zone) =>
  stretchesOf(zone, FROM, TO, MONTH)
    .slice(1)
    .map(({ start }, index, all) => ({ zone, at: start, previous: all[index - 1]?.start ?? FROM })),
)

/** Half of them anywhere, half within a day of a change of offset. */
function someInstants(count: number, random: () => number): readonly (readonly [zone: string, at: number])[] {
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return [ZONES[Math.floor(random() * ZONES.length)]!, Math.floor(FROM + random() * (TO - FROM))]
    const { zone, at } = changes[Math.floor(random() * changes.length)]!
    return [zone, Math.floor(at + (random() * 2 - 1) * 26 * HOUR)]
  })
}

type Calendar = Pick<typeof import('../../src/rules/calendar.ts'), 'offsetAt' | 'localTime' | 'localDate'>

/** The dates on which a calendar and the runtime differ, in words; at most ten of them. */
function disagreements(calendar: Calendar, instants: Iterable<readonly [zone: string, at: number]>): readonly string[] {
  const found: string[] = []
  for (const [zone, at] of instants) {
    const wall = wallClock(zone, at)
    const date = Math.floor(wall / DAY)
    const local = calendar.localTime(zone, at)
    const isRight =
      calendar.offsetAt(zone, at) === wall - at &&
      calendar.localDate(zone, at) === date &&
      local.date === date &&
      local.time === wall - date * DAY
    if (isRight) continue
    const got = new Date(local.date * DAY + local.time).toISOString()
    found.push(`${zone} at ${new Date(at).toISOString()} is ${new Date(wall).toISOString()}, not ${got}`)
    if (found.length === 10) break
  }
  return found
}

describe(`Local dates and times (seed ${seed})`, () => {
  const zoneOfProcess = process.env.TZ

  afterEach(() => {
    if (zoneOfProcess === undefined) delete process.env.TZ
    else process.env.TZ = zoneOfProcess
  })

  test('are those of the runtime at random instants from 1970 to 2035', () => {
    const random = createRandom(seed)
    expect(disagreements({ offsetAt, localTime, localDate }, someInstants(SOAK ? 200_000 : 20_000, random))).toEqual([])
  })

  test.each(['UTC', 'America/Sao_Paulo', 'America/New_York', 'Pacific/Apia', 'Asia/Kolkata', 'Europe/London'])(
    'are the same when the zone of the process is %s',
    async (zone) => {
      process.env.TZ = zone
      // JavaScript has the sign the other way round.
      expect(new Date(2026, 0, 15).getTimezoneOffset() + offsetOf(zone, Date.UTC(2026, 0, 15)) / 60_000).toBe(0)
      // A fresh calendar: its cached offsets belong to this zone of the process.
      vi.resetModules()
      const calendar = await import('../../src/rules/calendar.ts')
      const random = createRandom(seed + 1)
      expect(disagreements(calendar, someInstants(SOAK ? 40_000 : 4_000, random))).toEqual([])
    },
  )

  test('change at the right millisecond of every change of offset, and are right a quarter of an hour around it', () => {
    const around = [-15 * 60_000, -60_000, -1, 0, 1, 60_000, 15 * 60_000]
    const some = changes.filter((_, index) => SOAK || index % 8 === seed % 8)
    const instants = some.flatMap(({ zone, at }) => around.map((distance) => [zone, at + distance] as const))
    expect(disagreements({ offsetAt, localTime, localDate }, instants)).toEqual([])
  })

  test.each([
    ['America/New_York', '2024-03-10T06:59:59Z', '2024-03-10 01:59:59.000'],
    ['America/New_York', '2024-03-10T07:00:00Z', '2024-03-10 03:00:00.000'],
    ['America/New_York', '2024-11-03T06:00:00Z', '2024-11-03 01:00:00.000'],
    ['Australia/Lord_Howe', '2024-10-05T15:30:00Z', '2024-10-06 02:30:00.000'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29 23:59:59.000'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31 00:00:00.000'],
    ['Asia/Kathmandu', '2026-03-10T18:15:00Z', '2026-03-11 00:00:00.000'],
    ['Africa/Monrovia', '1971-06-01T00:44:30Z', '1971-06-01 00:00:00.000'],
    ['UTC', '2026-03-10T23:59:59.999Z', '2026-03-10 23:59:59.999'],
  ])('in %s at %s are %s', (zone, at, expected) => {
    const { date, time } = localTime(zone, Date.parse(at))
    expect(`${toDateText(date)} ${toTimeText(time)}`).toBe(expected)
    expect(localDate(zone, Date.parse(at))).toBe(date)
  })

  test('change within a quarter of an hour, whether the instant before the change or after it is read first', () => {
    const read = (at: string) => toTimeText(localTime('America/St_Johns', Date.parse(at)).time)
    expect(['2010-11-07T02:30:59Z', '2010-11-07T02:31:00Z'].map(read)).toEqual(['00:00:59.000', '23:01:00.000'])
    expect(['2009-11-01T02:31:00Z', '2009-11-01T02:30:59Z'].map(read)).toEqual(['23:01:00.000', '00:00:59.000'])
  })

  test('of a zone that the runtime does not know are those of UTC', () => {
    expect(localTime('Mars/Olympus_Mons', Date.parse('2026-03-10T23:30:00Z'))).toEqual({
      date: day('2026-03-10'),
      time: 84_600_000,
    })
  })
})

describe('A date', () => {
  test('has begun in no zone 26 hours before midnight in UTC, and is over in all 26 hours after the next', () => {
    expect(beforeDate(day('2026-03-10'))).toBe(Date.parse('2026-03-08T22:00:00Z'))
    expect(afterDate(day('2026-03-10'))).toBe(Date.parse('2026-03-12T02:00:00Z'))
  })

  test('lies between these instants in every zone', () => {
    // Before there were zones, each town had its own time; that of Manila and Juneau was of the other side of the date line.
    const early = ZONES.map((zone) => [zone, Date.UTC(1800, 0, 1, 12)] as const)
    const wrong = [...early, ...someInstants(SOAK ? 200_000 : 20_000, createRandom(seed + 2))].filter(([zone, at]) => {
      const date = localDate(zone, at)
      return beforeDate(date) >= at || afterDate(date) <= at
    })
    expect(wrong).toEqual([])
  })
})

describe('The end of a date', () => {
  test.each([
    ['Europe/Berlin', '2026-03-10', '2026-03-10T23:00:00Z'],
    ['America/New_York', '2024-11-03', '2024-11-04T05:00:00Z'],
    // Clocks skip midnight.
    ['America/Sao_Paulo', '2018-11-03', '2018-11-04T03:00:00Z'],
    // Clocks go back to midnight, and then over it.
    ['America/Havana', '2024-11-02', '2024-11-03T04:00:00Z'],
    ['America/St_Johns', '2010-11-06', '2010-11-07T03:30:00Z'],
    // Samoa left out the 30th.
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
  ])('in %s: %s is over at %s', (zone, date, end) => {
    expect(endOfDate(zone, day(date))).toBe(Date.parse(end))
  })
})

describe('Local dates that never were', () => {
  test.each([
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Kiritimati', '1994-12-31'],
    ['Pacific/Kwajalein', '1993-08-21'],
  ])('in %s: %s, but for the days before and after it', (zone, date) => {
    const missing = day(date)
    expect([-2, -1, 0, 1, 2].map((distance) => isDateInZone(zone, missing + distance))).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
    expect(periodsBetween('daily', zone, missing - 1, missing + 1)).toBe(0)
    expect(periodsBetween('daily', zone, missing - 2, missing + 1)).toBe(1)
    expect(periodsBetween('daily', zone, missing - 1, missing + 2)).toBe(1)
    expect(periodsBetween('daily', zone, missing - 2, missing + 2)).toBe(2)
    expect(periodsBetween('daily', zone, missing, missing + 2)).toBe(1)
    expect(periodsBetween('daily', zone, missing - 2, missing)).toBe(1)
    expect(periodsBetween('daily', 'Europe/London', missing - 1, missing + 1)).toBe(1)
  })

  test('are these and no others, around every change of offset of every zone', () => {
    const missing = new Set<string>()
    const wrong: string[] = []
    for (const { zone, at } of changes) {
      if (!SOAK && Math.abs(offsetOf(zone, at) - offsetOf(zone, at - 1)) < 2 * HOUR) continue
      const stretches = stretchesOf(zone, at - 4 * DAY, at + 4 * DAY, DAY)
      const today = Math.floor(wallClock(zone, at) / DAY)
      for (const date of [today - 2, today - 1, today, today + 1]) {
        const isThere = boundsOf(stretches, date) !== null
        if (!isThere) missing.add(toDateText(date))
        if (isDateInZone(zone, date) !== isThere) wrong.push(`${zone} ${toDateText(date)}`)
      }
    }
    expect(wrong).toEqual([])
    expect([...missing].sort()).toEqual(['1993-08-21', '1994-12-31', '2011-12-30'])
  })

  test.each([
    ['America/Sao_Paulo', '2018-11-04'],
    ['America/Havana', '2024-03-10'],
    ['Atlantic/Azores', '2024-03-31'],
  ])('are not the days without a midnight: in %s %s was there', (zone, date) => {
    expect(isDateInZone(zone, day(date))).toBe(true)
    expect(periodsBetween('daily', zone, day(date) - 1, day(date) + 1)).toBe(1)
  })
})

describe('Time zone names', () => {
  test('in any letter case share one formatter, and the memory does not grow with the spellings', async () => {
    vi.resetModules()
    const fresh = await import('../../src/rules/calendar.ts')
    let made = 0
    const original = Intl.DateTimeFormat
    class Counted extends original {
      constructor(...given: ConstructorParameters<typeof original>) {
        super(...given)
        made += 1
      }
    }
    Object.assign(Intl, { DateTimeFormat: Counted })
    onTestFinished(() => void Object.assign(Intl, { DateTimeFormat: original }))
    for (const name of ['Antarctica/Vostok', 'Asia/Katmandu', 'Asia/Kathmandu']) {
      const spellings = new Set<string>()
      for (let number = 0; number < 4_000; number += 1) {
        const letters = [...name].map((letter, at) =>
          (number >> (at % 12)) & 1 ? letter.toUpperCase() : letter.toLowerCase(),
        )
        spellings.add(letters.join(''))
      }
      expect(spellings.size).toBeGreaterThan(1_000)
      const offsets = [...spellings].map((spelling) => fresh.offsetAt(spelling, Date.UTC(2026, 2, 10)) / HOUR)
      expect(new Set(offsets)).toEqual(new Set([name === 'Antarctica/Vostok' ? 5 : 5.75]))
      expect([...spellings].every(fresh.isTimeZone)).toBe(true)
    }
    expect(made).toBe(3)
  })

  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['EUROPE/Berlin', 'Europe/Berlin'],
    ['africa/dar_es_salaam', 'Africa/Dar_es_Salaam'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['UTC', 'UTC'],
    // The runtime resolves links, and does not say how it writes them.
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['US/Pacific', 'US/Pacific'],
    ['us/pacific', 'us/pacific'],
  ])('such as %s are stored as %s', (given, stored) => {
    expect(toZoneName(given)).toBe(stored)
  })

  test.each(['Europe/Nowhere', '+01:00', 'Europe/Ber\u212ain', 'utc'])('such as %s are not stored', (given) => {
    expect(toZoneName(given)).toBeNull()
  })

  test.each(['UTC', 'Europe/London', 'America/Argentina/Buenos_Aires', 'Etc/UTC', 'Asia/Calcutta', 'Pacific/Kanton'])(
    'such as %s are known',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  test.each(['', 'GMT', 'utc', '+02:00', 'Europe/', 'Europe/Nowhere', '../../etc/passwd'])(
    'such as %j are not',
    (name) => {
      expect(isTimeZone(name)).toBe(false)
      expect(isTimeZone(name)).toBe(false)
    },
  )
})

describe('parseDate', () => {
  test.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['2000-02-29', 11_016],
    ['1600-02-29', -135_081],
    ['9999-12-31', 2_932_896],
  ])('reads %s as day %i, and it is written so again', (text, expected) => {
    expect(parseDate(text)).toBe(expected)
    expect(toDateText(expected)).toBe(text)
  })

  test.each([
    '2024-02-30',
    '1900-02-29',
    '2024-00-10',
    '2024-13-01',
    '2024-01-00',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00:00Z',
    '2024-01-01\n',
    '-2024-01-01',
    '２０２４-01-01',
    '0000-01-01',
    '',
  ])('refuses %j', (text) => {
    expect(parseDate(text)).toBeNull()
  })

  test('and toDateText turn each other round for every day from 1900 to 2100', () => {
    const wrong: number[] = []
    for (let at = day('1900-01-01'); at <= day('2100-12-31'); at += 1)
      if (parseDate(toDateText(at)) !== at) wrong.push(at)
    expect(wrong).toEqual([])
  })
})

describe('Times of day', () => {
  test.each([
    [0, '00:00:00.000'],
    [1, '00:00:00.001'],
    [43_200_000, '12:00:00.000'],
    [86_399_999, '23:59:59.999'],
  ])('of %i milliseconds are written %s and read again', (time, text) => {
    expect(toTimeText(time)).toBe(text)
    expect(parseTime(text)).toBe(time)
  })
})

describe('Periods', () => {
  const bounds = (frequency: 'daily' | 'weekly' | 'monthly', start: 'monday' | 'sunday', date: string) => {
    const period = periodOf(frequency, start, day(date))
    return [toDateText(firstDayOf(frequency, start, period)), toDateText(lastDayOf(frequency, start, period))]
  }

  test.each([
    ['2026-03-09', 'monday', '2026-03-09', '2026-03-15'],
    ['2026-03-15', 'monday', '2026-03-09', '2026-03-15'],
    ['2026-03-16', 'monday', '2026-03-16', '2026-03-22'],
    ['2026-03-15', 'sunday', '2026-03-15', '2026-03-21'],
    ['2025-12-31', 'monday', '2025-12-29', '2026-01-04'],
    ['1970-01-01', 'monday', '1969-12-29', '1970-01-04'],
    ['1970-01-01', 'sunday', '1969-12-28', '1970-01-03'],
    ['1969-12-28', 'sunday', '1969-12-28', '1970-01-03'],
  ] as const)('of weeks: %s with weeks from %s lies from %s to %s', (date, start, first, last) => {
    expect(bounds('weekly', start, date)).toEqual([first, last])
  })

  test.each([
    ['2024-02-29', '2024-02-01', '2024-02-29'],
    ['2025-12-31', '2025-12-01', '2025-12-31'],
    ['1969-12-31', '1969-12-01', '1969-12-31'],
    ['1900-02-28', '1900-02-01', '1900-02-28'],
  ])('of months: %s lies from %s to %s', (date, first, last) => {
    expect(bounds('monthly', 'monday', date)).toEqual([first, last])
  })

  test.each(['daily', 'weekly', 'monthly'] as const)(
    'that are %s follow one another without a gap or an overlap, from 1900 to 2100',
    (frequency) => {
      for (const start of ['monday', 'sunday'] as const) {
        let period = periodOf(frequency, start, day('1900-01-01'))
        const wrong: string[] = []
        for (let at = day('1900-01-01'); at <= day('2100-12-31'); at += 1) {
          const own = periodOf(frequency, start, at)
          if (own !== period && own !== period + 1) wrong.push(toDateText(at))
          if (at < firstDayOf(frequency, start, own) || at > lastDayOf(frequency, start, own))
            wrong.push(toDateText(at))
          if (own !== period && firstDayOf(frequency, start, own) !== at) wrong.push(toDateText(at))
          period = own
        }
        expect(wrong).toEqual([])
      }
    },
  )

  test.each([
    ['daily', '2026-03-10', '2026-03-10', 0],
    ['daily', '2026-03-10', '2026-03-11', 0],
    ['daily', '2026-03-10', '2026-03-12', 1],
    ['daily', '2026-03-10', '2026-03-01', 0],
    ['daily', '1969-12-30', '1970-01-02', 2],
    ['weekly', '2025-12-28', '2026-01-05', 1],
    ['monthly', '2025-12-31', '2026-03-01', 2],
    ['monthly', '1969-11-30', '1970-01-01', 1],
  ] as const)('that are %s: between those of %s and %s lie %i', (frequency, from, to, expected) => {
    const [left, right] = [from, to].map((date) => periodOf(frequency, 'monday', day(date)))
    expect(periodsBetween(frequency, 'Europe/London', left!, right!)).toBe(expected)
  })

  test.each([
    ['daily', 'Pacific/Apia', '2012-01-01', 1, '2011-12-31'],
    ['daily', 'Pacific/Apia', '2012-01-01', 2, '2011-12-29'],
    ['weekly', 'Pacific/Apia', '2012-01-02', 1, '2011-12-26'],
    ['monthly', 'Pacific/Apia', '2012-01-01', 2, '2011-11-01'],
  ] as const)('that are %s in %s: %s less %s is %s', (frequency, zone, date, count, expected) => {
    const period = periodBefore(frequency, zone, periodOf(frequency, 'monday', day(date)), count)
    expect(toDateText(firstDayOf(frequency, 'monday', period))).toBe(expected)
  })
})

describe('Months and years', () => {
  test.each([
    ['2026-03-10', 1, '2026-04-10'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2023-01-31', 1, '2023-02-28'],
    ['2025-12-31', 2, '2026-02-28'],
    ['2026-01-30', -2, '2025-11-30'],
    ['2026-03-01', 12, '2027-03-01'],
  ])('%s and %i months are %s', (date, count, expected) => {
    expect(toDateText(addMonths(day(date), count))).toBe(expected)
  })

  test.each([
    ['2026-03-31', '2026-03-01', 0],
    ['2025-12-31', '2026-01-01', 1],
    ['2026-03-10', '2024-01-31', -26],
  ])('from %s to %s is %i months', (from, to, expected) => {
    expect(monthsBetween(day(from), day(to))).toBe(expected)
  })

  test.each([
    ['2026-01-01', 2026, '2026-01-01'],
    ['2024-12-31', 2024, '2024-01-01'],
    ['0099-06-01', 99, '0099-01-01'],
    ['1969-12-31', 1969, '1969-01-01'],
  ])('%s is in the year %i, which begins on %s', (date, year, first) => {
    expect(yearOf(day(date))).toBe(year)
    expect(toDateText(firstDayOfYear(year))).toBe(first)
  })
})
