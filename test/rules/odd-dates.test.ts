// Local dates that come twice, and those that never come. SOAK=1 looks for them in every zone.

import { describe, expect, test } from 'vitest'
import { BACKWARDS, MISSING, type Turn } from '../model/walk/turns.ts'
import { openWriter } from '../support/streak-log.ts'
import { DAY, SOAK, stretchesOf, ZONES } from '../support/zones.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const KNOWN = [...new Set([...BACKWARDS, ...MISSING].map(({ zone }) => zone))]

const away = ({ at }: Turn, time: number): string => new Date(at + time).toISOString()
const names = (turns: readonly Turn[]): readonly string[] =>
  turns.map(({ zone, at }) => `${zone} ${new Date(at).toISOString()}`).sort()

/** The changes of offset at which the date continues by less than nothing, or by more than one day. */
function turnsIn(zone: string): { readonly back: readonly Turn[]; readonly over: readonly Turn[] } {
  const stretches = stretchesOf(zone, Date.UTC(1970, 0, 1), Date.UTC(2031, 0, 1), 4 * DAY)
  const steps = stretches.slice(1).map(({ start, offset }, index) => {
    const before = Math.floor((start - 1 + (stretches[index]?.offset ?? 0)) / DAY)
    return { zone, at: start, days: Math.floor((start + offset) / DAY) - before }
  })
  return { back: steps.filter(({ days }) => days < 0), over: steps.filter(({ days }) => days > 1) }
}

test('The runtime knows 63 of the first kind and five of the second, from 1970 to 2030', () => {
  const found = (SOAK ? ZONES : KNOWN).map(turnsIn)
  expect(BACKWARDS).toHaveLength(63)
  expect(names(found.flatMap(({ back }) => back))).toEqual(names(BACKWARDS))
  expect(names(found.flatMap(({ over }) => over))).toEqual(names(MISSING))
})

describe.each(BACKWARDS)('Where the date of $zone runs backwards at $at', (turn) => {
  test('an event on each date, one of them twice, breaks nothing, wins nothing and takes no freeze', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    // The day before; that day; the day after, that day and the day after again; and the next.
    const lengths = [-27 * HOUR, -3 * HOUR, -MINUTE / 2, MINUTE / 2, 125 * MINUTE, 26 * HOUR].map((time, index) => {
      return ann.write(away(turn, time), index === 0 ? { tz: turn.zone } : {}).length
    })
    expect(lengths).toEqual([1, 2, 3, 3, 3, 4])
    expect(ann.read(away(turn, 26 * HOUR)).freezes).toBe(1)
  })

  test('the date that comes twice can be filled the second time', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    expect(ann.write(away(turn, -27 * HOUR), { tz: turn.zone }).length).toBe(1)
    expect(ann.write(away(turn, MINUTE / 2))).toMatchObject({ length: 2, freezes: 1 })
    expect(ann.write(away(turn, 125 * MINUTE))).toMatchObject({ length: 3, freezes: 1 })
  })

  test('a read between the two writes nothing', () => {
    const ann = openWriter({ freezes: { initial: 1, max: 1 } })
    ann.write(away(turn, -27 * HOUR), { tz: turn.zone })
    ann.read(away(turn, -MINUTE / 2))
    expect(ann.write(away(turn, MINUTE / 2))).toMatchObject({ length: 2, freezes: 1 })
  })
})

describe.each(MISSING)('Where $zone has no such date, at $at', (turn) => {
  test('it takes no freeze, and the first date after it does', () => {
    const ann = openWriter({ freezes: { initial: 2, max: 2 } })
    ann.write(away(turn, -HOUR), { tz: turn.zone })
    expect(ann.read(away(turn, 0))).toMatchObject({ length: 1, freezes: 2 })
    expect(ann.read(away(turn, 24 * HOUR - 1))).toMatchObject({ length: 1, freezes: 2 })
    expect(ann.read(away(turn, 24 * HOUR))).toMatchObject({ length: 1, freezes: 1 })
    expect(ann.write(away(turn, 25 * HOUR))).toMatchObject({ length: 2, freezes: 1 })
  })

  test('a freeze that is earned on it comes with the date after it', () => {
    const ann = openWriter({ freezes: { max: 5, autoEarn: { interval: 1 } } })
    ann.write(away(turn, -HOUR), { tz: turn.zone })
    expect(ann.read(away(turn, -1)).freezes).toBe(0)
    // That of the date that is not there, and that of the next.
    expect(ann.read(away(turn, 0)).freezes).toBe(2)
    expect(ann.read(away(turn, 24 * HOUR)).freezes).toBe(2)
  })

  test('a streak is restored on the date after it, and lengthened there', () => {
    const ann = openWriter()
    ann.write(away(turn, -73 * HOUR), { tz: turn.zone })
    ann.write(away(turn, -49 * HOUR))
    expect(ann.read(away(turn, HOUR)).length).toBe(0)
    expect(ann.restore(away(turn, HOUR))).toBe('accepted')
    expect(ann.write(away(turn, 2 * HOUR)).length).toBe(3)
  })
})
