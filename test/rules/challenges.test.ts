// Challenges: windows by local dates, what counts in them, and what completing them gives.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { parseDate, toDateText } from '../../src/rules/calendar.ts'
import { questHash } from '../../src/rules/challenge.ts'
import { endingWindows, isEnrolled } from '../../src/rules/challenge-windows.ts'
import { settled } from '../../src/rules/settle.ts'
import type { QuestState, UserState } from '../../src/rules/state.ts'
import { given, type Said } from '../support/given.ts'

const base = {
  metrics: { pages: { name: 'Pages' }, sessions: { name: 'Sessions' } },
  streak: { frequency: 'daily', metrics: { pages: {} }, freezes: { max: 3 } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'pages', threshold: 1_000, points: 1 }],
      levels: { gold: { name: 'Gold', points: 100 } },
    },
  },
} as const

const gameOf = (challenges: object, achievements: object = {}) =>
  defineGame({
    ...base,
    achievements: { gift: { name: 'Gift', trigger: 'api' }, ...achievements },
    challenges,
  } as never).rules

const read = (at: string, value: number, rest: Partial<Said> = {}): Said => ({ at, metric: 'pages', value, ...rest })

function questsOf(state: UserState, challenge: string): readonly (QuestState & { readonly window: string })[] {
  const windows = state.challenges.get(challenge)?.windows ?? []
  return windows.flatMap(({ start, quests }) => quests.map((quest) => ({ ...quest, window: toDateText(start) })))
}

const completedIn = (state: UserState, challenge: string): readonly string[] =>
  questsOf(state, challenge).flatMap(({ window, completedAt }) => (completedAt === null ? [] : [window]))

const pointsOf = ({ points }: UserState): number => points.get('xp')?.total ?? 0

describe('A challenge with dates', () => {
  const june = gameOf({
    june: {
      name: 'June',
      of: [{ metric: 'pages', value: 500 }],
      start: '2026-06-01',
      end: '2026-06-30',
      reward: { points: { xp: 100 }, achievement: 'gift', freezes: 2 },
    },
  })

  test('counts from its first local date to its last', () => {
    const { state } = given(june, [
      read('2026-05-31T21:59:00.000Z', 400, { profile: { tz: 'Europe/Berlin' } }),
      read('2026-05-31T22:00:00.000Z', 200),
      read('2026-06-30T21:59:00.000Z', 299),
      read('2026-06-30T22:00:00.000Z', 400),
    ])
    expect(questsOf(state, 'june').map(({ counts }) => [...counts.values()])).toEqual([[{ total: 499, highest: 499 }]])
  })

  test('gives its reward with the event that completes it, once', () => {
    const { state, states } = given(june, [
      read('2026-06-02T12:00:00.000Z', 499),
      read('2026-06-03T12:00:00.000Z', 1),
      read('2026-06-04T12:00:00.000Z', 499),
    ])
    expect(states.map(pointsOf)).toEqual([0, 100, 100])
    expect(states.map(({ completions }) => completions.has('gift'))).toEqual([false, true, true])
    expect(state.freezes?.count).toBe(2)
    expect(state.totals.get('challenge:june')).toEqual({ total: 1, highest: 1 })
  })
})

describe('A challenge of every day', () => {
  const daily = gameOf(
    { daily: { name: 'Daily', every: 'day', of: [{ metric: 'pages', value: 20 }], reward: { points: { xp: 10 } } } },
    { regular: { name: 'Regular', trigger: 'metric', metric: 'challenge:daily', value: 2 } },
  )

  test('begins anew on each date, and what was done yesterday is not done today', () => {
    const { states } = given(daily, [
      read('2026-06-01T12:00:00.000Z', 25),
      read('2026-06-02T12:00:00.000Z', 15),
      read('2026-06-02T13:00:00.000Z', 5),
    ])
    expect(states.map(pointsOf)).toEqual([10, 10, 20])
    expect(completedIn(states[2]!, 'daily')).toEqual(['2026-06-01', '2026-06-02'])
  })

  test('counts its completed windows as a metric', () => {
    const { states } = given(daily, [read('2026-06-01T12:00:00.000Z', 25), read('2026-06-02T12:00:00.000Z', 25)])
    expect(states.map(({ completions }) => completions.has('regular'))).toEqual([false, true])
  })

  test('has the window of a date once, however often the user moves over midnight', () => {
    const { state } = given(daily, [
      read('2026-06-01T12:00:00.000Z', 25, { profile: { tz: 'Pacific/Kiritimati' } }),
      read('2026-06-01T13:00:00.000Z', 25, { profile: { tz: 'Pacific/Niue' } }),
      read('2026-06-01T14:00:00.000Z', 25, { profile: { tz: 'Pacific/Kiritimati' } }),
      read('2026-06-02T12:00:00.000Z', 25, { profile: { tz: 'UTC' } }),
    ])
    expect(completedIn(state, 'daily')).toEqual(['2026-06-01', '2026-06-02'])
    expect(pointsOf(state)).toBe(20)
  })

  test('keeps no more than three windows in the state', () => {
    const dates = Array.from({ length: 30 }, (_, day) =>
      read(`2026-06-${String(day + 1).padStart(2, '0')}T12:00:00.000Z`, 20),
    )
    const { state } = given(daily, dates)
    expect(completedIn(state, 'daily')).toEqual(['2026-06-28', '2026-06-29', '2026-06-30'])
    expect(state.totals.get('challenge:daily')?.total).toBe(30)
  })
})

test('A week begins as the game says, and a month on its first date', () => {
  const game = gameOf({
    week: { name: 'Week', every: 'week', of: [{ events: 'pages', count: 1 }] },
    month: { name: 'Month', every: 'month', of: [{ events: 'pages', count: 1 }] },
  })
  const { state } = given(game, [read('2026-06-17T12:00:00.000Z', 1)])
  expect([...completedIn(state, 'week'), ...completedIn(state, 'month')]).toEqual(['2026-06-15', '2026-06-01'])
})

test('In order, a step counts only after the one before it is met', () => {
  const game = gameOf({
    tour: {
      name: 'Tour',
      inOrder: true,
      of: [
        { events: 'sessions', count: 1 },
        { metric: 'pages', value: 10 },
      ],
    },
  })
  const { states } = given(game, [
    read('2026-06-01T12:00:00.000Z', 10),
    { at: '2026-06-01T13:00:00.000Z', metric: 'sessions', value: 1 },
    read('2026-06-01T14:00:00.000Z', 10),
  ])
  expect(states.map((state) => completedIn(state, 'tour').length)).toEqual([0, 0, 1])
})

test('A level counts if it was reached before the window', () => {
  const game = gameOf({
    first: { name: 'First', of: [{ metric: 'pages', value: 1 }], reward: { points: { xp: 100 } } },
    rich: { name: 'Rich', every: 'day', of: [{ level: 'xp.gold' }, { metric: 'pages', value: 5 }] },
  })
  const { state } = given(game, [read('2026-06-01T12:00:00.000Z', 1), read('2026-06-02T12:00:00.000Z', 5)])
  expect(completedIn(state, 'rich')).toEqual(['2026-06-02'])
})

describe('A pool', () => {
  const quest = (value: number) => ({ name: `${value}`, of: [{ metric: 'pages', value }] })
  const game = gameOf({
    daily: { name: 'Daily', every: 'day', pick: 2, pool: { a: quest(1), b: quest(1), c: quest(1), d: quest(1) } },
  })

  test('gives each window the quests with the highest hashes', () => {
    const { state } = given(game, [read('2026-06-01T12:00:00.000Z', 1)])
    const hashes = ['a', 'b', 'c', 'd'].map((key) => [key, questHash('', 'daily', '2026-06-01', key)] as const)
    const highest = hashes.sort(([, left], [, right]) => right - left).slice(0, 2)
    expect(questsOf(state, 'daily').map(({ quest }) => quest)).toEqual(highest.map(([key]) => key))
    expect(state.totals.get('challenge:daily')?.total).toBe(2)
  })

  test('the hash is FNV-1a with the last step of MurmurHash3', () => {
    expect(questHash('18', 'daily', '2026-06-01', 'p20')).toBe(3_419_737_628)
  })

  test('gives 10,000 users each quest about equally often', () => {
    const counts = new Map<string, number>()
    for (let user = 0; user < 10_000; user += 1) {
      const [first] = ['a', 'b', 'c', 'd', 'e'].sort(
        (left, right) =>
          questHash(`${user}`, 'daily', '2026-06-01', right) - questHash(`${user}`, 'daily', '2026-06-01', left),
      )
      counts.set(first!, (counts.get(first!) ?? 0) + 1)
    }
    const squares = [...counts.values()].map((count) => (count - 2_000) ** 2 / 2_000)
    // 18.5 is the value of chi-squared that four degrees of freedom exceed once in a thousand times.
    expect(squares.reduce((sum, each) => sum + each, 0)).toBeLessThan(18.5)
  })
})

describe('A reroll', () => {
  const replaced = (at: string, challenge: string, quest: string): Said => ({
    at,
    body: { kind: 'challengeReplaced', challenge, quest, idempotencyKey: null } as never,
  })
  const pool = (of: object) =>
    Object.fromEntries(['a', 'b', 'c'].map((key) => [key, { name: key, of: [of, { metric: 'pages', value: 1_000 }] }]))

  test('replaces a quest of an enrolment, after which nothing has counted', () => {
    const of = { metric: 'pages', value: 5 }
    const game = gameOf({ join: { name: 'Join', enrol: 'manual', pick: 1, rerolls: 1, pool: pool(of) } })
    const enrolled: Said = {
      at: '2026-06-01T12:00:00.000Z',
      body: { kind: 'challengeEnrolled', challenge: 'join' },
    }
    const { state } = given(game, [enrolled])
    const [first] = state.challenges.get('join')!.windows[0]!.picked
    const { state: after } = given(game, [enrolled, replaced('2026-06-01T13:00:00.000Z', 'join', first!)])
    const [window] = after.challenges.get('join')!.windows
    expect(window).toMatchObject({ rerolls: 1, quests: [] })
    expect(window?.picked).not.toEqual([first])
  })

  test('replaces a quest of which a criterion was met before, and its row is gone', () => {
    const game = gameOf({
      first: { name: 'First', of: [{ metric: 'pages', value: 1 }], reward: { points: { xp: 100 } } },
      daily: { name: 'Daily', every: 'day', pick: 1, rerolls: 1, pool: pool({ level: 'xp.gold' }) },
    })
    const rich = [
      read('2026-06-01T12:00:00.000Z', 1),
      { at: '2026-06-02T12:00:00.000Z', isProfileOnly: true, profile: { tz: 'UTC' } },
    ]
    const [met] = questsOf(given(game, rich).state, 'daily').filter(({ window }) => window === '2026-06-02')
    expect(met?.met).toHaveLength(1)
    const { state, changes } = given(game, [...rich, replaced('2026-06-02T13:00:00.000Z', 'daily', met!.quest)])
    const window = state.challenges.get('daily')!.windows.at(-1)
    expect(window?.rerolls).toBe(1)
    expect(window?.quests.map(({ quest }) => quest)).toEqual(window?.picked)
    expect(window?.picked).not.toEqual([met!.quest])
    expect(changes.at(-1)).toContainEqual({
      type: 'challengeAbandoned',
      mark: expect.objectContaining({ quest: met!.quest, challenge: 'daily' }),
    })
  })
})

describe('The end of a window causes a message', () => {
  const ending = { before: { hours: 3 } }
  const [one, two] = ['a', 'b'].map((name) => ({ name, of: [{ metric: 'pages', value: 5 }] }))
  const join = { name: 'Join', enrol: 'manual', within: { days: 3 }, pick: 2, rerolls: 1, pool: { one, two }, ending }
  const fair = (end: string) => gameOf({ fair: { name: 'Fair', end, of: [{ metric: 'pages', value: 5 }], ending } })
  const about = (at: string, kind: 'challengeEnrolled' | 'challengeAbandoned'): Said => ({
    at,
    body: { kind, challenge: 'join' },
  })
  const endsOf = (game: ReturnType<typeof gameOf>, said: readonly Said[]) =>
    endingWindows(game, given(game, said).state).map(({ ends }) => new Date(ends).toISOString())

  test('to a user who has enrolled, but not after the enrolment is abandoned', () => {
    const game = gameOf({ join: { ...join, pool: { one, two: { name: 'b', of: [{ metric: 'pages', value: 9 }] } } } })
    const enrolled = about('2026-06-01T12:00:00.000Z', 'challengeEnrolled')
    expect(endsOf(game, [enrolled])).toEqual(['2026-06-04T00:00:00.000Z'])
    const left = about('2026-06-01T14:00:00.000Z', 'challengeAbandoned')
    expect(endsOf(game, [enrolled, read('2026-06-01T13:00:00.000Z', 6)])).toEqual(['2026-06-04T00:00:00.000Z'])
    expect(endsOf(game, [enrolled, read('2026-06-01T13:00:00.000Z', 6), left])).toEqual([])
  })

  test('at the end that the newest game gives it', () => {
    const begun = read('2026-06-01T12:00:00.000Z', 1)
    const { state } = given(fair('2026-06-10'), [begun])
    expect(endingWindows(fair('2026-06-05'), state)).toMatchObject([{ ends: Date.parse('2026-06-06T00:00:00.000Z') }])
  })

  test('not if nothing but a reroll has happened in it', () => {
    const pool = { one, two, three: { name: 'c', of: [{ metric: 'pages', value: 5 }] } }
    const game = gameOf({ daily: { name: 'Daily', every: 'day', pick: 1, rerolls: 2, pool, ending } })
    const rerolls = ['one', 'two', 'three'].map(
      (quest): Said => ({
        at: '2026-06-01T12:00:00.000Z',
        body: { kind: 'challengeReplaced', challenge: 'daily', quest, idempotencyKey: null } as never,
      }),
    )
    expect(given(game, rerolls).state.challenges.get('daily')?.windows).toHaveLength(1)
    expect(endsOf(game, rerolls)).toEqual([])
  })
})

describe('An enrolment', () => {
  const game = gameOf({
    sprint: {
      name: 'Sprint',
      of: [{ metric: 'pages', value: 100 }],
      enrol: 'manual',
      within: { days: 7 },
      claim: { within: { days: 2 } },
      reward: { points: { xp: 50 } },
    },
  })
  const about = (at: string, kind: 'challengeEnrolled' | 'challengeAbandoned'): Said => ({
    at,
    body: { kind, challenge: 'sprint' },
  })
  const claim = (at: string): Said => ({ at, body: { kind: 'challengeClaimed', challenge: 'sprint', quest: '' } })

  test('begins a window of so many dates', () => {
    const { state } = given(game, [
      read('2026-06-01T12:00:00.000Z', 100),
      about('2026-06-02T12:00:00.000Z', 'challengeEnrolled'),
      read('2026-06-08T12:00:00.000Z', 60),
      read('2026-06-09T12:00:00.000Z', 60),
    ])
    const [window] = state.challenges.get('sprint')!.windows
    expect([toDateText(window!.start), toDateText(window!.end!)]).toEqual(['2026-06-02', '2026-06-08'])
    expect(questsOf(state, 'sprint').map(({ counts }) => [...counts.values()][0]?.total)).toEqual([60])
  })

  test('is not one without a window', () => {
    const state = given(game, [read('2026-06-01T12:00:00.000Z', 1)]).state
    const known = new Map([['sprint', { enrolledAt: Date.parse('2026-06-01T12:00:00.000Z'), windows: [] }]])
    expect(isEnrolled({ ...state, challenges: known }, game.challenges.get('sprint')!, 20_605)).toBe(false)
  })

  test('is over once it is abandoned', () => {
    const { state } = given(game, [
      about('2026-06-02T12:00:00.000Z', 'challengeEnrolled'),
      read('2026-06-02T13:00:00.000Z', 60),
      about('2026-06-02T14:00:00.000Z', 'challengeAbandoned'),
      read('2026-06-02T15:00:00.000Z', 60),
    ])
    expect(state.challenges.get('sprint')).toEqual({ enrolledAt: null, windows: [] })
  })

  const won = [about('2026-06-02T12:00:00.000Z', 'challengeEnrolled'), read('2026-06-03T12:00:00.000Z', 100)]

  test('waits for the claim of its reward', () => {
    const { states } = given(game, [...won, claim('2026-06-05T12:00:00.000Z'), claim('2026-06-05T13:00:00.000Z')])
    expect(states.map(pointsOf)).toEqual([0, 0, 50, 50])
  })

  test('loses a reward that was not claimed in time', () => {
    const { state } = given(game, won)
    expect(questsOf(state, 'sprint')[0]?.claimUntil).toBe(parseDate('2026-06-05'))
    const later = settled(game, state, Date.parse('2026-06-06T00:00:00.000Z'))
    expect(questsOf(later, 'sprint').map(({ claimUntil, claimedAt }) => [claimUntil, claimedAt])).toEqual([
      [null, null],
    ])
  })
})
