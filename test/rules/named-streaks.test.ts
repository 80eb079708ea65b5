// Several streaks of one user. That a named one answers as the game's `streak` does is held by every test that uses
// `openWriter`.

import { describe, expect, test } from 'vitest'
import type { Entry, EntryBody, PersonalStreak } from '../../src/rules/entry.ts'
import { foldLog } from '../../src/rules/fold.ts'
import type { Game } from '../../src/rules/game.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { settle, settled } from '../../src/rules/settle.ts'
import type { UserState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'
import { aliveUntil } from '../support/streak-end.ts'

const daily = { frequency: 'daily', metrics: { words: {} } } as const
const ofLaps = { frequency: 'daily', metrics: { laps: {} } } as const
const weekly = { frequency: 'weekly', metrics: { laps: {} } } as const

const lengthOf = (state: UserState, key: string): number | undefined => state.streaks.get(key)?.streak.length

/**
 * The outcome of missed periods until an instant: `gym f` for a freeze, `gym x` for a loss, `-` for the game's streak.
 */
function fates(game: Game, state: UserState, at: string): readonly string[] {
  return settle(game, state, Date.parse(at)).flatMap((change) => {
    if (change.type === 'streakFrozen') return [`${change.key ?? '-'} f`]
    return change.type === 'streakLost' ? [`${change.key ?? '-'} x`] : []
  })
}

describe('A named streak', () => {
  test('goes on by its own metrics and periods, whatever the others do', () => {
    const game = rules({ streak: daily, streaks: { gym: weekly } })
    const { states } = given(game, [
      { at: '2026-03-02T12:00Z' },
      { at: '2026-03-03T12:00Z' },
      { at: '2026-03-03T13:00Z', metric: 'laps' },
      { at: '2026-03-04T12:00Z' },
      { at: '2026-03-10T12:00Z', metric: 'laps' },
    ])
    expect(states.map(({ streak }) => streak.length)).toEqual([1, 2, 2, 3, 0])
    expect(states.map((state) => lengthOf(state, 'gym'))).toEqual([0, 0, 1, 1, 2])
  })

  test('is there in a game that has no other', () => {
    const game = rules({ streaks: { gym: ofLaps } })
    const { state } = given(game, [{ at: '2026-03-02T12:00Z', metric: 'laps' }])
    expect([state.streak.length, lengthOf(state, 'gym')]).toEqual([0, 1])
  })

  test('is off with all others where the user wants no streak, and begins at 0', () => {
    const game = rules({ streak: daily, streaks: { gym: ofLaps } })
    const wish = (enabled: boolean): EntryBody => ({
      kind: 'preferencesChanged',
      notifications: new Map(),
      streak: { enabled },
    })
    const said = ['02', '03'].map((day): Said => ({ at: `2026-03-${day}T12:00Z`, metric: 'laps' }))
    const entries = [
      ...said.map(toEntry),
      entry('2026-03-03T13:00Z', 3, wish(false)),
      toEntry({ at: '2026-03-03T14:00Z', metric: 'laps' }, 3),
    ]
    const off = foldLog(new Map([[1, game]]), entries)
    expect(off?.streaks.get('gym')?.streak).toMatchObject({ length: 0, longest: 2, open: [] })
    const on = foldLog(new Map([[1, game]]), [
      ...entries,
      entry('2026-03-03T15:00Z', 5, wish(true)),
      toEntry({ at: '2026-03-03T16:00Z', metric: 'laps' }, 5),
    ])
    expect(on?.streaks.get('gym')?.streak).toMatchObject({ length: 1, longest: 2 })
  })

  test('has the own metrics and mode of a user where the game lets users have them', () => {
    const metrics = { words: {}, laps: {} } as const
    const both = { frequency: 'daily', evaluationMode: 'AND', metrics, customization: true } as const
    const lengthsWith = (streak: PersonalStreak, customization = true) => {
      const wish = entry('2026-03-02T12:00Z', 1, { kind: 'preferencesChanged', notifications: new Map(), streak })
      const game = rules({ streak: { ...both, customization } })
      const said: readonly Said[] = [
        { at: '2026-03-02T13:00Z', metric: 'laps' },
        { at: '2026-03-02T14:00Z', metric: 'words' },
      ]
      const log = [wish, ...said.map((each, index) => toEntry(each, index + 1))]
      const lengths: number[] = []
      foldLog(new Map([[1, game]]), log, (_, { state }) => lengths.push(state.streak.length))
      return lengths
    }
    expect(lengthsWith({})).toEqual([0, 0, 1])
    expect(lengthsWith({ evaluationMode: 'OR' })).toEqual([0, 1, 1])
    expect(lengthsWith({ evaluationMode: 'OR' }, false)).toEqual([0, 0, 1])
    const own = new Map([
      ['laps', null],
      ['words', 5],
    ])
    expect(lengthsWith({ metrics: own })).toEqual([0, 1, 1])
    expect(lengthsWith({ metrics: own, evaluationMode: 'AND' })).toEqual([0, 0, 0])
  })

  test('is kept in order of the keys, whichever came first', () => {
    const each = { frequency: 'daily', metrics: { words: {} } } as const
    const game = rules({ streaks: { b: ofLaps, '\u{1F600}': each, '\uE000': ofLaps, a: each } })
    const { state } = given(game, [{ at: '2026-03-02T12:00Z' }, { at: '2026-03-02T13:00Z', metric: 'laps' }])
    expect([...state.streaks.keys()]).toEqual(['a', 'b', '\uE000', '\u{1F600}'])
  })
})

describe('Pauses', () => {
  test('hold for all streaks of the user', () => {
    const game = rules({ streak: daily, streaks: { gym: ofLaps } })
    const pause: EntryBody = { kind: 'pauseCreated', start: 20_516, end: 20_517 }
    const entries = [
      toEntry({ at: '2026-03-02T12:00Z' }, 0),
      toEntry({ at: '2026-03-02T13:00Z', metric: 'laps' }, 1),
      entry('2026-03-03T12:00Z', 3, pause),
      toEntry({ at: '2026-03-03T13:00Z', metric: 'laps' }, 3),
      toEntry({ at: '2026-03-03T13:00Z' }, 4),
    ]
    const state = foldLog(new Map([[1, game]]), entries) ?? null
    if (state === null) throw new RangeError('Nothing happened')
    const later = settled(game, state, Date.parse('2026-03-06T12:00Z'))
    expect([later.streak.length, lengthOf(later, 'gym')]).toEqual([2, 2])
    // The 4th and the 5th were paused; the 6th is over.
    const lost = settled(game, state, Date.parse('2026-03-07T12:00Z'))
    expect([lost.streak.length, lengthOf(lost, 'gym')]).toEqual([0, 0])
  })
})

describe('Freezes of its own', () => {
  const game = rules({
    streak: { ...daily, freezes: { initial: 1, max: 1 } },
    streaks: { gym: { ...ofLaps, freezes: { initial: 2, max: 3, autoEarn: { interval: 10 } } } },
  })
  const { state } = given(game, [{ at: '2026-03-02T12:00Z' }, { at: '2026-03-02T13:00Z', metric: 'laps' }])

  test('are consumed for it alone', () => {
    expect(state.freezes).toEqual({ count: 1, nextEarned: null })
    // March 12th.
    expect(state.streaks.get('gym')?.freezes).toEqual({ count: 2, nextEarned: 20_524 })
    expect(fates(game, state, '2026-03-06T12:00Z')).toEqual(['- f', '- x', 'gym f', 'gym f', 'gym x'])
  })

  test('are given to it by its name', () => {
    const grant = entry('2026-03-02T14:00Z', 3, { kind: 'freezesGranted', count: 1, streakKey: 'gym' })
    expect(refuse(game, state, grant)).toBeNull()
    const said = [{ at: '2026-03-02T12:00Z' }, { at: '2026-03-02T13:00Z', metric: 'laps' }]
    const after = foldLog(new Map([[1, game]]), [...said.map(toEntry), grant])
    expect([after?.freezes?.count, after?.streaks.get('gym')?.freezes?.count]).toEqual([1, 3])
    const full = entry('2026-03-02T14:00Z', 3, { kind: 'freezesGranted', count: 2, streakKey: 'gym' })
    expect(refuse(game, state, full)).toMatchObject({
      code: 'streak_freezes_full',
      message: 'The user has 2 streak freezes, and 3 are the most: so no more are given.',
    })
  })

  test('cannot be given to a streak that shares, has none or is not there', () => {
    const other = rules({
      streak: { ...daily, freezes: { max: 1 } },
      streaks: { gym: { ...ofLaps, freezes: 'shared' }, walk: ofLaps },
    })
    const refused = (streakKey: string): string | undefined =>
      refuse(other, state, entry('2026-03-02T14:00Z', 3, { kind: 'freezesGranted', count: 1, streakKey }))?.message
    expect(refused('gym')).toBe('The streak "gym" shares the freezes of streak: leave its name out.')
    expect(refused('walk')).toBe('The game has no streak freezes: add freezes of the streak "walk" to the game.')
    expect(refused('gmy')).toBe('Unknown streak "gmy": the game has "gym", "walk".')
  })
})

describe('Shared freezes', () => {
  const game = rules({
    streak: { ...daily, freezes: { initial: 2, max: 5 } },
    streaks: { walk: { ...ofLaps, freezes: 'shared' }, gym: { ...ofLaps, freezes: 'shared' } },
  })
  const both: readonly Said[] = [{ at: '2026-03-02T12:00Z' }, { at: '2026-03-02T13:00Z', metric: 'laps' }]

  test("go to the game's streak first where days end at one instant, then in order of key", () => {
    const { state } = given(game, both)
    // Two for the three of them on the 3rd: the last by its key has none.
    expect(fates(game, state, '2026-03-04T12:00Z')).toEqual(['- f', 'gym f', 'walk x'])
    expect(fates(game, state, '2026-03-05T12:00Z')).toEqual(['- f', 'gym f', 'walk x', '- x', 'gym x'])
    expect(settled(game, state, Date.parse('2026-03-04T12:00Z')).freezes).toEqual({ count: 0, nextEarned: null })
    expect(state.streaks.get('gym')?.freezes).toBeNull()
  })

  test('go to the period that ended first, however late it is looked at', () => {
    const mixed = rules({
      streak: { frequency: 'monthly', metrics: { words: {} }, freezes: { initial: 3, max: 5 } },
      streaks: { a: { ...weekly, freezes: 'shared' }, b: { ...ofLaps, freezes: 'shared' } },
    })
    const { state } = given(mixed, [{ at: '2026-03-16T12:00Z' }, { at: '2026-03-25T12:00Z', metric: 'laps' }])
    // The 26th, 27th and 28th are missed by b; the week of a ends on April 5th, the month of the game's on April 30th.
    expect(fates(mixed, state, '2026-06-06T12:00Z')).toEqual(['b f', 'b f', 'b f', 'b x', 'a x', '- x'])
    const more = rules({
      streak: { frequency: 'monthly', metrics: { words: {} }, freezes: { initial: 3, max: 5 } },
      streaks: { a: { ...weekly, freezes: 'shared' } },
    })
    const slow = given(more, [{ at: '2026-03-16T12:00Z' }, { at: '2026-03-25T12:00Z', metric: 'laps' }]).state
    // Weeks end on April 5th, 12th, 19th and 26th; what is left for the month is nothing.
    expect(fates(more, slow, '2026-06-06T12:00Z')).toEqual(['a f', 'a f', 'a f', 'a x', '- x'])
  })

  test('of a date that the zone left out end with the day before it: the weekly streak of the game comes first', () => {
    const shared = rules({
      weekStartsOn: 'sunday',
      streak: { frequency: 'weekly', metrics: { words: {} }, freezes: { initial: 1, max: 1 } },
      streaks: { gym: { ...ofLaps, freezes: 'shared' } },
    })
    // Kwajalein has no Saturday 1993-08-21: Friday and the week end at the same midnight.
    const { state } = given(shared, [
      { at: '1993-08-13T00:00Z', profile: { tz: 'Pacific/Kwajalein' } },
      { at: '1993-08-20T11:00Z', metric: 'laps' },
    ])
    expect(fates(shared, state, '1993-08-23T12:00Z')).toEqual(['- f', 'gym x'])
  })

  test('are earned once for all, and a zone change moves them once', () => {
    const earning = rules({
      streak: { ...daily, freezes: { initial: 0, max: 5, autoEarn: { interval: 2 } } },
      streaks: { gym: { ...ofLaps, freezes: 'shared' } },
    })
    const { states } = given(earning, [
      { at: '2026-03-02T20:00Z', profile: { tz: 'Pacific/Honolulu' } },
      { at: '2026-03-02T21:00Z', isProfileOnly: true, profile: { tz: 'Pacific/Kiritimati' } },
      { at: '2026-03-05T21:00Z' },
    ])
    // The 4th, a day later in Kiritimati; then two days on.
    expect(states.map(({ freezes }) => freezes)).toEqual([
      { count: 0, nextEarned: 20_516 },
      { count: 0, nextEarned: 20_517 },
      { count: 1, nextEarned: 20_519 },
    ])
  })
})

describe('How long a streak with shared freezes lasts', () => {
  const open = (initial: number, laps: string): [Game, UserState] => {
    const game = rules({
      streak: { ...daily, freezes: { initial, max: 5 } },
      streaks: { gym: { ...ofLaps, freezes: 'shared' } },
    })
    const { state } = given(game, [{ at: '2026-03-02T12:00Z' }, { at: laps, metric: 'laps' }])
    return [game, state]
  }
  const until = (game: Game, state: UserState, key: string | null): string | null => {
    const at = aliveUntil(game, state, key === null ? game.streak : (game.streaks.get(key) ?? null))
    return at === null ? null : new Date(at).toISOString()
  }

  test('counts what the others take before it', () => {
    const [game, state] = open(3, '2026-03-02T13:00Z')
    // The 3rd takes two, the 4th one: for the game's streak.
    expect(until(game, state, null)).toBe('2026-03-06T00:00:00.000Z')
    expect(until(game, state, 'gym')).toBe('2026-03-05T00:00:00.000Z')
  })

  test('is as long as it will prove to be', () => {
    for (const initial of [0, 1, 2, 3, 4, 5]) {
      const [game, state] = open(initial, '2026-03-03T13:00Z')
      for (const key of [null, 'gym']) {
        const end = Date.parse(until(game, state, key) ?? '')
        const length = (at: number): number | undefined => {
          const then = settled(game, state, at)
          return key === null ? then.streak.length : lengthOf(then, key)
        }
        if (length(state.at) === 0) continue
        expect([length(end - 1), length(end)]).toEqual([1, 0])
      }
    }
  })

  test('has no end where more are earned than all of them can take, and one where fewer are', () => {
    const earning = (amount: number): Game =>
      rules({
        streak: { ...daily, freezes: { initial: 2, max: 5, autoEarn: { interval: 1, amount } } },
        streaks: { gym: { ...ofLaps, freezes: 'shared' } },
      })
    const said = [{ at: '2026-03-02T12:00Z' }, { at: '2026-03-02T13:00Z', metric: 'laps' }]
    const lasting = earning(2)
    expect(until(lasting, given(lasting, said).state, 'gym')).toBeNull()
    const ending = earning(1)
    // 3 for two, 2 for two, 1 for the game's alone.
    expect(until(ending, given(ending, said).state, 'gym')).toBe('2026-03-06T00:00:00.000Z')
  })
})

describe('A restore', () => {
  const game = rules({ streak: daily, streaks: { gym: ofLaps } })
  const said = ['02', '03'].flatMap((day): Said[] => [
    { at: `2026-03-${day}T12:00Z` },
    { at: `2026-03-${day}T12:00Z`, metric: 'laps' },
  ])
  const restored = (streakKey?: string): UserState | null => {
    const body: EntryBody = { kind: 'streakRestored', ...(streakKey === undefined ? {} : { streakKey }) }
    return foldLog(new Map([[1, game]]), [...said.map(toEntry), entry('2026-03-08T12:00Z', 5, body)])
  }

  test('of a streak that is gone by a later game does nothing, and is refused where it is asked for', () => {
    const { state } = given(game, said)
    const body: EntryBody = { kind: 'streakRestored', streakKey: 'gmy' }
    expect(refuse(game, state, entry('2026-03-08T12:00Z', 5, body))).toEqual({
      code: 'unknown_streak',
      message: 'Unknown streak "gmy": the game has "gym".',
    })
    expect(restored('gmy')?.streak.length).toBe(0)
    const named = rules({ streaks: { gym: ofLaps } })
    expect(refuse(named, state, entry('2026-03-08T12:00Z', 5, { kind: 'streakRestored' }))?.code).toBe(
      'streak_disabled',
    )
  })
})

describe('Achievements and triggers', () => {
  const game = rules({
    streak: daily,
    streaks: { gym: ofLaps },
    achievements: {
      fit: { name: 'Fit', trigger: 'streak', length: 2, streak: 'gym' },
      keen: { name: 'Keen', trigger: 'streak', length: 2 },
    },
    points: {
      xp: {
        name: 'XP',
        triggers: [
          { type: 'streak', length: 2, points: 10 },
          { type: 'streak', length: 2, points: 1, streak: 'gym' },
        ],
      },
    },
  })

  test('look at the streak that they name', () => {
    const { states } = given(game, [
      { at: '2026-03-02T12:00Z' },
      { at: '2026-03-02T13:00Z', metric: 'laps' },
      { at: '2026-03-03T12:00Z', metric: 'laps' },
      { at: '2026-03-03T13:00Z' },
      { at: '2026-03-03T14:00Z' },
    ])
    expect(states.map(({ completions }) => [...completions.keys()])).toEqual([
      [],
      [],
      ['fit'],
      ['fit', 'keen'],
      ['fit', 'keen'],
    ])
    expect(states.map(({ points }) => points.get('xp')?.total ?? 0)).toEqual([0, 0, 1, 11, 11])
  })
})

describe('Under a newer game', () => {
  const first = rules({ streaks: { gym: { ...ofLaps, freezes: { initial: 1, max: 2 } }, walk: ofLaps } })
  const said: readonly Said[] = [
    { at: '2026-03-02T12:00Z', metric: 'laps' },
    { at: '2026-03-03T12:00Z', metric: 'laps' },
  ]
  const then = (newer: Game): UserState => given([first, newer], [...said, { at: '2026-03-03T13:00Z', epoch: 2 }]).state

  test('a streak under the same periods goes on, and one with other periods begins anew', () => {
    const state = then(rules({ streaks: { gym: { ...ofLaps, freezes: { max: 2 } }, walk: weekly } }))
    expect([lengthOf(state, 'gym'), lengthOf(state, 'walk')]).toEqual([2, 0])
    expect(state.streaks.get('walk')?.streak.longest).toBe(2)
    expect(state.streaks.get('gym')?.freezes).toEqual({ count: 1, nextEarned: null })
  })

  test('one that is gone keeps its longest and its freezes', () => {
    const gone = rules({ streak: daily, streaks: { swim: ofLaps } })
    const state = then(gone)
    expect(state.streaks.get('gym')).toMatchObject({
      streak: { length: 0, longest: 2 },
      freezes: { count: 1, nextEarned: null },
    })
    const back = given(
      [first, gone, first],
      [...said, { at: '2026-03-03T13:00Z', epoch: 2 }, { at: '2026-03-04T12:00Z', metric: 'laps', epoch: 3 }],
    ).state
    expect(back.streaks.get('gym')).toMatchObject({ streak: { length: 1, longest: 2 }, freezes: { count: 1 } })
  })

  test('freezes that become shared stay aside, and one that is new begins with what the game gives', () => {
    const state = then(
      rules({
        streak: { ...daily, freezes: { initial: 3, max: 3 } },
        streaks: {
          gym: { ...ofLaps, freezes: 'shared' },
          swim: { ...ofLaps, freezes: { initial: 1, max: 1, autoEarn: { interval: 5 } } },
        },
      }),
    )
    expect(state.freezes?.count).toBe(3)
    expect(state.streaks.get('gym')?.freezes).toEqual({ count: 1, nextEarned: null })
    // March 8th.
    expect(state.streaks.get('swim')?.freezes).toEqual({ count: 1, nextEarned: 20_520 })
  })
})

function entry(at: string, seq: number, body: EntryBody): Entry {
  const { kind: _, ...base } = toEntry({ at, isProfileOnly: true }, seq - 1)
  return { ...base, ...body } as Entry
}
