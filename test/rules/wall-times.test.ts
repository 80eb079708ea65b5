// The instant of a date and a time of day in a zone, also where clocks are put on or back, and which dates are over.

import { describe, expect, test } from 'vitest'
import { instantOf, openDate, parseDate, toDateText } from '../../src/rules/calendar.ts'

const HOUR = 3_600_000

function at(zone: string, date: string, hours: number): string {
  return new Date(instantOf(zone, parseDate(date) ?? 0, hours * HOUR)).toISOString()
}

function openAt(zone: string, instant: string): string {
  return toDateText(openDate(zone, Date.parse(instant)))
}

describe('The instant of a time of day', () => {
  test('is that of the zone', () => {
    expect(at('Europe/Berlin', '2026-03-09', 8)).toBe('2026-03-09T07:00:00.000Z')
    expect(at('UTC', '2026-03-09', 8)).toBe('2026-03-09T08:00:00.000Z')
    expect(at('Asia/Kathmandu', '2026-03-09', 8)).toBe('2026-03-09T02:15:00.000Z')
  })

  test('is the jump where clocks leave it out', () => {
    expect(at('Europe/Berlin', '2026-03-29', 1.5)).toBe('2026-03-29T00:30:00.000Z')
    expect(at('Europe/Berlin', '2026-03-29', 2.5)).toBe('2026-03-29T01:00:00.000Z')
    expect(at('Europe/Berlin', '2026-03-29', 3.5)).toBe('2026-03-29T01:30:00.000Z')
  })

  test('is the first of two where clocks are put back', () => {
    expect(at('Europe/Berlin', '2026-10-25', 1.5)).toBe('2026-10-24T23:30:00.000Z')
    expect(at('Europe/Berlin', '2026-10-25', 2.5)).toBe('2026-10-25T00:30:00.000Z')
    expect(at('Europe/Berlin', '2026-10-25', 3)).toBe('2026-10-25T02:00:00.000Z')
    expect(at('Europe/Berlin', '2026-10-25', 3.5)).toBe('2026-10-25T02:30:00.000Z')
  })

  test('is the jump where the whole date is left out', () => {
    expect(at('Pacific/Apia', '2011-12-29', 20)).toBe('2011-12-30T06:00:00.000Z')
    expect(at('Pacific/Apia', '2011-12-30', 8)).toBe('2011-12-30T10:00:00.000Z')
    expect(at('Pacific/Apia', '2011-12-31', 8)).toBe('2011-12-30T18:00:00.000Z')
  })
})

describe('The first date that is not over', () => {
  test('is today', () => {
    expect(openAt('Asia/Tokyo', '2026-03-09T14:59:59.999Z')).toBe('2026-03-09')
    expect(openAt('Asia/Tokyo', '2026-03-09T15:00:00.000Z')).toBe('2026-03-10')
  })

  test('is yesterday while its midnight is about to come again', () => {
    // In St. John's 00:01 on 7 November 2010 became 23:01 on the 6th.
    expect(openAt('America/St_Johns', '2010-11-07T02:30:30Z')).toBe('2010-11-06')
    expect(openAt('America/St_Johns', '2010-11-07T03:29:59Z')).toBe('2010-11-06')
    expect(openAt('America/St_Johns', '2010-11-07T03:30:00Z')).toBe('2010-11-07')
  })
})
