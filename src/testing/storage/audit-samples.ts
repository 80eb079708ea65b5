import { emptyState, type UserState } from '../../rules/state.ts'
import type { UserFacts } from '../../sql/audit.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { AwardedBoost, LeaderboardRow, UserKey } from '../../storage/rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { counts, store } from './case.ts'
import { RUN, row } from './leaderboard-cases.ts'
import { award, boost, eventOf, mapOf, movement, NOON } from './samples.ts'

export const LONG: string = 'x'.repeat(1_999)

/** Something in every table. */
const GYM: UserState['streak'] = {
  ...{ length: 2, last: 2930, kept: 2930, started: 20_506, firstAt: NOON, extendedAt: NOON + 1, longest: 2 },
  open: [{ period: 2930, sums: new Map([['words', 0.1]]) }],
  lost: null,
}

const DOUBLE: AwardedBoost = {
  ...{ id: 'boost-1', name: 'Double', start: 20_513, end: null, multiplier: 2, rounding: 'down' },
}

export const RICH: Partial<UserState> = {
  profile: {
    email: 'ann@example.com',
    name: 'Ann',
    tz: 'Europe/Madrid',
    subscribedToEmails: false,
    deviceTokens: ['b', 'a'],
    signUpDate: 18_000,
    attributes: mapOf({ plan: 'pro', ['__proto__']: 'x', country: 'es' }),
  },
  preferences: {
    notifications: new Map([['streak_reminder', ['push', 'email']]]),
    streak: { evaluationMode: 'OR', metrics: new Map([['words', 10]]) },
    leaderboards: 'anonymous',
    gamification: 'off',
  },
  totals: mapOf({ words: { total: 0.1, highest: 12.5 }, hints: { total: -3, highest: 0 } }),
  tallies: new Map([['rule-1', { total: 5e-324, highest: 1e15 }]]),
  completions: new Map([['novelist', { at: NOON, entryId: 'entry-1', count: 1 }]]),
  points: mapOf({ xp: { total: 10, level: 'bronze' }, karma: { total: 0, level: null } }),
  streak: {
    ...{ length: 2, last: 20_513, kept: 20_514, started: 20_512, firstAt: NOON, extendedAt: NOON + 1, longest: 7 },
    open: [{ period: 20_513, sums: new Map([['words', 0.1]]) }],
    lost: { length: 7, missed: 20_501, last: 20_500, started: 20_494, firstAt: null, extendedAt: NOON - 7 },
  },
  freezes: { count: 2, nextEarned: 20_520 },
  pauses: [{ id: 'pause-1', start: 20_514, end: 20_516 }],
  leaderboards: new Map([['weekly', [{ run: RUN, group: '', value: 7, reachedAt: NOON, until: null }]]]),
  dateSums: new Map([['words', [{ date: 20_513, sum: 0.1 }]]]),
  boosts: [boost('boost-1')],
  caps: new Map([['trigger-1', [{ period: 20_513, sum: 10 }]]]),
  cooldowns: new Map([['trigger-1', NOON]]),
  timers: new Map([['trigger-2', { anchor: NOON, date: 20_513, dueCount: 3 }]]),
  earlierDays: new Map([['', [{ until: 20_513, on: ['sat', 'sun'], days: null }]]]),
  challenges: new Map([['daily', { enrolledAt: NOON, windows: [] }]]),
  redeemed: new Map([['mug', 2]]),
  wallets: new Map([
    [
      'coins',
      {
        ...{ balance: -3, lots: [], spent: 9, expired: 2 },
        pending: [{ available: 20_520, expires: null, amount: 7 }],
        holds: [{ id: 'hold-1', amount: 5, until: NOON, lots: [{ expires: 20_544, amount: 4 }] }],
      },
    ],
  ]),
  resets: new Map([['gym', [{ date: 20_513, at: NOON }]]]),
  activity: { dates: [{ date: 20_513, zone: null }], completedIn: new Map([['writer', { at: NOON, zone: 'UTC' }]]) },
  streaks: new Map([['gym', { streak: GYM, freezes: { count: 1, nextEarned: null } }]]),
}

export const NOTHING: Partial<UserState> = {
  tallies: new Map(),
  completions: new Map(),
  points: new Map(),
  freezes: null,
  pauses: [],
}

export const ROWS: readonly LeaderboardRow[] = [
  row(7),
  row(0, { leaderboard: LONG, group: LONG, until: NOON + 1 }),
  row(-0.1, { run: '2026-01-12 3f2a91c0' }),
]

export async function storeRich(storage: Storage, key: UserKey): Promise<void> {
  await store(storage, key, {
    appended: [eventOf(key, 1)],
    state: RICH,
    awards: { put: [award('a'), award('b', { ordinal: 1, awarded: 0.2, total: 10.2, boosts: [DOUBLE] })] },
    movements: {
      put: [
        movement({ spend: 'spend-1', lots: [{ expires: 20_513, amount: 7 }], reference: 'order 7', until: NOON + 1 }),
      ],
    },
    periods: {
      put: [
        { start: 20_512, length: 1, kind: 'counted' },
        { start: -1, length: 2, kind: 'frozen' },
        { start: 20_512, length: 3, kind: 'paused', streak: 'gym' },
      ],
    },
    leaderboards: { put: ROWS },
    unlimited: ['weekly'],
    counted: counts(['users', '', 1], ['completions', 'novelist', 1], ['level', '["xp","bronze"]', 1]),
  })
}

/** The facts that a replay finds for a user whose rows are correct. */
export async function readFacts(storage: Storage, key: UserKey): Promise<UserFacts> {
  const { state, awards, movements, periods, challenges, redemptions, leaderboards } = await loadUser(storage, key, {
    awards: {},
    movements: {},
    periods: {},
    challenges: {},
    redemptions: {},
    leaderboards: {},
  })
  return { state: state ?? emptyState(NOON, 1), awards, movements, periods, challenges, redemptions, leaderboards }
}
