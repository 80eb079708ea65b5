// Decisions, section 5: periods that cannot be missed because the user is away.

import { describe, expect, test } from 'vitest'
import { addPause, removePause } from '../../src/rules/pauses.ts'
import { openWriter } from '../support/streak-log.ts'

describe('A paused day', () => {
  test('keeps the length and adds nothing to it', () => {
    const ann = openWriter()
    ann.write('2026-03-09T12:00Z')
    ann.write('2026-03-10T12:00Z')
    expect(ann.pause('2026-03-10T13:00Z', '2026-03-11', '2026-03-13')).toBe('accepted')
    expect(ann.read('2026-03-10T13:00Z')).toMatchObject({
      length: 2,
      expires: '2026-03-14',
      pauses: [{ id: 'pause', start: '2026-03-11', end: '2026-03-13' }],
    })
    expect(ann.read('2026-03-14T23:59:59.999Z')).toMatchObject({ length: 2, expires: '2026-03-14', pauses: [] })
    expect(ann.write('2026-03-14T12:00Z')).toMatchObject({ length: 3, started: '2026-03-09' })
    expect(ann.history('2026-03-14T12:00Z', 6)).toBe('1 2 2p 2p 2p 3')
  })

  test('is the last thing that saves a streak: the day after it can be missed', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T13:00Z', '2026-03-11', '2026-03-12')
    expect(ann.read('2026-03-13T23:59:59.999Z')).toMatchObject({ length: 1, expires: '2026-03-13' })
    expect(ann.read('2026-03-14T00:00Z').length).toBe(0)
  })

  test('on which the threshold is reached counts and lengthens as ever', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T13:00Z', '2026-03-11', '2026-03-13')
    expect(ann.write('2026-03-12T12:00Z')).toMatchObject({ length: 2, expires: '2026-03-14' })
    expect(ann.history('2026-03-14T12:00Z', 5)).toBe('1 1p 2 2p 2')
  })

  test('consumes no freeze', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T13:00Z', '2026-03-11', '2026-03-11')
    expect(ann.read('2026-03-12T12:00Z')).toMatchObject({ length: 1, freezes: 1, expires: '2026-03-12' })
    expect(ann.read('2026-03-13T12:00Z')).toMatchObject({ length: 1, freezes: 0, expires: '2026-03-13' })
    expect(ann.history('2026-03-13T12:00Z', 4)).toBe('1 1p 1f 1')
  })

  test('is not told as one where there was no streak', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z', { value: 0 })
    ann.pause('2026-03-10T13:00Z', '2026-03-11', '2026-03-12')
    expect(ann.history('2026-03-13T12:00Z', 4)).toBe('0 0 0 0')
  })

  test('saves no day that is over', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    expect(ann.pause('2026-03-12T00:00Z', '2026-03-11', '2026-03-12')).toBe('pause_out_of_range')
    ann.pause('2026-03-12T00:00Z', '2026-03-12', '2026-03-12')
    expect(ann.read('2026-03-12T12:00Z').length).toBe(0)
  })
})

describe('A pause', () => {
  test('may begin today, in the zone of the user, not before', () => {
    const ann = openWriter()
    // It is the 11th in Kiritimati.
    ann.write('2026-03-10T12:00Z', { tz: 'Pacific/Kiritimati' })
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-10', '2026-03-20')).toBe('pause_out_of_range')
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-11')).toBe('accepted')
  })

  test('ends on its first date or later', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-12', '2026-03-11')).toBe('pause_out_of_range')
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-12', '2026-03-12')).toBe('accepted')
  })

  test('has at most 366 days', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-10', '2027-03-11')).toBe('pause_out_of_range')
    expect(ann.pause('2026-03-10T12:00Z', '2026-03-10', '2027-03-10')).toBe('accepted')
    expect(ann.read('2027-03-11T23:59Z')).toMatchObject({ length: 1, expires: '2027-03-11' })
    expect(ann.read('2027-03-12T00:00Z').length).toBe(0)
  })

  test('may overlap another, and both are told in the order in which they were made', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-12', '2026-03-14', 'second')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-12', 'first')
    expect(ann.read('2026-03-10T12:00Z')).toMatchObject({
      expires: '2026-03-15',
      pauses: [
        { id: 'second', start: '2026-03-12', end: '2026-03-14' },
        { id: 'first', start: '2026-03-11', end: '2026-03-12' },
      ],
    })
    expect(ann.read('2026-03-13T00:00Z').pauses).toEqual([{ id: 'second', start: '2026-03-12', end: '2026-03-14' }])
  })

  test('of one date pauses the week or month that it is in', () => {
    const weekly = openWriter({ frequency: 'weekly' })
    weekly.write('2026-03-10T12:00Z')
    // Sunday the 22nd.
    weekly.pause('2026-03-10T12:00Z', '2026-03-22', '2026-03-22')
    expect(weekly.read('2026-03-10T12:00Z')).toMatchObject({ length: 1, expires: '2026-03-29' })
    expect(weekly.read('2026-03-29T23:59Z').length).toBe(1)
    expect(weekly.history('2026-03-29T23:59Z', 3)).toBe('1 1p 1')
    expect(weekly.read('2026-03-30T00:00Z').length).toBe(0)
    const monthly = openWriter({ frequency: 'monthly' })
    monthly.write('2026-01-10T12:00Z')
    monthly.pause('2026-01-10T12:00Z', '2026-02-28', '2026-03-01')
    expect(monthly.read('2026-01-10T12:00Z').expires).toBe('2026-04-30')
    expect(monthly.write('2026-04-30T12:00Z')).toMatchObject({ length: 2, started: '2026-01-01' })
  })

  test('keeps its dates when the user goes elsewhere', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-12', '2026-03-12')
    // The 11th in Kiritimati, counted as today was.
    expect(ann.move('2026-03-10T13:00Z', 'Pacific/Kiritimati')).toMatchObject({
      length: 1,
      expires: '2026-03-13',
      pauses: [{ id: 'pause', start: '2026-03-12', end: '2026-03-12' }],
    })
    expect(ann.read('2026-03-12T10:00Z')).toMatchObject({ length: 1, periodStart: '2026-03-13', pauses: [] })
    expect(ann.read('2026-03-13T10:00Z').length).toBe(0)
  })

  test('goes on in the zone to which the user goes during it', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z', { tz: 'Pacific/Honolulu' })
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-14')
    // Noon of the 12th in Honolulu, noon of the 13th in Kiritimati.
    expect(ann.move('2026-03-12T22:00Z', 'Pacific/Kiritimati')).toMatchObject({ length: 1, expires: '2026-03-15' })
    expect(ann.write('2026-03-15T09:00Z')).toMatchObject({ length: 2, periodStart: '2026-03-15' })
  })

  test('is lived through again when a late event begins the streak before it', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z', { value: 0 })
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-12')
    expect(ann.write('2026-03-13T12:00Z').length).toBe(1)
    expect(ann.write('2026-03-13T13:00Z', { occurredAt: '2026-03-10T13:00Z' })).toMatchObject({ length: 2 })
    expect(ann.history('2026-03-13T13:00Z', 4)).toBe('1 1p 1p 2')
  })

  test('is refused to a user that is not known', () => {
    expect(openWriter().pause('2026-03-10T12:00Z', '2026-03-10', '2026-03-10')).toBe('unknown_user')
  })
})

describe('A pause that is deleted', () => {
  test('before it began is as if it had never been', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-20')
    expect(ann.unpause('2026-03-10T23:59Z')).toBe('accepted')
    expect(ann.read('2026-03-10T23:59Z')).toMatchObject({ expires: '2026-03-11', pauses: [] })
    expect(ann.read('2026-03-12T00:00Z').length).toBe(0)
  })

  test('on its first date too', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-20')
    expect(ann.unpause('2026-03-11T00:00Z')).toBe('accepted')
    expect(ann.read('2026-03-11T00:00Z')).toMatchObject({ length: 1, expires: '2026-03-11', pauses: [] })
    expect(ann.read('2026-03-12T00:00Z').length).toBe(0)
  })

  test('while it lasts has ended yesterday: what has passed stays', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-20')
    expect(ann.unpause('2026-03-14T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-14T12:00Z')).toMatchObject({ length: 1, expires: '2026-03-14', pauses: [] })
    expect(ann.history('2026-03-14T12:00Z', 5)).toBe('1 1p 1p 1p 1')
    expect(ann.read('2026-03-15T00:00Z').length).toBe(0)
  })

  test('in the middle of a week still pauses that week when it had begun in it', () => {
    const ann = openWriter({ frequency: 'weekly' })
    ann.write('2026-03-03T12:00Z')
    ann.pause('2026-03-03T12:00Z', '2026-03-09', '2026-03-31')
    // Wednesday: the pause was of Monday and Tuesday.
    expect(ann.unpause('2026-03-11T12:00Z')).toBe('accepted')
    expect(ann.read('2026-03-11T12:00Z')).toMatchObject({ length: 1, expires: '2026-03-22' })
  })

  test('is not there to be deleted again', () => {
    const ann = openWriter()
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-20')
    ann.unpause('2026-03-14T12:00Z')
    expect(ann.unpause('2026-03-14T12:00Z')).toBe('unknown_pause')
    expect(ann.unpause('2026-03-14T12:00Z', 'another')).toBe('unknown_pause')
  })
})

describe('A list of pauses', () => {
  const pauses = [
    { id: 'old', start: 20_400, end: 20_452 },
    { id: 'first', start: 20_510, end: 20_530 },
    { id: 'second', start: 20_522, end: 20_525 },
  ]

  test('drops those that ended more than 70 days ago when one is added', () => {
    const added = { id: 'new', start: 20_540, end: 20_541 }
    expect(addPause(pauses, added, 20_522)).toEqual([...pauses, added])
    expect(addPause(pauses, added, 20_523)).toEqual([pauses[1], pauses[2], added])
  })

  test('loses one alone, and only the dates of it that are not over', () => {
    expect(removePause(pauses, 'first', 20_522)).toEqual([
      pauses[0],
      { id: 'first', start: 20_510, end: 20_521 },
      pauses[2],
    ])
    expect(removePause(pauses, 'second', 20_522)).toEqual([pauses[0], pauses[1]])
    expect(removePause(pauses, 'second', 20_525)).toEqual([
      pauses[0],
      pauses[1],
      { id: 'second', start: 20_522, end: 20_524 },
    ])
    expect(removePause(pauses, 'old', 20_522)).toEqual(pauses)
  })
})
