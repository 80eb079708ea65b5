import { randomUUID } from 'node:crypto'
import { parseDate } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { LeaderboardEntry, UserState } from '../../src/rules/state.ts'
import type { LeaderboardKey, LoadedUser, UserSave } from '../../src/storage/storage.ts'
import { type Board, DAY_MS, LIMIT, LIMITED, RUNS, type Score, START, scoreOf, UNLIMITED } from './leaderboards-game.ts'
import { instant, type Place } from './leaderboards-places.ts'
import type { Command, Redis } from './redis.ts'

/** What a call is about, at random. */
export interface Subject extends Score {
  readonly by: number
  /** From 0 to 1. */
  readonly share: number
}

/** Does the same on a storage and on Redis. */
export interface Operation {
  readonly name: string
  readonly onStorage: (place: Place, subject: Subject) => Promise<unknown>
  readonly onRedis: (redis: Redis, users: number, subject: Subject) => Promise<unknown>
  /** Among this many participants. */
  readonly aim?: { readonly users: number; readonly text: string }
}

const AIMED = 1_000_000
const PAGE = 100
/** The sorted set of the benchmark. */
export const SET = 'scores'

/** The same pseudo-random subjects in every run. */
export function* subjects(users: number, seed: number): Generator<Subject> {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (;;) yield { ...scoreOf(Math.floor(next() * users)), by: 1 + Math.floor(next() * 5), share: next() }
}

const BOTH = [UNLIMITED, LIMITED] as const

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'rank of a place',
    onStorage: (place, subject) => askRank(place, UNLIMITED, subject),
    onRedis: (redis, _, { user }) => redis.send([rankIn(user)]),
    aim: { users: AIMED, text: 'SQLite below Redis' },
  },
  {
    name: 'rank of a user, entry read first',
    onStorage: (place, subject) => readRank(place, UNLIMITED, subject),
    onRedis: (redis, _, { user }) => redis.send([rankIn(user)]),
  },
  ...BOTH.map((board): Operation => {
    return {
      name: `update, rank before and after${suffixOf(board)}`,
      onStorage: (place, subject) => update(place, board, subject),
      onRedis: (redis, _, { user, by }) => redis.send([rankIn(user), ['ZINCRBY', SET, by, user], rankIn(user)]),
    }
  }),
  {
    name: `rank of a place${suffixOf(LIMITED)}`,
    onStorage: (place, subject) => askRank(place, LIMITED, subject),
    onRedis: (redis, _, { user }) => redis.send([rankIn(user)]),
  },
  ...BOTH.map((board): Operation => {
    return {
      name: `the first ${PAGE}${suffixOf(board)}`,
      onStorage: (place) => readPage(place, board, 0),
      onRedis: (redis) => redis.send([pageAt(0)]),
    }
  }),
  ...BOTH.map((board): Operation => {
    const rankedOf = (users: number): number => (board === LIMITED ? Math.min(users, LIMIT) : users)
    return {
      name: `${PAGE} in the middle${suffixOf(board)}`,
      onStorage: (place, subject) => readPage(place, board, offsetIn(rankedOf(place.users), subject)),
      onRedis: (redis, users, subject) => redis.send([pageAt(offsetIn(rankedOf(users), subject))]),
      ...(board === UNLIMITED ? { aim: { users: AIMED, text: 'below 1000 µs' } } : {}),
    }
  }),
]

function suffixOf(board: Board): string {
  return board === LIMITED ? `, limit ${LIMIT}` : ''
}

const rankIn = (user: string): Command => ['ZREVRANK', SET, user]
const pageAt = (offset: number): Command => ['ZREVRANGE', SET, offset, offset + PAGE - 1, 'WITHSCORES']

/** Somewhere between two and three fifths of those who rank. */
function offsetIn(ranked: number, { share }: Subject): number {
  return Math.floor(ranked * (0.4 + 0.2 * share))
}

const keyOf = (board: Board): LeaderboardKey => ({ leaderboard: board, run: RUNS[board], group: '' })
const limitOf = (board: Board): number | null => (board === LIMITED ? LIMIT : null)

function askRank({ storage }: Place, board: Board, { user, value, at }: Score): Promise<unknown> {
  const places = [{ value, reachedAt: at }]
  return storage.ranks({ tenant: '', user }, [
    { ...keyOf(board), limit: limitOf(board), at: 0, slack: 0, positions: places },
  ])
}

/** Redis is asked by the user alone. */
async function readRank(place: Place, board: Board, { user }: Score): Promise<unknown> {
  const [entry] = await place.storage.leaderboardEntries('', board, RUNS[board], [user])
  if (entry === undefined) throw new Error(`${user} is not on ${board}.`)
  return askRank(place, board, { user, value: entry.value, at: entry.reachedAt })
}

function readPage({ storage }: Place, board: Board, offset: number): Promise<unknown> {
  return storage.leaderboardPage('', keyOf(board), { limit: limitOf(board), at: 0, offset, count: PAGE })
}

/** An event that moves its user on one board, with the line of the log, the total and the user's row. */
function update({ storage }: Place, board: Board, { user, by }: Subject): Promise<unknown> {
  return storage.commit([{ tenant: '', user, lookups: [null] }], ([loaded]) => [saveOf(loaded, board, by)])
}

function saveOf(loaded: LoadedUser | undefined, board: Board, by: number): UserSave {
  const state = loaded?.state
  const previous = state?.leaderboards.get(board)?.at(-1)
  if (!state || previous === undefined) throw new Error(`${loaded?.user} is not on ${board}.`)
  const at = instant()
  const entry: LeaderboardEntry = { ...previous, value: previous.value + by, reachedAt: at }
  const places = [previous, entry].map(({ value, reachedAt }) => ({ value, reachedAt }))
  const nothing = { put: [], remove: [] }
  return {
    before: state,
    after: stateAfter(state, board, entry, by, at),
    appended: [eventAt(state.seq + 1, at, by)],
    updatedEntries: [],
    awards: nothing,
    periods: nothing,
    leaderboards: { put: [{ leaderboard: board, ...entry }], remove: [] },
    unlimited: board === LIMITED ? [] : [board],
    ranks: [{ ...keyOf(board), limit: limitOf(board), at: 0, slack: 1, positions: places }],
    counted: [],
  }
}

function stateAfter(state: UserState, board: Board, entry: LeaderboardEntry, by: number, at: number): UserState {
  const total = (state.totals.get('words')?.total ?? 0) + by
  return {
    ...state,
    seq: state.seq + 1,
    at,
    updated: at,
    totals: new Map(state.totals).set('words', { total, highest: total }),
    leaderboards: new Map(state.leaderboards).set(board, [entry]),
  }
}

const DATE = parseDate(new Date(START).toISOString().slice(0, 10)) ?? 0

function eventAt(seq: number, at: number, value: number): Entry {
  return {
    id: randomUUID(),
    seq,
    at,
    recordedAt: at,
    epoch: 1,
    dating: { zone: 'UTC', date: DATE, time: at % DAY_MS },
    profile: null,
    kind: 'eventRecorded',
    metric: 'words',
    value,
    attributes: new Map(),
    idempotencyKey: null,
  }
}
