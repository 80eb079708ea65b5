// The effects of time alone on a streak: its loss, and freezes that are consumed and earned, without any read.

import { describe, expect, test } from 'vitest'
import { nextDue, timeBrings } from '../../src/rules/due.ts'
import type { Entry } from '../../src/rules/entry.ts'
import { dateEntry, foldLog } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { brought, toLines, toMinutes } from '../support/brought.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

const daily = { frequency: 'daily', metrics: { words: {} } } as const
const game = rules({ streak: daily })

function userOf(of: Game, at: string, tz: string, more: readonly Said[] = []): UserState {
  return given(of, [{ at, profile: { tz } }, ...more]).state
}

function dueOf(of: Game, state: UserState, told = state.at): string | null {
  const due = nextDue(of, state, told)
  return due === null ? null : toMinutes(due)
}

/** The state after entries of other kinds. */
function fold(of: Game, said: readonly Said[], bodies: readonly object[]): UserState {
  const entries = said.map((each, index) => ({ ...toEntry(each, index), ...bodies[index] }) as Entry)
  const state = foldLog(new Map([[1, of]]), entries)
  if (state === null) throw new RangeError('Nothing happened')
  return state
}

describe('A streak', () => {
  test('is lost at the local midnight after the first day without anything', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'Europe/Berlin')
    expect(dueOf(game, state)).toBe('2026-03-10T23:00Z')
    expect(brought(game, state, '2026-03-10T22:59:59Z')).toEqual([])
    expect(brought(game, state, '2026-03-10T23:00:00Z')).toEqual(['2026-03-10T23:00Z streak of 1 lost'])
  })

  test('is lost once, and then nothing is due any more', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'Europe/Berlin')
    expect(brought(game, state, '2036-01-01T00:00:00Z')).toEqual(['2026-03-10T23:00Z streak of 1 lost'])
    expect(dueOf(game, state, Date.parse('2026-03-10T23:00:00Z'))).toBeNull()
  })

  test('that was extended today is lost a day later', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'Europe/Berlin', [{ at: '2026-03-10T12:00:00Z' }])
    expect(brought(game, state, '2026-04-01T00:00:00Z')).toEqual(['2026-03-11T23:00Z streak of 2 lost'])
  })

  test('of weeks is lost when a whole week is over, and of months with the month', () => {
    const weekly = rules({ streak: { ...daily, frequency: 'weekly' } })
    const monthly = rules({ streak: { ...daily, frequency: 'monthly' } })
    expect(dueOf(weekly, userOf(weekly, '2026-03-10T12:00:00Z', 'UTC'))).toBe('2026-03-23T00:00Z')
    expect(dueOf(monthly, userOf(monthly, '2026-03-10T12:00:00Z', 'UTC'))).toBe('2026-05-01T00:00Z')
  })

  test('of a week that starts on Sunday is lost on Sunday', () => {
    const weekly = rules({ streak: { ...daily, frequency: 'weekly' }, weekStartsOn: 'sunday' })
    expect(dueOf(weekly, userOf(weekly, '2026-03-10T12:00:00Z', 'UTC'))).toBe('2026-03-22T00:00Z')
  })

  test('reads as lost in the state that comes with it', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'UTC')
    const [lost] = timeBrings(game, state, state.at, Date.parse('2026-03-20T00:00:00Z'))
    expect(lost?.state.streak).toMatchObject({ length: 0, longest: 1, lost: { length: 1 } })
  })

  test('that the user does not want is not there, and earns no freezes', () => {
    const saved = rules({ streak: { ...daily, freezes: { max: 2, autoEarn: { interval: 2 } } } })
    const off = { kind: 'preferencesChanged', notifications: new Map(), streak: { enabled: false } }
    const said = [{ at: '2026-03-09T12:00:00Z' }, { at: '2026-03-09T13:00:00Z' }]
    expect(brought(saved, fold(saved, said, [{}, off]), '2026-06-01T00:00:00Z')).toEqual([])
    expect(nextDue(saved, fold(saved, said, [{}, off]), 0)).toBeNull()
  })

  test('that the user does not want earns no freezes where points come at the same midnight', () => {
    const points = { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 2 }, points: 1 }] } } as const
    const both = rules({ streak: { ...daily, freezes: { max: 2, autoEarn: { interval: 2 } } }, points })
    const off = { kind: 'preferencesChanged', notifications: new Map(), streak: { enabled: false } }
    const said = [{ at: '2026-03-09T12:00:00Z' }, { at: '2026-03-09T13:00:00Z' }]
    expect(brought(both, fold(both, said, [{}, off]), '2026-03-12T00:00:00Z')).toEqual([
      '2026-03-11T00:00Z xp +1, now 1',
    ])
  })

  test('of a user who is another name for somebody brings nothing', () => {
    const state = { ...userOf(game, '2026-03-09T12:00:00Z', 'UTC'), mergedInto: '19' }
    expect(brought(game, state, '2026-06-01T00:00:00Z')).toEqual([])
    expect(nextDue(game, state, 0)).toBeNull()
  })
})

describe('Days of odd lengths', () => {
  test('end with their local midnight: one of 23 hours', () => {
    expect(dueOf(game, userOf(game, '2026-03-28T12:00:00Z', 'Europe/Berlin'))).toBe('2026-03-29T22:00Z')
  })

  test('end with their local midnight: one of 25 hours', () => {
    expect(dueOf(game, userOf(game, '2026-10-24T12:00:00Z', 'Europe/Berlin'))).toBe('2026-10-25T23:00Z')
  })

  test('end later where clocks go back at midnight', () => {
    // In Beirut 24:00 on 24 October became 23:00 again.
    expect(dueOf(game, userOf(game, '2026-10-23T12:00:00Z', 'Asia/Beirut'))).toBe('2026-10-24T22:00Z')
  })

  test('end with the jump where clocks go on at midnight', () => {
    // In Beirut midnight of 29 March became 01:00.
    expect(dueOf(game, userOf(game, '2026-03-27T12:00:00Z', 'Asia/Beirut'))).toBe('2026-03-28T22:00Z')
  })

  test('are not missed where they never were: Apia went from 29 to 31 December 2011', () => {
    const state = userOf(game, '2011-12-29T20:00:00Z', 'Pacific/Apia')
    expect(brought(game, state, '2012-02-01T00:00:00Z')).toEqual(['2011-12-31T10:00Z streak of 1 lost'])
  })

  test('are not missed where they never were: Kwajalein went from 20 to 22 August 1993', () => {
    const state = userOf(game, '1993-08-21T00:00:00Z', 'Pacific/Kwajalein')
    expect(brought(game, state, '1993-10-01T00:00:00Z')).toEqual(['1993-08-22T12:00Z streak of 1 lost'])
  })

  test('earn their freezes at the jump where they never were', () => {
    const saved = rules({ streak: { ...daily, freezes: { max: 9, autoEarn: { interval: 1 } } } })
    const { state } = given(saved, [
      { at: '2011-12-29T20:00:00Z', profile: { tz: 'Pacific/Apia' }, isProfileOnly: true },
    ])
    expect(brought(saved, state, '2012-01-01T00:00:00Z')).toEqual([
      '2011-12-30T10:00Z freezes earned: 2, now 2',
      '2011-12-31T10:00Z freezes earned: 1, now 3',
    ])
  })

  test('are over for good only when their midnight does not come again', () => {
    // In St. John's 00:01 on 7 November 2010 became 23:01 on the 6th.
    const state = userOf(game, '2010-11-05T12:00:00Z', 'America/St_Johns')
    expect(brought(game, state, '2010-11-07T02:30:30Z')).toEqual([])
    expect(brought(game, state, '2010-11-08T00:00:00Z')).toEqual(['2010-11-07T03:30Z streak of 1 lost'])
    const told = Date.parse('2010-11-07T02:30:30Z')
    expect(dueOf(game, state, told)).toBe('2010-11-07T03:30Z')
    expect(timeBrings(game, state, told, Date.parse('2010-11-08T00:00:00Z'))).toHaveLength(1)
  })

  test('are over for an entry that finds them over, though their midnight comes again', () => {
    const state = userOf(game, '2010-11-05T12:00:00Z', 'America/St_Johns')
    const entry = dateEntry(state, toEntry({ at: '2010-11-07T02:30:30Z' }, 1))
    expect(toLines(timeBrings(game, state, state.at, entry.at, { entry }))).toEqual([
      '2010-11-07T02:30:30Z streak of 1 lost',
    ])
  })
})

describe('Freezes', () => {
  const saved = rules({ streak: { ...daily, freezes: { initial: 2, max: 3, autoEarn: { interval: 7 } } } })

  test('are consumed at each midnight, earned at theirs, and at last the streak is lost', () => {
    const state = userOf(saved, '2026-03-02T12:00:00Z', 'Europe/Berlin')
    expect(brought(saved, state, '2026-03-20T12:00:00Z')).toEqual([
      '2026-03-03T23:00Z freeze consumed, 1 left',
      '2026-03-04T23:00Z freeze consumed, 0 left',
      '2026-03-05T23:00Z streak of 1 lost',
      '2026-03-08T23:00Z freezes earned: 1, now 1',
      '2026-03-15T23:00Z freezes earned: 1, now 2',
    ])
  })

  test('of forty days come one by one, until there are as many as there can be', () => {
    const { state } = given(saved, [{ at: '2026-03-02T12:00:00Z', isProfileOnly: true }])
    expect(brought(saved, state, '2026-04-11T12:00:00Z')).toEqual(['2026-03-09T00:00Z freezes earned: 1, now 3'])
    expect(dueOf(saved, state, Date.parse('2026-03-09T00:00:00Z'))).toBeNull()
  })

  test('that are earned at the midnight of a miss come after it', () => {
    const late = rules({ streak: { ...daily, freezes: { initial: 0, max: 3, autoEarn: { interval: 2 } } } })
    const state = userOf(late, '2026-03-02T12:00:00Z', 'UTC')
    expect(brought(late, state, '2026-03-04T00:00:00Z')).toEqual([
      '2026-03-04T00:00Z streak of 1 lost',
      '2026-03-04T00:00Z freezes earned: 1, now 1',
    ])
  })

  test('that streaks share go to the one whose period ends first, then to the one of the game', () => {
    const shared = rules({
      streak: { ...daily, freezes: { initial: 1, max: 1 } },
      streaks: { gym: { ...daily, freezes: 'shared' }, read: { ...daily, frequency: 'weekly', freezes: 'shared' } },
    })
    const state = userOf(shared, '2026-03-02T12:00:00Z', 'UTC')
    expect(brought(shared, state, '2026-04-01T00:00:00Z')).toEqual([
      '2026-03-04T00:00Z freeze consumed, 0 left',
      '2026-03-04T00:00Z streak of gym of 1 lost',
      '2026-03-05T00:00Z streak of 1 lost',
      '2026-03-16T00:00Z streak of read of 1 lost',
    ])
  })

  test('come the same whether one asks once for forty days or each of their minutes', () => {
    const state = userOf(saved, '2026-03-02T12:00:00Z', 'Europe/Berlin')
    const until = state.at + 40 * 86_400_000
    const pieces = []
    for (let told = state.at; told < until; told += 60_000)
      pieces.push(...timeBrings(saved, state, told, told + 60_000))
    expect(pieces).toEqual(timeBrings(saved, state, state.at, until))
    expect(pieces).toHaveLength(6)
    expect(pieces.at(-1)?.state).toEqual(settled(saved, state, pieces.at(-1)?.at ?? 0))
  })
})

describe('A pause', () => {
  const said = [{ at: '2026-03-09T12:00:00Z' }, { at: '2026-03-09T13:00:00Z' }]
  const pause = { kind: 'pauseCreated', start: 20_522, end: 20_531 }

  test('puts off what is missed until the first day after it is over, and is not told itself', () => {
    // 2026-03-10 to 2026-03-19.
    const state = fold(game, said, [{}, pause])
    expect(brought(game, state, '2026-05-01T00:00:00Z')).toEqual(['2026-03-21T00:00Z streak of 1 lost'])
  })

  test('is not told where points come at the same midnight', () => {
    const points = { xp: { name: 'XP', triggers: [{ type: 'time', every: { days: 5 }, points: 1 }] } } as const
    const both = rules({ streak: daily, points })
    expect(brought(both, fold(both, said, [{}, pause]), '2026-03-16T00:00:00Z')).toEqual([
      '2026-03-14T00:00Z xp +1, now 1',
    ])
  })

  test('of one day of a week covers the week', () => {
    const weekly = rules({ streak: { ...daily, frequency: 'weekly' } })
    const state = fold(weekly, said, [{}, { ...pause, end: 20_528 }])
    expect(dueOf(weekly, state)).toBe('2026-03-30T00:00Z')
  })
})

describe('What was told', () => {
  test('is not told again', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'UTC')
    const lost = Date.parse('2026-03-11T00:00:00Z')
    expect(timeBrings(game, state, lost, lost + 86_400_000)).toEqual([])
    expect(timeBrings(game, state, lost - 1, lost)).toHaveLength(1)
  })

  test('begins with the newest entry', () => {
    const state = userOf(game, '2026-03-09T12:00:00Z', 'UTC')
    expect(dueOf(game, state, 0)).toBe('2026-03-11T00:00Z')
    expect(timeBrings(game, state, 0, state.at)).toEqual([])
  })
})
