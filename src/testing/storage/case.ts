import { deepEqual, fail, rejects } from 'node:assert/strict'
import { type ErrorCode, isGamificationError } from '../../errors.ts'
import { emptyState, type UserState } from '../../rules/state.ts'
import { loadGames } from '../../sql/games.ts'
import { loadLog } from '../../sql/log.ts'
import { loadCounters } from '../../sql/queries.ts'
import { loadUser } from '../../sql/read-user.ts'
import { loadUserKeys } from '../../sql/user-lists.ts'
import type { CounterKind, UserKey } from '../../storage/rows.ts'
import { wait } from '../../storage/steps.ts'
import type {
  LoadedUser,
  RemovedUser,
  RemoveUserOptions,
  Storage,
  StoredUser,
  UserRequest,
  UserSave,
} from '../../storage/storage.ts'
import { ANN, type EventSample, eventOf, NOON, sampleEvent } from './samples.ts'

/** One promise of the storage interface. Every storage keeps it if the storage is empty and migrated at the start. */
export interface StorageCase {
  /** Never changes, so that an adapter can name the cases that it skips, with a reason. */
  readonly id: string
  readonly name: string
  run(storage: Storage): Promise<void>
}

/** `title`: the id of the case, then `: `, then the promise as a sentence. */
export function test(title: string, run: StorageCase['run']): StorageCase {
  const end = title.indexOf(': ')
  return { id: title.slice(0, end), name: title.slice(end + 2), run }
}

type Rows = 'awards' | 'movements' | 'periods' | 'challenges' | 'leaderboards'

export type SaveSample = Partial<Omit<UserSave, 'before' | 'after' | Rows>> & {
  readonly [Table in Rows]?: Partial<UserSave[Table]>
} & { readonly state?: Partial<UserState> }

/** A save for a loaded user: the state continues unchanged. */
export function saveOf({ state }: Pick<LoadedUser, 'state'>, sample: SaveSample): UserSave {
  const appended = sample.appended ?? []
  const before = state ?? emptyState(NOON, 1)
  const newest = appended.reduce((at, entry) => Math.max(at, entry.at), before.at)
  return {
    before: state,
    after: { ...before, seq: before.seq + appended.length, at: newest, ...sample.state },
    appended,
    updatedEntries: sample.updatedEntries ?? [],
    awards: { put: [], remove: [], ...sample.awards },
    movements: { put: [], remove: [], ...sample.movements },
    periods: { put: [], remove: [], ...sample.periods },
    challenges: { put: [], remove: [], ...sample.challenges },
    leaderboards: { put: [], remove: [], ...sample.leaderboards },
    unlimited: sample.unlimited ?? [],
    ranks: sample.ranks ?? [],
    counted: sample.counted ?? [],
    ...(sample.redemptions && { redemptions: sample.redemptions }),
    ...(sample.stock && { stock: sample.stock }),
    ...(sample.snapshots && { snapshots: sample.snapshots }),
    ...(sample.messages && { messages: sample.messages }),
    ...(sample.notices && { notices: sample.notices }),
  }
}

export function requestFor({ tenant, user }: UserKey): UserRequest {
  return { tenant, user, lookups: [] }
}

/** Changes of counters: `['completions', 'novelist', 1]`. */
export function counts(...changes: readonly (readonly [CounterKind, key: string, by: number])[]): UserSave['counted'] {
  return changes.map(([kind, key, by]) => ({ kind, key, by }))
}

export async function store(storage: Storage, key: UserKey, sample: SaveSample): Promise<void> {
  await storage.commit([requestFor(key)], (users) => users.map((user) => saveOf(user, sample)))
}

/** Stores a user whose log has one event. Ann's is `sampleEvent(1)`. */
export async function create(storage: Storage, key: UserKey, sample: SaveSample = {}): Promise<void> {
  const event = key.user === ANN.user ? sampleEvent(1) : eventOf(key, 1)
  await store(storage, key, { appended: [event], ...sample })
}

/** Appends an event to the log of each user, in one commit. `changes` come on top of the entry and of the save. */
export async function appendEvents(
  storage: Storage,
  keys: readonly UserKey[],
  changes: (user: LoadedUser, seq: number) => SaveSample & { readonly entry?: EventSample } = () => ({}),
): Promise<void> {
  await storage.commit(keys.map(requestFor), (users) =>
    users.map((user) => {
      const seq = (user.state?.seq ?? 0) + 1
      const { entry, ...sample } = changes(user, seq)
      return saveOf(user, { appended: [eventOf(user, seq, entry)], ...sample })
    }),
  )
}

/** The user as `decide` gets it; nothing is saved. */
export async function loadOne(
  storage: Storage,
  key: UserKey,
  lookups: UserRequest['lookups'] = [],
  spends?: readonly string[],
): Promise<LoadedUser> {
  let loaded: LoadedUser | undefined
  const request = { ...key, lookups, ...(spends && { spends }) }
  await storage.commit([request], (users) => {
    loaded = users[0]
    return users.map(() => null)
  })
  return loaded ?? fail('decide was given no user')
}

/** Rejects with `internal`, and leaves everything of the users unchanged. */
export async function rejectsWhole(
  storage: Storage,
  keys: readonly UserKey[],
  ...saves: readonly (() => Promise<unknown>)[]
): Promise<void> {
  const read = () => Promise.all(keys.map((key) => readAll(storage, key)))
  const before = await read()
  for (const save of saves) {
    await rejectsWith('internal', save())
    deepEqual(await read(), before)
  }
}

export function removeOne(storage: Storage, key: UserKey, options?: RemoveUserOptions): Promise<RemovedUser> {
  return storage.transaction((tx) => wait(tx.removeUser(key, options)))
}

export const NO_USER: StoredUser = {
  ...{
    state: null,
    version: 0,
    epoch: 0,
    awards: [],
    movements: [],
    periods: [],
    challenges: [],
    redemptions: [],
    leaderboards: [],
    found: [],
    notices: null,
  },
}

export async function readState(storage: Storage, key: UserKey): Promise<UserState> {
  const { state } = await loadUser(storage, key)
  return state ?? fail(`user ${key.user} is not there`)
}

export async function rejectsWith(code: ErrorCode, promise: Promise<unknown>): Promise<void> {
  await rejects(promise, (error) => {
    deepEqual(isGamificationError(error) ? error.code : error, code)
    return true
  })
}

/** Changes a value that a storage was given or has answered. A storage that shares the value may have frozen it. */
export function tryChange(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** All that can be read of a user and of the tenant's counters, to compare before and after. */
export async function readAll(storage: Storage, key: UserKey): Promise<unknown> {
  return {
    storedUser: await loadUser(storage, key, {
      awards: {},
      movements: {},
      periods: {},
      challenges: {},
      redemptions: {},
      leaderboards: {},
    }),
    log: await loadLog(storage, key),
    counters: await loadCounters(storage, key.tenant),
    users: await loadUserKeys(storage),
    games: await loadGames(storage),
  }
}

export function column<Row, Key extends keyof Row>(rows: readonly Row[], key: Key): Row[Key][] {
  return rows.map((row) => row[key])
}

/** The numbers from 1 on. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Reads page after page until one is empty. `read` is given the last row of the page before it. */
export async function pages<Row>(
  read: (place: { readonly after?: Row }) => Promise<readonly Row[]>,
): Promise<readonly (readonly Row[])[]> {
  const found: (readonly Row[])[] = []
  for (;;) {
    const last = found.at(-1)?.at(-1)
    const page = await read(last === undefined ? {} : { after: last })
    if (page.length === 0) return found
    found.push(page)
  }
}
