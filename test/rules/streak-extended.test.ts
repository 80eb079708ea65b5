// The instant at which a streak was last made longer.

import { describe, expect, test } from 'vitest'
import { settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { given, rules, type Said } from '../support/given.ts'

const daily = rules({ streak: { frequency: 'daily', metrics: { words: {} } } })
const weekly = rules({ streak: { frequency: 'weekly', metrics: { words: {} } } })

const extendedAt = ({ streak }: UserState): string | null =>
  streak.extendedAt === null ? null : new Date(streak.extendedAt).toISOString()

/** Length and instant after each entry. */
const told = (games: Parameters<typeof given>[0], said: readonly Said[]) =>
  given(games, said).states.map((state) => [state.streak.length, extendedAt(state)])

describe('A streak was last made longer', () => {
  test('by the event that started it, then by the first of each day that counts', () => {
    expect(
      told(daily, [
        { at: '2026-03-08T10:00:00Z', value: 0 },
        { at: '2026-03-08T11:00:00Z' },
        { at: '2026-03-08T12:00:00Z' },
        { at: '2026-03-09T08:30:00.250Z' },
        { at: '2026-03-09T09:00:00Z' },
        { at: '2026-03-10T07:00:00Z', metric: 'laps' },
      ]),
    ).toEqual([
      [0, null],
      [1, '2026-03-08T11:00:00.000Z'],
      [1, '2026-03-08T11:00:00.000Z'],
      [2, '2026-03-09T08:30:00.250Z'],
      [2, '2026-03-09T08:30:00.250Z'],
      [2, '2026-03-09T08:30:00.250Z'],
    ])
  })

  test('by nothing once it is lost, then by the event that starts it anew', () => {
    const { state } = given(daily, [{ at: '2026-03-08T12:00:00Z' }, { at: '2026-03-09T12:00:00Z' }])
    expect(extendedAt(settled(daily, state, Date.parse('2026-03-10T23:59:59Z')))).toBe('2026-03-09T12:00:00.000Z')
    expect(extendedAt(settled(daily, state, Date.parse('2026-03-11T00:00:00Z')))).toBeNull()
    expect(
      told(daily, [
        { at: '2026-03-08T12:00:00Z' },
        { at: '2026-03-11T12:00:00Z', metric: 'laps' },
        { at: '2026-03-11T13:00:00Z' },
      ]),
    ).toEqual([
      [1, '2026-03-08T12:00:00.000Z'],
      [0, null],
      [1, '2026-03-11T13:00:00.000Z'],
    ])
  })

  test('not by a day that counts without lengthening it', () => {
    expect(
      told(daily, [
        { at: '2026-03-10T23:59:00Z' },
        { at: '2026-03-11T00:01:00Z' },
        // 00:01 on the 12th there: a third date within ten hours.
        { at: '2026-03-11T10:01:00Z', profile: { tz: 'Pacific/Kiritimati' } },
        // 00:00 on the 13th there.
        { at: '2026-03-12T10:00:00Z' },
      ]),
    ).toEqual([
      [1, '2026-03-10T23:59:00.000Z'],
      [2, '2026-03-11T00:01:00.000Z'],
      [2, '2026-03-11T00:01:00.000Z'],
      [3, '2026-03-12T10:00:00.000Z'],
    ])
  })

  test('not by a change of zone', () => {
    expect(
      told(daily, [
        { at: '2026-03-10T12:00:00Z' },
        { at: '2026-03-10T12:30:00Z', isProfileOnly: true, profile: { tz: 'Pacific/Kiritimati' } },
        { at: '2026-03-10T13:00:00Z', isProfileOnly: true, profile: { tz: 'Pacific/Honolulu' } },
      ]),
    ).toEqual([
      [1, '2026-03-10T12:00:00.000Z'],
      [1, '2026-03-10T12:00:00.000Z'],
      [1, '2026-03-10T12:00:00.000Z'],
    ])
  })

  test('as before under a newer game that keeps it, and not at all under one in which it starts again', () => {
    const laps = rules({ streak: { frequency: 'daily', metrics: { laps: {} } } })
    const said: readonly Said[] = [
      { at: '2026-03-09T12:00:00Z' },
      { at: '2026-03-10T12:00:00Z' },
      { at: '2026-03-10T13:00:00Z', epoch: 2, isProfileOnly: true },
    ]
    expect(told([daily, laps], said).at(-1)).toEqual([2, '2026-03-10T12:00:00.000Z'])
    expect(told([daily, weekly], said).at(-1)).toEqual([0, null])
    expect(told([daily, rules({})], said).at(-1)).toEqual([0, null])
  })

  test('by the event of its week in a weekly one', () => {
    expect(
      told(weekly, [{ at: '2026-03-08T12:00:00Z' }, { at: '2026-03-09T12:00:00Z' }, { at: '2026-03-15T12:00:00Z' }]),
    ).toEqual([
      [1, '2026-03-08T12:00:00.000Z'],
      [2, '2026-03-09T12:00:00.000Z'],
      [2, '2026-03-09T12:00:00.000Z'],
    ])
  })
})
