// The one idea: all that is known about a user follows from the log.

import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/rules/entry.ts'
import { evolve } from '../../src/rules/evolve.ts'
import { dateEntry, decideEntry, foldLog } from '../../src/rules/fold.ts'
import { refuse } from '../../src/rules/refuse.ts'
import { emptyState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

const game = rules({
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10 },
    joined: { name: 'Joined', trigger: 'api' },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'joined'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { type: 'user_creation', points: 1 },
        { type: 'metric', metric: 'words', threshold: 5, points: 10 },
        { type: 'achievement', achievement: 'both', points: 100 },
      ],
    },
  },
  streak: { frequency: 'daily', metrics: { words: {} } },
})

const history: readonly Said[] = [
  { at: '2026-03-08T12:00:00Z', profile: { tz: 'Europe/London', email: 'ann@example.org' }, isProfileOnly: true },
  { at: '2026-03-08T13:00:00Z', value: 4 },
  { at: '2026-03-09T13:00:00Z', value: 6, attributes: { source: 'web' } },
  { at: '2026-03-09T13:00:00Z', claims: 'joined' },
  { at: '2026-03-10T13:00:00Z', value: -2, profile: { tz: null, attributes: new Map([['plan', 'pro']]) } },
  { at: '2026-03-10T14:00:00Z', metric: 'laps', value: 0.5 },
]

describe('A log', () => {
  test('that is empty says nothing', () => {
    expect(foldLog(new Map([[1, game]]), [])).toBeNull()
  })

  test('says everything, worked out by hand', () => {
    const { state } = given(game, history)
    expect(state).toMatchObject({
      seq: 6,
      at: Date.parse('2026-03-10T14:00:00Z'),
      epoch: 1,
      created: Date.parse('2026-03-08T12:00:00Z'),
      updated: Date.parse('2026-03-10T13:00:00Z'),
      profile: { email: 'ann@example.org', name: null, tz: null, attributes: new Map([['plan', 'pro']]) },
      totals: new Map([
        ['words', { total: 8, highest: 10 }],
        ['laps', { total: 0.5, highest: 0.5 }],
      ]),
      points: new Map([['xp', { total: 121, level: null }]]),
    })
    expect(new Map([...state.completions].map(([key, { entryId }]) => [key, entryId]))).toEqual(
      new Map([
        ['ten', 'entry-3'],
        ['joined', 'entry-4'],
        ['both', 'entry-4'],
      ]),
    )
    expect(state.streak).toMatchObject({ length: 2, longest: 2 })
  })

  test('says the same each time, and nothing that was said before is touched', () => {
    const first = given(game, history)
    const copy = structuredClone(first.states)
    const second = given(game, history)
    expect(second).toEqual(first)
    expect(first.states).toEqual(copy)
  })

  test('is folded entry by entry to the same end, and its changes alone lead there', () => {
    const games = new Map([[1, game]])
    const { state, states } = given(game, history)
    let alone = emptyState(Date.parse(history[0]!.at), 1)
    let replayed = alone
    for (const [index, entry] of history.map(toEntry).entries()) {
      const step = decideEntry(games, alone, dateEntry(alone, entry))
      replayed = step.changes.reduce(evolve, replayed)
      alone = step.state
      expect(alone).toEqual(states[index])
      expect(replayed).toEqual(alone)
    }
    expect(alone).toEqual(state)
  })

  test('names a game that is not there: that is thrown', () => {
    expect(() => given(game, [{ at: '2026-03-08T12:00:00Z', epoch: 2 }])).toThrow(RangeError)
  })

  test('of a merged user names the user that goes on, and nothing else', () => {
    const merged: Entry = {
      ...toEntry({ at: '2026-03-08T12:00:00Z', isProfileOnly: true }, 0),
      kind: 'userMerged',
      into: 'ann',
    }
    const { changes, state } = decideEntry(new Map([[1, game]]), emptyState(merged.at, 1), merged)
    expect(changes).toEqual([
      { type: 'userMerged', into: 'ann' },
      { type: 'entryAppended', seq: 1, at: Date.parse('2026-03-08T12:00:00Z') },
    ])
    expect([state.mergedInto, state.seq]).toEqual(['ann', 1])
  })

  test('lets no time pass with a voided event or a void', () => {
    const { state } = given(game, [{ at: '2026-03-08T12:00:00Z' }])
    const said = { at: '2026-03-20T12:00:00Z' }
    const event = { ...toEntry(said, 1), voidedBy: 'entry-3' }
    const voiding: Entry = {
      ...toEntry({ ...said, isProfileOnly: true }, 1),
      kind: 'eventVoided',
      event: 'entry-1',
      reason: null,
      revokes: false,
    }
    for (const entry of [event, voiding]) {
      const step = decideEntry(new Map([[1, game]]), state, dateEntry(state, entry))
      expect(step.changes).toEqual([{ type: 'entryAppended', seq: 2, at: Date.parse(said.at) }])
      expect(step.state).toEqual({ ...state, seq: 2, at: Date.parse(said.at) })
    }
  })
})

describe('The date of an entry', () => {
  const at = Date.parse('2026-03-08T23:30:00Z')
  const london = { ...emptyState(at, 1), profile: { ...emptyState(at, 1).profile, tz: 'Europe/London' } }

  test('is kept where it was dated in the zone that is in force, whatever the runtime thinks of the zone', () => {
    const odd = { ...toEntry({ at: '2026-03-08T23:30:00Z' }, 0), dating: { zone: 'Europe/London', date: 7, time: 5 } }
    expect(dateEntry(london, odd)).toBe(odd)
  })

  test('is found anew where another zone is in force, and where the entry itself brings the zone', () => {
    const entry = { ...toEntry({ at: '2026-03-08T23:30:00Z' }, 0), dating: { zone: 'UTC', date: 7, time: 5 } }
    expect(dateEntry(london, entry).dating).toEqual({ zone: 'Europe/London', date: 20_520, time: 84_600_000 })
    const moved = { ...entry, profile: { tz: 'Asia/Tokyo' } }
    expect(dateEntry(london, moved).dating).toEqual({ zone: 'Asia/Tokyo', date: 20_521, time: 30_600_000 })
    const cleared = { ...toEntry({ at: '2026-03-08T23:30:00Z' }, 0), profile: { tz: null } }
    expect(dateEntry(london, cleared).dating).toEqual({ zone: 'UTC', date: 20_520, time: 84_600_000 })
  })
})

describe('A profile', () => {
  const last = (...patches: NonNullable<Said['profile']>[]) =>
    given(
      game,
      patches.map((profile, index) => ({ at: `2026-03-08T12:0${index}:00Z`, profile, isProfileOnly: true })),
    ).state

  test('keeps what is absent, clears what is null, and merges attributes', () => {
    const state = last(
      {
        email: 'a@example.org',
        name: 'Ann',
        tz: 'Europe/London',
        deviceTokens: ['t'],
        attributes: new Map([['plan', 'a']]),
      },
      {},
      { name: null, attributes: new Map() },
      { email: null, deviceTokens: null, tz: null, attributes: new Map([['other', 'b']]) },
    )
    expect(state.profile).toEqual({
      email: null,
      name: null,
      tz: null,
      subscribedToEmails: null,
      signUpDate: null,
      deviceTokens: null,
      attributes: new Map([
        ['plan', 'a'],
        ['other', 'b'],
      ]),
    })
  })

  test('that asserts what is so already is no change', () => {
    const patch = { name: 'Ann', deviceTokens: ['t', 'u'], attributes: new Map([['plan', 'a']]) }
    expect(last(patch, { ...patch, deviceTokens: ['t', 'u'] }).updated).toBe(Date.parse('2026-03-08T12:00:00Z'))
    expect(last(patch, { ...patch, deviceTokens: ['u', 't'] }).updated).toBe(Date.parse('2026-03-08T12:01:00Z'))
  })
})

describe('A change of game', () => {
  const at = (hour: number) => `2026-03-08T${hour}:00:00Z`

  test('lets each entry be decided under its own game', () => {
    const pays = (points: number) =>
      rules({ points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points }] } } })
    const { states, changes } = given(
      [pays(1), pays(10), pays(100)],
      [
        { at: at(10), epoch: 1 },
        { at: at(11), epoch: 1 },
        { at: at(12), epoch: 3 },
        { at: at(13), epoch: 3 },
      ],
    )
    expect(states.map(({ points }) => points.get('xp')?.total)).toEqual([1, 2, 102, 202])
    expect(states.map(({ epoch }) => epoch)).toEqual([1, 1, 3, 3])
    expect(changes.map((list) => list.filter(({ type }) => type === 'gameAdopted').length)).toEqual([0, 0, 1, 0])
  })

  test('judges the time before it under the old game', () => {
    const none = rules({})
    const daily = rules({ streak: { frequency: 'daily', metrics: { words: {} } } })
    const { changes } = given(
      [daily, none],
      [
        { at: '2026-03-01T12:00:00Z', epoch: 1 },
        { at: '2026-03-05T12:00:00Z', epoch: 2 },
      ],
    )
    expect(changes[1]?.map(({ type }) => type).slice(0, 2)).toEqual(['streakLost', 'gameAdopted'])
  })
})

describe('A completion', () => {
  test('that is kept is there from its instant on, completes composites, and is not made twice', () => {
    const { state } = given(game, [
      { at: '2026-03-08T12:00:00Z', claims: 'joined' },
      { at: '2026-03-08T13:00:00Z', keeps: 'ten' },
      { at: '2026-03-08T14:00:00Z', value: 20 },
      { at: '2026-03-08T15:00:00Z', keeps: 'ten' },
    ])
    expect(new Map([...state.completions].map(([key, { entryId }]) => [key, entryId]))).toEqual(
      new Map([
        ['joined', 'entry-1'],
        ['ten', 'entry-2'],
        ['both', 'entry-2'],
      ]),
    )
    // 1 for the user, 100 for both, 4 times 10 for twenty words.
    expect(state.points.get('xp')?.total).toBe(141)
  })

  test('is asked of the profile as it is at that moment', () => {
    const pro = rules({
      achievements: {
        ten: { name: 'Ten', trigger: 'metric', metric: 'words', value: 10, userAttributes: { plan: 'pro' } },
      },
    })
    const plan = (value: string) => ({ attributes: new Map([['plan', value]]) })
    const { states } = given(pro, [
      { at: '2026-03-08T12:00:00Z', value: 10 },
      { at: '2026-03-08T13:00:00Z', isProfileOnly: true, profile: plan('pro') },
      { at: '2026-03-08T14:00:00Z', metric: 'laps' },
      { at: '2026-03-08T15:00:00Z', value: -5 },
      { at: '2026-03-08T16:00:00Z', value: 5 },
      { at: '2026-03-08T17:00:00Z', profile: plan('free') },
    ])
    expect(states.map(({ completions }) => completions.has('ten'))).toEqual([false, false, false, false, true, true])
  })
})

describe('On arrival', () => {
  const { state } = given(game, [{ at: '2026-03-08T12:00:00Z', value: 9e14 }])
  const codeOf = (said: Partial<Said>) =>
    refuse(game, state, dateEntry(state, toEntry({ at: '2026-03-08T13:00:00Z', ...said }, state.seq)))?.code ??
    'accepted'

  test.each([
    ['a total of 1e15', { value: 1e14 }, 'accepted'],
    ['a total above it', { value: 100_000_000_000_010 }, 'total_out_of_range'],
    ['a value below the bounds', { value: -1.1e15 }, 'value_out_of_range'],
    ['an unknown metric', { metric: 'paces' }, 'unknown_metric'],
    ['an unknown event attribute', { attributes: { sauce: 'x' } }, 'unknown_attribute'],
    ['an unknown user attribute', { profile: { attributes: new Map([['plant', 'x']]) } }, 'unknown_attribute'],
    ['a claim of what is not claimed', { claims: 'ten' }, 'unknown_achievement'],
    ['emails without an address', { profile: { subscribedToEmails: true } }, 'email_required'],
    ['emails with an address', { profile: { subscribedToEmails: true, email: 'a@example.org' } }, 'accepted'],
    ['no emails without an address', { profile: { subscribedToEmails: false } }, 'accepted'],
  ] as const)('%s is judged', (_, said, expected) => {
    expect(codeOf(said)).toBe(expected)
  })
})
