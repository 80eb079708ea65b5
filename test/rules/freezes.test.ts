// Decisions, section 5: what saves a streak from a missed period.

import { describe, expect, test } from 'vitest'
import { openWriter } from '../support/streak-log.ts'

describe('A freeze', () => {
  test('is consumed at the local midnight that ends a missed day, and no streak is lost there', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 2 } })
    expect(ann.write('2026-03-10T12:00Z')).toMatchObject({
      length: 1,
      expires: '2026-03-11',
      freezes: 1,
      maxFreezes: 2,
    })
    expect(ann.read('2026-03-11T23:59:59.999Z')).toMatchObject({ length: 1, freezes: 1, expires: '2026-03-11' })
    expect(ann.read('2026-03-12T00:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-12' })
    expect(ann.read('2026-03-12T23:59:59.999Z')).toMatchObject({ length: 1, freezes: 0 })
    expect(ann.read('2026-03-13T00:00Z')).toMatchObject({ length: 0, freezes: 0, started: null, expires: null })
  })

  test('keeps the length and adds nothing to it', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-09T12:00Z')
    ann.write('2026-03-10T12:00Z')
    expect(ann.write('2026-03-12T12:00Z')).toMatchObject({ length: 3, started: '2026-03-09', freezes: 0 })
    expect(ann.history('2026-03-12T12:00Z', 5)).toBe('0 1 2 2f 3')
  })

  test('is consumed for each missed day, until there is none', () => {
    const ann = openWriter({ freezes: { initial: 3, max: 3 } })
    ann.write('2026-03-09T12:00Z')
    expect(ann.read('2026-03-12T12:00Z')).toMatchObject({ length: 1, freezes: 1 })
    expect(ann.read('2026-03-13T12:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-13' })
    expect(ann.read('2026-03-14T00:00Z')).toMatchObject({ length: 0, freezes: 0 })
    expect(ann.history('2026-03-14T00:00Z', 6)).toBe('1 1f 1f 1f 0 0')
  })

  test('is not consumed while there is no streak', () => {
    const ann = openWriter({ freezes: { initial: 2, max: 2 }, metrics: { words: { threshold: 10 } } })
    ann.write('2026-03-09T12:00Z', { value: 9 })
    expect(ann.read('2026-06-09T12:00Z')).toMatchObject({ length: 0, freezes: 2 })
  })

  test('is consumed for a missed week or month as for a day', () => {
    const weekly = openWriter({ frequency: 'weekly', freezes: { initial: 1, max: 1 } })
    weekly.write('2026-03-10T12:00Z')
    expect(weekly.read('2026-03-22T23:59Z')).toMatchObject({ length: 1, freezes: 1, expires: '2026-03-22' })
    expect(weekly.read('2026-03-23T00:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-29' })
    expect(weekly.read('2026-03-30T00:00Z').length).toBe(0)
    const monthly = openWriter({ frequency: 'monthly', freezes: { initial: 1, max: 1 } })
    monthly.write('2026-01-31T12:00Z')
    expect(monthly.read('2026-03-01T00:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-31' })
    expect(monthly.read('2026-04-01T00:00Z').length).toBe(0)
  })

  test('is consumed at the midnight of where the user is', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-10T03:00Z', { tz: 'Asia/Kathmandu' })
    expect(ann.read('2026-03-11T18:14:59Z')).toMatchObject({ freezes: 1, expires: '2026-03-11' })
    expect(ann.read('2026-03-11T18:15:00Z')).toMatchObject({ freezes: 0, expires: '2026-03-12' })
  })

  test('is not consumed for a date that the zone has not', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2011-12-29T20:00Z', { tz: 'Pacific/Apia' })
    expect(ann.read('2011-12-30T20:00Z')).toMatchObject({ length: 1, freezes: 1, expires: '2011-12-31' })
    expect(ann.read('2011-12-31T20:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2012-01-01' })
    expect(ann.history('2011-12-31T20:00Z', 4)).toBe('0 1 1f 1')
  })

  test('comes back when a late event fills its day', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.write('2026-03-12T12:00Z')).toMatchObject({ length: 2, freezes: 0 })
    expect(ann.write('2026-03-12T13:00Z', { occurredAt: '2026-03-11T20:00Z' })).toMatchObject({ length: 3, freezes: 1 })
    expect(ann.history('2026-03-12T13:00Z', 3)).toBe('1 2 3')
  })

  test('that is back saves a later day, on which the streak had been lost', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.write('2026-03-13T12:00Z')).toMatchObject({ length: 1, freezes: 0, started: '2026-03-13' })
    expect(ann.write('2026-03-13T13:00Z', { occurredAt: '2026-03-11T20:00Z' })).toMatchObject({
      length: 3,
      started: '2026-03-10',
      freezes: 0,
    })
    expect(ann.history('2026-03-13T13:00Z', 4)).toBe('1 2 2f 3')
  })

  test('is consumed earlier when a late event makes the streak begin earlier', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-10T12:00Z')
    ann.write('2026-03-12T12:00Z')
    // The 9th is missed then, and the 11th finds none left.
    expect(ann.write('2026-03-12T13:00Z', { occurredAt: '2026-03-08T12:00Z' })).toMatchObject({
      length: 1,
      freezes: 0,
      started: '2026-03-12',
    })
    expect(ann.history('2026-03-12T13:00Z', 5)).toBe('1 1f 2 0 1')
  })
})

describe('A freeze that is granted', () => {
  test('on Tuesday does not save Monday', () => {
    const ann = openWriter({ freezes: { max: 2 } })
    // Sunday 2026-03-08; nothing on Monday.
    ann.write('2026-03-08T12:00Z')
    expect(ann.grant('2026-03-10T00:00Z')).toBe('accepted')
    expect(ann.read('2026-03-10T00:00Z')).toMatchObject({ length: 0, freezes: 1 })
  })

  test('in the last millisecond of Monday does', () => {
    const ann = openWriter({ freezes: { max: 2 } })
    ann.write('2026-03-08T12:00Z')
    expect(ann.grant('2026-03-09T23:59:59.999Z')).toBe('accepted')
    expect(ann.read('2026-03-10T00:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-10' })
  })

  test('is one more, up to the most there may be', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 2 } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.grant('2026-03-10T12:00Z')).toBe('accepted')
    expect(ann.grant('2026-03-10T12:00Z')).toBe('streak_freezes_full')
    expect(ann.read('2026-03-10T12:00Z').freezes).toBe(2)
    // One is consumed at midnight without any write, so there is room.
    expect(ann.grant('2026-03-12T00:00Z')).toBe('accepted')
    expect(ann.read('2026-03-12T00:00Z')).toMatchObject({ length: 1, freezes: 2 })
  })

  test('is refused to a user that is not known', () => {
    expect(openWriter({ freezes: { max: 2 } }).grant('2026-03-10T12:00Z')).toBe('unknown_user')
  })
})

describe('Freezes that are earned', () => {
  test('come at the beginning of every so many local dates from the first, up to the most there may be', () => {
    const ann = openWriter({ freezes: { max: 2, autoEarn: { interval: 7 } } })
    const fields = { maxFreezes: 2, freezeAutoEarnInterval: 7, freezeAutoEarnAmount: 1 }
    // 20:00 on the 10th in New York, which has summer time.
    expect(ann.write('2026-03-11T00:00Z', { tz: 'America/New_York' })).toMatchObject({ freezes: 0, ...fields })
    expect(ann.read('2026-03-17T03:59:59.999Z').freezes).toBe(0)
    expect(ann.read('2026-03-17T04:00Z').freezes).toBe(1)
    expect(ann.read('2026-03-24T03:59:59.999Z').freezes).toBe(1)
    expect(ann.read('2026-03-24T04:00Z').freezes).toBe(2)
    expect(ann.read('2027-03-24T04:00Z').freezes).toBe(2)
  })

  test('come without a streak, and whatever it does', () => {
    const ann = openWriter({ freezes: { max: 9, autoEarn: { interval: 3, amount: 2 } } })
    ann.write('2026-03-10T12:00Z', { value: 0 })
    expect(ann.read('2026-03-12T23:59Z').freezes).toBe(0)
    expect(ann.read('2026-03-13T00:00Z').freezes).toBe(2)
    expect(ann.read('2026-03-22T00:00Z').freezes).toBe(8)
    expect(ann.read('2026-03-25T00:00Z').freezes).toBe(9)
  })

  test('at the midnight at which a day is missed come too late for it', () => {
    const ann = openWriter({ freezes: { max: 2, autoEarn: { interval: 2 } } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.read('2026-03-12T00:00Z')).toMatchObject({ length: 0, freezes: 1 })
  })

  test('at the most there may be, find room when one is consumed at the same midnight', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1, autoEarn: { interval: 2 } } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.read('2026-03-12T00:00Z')).toMatchObject({ length: 1, freezes: 1 })
    expect(ann.read('2026-03-13T00:00Z')).toMatchObject({ length: 1, freezes: 0 })
    expect(ann.read('2026-03-14T00:00Z')).toMatchObject({ length: 0, freezes: 1 })
  })

  test('every day keep a streak for ever, and its length', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1, autoEarn: { interval: 1 } } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.read('2028-03-10T12:00Z')).toMatchObject({ length: 1, started: '2026-03-10', freezes: 1 })
    expect(ann.history('2028-03-10T12:00Z', 3)).toBe('1f 1f 1')
    expect(ann.write('2028-03-10T12:00Z').length).toBe(2)
  })

  test('are as far from today in another zone as they were', () => {
    const ann = openWriter({ freezes: { max: 5, autoEarn: { interval: 2 } } })
    ann.write('2026-03-10T12:00Z')
    // The 12th, in two days, becomes the 13th: it is the 11th in Kiritimati.
    ann.move('2026-03-10T13:00Z', 'Pacific/Kiritimati')
    expect(ann.read('2026-03-12T09:59:59.999Z').freezes).toBe(0)
    expect(ann.read('2026-03-12T10:00Z').freezes).toBe(1)
    // There and back wins none.
    ann.move('2026-03-12T10:30Z', 'UTC')
    ann.move('2026-03-12T10:40Z', 'Pacific/Kiritimati')
    ann.move('2026-03-12T10:50Z', 'UTC')
    expect(ann.read('2026-03-13T23:59:59.999Z').freezes).toBe(1)
    expect(ann.read('2026-03-14T00:00Z').freezes).toBe(2)
  })

  test('count from an earlier date when a late event was the first', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 5, autoEarn: { interval: 5 } } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.read('2026-03-11T12:00Z').freezes).toBe(1)
    // From the 5th on: one on the 10th; and one was consumed for each of the 6th to the 9th, while there was one.
    expect(ann.write('2026-03-11T12:00Z', { occurredAt: '2026-03-05T12:00Z' })).toMatchObject({ length: 1, freezes: 1 })
    expect(ann.history('2026-03-11T12:00Z', 7)).toBe('1 1f 0 0 0 1 1')
  })
})

describe('In a game without freezes', () => {
  test('nothing is told of them', () => {
    const read = openWriter().write('2026-03-10T12:00Z')
    expect(Object.keys(read).filter((key) => /freeze/i.test(key))).toEqual([])
    expect(read.history).toEqual([{ periodStart: '2026-03-10', periodEnd: '2026-03-10', length: 1, usedPause: false }])
  })

  test('they are not told as earned where they are only granted', () => {
    const read = openWriter({ freezes: { max: 100 } }).write('2026-03-10T12:00Z')
    expect(read).toMatchObject({ freezes: 0, maxFreezes: 100 })
    expect('freezeAutoEarnInterval' in read || 'freezeAutoEarnAmount' in read).toBe(false)
  })
})
