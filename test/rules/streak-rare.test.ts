// Decisions, section 5: freezes, pauses and restores if it takes more than one of them, or more than one look.

import { describe, expect, test } from 'vitest'
import { usePlays } from '../api/leaderboards/play.ts'
import { openWriter } from '../support/streak-log.ts'

describe('A freeze that is earned', () => {
  test('is as far from the last one, whenever something was written in between', () => {
    const ann = openWriter({ freezes: { max: 9, autoEarn: { interval: 3 } } })
    ann.write('2026-03-10T12:00Z', { value: 0 })
    // Two days after that of the first one, the 13th.
    expect(ann.write('2026-03-15T12:00Z', { value: 0 }).freezes).toBe(1)
    expect(ann.read('2026-03-16T00:00Z').freezes).toBe(2)
    expect(ann.write('2026-03-21T12:00Z', { value: 0 }).freezes).toBe(3)
    expect(ann.read('2026-03-22T00:00Z').freezes).toBe(4)
  })

  test('after a streak was lost is not taken for the days that are missed then', () => {
    const ann = openWriter({ freezes: { max: 9, autoEarn: { interval: 3 } } })
    ann.write('2026-03-10T12:00Z')
    expect(ann.read('2026-03-15T12:00Z')).toMatchObject({ length: 0, freezes: 1 })
    expect(ann.write('2026-03-16T12:00Z')).toMatchObject({ length: 1, freezes: 2, started: '2026-03-16' })
    expect(ann.history('2026-03-16T12:00Z', 7)).toBe('1 0 0 0 0 0 1')
  })
})

describe('A pause that is over', () => {
  test('still saves its month after another one was made', () => {
    const ann = openWriter({ frequency: 'monthly' })
    ann.write('2026-01-20T12:00Z')
    ann.pause('2026-01-20T12:00Z', '2026-02-01', '2026-02-01', 'first')
    ann.pause('2026-02-20T12:00Z', '2026-06-01', '2026-06-02', 'second')
    expect(ann.read('2026-02-20T12:00Z')).toMatchObject({ length: 1, expires: '2026-03-31' })
    expect(ann.history('2026-03-31T12:00Z', 3)).toBe('1 1p 1')
    expect(ann.write('2026-03-31T12:00Z').length).toBe(2)
  })

  test('still saves its week after another one was made and deleted', () => {
    const ann = openWriter({ frequency: 'weekly' })
    ann.write('2026-03-03T12:00Z')
    ann.pause('2026-03-03T12:00Z', '2026-03-09', '2026-03-09', 'first')
    ann.pause('2026-03-12T12:00Z', '2026-03-20', '2026-03-20', 'second')
    expect(ann.unpause('2026-03-12T13:00Z', 'second')).toBe('accepted')
    expect(ann.read('2026-03-15T12:00Z')).toMatchObject({ length: 1, expires: '2026-03-22' })
  })
})

describe('A pause that is deleted on its first date', () => {
  test('does not save the week or the month of it', () => {
    const weekly = openWriter({ frequency: 'weekly' })
    weekly.write('2026-03-03T12:00Z')
    weekly.pause('2026-03-03T12:00Z', '2026-03-11', '2026-03-20')
    expect(weekly.unpause('2026-03-11T00:00Z')).toBe('accepted')
    expect(weekly.read('2026-03-11T00:00Z')).toMatchObject({ length: 1, expires: '2026-03-15', pauses: [] })
    expect(weekly.read('2026-03-16T00:00Z').length).toBe(0)
    const monthly = openWriter({ frequency: 'monthly' })
    monthly.write('2026-01-03T12:00Z')
    monthly.pause('2026-01-03T12:00Z', '2026-02-10', '2026-03-10')
    monthly.unpause('2026-02-10T12:00Z')
    expect(monthly.read('2026-02-10T12:00Z').expires).toBe('2026-02-28')
  })
})

describe('A restore', () => {
  test('gives back the age of the streak too, so that it lengthens day by day, however long it is', () => {
    const ann = openWriter()
    for (const day of ['02', '03', '04', '05', '06', '07', '08']) ann.write(`2026-03-${day}T12:00Z`)
    ann.restore('2026-03-10T00:00Z')
    expect(ann.write('2026-03-10T00:01Z')).toMatchObject({ length: 8, started: '2026-03-02' })
    expect(ann.write('2026-03-11T00:01Z').length).toBe(9)
  })

  test('does nothing once late events show that the streak was longer than the one lost before it', () => {
    const ann = openWriter()
    for (const day of ['08', '09', '10', '15']) ann.write(`2026-03-${day}T12:00Z`)
    expect(ann.restore('2026-03-15T13:00Z')).toBe('accepted')
    expect(ann.read('2026-03-15T13:00Z')).toMatchObject({ length: 3, started: '2026-03-08' })
    for (const day of ['14', '13', '12']) {
      ann.write('2026-03-15T14:00Z', { occurredAt: `2026-03-${day}T12:00Z` })
    }
    expect(ann.read('2026-03-15T14:00Z')).toMatchObject({ length: 4, started: '2026-03-12', expires: '2026-03-16' })
    expect(ann.history('2026-03-15T14:00Z', 8)).toBe('1 2 3 0 1 2 3 4')
  })

  test('gives back the length that freezes and pauses had kept, and what counted on the day goes on', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write('2026-03-08T12:00Z')
    // The 9th takes the freeze; the 11th is paused; the 12th is missed.
    ann.write('2026-03-10T12:00Z')
    ann.pause('2026-03-10T12:00Z', '2026-03-11', '2026-03-11')
    expect(ann.write('2026-03-14T12:00Z')).toMatchObject({ length: 1, started: '2026-03-14' })
    ann.restore('2026-03-14T13:00Z')
    expect(ann.write('2026-03-14T14:00Z')).toMatchObject({ length: 2, started: '2026-03-08', expires: '2026-03-15' })
    expect(ann.write('2026-03-15T12:00Z').length).toBe(3)
    expect(ann.history('2026-03-15T12:00Z', 8)).toBe('1 1f 2 2p 0 0 2 3')
  })
})

describe('On a board of streaks', () => {
  const open = usePlays()

  test('one stays for the days that freezes save which are only earned while nobody looks', async () => {
    const board = { name: 'Streaks', rankBy: 'streak', start: '2024-01-01' } as const
    const freezes = { initial: 1, max: 1, autoEarn: { interval: 2 } }
    const { add, engine, ranking } = await open(
      { board },
      { streak: { frequency: 'daily', metrics: { words: {} }, freezes } },
    )
    await add('2024-01-02T12:00:00Z', 'ann', 1)
    // The 3rd takes the first one, the 4th that which was earned on it; the next would come on the 6th.
    const rankingAt = (instant: string) => {
      engine.at(instant)
      return ranking('board')
    }
    expect(await rankingAt('2024-01-05T23:59:59.999Z')).toEqual(['ann 1'])
    expect(await rankingAt('2024-01-06T00:00:00.000Z')).toEqual([])
  })
})

test('A move to the day on which an earlier streak ended shows the length of the running one there', () => {
  const ann = openWriter()
  ann.write('2008-10-31T21:01Z', { tz: 'America/Goose_Bay' })
  ann.write('2008-11-01T22:01Z')
  ann.turn('2008-11-01T22:02Z', false)
  ann.turn('2008-11-02T01:31Z', true)
  ann.write('2008-11-02T04:00Z')
  ann.move('2008-11-02T06:21Z', 'Pacific/Pago_Pago')
  ann.write('2008-11-02T23:01Z')
  expect(ann.history('2008-11-02T23:01Z', 4)).toBe('0 1 1 2')
})
