import { describe, expect, test } from 'vitest'
import { formatsOf, isolated, toDayNumber } from '../../../adapters/elements/parts/formats.ts'
import { initialsOf } from '../../../adapters/elements/parts/markup.ts'

describe('Dates of a user', () => {
  test.each([
    ['en-US', 'Monday, March 9, 2026', 'Mar 9', 'Mar', 'Monday, March 9'],
    ['de', 'Montag, 9. März 2026', '9. März', 'Mär', 'Montag, 9. März'],
    ['ja', '2026年3月9日月曜日', '3月9日', '3月', '3月9日月曜日'],
  ])('are written as %s writes them', (lang, long, short, month, day) => {
    const formats = formatsOf(lang)
    expect(formats.longDate('2026-03-09')).toBe(long)
    expect(formats.shortDate('2026-03-09')).toBe(short)
    expect(formats.month('2026-03-09')).toBe(month)
    expect(formats.day('2026-03-09')).toBe(day)
  })

  test('from one to another are a range', () => {
    expect(formatsOf('en-US').range('2026-03-01', '2026-03-31')).toMatch(/^March 1\s–\s31, 2026$/)
  })

  test('that are none are written as they are', () => {
    expect(formatsOf('en').longDate('yesterday')).toBe('yesterday')
    expect(formatsOf('en').range('a', 'b')).toBe('a – b')
    expect(formatsOf('en').instant('soon')).toBe('soon')
    expect(toDayNumber('2026-13-01')).toBeNull()
  })
})

test('Weeks begin on Sunday in the United States, on Monday in Germany and on Saturday in Egypt', () => {
  expect(['en-US', 'de-DE', 'ar-EG'].map((lang) => formatsOf(lang).weekStartsOn)).toEqual([7, 1, 6])
})

test('A time that is left is in minutes, or in hours and days from two on', () => {
  const [minute, hour] = [60_000, 3_600_000]
  const { duration } = formatsOf('en')
  expect([0, 1, 5 * minute, 119 * minute].map(duration)).toEqual(['1 minute', '1 minute', '5 minutes', '119 minutes'])
  expect([2 * hour, 3 * hour - 1, 47 * hour].map(duration)).toEqual(['2 hours', '3 hours', '47 hours'])
  expect([48 * hour, 71 * hour, 240 * hour].map(duration)).toEqual(['2 days', '2 days', '10 days'])
  expect(formatsOf('de').duration(5 * hour)).toBe('5 Stunden')
})

describe('Labels', () => {
  test('have numbers as the language writes them', () => {
    expect(formatsOf('en').label('{count} of {max}', { count: 1_240, max: 12_000.5 })).toBe('1,240 of 12,000.5')
    expect(formatsOf('de').label('{count} von {max}', { count: 1_240, max: 12_000.5 })).toBe('1.240 von 12.000,5')
  })

  test('have the plural of the language', () => {
    const days = { one: '{count} dzień', few: '{count} dni', many: '{count} dni!', other: '{count} dnia' }
    expect([1, 2, 5, 1.5].map((count) => formatsOf('pl').label(days, { count }))).toEqual([
      '1 dzień',
      '2 dni',
      '5 dni!',
      '1,5 dnia',
    ])
  })

  test('have the other form where that of the plural is missing', () => {
    expect(formatsOf('ar').label({ other: '{count} days' }, { count: 2 })).toMatch(/days$/)
  })

  test('keep places for which there is no value, and put names in as they are', () => {
    expect(formatsOf('en').label('{name} {other}', { name: '<b>{count}</b>' })).toBe('<b>{count}</b> {other}')
    expect(isolated('قارئ')).toBe('\u2068قارئ\u2069')
  })
})

test('What is no language leaves it to the runtime', () => {
  expect(formatsOf('not a language').number(1)).toBe('1')
  expect(formatsOf('').number(1)).toBe('1')
})

test.each([
  ['Ada Lovelace', 'AL'],
  ['a week in a row', 'AW'],
  ['  ', ''],
  ['李小龙', '李'],
  ['क्षत्रिय योद्धा', 'क्षयो'],
  ['👩‍🚀 Astronaut', '👩‍🚀A'],
  ['<b>bold</b>', 'BB'],
  ["O'Neill", 'ON'],
])('The initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
