// Decisions, section 5: a streak that was lost is back.

import { describe, expect, test } from 'vitest'
import { openWriter, type Writer } from '../support/streak-log.ts'

/** A streak of 3 from the 8th to the 10th of March, lost at the midnight that ends the 11th. */
function writeThreeDays(ann: Writer = openWriter()): Writer {
  for (const day of ['08', '09', '10']) ann.write(`2026-03-${day}T12:00Z`)
  return ann
}

describe('A restored streak', () => {
  test('has the length and the first date that it had when it was lost', () => {
    const ann = writeThreeDays()
    expect(ann.read('2026-03-20T12:00Z').length).toBe(0)
    expect(ann.restore('2026-03-20T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-20T12:00Z')).toMatchObject({
      length: 3,
      started: '2026-03-08',
      periodStart: '2026-03-20',
      expires: '2026-03-20',
    })
    expect(ann.write('2026-03-20T13:00Z')).toMatchObject({ length: 4, started: '2026-03-08', expires: '2026-03-21' })
  })

  test('is lost again when the current day is missed', () => {
    const ann = writeThreeDays()
    ann.restore('2026-03-20T12:00Z')
    expect(ann.read('2026-03-20T23:59:59.999Z').length).toBe(3)
    expect(ann.read('2026-03-21T00:00Z').length).toBe(0)
  })

  test('goes on with the current day when that had counted', () => {
    const ann = writeThreeDays()
    expect(ann.write('2026-03-20T12:00Z')).toMatchObject({ length: 1, started: '2026-03-20' })
    expect(ann.restore('2026-03-20T13:00Z')).toBe('accepted')
    expect(ann.read('2026-03-20T13:00Z')).toMatchObject({ length: 3, started: '2026-03-08', expires: '2026-03-21' })
    expect(ann.write('2026-03-20T14:00Z').length).toBe(3)
    expect(ann.write('2026-03-21T12:00Z').length).toBe(4)
  })

  test('has its new length in the history from the current period on', () => {
    const ann = writeThreeDays()
    ann.write('2026-03-12T12:00Z')
    ann.restore('2026-03-12T13:00Z')
    ann.write('2026-03-13T12:00Z')
    expect(ann.history('2026-03-13T12:00Z', 6)).toBe('1 2 3 0 3 4')
  })

  test('takes no freeze for the days that it missed', () => {
    const ann = writeThreeDays(openWriter({ freezes: { initial: 1, max: 2 } }))
    expect(ann.read('2026-03-13T12:00Z')).toMatchObject({ length: 0, freezes: 0 })
    ann.grant('2026-03-15T12:00Z')
    expect(ann.restore('2026-03-15T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-15T12:00Z')).toMatchObject({ length: 3, freezes: 1 })
    // Today can be missed, and then takes the one.
    expect(ann.read('2026-03-16T12:00Z')).toMatchObject({ length: 3, freezes: 0 })
    expect(ann.read('2026-03-17T00:00Z').length).toBe(0)
  })

  test('goes over a pause of today', () => {
    const ann = writeThreeDays()
    ann.pause('2026-03-20T12:00Z', '2026-03-20', '2026-03-22')
    ann.restore('2026-03-20T12:00Z')
    expect(ann.read('2026-03-20T12:00Z')).toMatchObject({ length: 3, expires: '2026-03-23' })
  })

  test('of weeks and months waits for the end of the current one', () => {
    const weekly = openWriter({ frequency: 'weekly' })
    weekly.write('2026-03-03T12:00Z')
    weekly.write('2026-03-10T12:00Z')
    expect(weekly.restore('2026-04-15T12:00Z')).toBe('accepted')
    expect(weekly.read('2026-04-15T12:00Z')).toMatchObject({ length: 2, started: '2026-03-02', expires: '2026-04-19' })
    const monthly = openWriter({ frequency: 'monthly' })
    monthly.write('2026-01-03T12:00Z')
    expect(monthly.restore('2026-07-01T00:00Z')).toBe('accepted')
    expect(monthly.read('2026-07-01T00:00Z')).toMatchObject({ length: 1, started: '2026-01-01', expires: '2026-07-31' })
  })

  test('has as long a life as before, so that it may lengthen twice within an hour', () => {
    const ann = writeThreeDays()
    ann.restore('2026-03-20T23:30Z')
    expect(ann.write('2026-03-20T23:59Z').length).toBe(4)
    expect(ann.write('2026-03-21T00:01Z').length).toBe(5)
    // 00:30 on the 21st becomes 14:30 on the 21st; 10:01 is 00:01 on the 22nd. A streak of that age is never too fast.
    ann.move('2026-03-21T00:30Z', 'Pacific/Kiritimati')
    expect(ann.write('2026-03-21T10:01Z').length).toBe(6)
  })

  test('is as far from today in another zone as it was', () => {
    const ann = writeThreeDays()
    ann.restore('2026-03-20T12:00Z')
    // The 21st in Kiritimati: today can still be missed, yesterday cannot.
    expect(ann.move('2026-03-20T13:00Z', 'Pacific/Kiritimati')).toMatchObject({ length: 3, expires: '2026-03-21' })
    expect(ann.read('2026-03-21T10:00Z').length).toBe(0)
  })
})

describe('Nothing is restored', () => {
  test('where nothing was lost', () => {
    const ann = openWriter()
    expect(ann.restore('2026-03-10T12:00Z')).toBe('unknown_user')
    ann.write('2026-03-10T12:00Z')
    expect(ann.restore('2026-03-10T12:00Z')).toBe('streak_not_lost')
    expect(ann.restore('2026-03-11T23:59:59.999Z')).toBe('streak_not_lost')
    expect(ann.restore('2026-03-12T00:00Z')).toBe('accepted')
  })

  test('where the streak is as long or longer again', () => {
    const ann = openWriter()
    ann.write('2026-03-09T12:00Z')
    ann.write('2026-03-10T12:00Z')
    ann.write('2026-03-12T12:00Z')
    ann.write('2026-03-13T12:00Z')
    expect(ann.restore('2026-03-13T12:00Z')).toBe('streak_not_lost')
    expect(ann.read('2026-03-13T12:00Z')).toMatchObject({ length: 2, started: '2026-03-12' })
  })

  test('twice', () => {
    const ann = writeThreeDays()
    expect(ann.restore('2026-03-20T12:00Z')).toBe('accepted')
    expect(ann.restore('2026-03-20T12:00Z')).toBe('streak_not_lost')
    expect(ann.write('2026-03-20T13:00Z').length).toBe(4)
    // Lost again, with the same length.
    expect(ann.restore('2026-03-30T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-30T12:00Z')).toMatchObject({ length: 4, started: '2026-03-08' })
  })

  test('but the streak that was lost last, though a longer one was lost before', () => {
    const ann = writeThreeDays()
    ann.write('2026-03-15T12:00Z')
    expect(ann.restore('2026-03-20T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-20T12:00Z')).toMatchObject({ length: 1, started: '2026-03-15' })
  })

  test('where a late event shows that nothing was lost: the streak is as long as it was lived', () => {
    const ann = writeThreeDays()
    ann.restore('2026-03-12T12:00Z')
    expect(ann.write('2026-03-12T13:00Z', { occurredAt: '2026-03-11T12:00Z' })).toMatchObject({
      length: 4,
      started: '2026-03-08',
      expires: '2026-03-12',
    })
    expect(ann.history('2026-03-12T13:00Z', 5)).toBe('1 2 3 4 4')
  })

  test('of what a late event takes from the lost streak before it', () => {
    const ann = openWriter({ metrics: { words: { threshold: 5 } } })
    ann.write('2026-03-09T12:00Z', { value: 5 })
    ann.write('2026-03-10T12:00Z', { value: 5 })
    ann.restore('2026-03-20T12:00Z')
    expect(ann.read('2026-03-20T12:00Z').length).toBe(2)
    // The 9th did not reach the threshold after all, when the event of -1 had come in order.
    expect(ann.write('2026-03-20T13:00Z', { value: -1, occurredAt: '2026-03-09T11:00Z' })).toMatchObject({
      length: 1,
      started: '2026-03-10',
    })
  })
})
