// Flights of users with freezes, pauses and restored streaks; those of plain streaks are in test/record/zones.test.ts.

import { describe, expect, test } from 'vitest'
import { openWriter } from '../support/streak-log.ts'
import { createRandom, seedOfRun, ZONES } from '../support/zones.ts'

const seed = seedOfRun()

describe('From Honolulu to Kiritimati and back', () => {
  test('no freeze is taken for the date that is left out, and none is earned twice', () => {
    const ann = openWriter({ freezes: { initial: 2, max: 5, autoEarn: { interval: 3 } } })
    // Noon of March 2nd in Honolulu.
    ann.write('2026-03-02T22:00Z', { tz: 'Pacific/Honolulu' })
    ann.write('2026-03-03T22:00Z')
    // Noon of the 4th becomes noon of the 5th, which is as the 4th would have been: a freeze comes tomorrow.
    expect(ann.write('2026-03-04T22:00Z', { tz: 'Pacific/Kiritimati' })).toMatchObject({ length: 3, freezes: 2 })
    expect(ann.read('2026-03-05T09:59:59.999Z')).toMatchObject({ length: 3, freezes: 2, expires: '2026-03-06' })
    expect(ann.read('2026-03-05T10:00Z')).toMatchObject({ length: 3, freezes: 3 })
    expect(ann.write('2026-03-05T22:00Z')).toMatchObject({ length: 4, freezes: 3 })
    // Noon of the 7th becomes noon of the 6th, which has counted.
    expect(ann.write('2026-03-06T22:00Z')).toMatchObject({ length: 5, periodStart: '2026-03-07' })
    expect(ann.move('2026-03-06T22:30Z', 'Pacific/Honolulu')).toMatchObject({
      length: 5,
      periodStart: '2026-03-06',
      expires: '2026-03-07',
      freezes: 3,
    })
    expect(ann.write('2026-03-06T23:00Z')).toMatchObject({ length: 5 })
    expect(ann.write('2026-03-07T22:00Z')).toMatchObject({ length: 6, freezes: 3 })
    expect(ann.write('2026-03-08T22:00Z')).toMatchObject({ length: 7, freezes: 4 })
  })

  test('a day that was frozen stays yesterday', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-02T22:00Z', { tz: 'Pacific/Honolulu' })
    // The 3rd is missed; noon of the 4th becomes noon of the 5th.
    expect(ann.move('2026-03-04T22:00Z', 'Pacific/Kiritimati')).toMatchObject({
      length: 1,
      freezes: 0,
      expires: '2026-03-05',
    })
    expect(ann.write('2026-03-05T09:59Z')).toMatchObject({ length: 2, expires: '2026-03-06' })
  })

  test('a restored streak is as far from today as it was', () => {
    const ann = openWriter()
    ann.write('2026-03-02T22:00Z', { tz: 'Pacific/Honolulu' })
    ann.write('2026-03-03T22:00Z')
    ann.restore('2026-03-10T22:00Z')
    expect(ann.move('2026-03-10T22:30Z', 'Pacific/Kiritimati')).toMatchObject({ length: 2, expires: '2026-03-11' })
    expect(ann.write('2026-03-11T09:59Z').length).toBe(3)
  })
})

describe('From Auckland to Los Angeles', () => {
  test('the date that comes twice takes no freeze the first time and can be missed the second', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    // Tuesday 2026-03-10, 18:00; landing on the same Tuesday at 11:00, when Auckland has Wednesday.
    ann.write('2026-03-10T05:00Z', { tz: 'Pacific/Auckland' })
    expect(ann.move('2026-03-10T18:00Z', 'America/Los_Angeles')).toMatchObject({
      length: 1,
      freezes: 1,
      expires: '2026-03-10',
    })
    expect(ann.read('2026-03-11T06:59:59.999Z')).toMatchObject({ length: 1, freezes: 1 })
    expect(ann.read('2026-03-11T07:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-11' })
  })

  test('a pause from Wednesday on begins with the Wednesday of Los Angeles', () => {
    const ann = openWriter()
    ann.write('2026-03-10T05:00Z', { tz: 'Pacific/Auckland' })
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-13')).toBe('accepted')
    // Tuesday 11:00: it can be missed.
    expect(ann.move('2026-03-10T18:00Z', 'America/Los_Angeles')).toMatchObject({ length: 1, expires: '2026-03-10' })
    expect(ann.write('2026-03-10T19:00Z')).toMatchObject({ length: 2, expires: '2026-03-14' })
    expect(ann.read('2026-03-11T07:00Z').length).toBe(2)
  })

  test('and back, Tuesday is left out and takes no freeze', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    // Monday 2026-03-09, 20:00; landing on Wednesday 2026-03-11 at 07:00.
    ann.write('2026-03-10T03:00Z', { tz: 'America/Los_Angeles' })
    expect(ann.write('2026-03-10T18:00Z', { tz: 'Pacific/Auckland' })).toMatchObject({ length: 2, freezes: 1 })
  })
})

describe('A script that goes through 200 zones within a minute', () => {
  test.each(['daily', 'weekly', 'monthly'] as const)(
    `makes a length of at most 2, takes no freeze and earns none: %s (seed ${seed})`,
    (frequency) => {
      const random = createRandom(seed)
      const ann = openWriter({ frequency, freezes: { initial: 1, max: 100, autoEarn: { interval: 1 } } })
      // Just before a midnight of UTC that ends a day, a week and a month; other zones have theirs within the minute.
      const from = Date.parse('2026-05-31T23:59:30Z')
      for (let index = 0; index < 200; index += 1) {
        const tz = ZONES[Math.floor(random() * ZONES.length)] ?? 'UTC'
        const { length, freezes = 0 } = ann.write(new Date(from + index * 300).toISOString(), { tz })
        expect(length).toBeLessThanOrEqual(2)
        expect(freezes).toBeGreaterThanOrEqual(1)
        // The one midnight that the minute may have.
        expect(freezes).toBeLessThanOrEqual(2)
      }
    },
  )
})
