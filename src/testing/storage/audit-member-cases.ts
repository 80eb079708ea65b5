import { deepEqual } from 'node:assert/strict'
import type { UserState } from '../../rules/state.ts'
import { factsOf, storeRich } from './audit-samples.ts'
import { RUN } from './leaderboard-samples.ts'
import { ANN, NOON, type StorageCase } from './samples.ts'

/** Differs in every member, and in every member of those, from what `storeRich` stores. A new member belongs here too. */
const OTHER: UserState = {
  seq: 2,
  at: NOON + 2,
  epoch: 2,
  created: NOON - 1,
  updated: NOON + 3,
  profile: {
    email: 'bob@example.com',
    name: null,
    tz: 'Asia/Tokyo',
    subscribedToEmails: true,
    deviceTokens: ['a', 'b'],
    attributes: new Map([['plan', 'free']]),
  },
  preferences: {
    notifications: new Map([['recap', ['email']]]),
    streak: { evaluationMode: 'AND', metrics: new Map([['words', 10]]) },
  },
  totals: new Map([['words', { total: 0.1, highest: 13 }]]),
  tallies: new Map([['rule-1', { total: 1, highest: 1e15 }]]),
  completions: new Map([['novelist', { at: NOON + 1, entryId: 'entry-1', count: 2 }]]),
  points: new Map([['xp', { total: 10, level: 'silver' }]]),
  streak: {
    length: 3,
    last: 20_514,
    kept: 20_515,
    started: 20_511,
    firstAt: NOON + 1,
    extendedAt: NOON + 2,
    longest: 8,
    open: [{ period: 20_513, sums: new Map([['words', 0.2]]) }],
    lost: null,
  },
  freezes: { count: 3, nextEarned: 20_521 },
  pauses: [{ id: 'pause-1', start: 20_514, end: 20_517 }],
  leaderboards: new Map([['weekly', [{ run: RUN, group: '', value: 8, reachedAt: NOON, until: null }]]]),
  mergedInto: 'bea',
  suspended: { from: ['leaderboards'], reason: 'Forged "steps"', since: NOON + 5 },
  dateSums: new Map([['words', [{ date: 20_513, sum: 8 }]]]),
  boosts: [
    {
      ...{ id: 'boost-2', system: 'karma', name: 'Triple', start: 20_514, end: 20_515 },
      ...{ multiplier: 3, rounding: 'up', userAttributes: [], created: 1_773_100_000_000 },
    },
  ],
  caps: new Map([['trigger-1', [{ period: 20_514, sum: 11 }]]]),
  cooldowns: new Map([['trigger-1', NOON + 1]]),
  timers: new Map([['trigger-2', { anchor: NOON + 1, date: 20_514, fallen: 4 }]]),
  activity: { dates: [{ date: 20_514, zone: 'Asia/Tokyo' }], completedIn: new Map() },
  streaks: new Map([
    [
      'gym',
      {
        streak: {
          ...{
            length: 3,
            last: 2931,
            kept: 2932,
            started: 20_507,
            firstAt: NOON + 1,
            extendedAt: NOON + 2,
            longest: 4,
          },
          open: [{ period: 2931, sums: new Map([['words', 0.2]]) }],
          lost: { length: 1, missed: 1, last: 1, started: 1, firstAt: NOON, extendedAt: NOON },
        },
        freezes: { count: 2, nextEarned: 20_521 },
      },
    ],
  ]),
}

export const auditMemberCases: readonly StorageCase[] = [
  {
    id: 'audit/members',
    name: 'a member of the state that differs, however deep, is told as drift',
    run: async (storage) => {
      await storeRich(storage, ANN)
      const facts = await factsOf(storage, ANN)
      const passedOver: string[] = []
      for (const [member, state] of variantsOf(facts.state)) {
        const { drift } = await storage.audit(ANN, { ...facts, state })
        if (drift.length === 0) passedOver.push(member)
      }
      deepEqual(passedOver, [])
    },
  },
]

/** The state with one member as in `OTHER`, or, where that has members of its own, with one of those. */
function* variantsOf(state: UserState): Generator<readonly [member: string, state: UserState]> {
  for (const [name, other] of Object.entries(OTHER)) {
    if (!hasMembers(other)) yield [name, { ...state, [name]: other }]
    else {
      const own: unknown = Object.entries(state).find(([member]) => member === name)?.[1]
      for (const [inner, value] of Object.entries(other)) {
        yield [`${name}.${inner}`, { ...state, [name]: { ...(hasMembers(own) ? own : {}), [inner]: value } }]
      }
    }
  }
}

function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Map) && !Array.isArray(value)
}
