// Sign-up dates, and achievements that follow from them.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { isGranted } from '../../src/rules/achievement.ts'
import { parseDate } from '../../src/rules/calendar.ts'
import { nextDue } from '../../src/rules/due.ts'
import { progressOf } from '../../src/rules/progress.ts'
import { given, rules, type Said } from '../support/given.ts'
import { boundsOf, stretchesOf } from '../support/zones.ts'

const day = (text: string): number => parseDate(text) ?? Number.NaN
const signUp = (at: string, date: string | null, more: object = {}): Said => {
  const profile = { ...more, signUpDate: date === null ? null : day(date) }
  return { at: `${at}T12:00:00.000Z`, isProfileOnly: true, profile }
}
const seen = (at: string): Said => ({ at: `${at}T12:00:00.000Z` })

const game = rules({
  achievements: {
    first: { name: 'One year', trigger: 'anniversary', years: 1 },
    second: { name: 'Two years', trigger: 'anniversary', years: 2 },
  },
})

/** When each achievement was completed, by date. */
function completed(said: readonly Said[], of = game): { readonly [key: string]: string } {
  const { completions } = given(of, said).state
  return Object.fromEntries([...completions].map(([key, { at }]) => [key, new Date(at).toISOString().slice(0, 10)]))
}

/** The achievements that were completed for the past. */
function quiet(said: readonly Said[]): readonly string[] {
  const { state } = given(game, said)
  return [...game.achievements.values()].filter((each) => isGranted(each, state)).map(({ key }) => key)
}

describe('An anniversary', () => {
  test('is completed by the first entry on its date, or after it', () => {
    const since = signUp('2025-03-10', '2025-03-10')
    expect(completed([since, seen('2026-03-09')])).toEqual({})
    expect(completed([since, seen('2026-03-10')])).toEqual({ first: '2026-03-10' })
    expect(completed([since, seen('2026-06-01')])).toEqual({ first: '2026-06-01' })
  })

  test('needs a sign-up date, also of a user who was created long ago', () => {
    expect(completed([seen('2020-01-01'), seen('2026-03-10')])).toEqual({})
  })

  test('of the past is completed at once, and quietly', () => {
    const said = [seen('2026-01-01'), signUp('2026-03-10', '2024-03-10')]
    expect(completed(said)).toEqual({ first: '2026-03-10', second: '2026-03-10' })
    expect(quiet(said)).toEqual(['first', 'second'])
  })

  test('is loud on its date, and quiet on a later one', () => {
    const since = signUp('2025-03-10', '2025-03-10')
    expect(quiet([since, seen('2026-03-10')])).toEqual([])
    expect(quiet([since, seen('2026-03-11')])).toEqual(['first'])
  })

  test('stays completed if the date is corrected to a later one, or cleared', () => {
    const said = [signUp('2026-03-10', '2016-03-10')]
    const expected = { first: '2026-03-10', second: '2026-03-10' }
    expect(completed([...said, signUp('2026-03-11', '2026-03-10')])).toEqual(expected)
    expect(completed([...said, signUp('2026-03-11', null)])).toEqual(expected)
  })

  test('comes later if the date is corrected to a later one before', () => {
    const said = [signUp('2025-03-10', '2025-03-01'), signUp('2025-04-01', '2025-03-20')]
    expect(completed([...said, seen('2026-03-10')])).toEqual({})
    expect(completed([...said, seen('2026-03-10'), seen('2026-03-20')])).toEqual({ first: '2026-03-20' })
  })

  test('of 29 February is on 28 February in other years', () => {
    const since = signUp('2024-02-29', '2024-02-29')
    expect(completed([since, seen('2025-02-27')])).toEqual({})
    expect(completed([since, seen('2025-02-28')])).toEqual({ first: '2025-02-28' })
  })

  test('is for users with its attributes', () => {
    const pro = rules({
      achievements: { first: { name: 'One', trigger: 'anniversary', years: 1, userAttributes: { plan: 'pro' } } },
    })
    const since = signUp('2025-03-10', '2025-03-10')
    const upgraded = { ...seen('2026-03-12'), profile: { attributes: new Map([['plan', 'pro']]) } }
    expect(completed([since, seen('2026-03-10')], pro)).toEqual({})
    expect(completed([since, seen('2026-03-10'), upgraded], pro)).toEqual({ first: '2026-03-12' })
  })

  test('has progress in full years', () => {
    const { state } = given(game, [signUp('2025-03-10', '2024-09-01'), seen('2026-03-10')])
    const second = game.achievements.get('second')
    expect(second && progressOf(second, state, state.at)).toEqual({
      current: 0,
      target: 1,
      ratio: 0.5,
      criteria: [{ current: 1, target: 2, ratio: 0.5, satisfied: false }],
    })
  })
})

describe('A membership', () => {
  const of = (membership: object) =>
    defineGame({
      metrics: { words: { name: 'Words' } },
      achievements: { loyal: { name: 'Loyal', trigger: 'criteria', of: [{ membership }] } },
    } as never).rules

  test.each([
    [{ days: 31, since: 'signUp' }, '2026-01-31', '2026-03-03'],
    [{ months: 1, since: 'signUp' }, '2026-01-31', '2026-02-28'],
    [{ months: 13, since: 'signUp' }, '2025-01-31', '2026-02-28'],
    [{ years: 2, since: 'signUp' }, '2024-02-29', '2026-02-28'],
  ])('of %j since %s is met on %s', (membership, since, date) => {
    const said = [signUp('2026-02-01', since)]
    const before = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
    expect(completed([...said, seen(before)], of(membership))).toEqual({})
    expect(completed([...said, seen(date)], of(membership))).toEqual({ loyal: date })
  })

  test('since the sign-up counts from the creation without a date', () => {
    const loyal = of({ months: 1, since: 'signUp' })
    expect(completed([seen('2026-01-15'), seen('2026-02-14')], loyal)).toEqual({})
    expect(completed([seen('2026-01-15'), seen('2026-02-15')], loyal)).toEqual({ loyal: '2026-02-15' })
  })

  test('without since counts from the creation, whatever the sign-up date', () => {
    const said = [signUp('2026-01-15', '2020-01-01'), seen('2026-02-14')]
    expect(completed(said, of({ months: 1 }))).toEqual({})
  })
})

/* Ten years of anniversaries in zones with every kind of offset and change, by a model of its own. */

const ZONES = [
  ...['Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Auckland', 'Pacific/Chatham', 'Australia/Lord_Howe'],
  ...['Asia/Tokyo', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Tehran', 'Asia/Gaza', 'Africa/Cairo', 'Africa/Casablanca'],
  ...['Europe/Berlin', 'Europe/London', 'Atlantic/Azores', 'America/St_Johns', 'America/Sao_Paulo', 'America/New_York'],
  ...['America/Santiago', 'Pacific/Niue'],
]

/** `YYYY-MM-DD` some years later, by text: 29 February is 28 February in a year without it. */
function yearsLater(date: string, years: number): string {
  const [year = '', month, dayOfMonth] = date.split('-')
  const later = Number(year) + years
  const isLeap = new Date(Date.UTC(later, 1, 29)).getUTCMonth() === 1
  return `${later}-${month}-${month === '02' && dayOfMonth === '29' && !isLeap ? '28' : dayOfMonth}`
}

const SIGN_UPS = ['2012-02-29', '2012-02-28', '2012-03-01', '2011-12-30', '2012-12-31', '2012-03-25', '2012-10-28']

describe.each(ZONES)('In %s', (zone) => {
  const ten = defineGame({
    metrics: { words: { name: 'Words' } },
    achievements: Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `y${index + 1}`,
        { name: `Year ${index + 1}`, trigger: 'anniversary', years: index + 1 },
      ]),
    ),
  } as never).rules
  const stretches = stretchesOf(zone, Date.UTC(2011, 0), Date.UTC(2024, 0), 3_600_000 * 6)

  test.each(SIGN_UPS)('each of ten anniversaries of %s is due at the first instant of its date', (date) => {
    const created = `${yearsLater(date, 0)}T23:59:00.000Z`
    const said: Said[] = [{ at: created, isProfileOnly: true, profile: { tz: zone, signUpDate: day(date) } }]
    for (let years = 1; years <= 10; years += 1) {
      const expected = boundsOf(stretches, day(yearsLater(date, years)))?.first
      const { state } = given(ten, said)
      const due = nextDue(ten, state, state.at)
      expect([years, due]).toEqual([years, expected])
      said.push({ at: new Date(due ?? 0).toISOString(), isProfileOnly: true })
      const after = given(ten, said).state
      expect([...after.completions.keys()]).toHaveLength(years)
      expect(isGranted(ten.achievements.get(`y${years}`)!, after)).toBe(false)
    }
  })
})
