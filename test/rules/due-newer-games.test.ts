// Messages of time to idle users, under newer games with other notices.

import { describe, expect, test } from 'vitest'
import { nextDue, timeBrings } from '../../src/rules/due.ts'
import type { Game, GameFrom } from '../../src/rules/game.ts'
import { noticeRules } from '../../src/rules/notice.ts'
import { toLines } from '../support/brought.ts'
import { given, rules } from '../support/given.ts'

const daily = { frequency: 'daily', metrics: { words: {} } } as const
const evening = { key: 'evening', before: { hours: 4 } } as const
const plain = rules({ streak: daily })
const reminding = rules({ streak: { ...daily, reminders: [evening] } })
const weekly = rules({ streak: { ...daily, frequency: 'weekly', reminders: [evening] } })
const said = [{ at: '2026-03-09T12:00:00Z', profile: { tz: 'Europe/Berlin' } }]
const state = given(plain, said).state

const games = (...of: readonly (readonly [Game, string])[]): readonly GameFrom[] =>
  of.map(([game, from], index) => ({ epoch: index + 2, from: Date.parse(from), game }))
const until = (instant: string, newer: readonly GameFrom[]): readonly string[] =>
  toLines(timeBrings(plain, state, state.at, Date.parse(instant), { newer }))

describe('A newer game', () => {
  test('announces from the instant on after it came, and what time changes stays with the game of the newest entry', () => {
    const at = '2026-03-10T19:00:00Z'
    const reminder = '2026-03-10T19:00Z reminder evening for 2026-03-10, which ends 2026-03-10T23:00Z'
    const lost = '2026-03-10T23:00Z streak of 1 lost'
    expect(until('2026-03-12T00:00:00Z', games([reminding, '2026-03-10T18:59:59Z']))).toEqual([reminder, lost])
    expect(until('2026-03-12T00:00:00Z', games([reminding, at]))).toEqual([lost])
    expect(until('2026-03-12T00:00:00Z', games([reminding, '2026-03-09T13:00:00Z'], [plain, at]))).toEqual([
      reminder,
      lost,
    ])
    expect(
      until('2026-03-12T00:00:00Z', games([reminding, '2026-03-09T13:00:00Z'], [plain, '2026-03-10T18:00:00Z'])),
    ).toEqual([lost])
    expect(nextDue(plain, state, state.at, games([reminding, at]))).toBe(Date.parse('2026-03-10T23:00:00Z'))
    expect(nextDue(plain, state, state.at, games([reminding, '2026-03-10T18:00:00Z']))).toBe(Date.parse(at))
  })

  test('announces nothing of a streak that begins anew under it', () => {
    const week = { ...daily, frequency: 'weekly' } as const
    const monday = rules({ streak: week })
    const mondays = rules({ streak: { ...week, reminders: [evening] } })
    const sundays = rules({ streak: { ...week, reminders: [evening] }, weekStartsOn: 'sunday' })
    const { state: began } = given(monday, said)
    const told = (next: Game): readonly string[] => {
      const newer = games([next, '2026-03-09T13:00:00Z'])
      return toLines(timeBrings(monday, began, began.at, Date.parse('2026-03-30T00:00:00Z'), { newer }))
    }
    const lost = '2026-03-22T23:00Z streak of 1 lost'
    expect(told(sundays)).toEqual([lost])
    expect(told(mondays)).toEqual([
      '2026-03-22T19:00Z reminder evening for 2026-03-16, which ends 2026-03-22T23:00Z',
      lost,
    ])
  })

  test('says for what state it does, as a read under it has that', () => {
    const newer = games([reminding, '2026-03-09T13:00:00Z'])
    const brought = timeBrings(plain, state, state.at, Date.parse('2026-03-12T00:00:00Z'), { newer })
    expect(brought.map(({ state: { epoch, streak } }) => [epoch, streak.length])).toEqual([
      [2, 1],
      [1, 0],
    ])
  })

  test('that came before the newest entry is passed over', () => {
    const newer = games([reminding, '2026-03-09T13:00:00Z'], [plain, '2026-03-09T14:00:00Z'])
    expect(nextDue(plain, { ...state, epoch: 3 }, state.at, newer)).toBe(Date.parse('2026-03-10T23:00:00Z'))
  })
})

describe('The rules of notices', () => {
  const emails = { recap: 'daily' } as const

  test('are the same where nothing of it differs', () => {
    const other = rules({
      streak: { ...daily, freezes: { initial: 1, max: 2 } },
      streaks: { gym: { frequency: 'weekly', metrics: { words: {} } } },
      weekStartsOn: 'sunday',
      experiment: { controlRatio: 0.5 },
      achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 1 } },
    })
    expect(noticeRules(other)).toBe(noticeRules(plain))
    expect(noticeRules(rules({ streak: daily, emails, weekStartsOn: 'sunday' }))).toBe(
      noticeRules(rules({ streak: daily, emails })),
    )
  })

  test('differ by emails, reminders and their streaks, where weeks begin, and who is left out', () => {
    const week = { recap: 'weekly' } as const
    const all = [
      plain,
      reminding,
      weekly,
      rules({ streak: { ...daily, frequency: 'weekly', reminders: [evening] }, weekStartsOn: 'sunday' }),
      rules({ streak: { ...daily, reminders: [{ ...evening, before: { hours: 5 } }] } }),
      rules({ streak: { ...daily, reminders: [{ ...evening, staleAfter: { hours: 5 } }] } }),
      rules({ streak: daily, streaks: { gym: { ...daily, reminders: [evening] } } }),
      rules({ streak: daily, emails }),
      rules({ streak: daily, emails: { ...emails, achievements: false } }),
      rules({ streak: daily, emails: { ...emails, reactivation: [1] } }),
      rules({ streak: daily, emails: { ...emails, staleAfter: { hours: 3 } } }),
      rules({ streak: daily, emails, experiment: { controlRatio: 0.5 } }),
      rules({ streak: daily, emails: week }),
      rules({ streak: daily, emails: week, weekStartsOn: 'sunday' }),
    ]
    expect(new Set(all.map(noticeRules)).size).toBe(all.length)
  })
})
