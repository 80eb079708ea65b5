// Messages of time to all users of a tenant: boosts and runs of leaderboards start and finish.

import { describe, expect, test } from 'vitest'
import { compileGame } from '../../src/game/compile.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { toDateText } from '../../src/rules/calendar.ts'
import type { Game } from '../../src/rules/game.ts'
import { type ScheduledChange, scheduledBetween } from '../../src/rules/scheduled-notices.ts'
import { toMinutes } from '../support/brought.ts'
import { rules } from '../support/given.ts'

function toLine({ at, notice }: ScheduledChange): string {
  if ('boost' in notice) return `${toMinutes(at)} ${notice.type} ${notice.system} ${notice.boost.name}`
  const { from, to } = notice.run
  const dates = `${toDateText(from)} to ${to === null ? 'the end of time' : toDateText(to)}`
  return `${toMinutes(at)} ${notice.type} ${notice.leaderboard} ${dates}`
}

function told(game: Game, from: string, until: string): readonly string[] {
  return scheduledBetween(game, Date.parse(from), Date.parse(until)).map(toLine)
}

const boost = { name: 'Double', start: '2026-03-14', end: '2026-03-15', multiplier: 2 }
const board = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-03-02' } as const

describe('A boost of all users', () => {
  const game = rules({ points: { xp: { name: 'XP', boosts: { double: boost } } } })

  test('starts at ten on the day before, and finishes at one on the day after', () => {
    expect(told(game, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-13T10:00Z boostStarted xp Double',
      '2026-03-16T13:00Z boostFinished xp Double',
    ])
  })

  test('may never finish', () => {
    const { end: _, ...endless } = boost
    const long = rules({ points: { xp: { name: 'XP', boosts: { long: endless } } } })
    expect(told(long, '2026-01-01T00:00:00Z', '2030-01-01T00:00:00Z')).toEqual([
      '2026-03-13T10:00Z boostStarted xp Double',
    ])
  })

  test('that is given when it has begun starts a minute later', () => {
    const { definition } = defineGame({ metrics: { words: { name: 'Words' } }, points: { xp: { name: 'XP' } } })
    const created = Date.parse('2026-03-14T12:00:00Z')
    const given = { ...boost, id: 'b', created, rounding: 'down', userAttributes: {} } as const
    const later = compileGame(definition, { xp: [given] })
    expect(told(later, '2026-03-14T12:00:00Z', '2026-04-01T00:00:00Z')).toEqual([
      '2026-03-14T12:01Z boostStarted xp Double',
      '2026-03-16T13:00Z boostFinished xp Double',
    ])
  })
})

describe('A run of a leaderboard', () => {
  test('starts at ten on the day before, and finishes at one on the day after', () => {
    const weekly = rules({ leaderboards: { week: { ...board, run: { unit: 'day', interval: 7 } } } })
    expect(told(weekly, '2026-03-02T00:00:00Z', '2026-03-18T00:00:00Z')).toEqual([
      '2026-03-08T10:00Z runStarted week 2026-03-09 to 2026-03-15',
      '2026-03-09T13:00Z runFinished week 2026-03-02 to 2026-03-08',
      '2026-03-15T10:00Z runStarted week 2026-03-16 to 2026-03-22',
      '2026-03-16T13:00Z runFinished week 2026-03-09 to 2026-03-15',
    ])
  })

  test('is the whole time of a board that does not repeat', () => {
    const once = rules({ leaderboards: { once: { ...board, end: '2026-03-08' } } })
    expect(told(once, '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-01T10:00Z runStarted once 2026-03-02 to 2026-03-08',
      '2026-03-09T13:00Z runFinished once 2026-03-02 to 2026-03-08',
    ])
  })

  test('of a board without an end never finishes', () => {
    const endless = rules({ leaderboards: { all: board } })
    expect(told(endless, '2026-01-01T00:00:00Z', '2036-01-01T00:00:00Z')).toEqual([
      '2026-03-01T10:00Z runStarted all 2026-03-02 to the end of time',
    ])
  })

  test('of streaks is one, and finishes with the board', () => {
    const streaks = rules({
      streak: { frequency: 'daily', metrics: { words: {} } },
      leaderboards: { long: { name: 'Long', rankBy: 'streak', start: '2026-03-02', end: '2026-03-08' } },
    })
    expect(told(streaks, '2026-03-05T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-09T13:00Z runFinished long 2026-03-02 to 2026-03-08',
    ])
  })

  test('finishes with the board where that ends earlier', () => {
    const short = rules({ leaderboards: { week: { ...board, end: '2026-03-11', run: { unit: 'day', interval: 7 } } } })
    expect(told(short, '2026-03-09T13:00:00Z', '2027-01-01T00:00:00Z')).toEqual([
      '2026-03-12T13:00Z runFinished week 2026-03-09 to 2026-03-11',
    ])
  })
})

describe('What is brought', () => {
  const game = rules({
    points: { xp: { name: 'XP', boosts: { double: boost } } },
    leaderboards: {
      day: { ...board, run: { unit: 'day', interval: 1 } },
      month: { ...board, start: '2026-01-31', run: { unit: 'month', interval: 1 } },
    },
  })

  test('does not depend on how often one asks', () => {
    const from = Date.parse('2026-02-20T00:00:00Z')
    const until = from + 40 * 86_400_000
    const pieces: ScheduledChange[] = []
    for (let at = from; at < until; at += 60_000) pieces.push(...scheduledBetween(game, at, at + 60_000))
    expect(pieces).toEqual(scheduledBetween(game, from, until))
    // 31 days begin and 29 end, two months begin and two end, and a boost does both.
    expect(pieces).toHaveLength(66)
  })

  test('begins after what was told, and ends with the instant that is asked for', () => {
    const start = Date.parse('2026-03-13T10:00:00Z')
    const boosts = rules({ points: { xp: { name: 'XP', boosts: { double: boost } } } })
    expect(scheduledBetween(boosts, start, start + 1)).toEqual([])
    expect(scheduledBetween(boosts, start - 1, start)).toHaveLength(1)
  })
})
