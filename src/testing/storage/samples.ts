import { deepEqual, fail, rejects } from 'node:assert/strict'
import { type ErrorCode, isGamificationError } from '../../errors.ts'
import type { Entry, EntryBase, EventRecorded } from '../../rules/entry.ts'
import { emptyState, type GivenBoost, type UserState } from '../../rules/state.ts'
import type { Award, UserKey } from '../../storage/rows.ts'
import type { LoadedUser, Storage, UserSave } from '../../storage/storage.ts'

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

export const ANN: UserKey = { tenant: '', user: 'ann' }
export const BOB: UserKey = { tenant: '', user: 'bob' }

/** 2026-03-01T12:00:00Z. */
export const NOON = 1_772_366_400_000

export type EventSample = Partial<EntryBase & EventRecorded>

/** An event of one word in Ann's log; its id is told by its place, unless given. */
export function event(seq: number, changes: EventSample = {}): Entry {
  return {
    id: `entry-${seq}`,
    seq,
    at: NOON + seq,
    recordedAt: NOON + seq,
    epoch: 1,
    dating: { zone: 'Europe/London', date: 20_513, time: 43_200_000 },
    profile: null,
    kind: 'eventRecorded',
    metric: 'words',
    value: 1,
    attributes: new Map(),
    idempotencyKey: null,
    ...changes,
  }
}

/** The same in the log of any user: no two lines of a tenant have one id. */
export function eventOf({ user }: Pick<UserKey, 'user'>, seq: number, changes: EventSample = {}): Entry {
  return event(seq, { id: `${user}-${seq}`, ...changes })
}

/** A boost of the system `xp`. */
export function boost(id: string): GivenBoost {
  return {
    ...{ id, system: 'xp', name: 'Double', start: 20_513, end: null },
    ...{ multiplier: 2, rounding: 'down', userAttributes: [], created: 1_773_100_000_000 },
  }
}

export function award(id: string, changes: Partial<Award> = {}): Award {
  return {
    id,
    system: 'xp',
    trigger: 'trigger-1',
    entryId: 'entry-1',
    at: NOON,
    seq: 1,
    ordinal: 0,
    awarded: 10,
    total: 10,
    ...changes,
  }
}

export type SaveSample = Partial<Omit<UserSave, 'before' | 'after'>> & { readonly state?: Partial<UserState> }

/** What follows for a loaded user: the state goes on from where it was. */
export function saveOf({ state }: Pick<LoadedUser, 'state'>, sample: SaveSample): UserSave {
  const appended = sample.appended ?? []
  const before = state ?? emptyState(NOON, 1)
  const newest = appended.reduce((at, entry) => Math.max(at, entry.at), before.at)
  return {
    before: state,
    after: { ...before, seq: before.seq + appended.length, at: newest, ...sample.state },
    appended,
    redated: sample.redated ?? [],
    awards: sample.awards ?? { put: [], remove: [] },
    periods: sample.periods ?? { put: [], remove: [] },
    leaderboards: sample.leaderboards ?? { put: [], remove: [] },
    unlimited: sample.unlimited ?? [],
    ranks: sample.ranks ?? [],
    counted: sample.counted ?? [],
    ...(sample.snapshots && { snapshots: sample.snapshots }),
    ...(sample.messages && { messages: sample.messages }),
    ...(sample.told && { told: sample.told }),
  }
}

/** Stores one save of one user. */
export async function store(storage: Storage, key: UserKey, sample: SaveSample): Promise<void> {
  await storage.commit([{ ...key, lookups: [] }], (users) => users.map((user) => saveOf(user, sample)))
}

export async function readState(storage: Storage, key: UserKey): Promise<UserState> {
  const { state } = await storage.readUser(key)
  return state ?? fail(`user ${key.user} is not there`)
}

export async function rejectsWith(code: ErrorCode, promise: Promise<unknown>): Promise<void> {
  await rejects(promise, (error) => {
    deepEqual(isGamificationError(error) ? error.code : error, code)
    return true
  })
}

/** Changes what a storage was given or has answered; a storage that shares it may have frozen it. */
export function attempt(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** All that can be read of a user and of the tenant's counters, to compare before and after. */
export async function readAll(storage: Storage, key: UserKey): Promise<unknown> {
  return {
    view: await storage.readUser(key, { awards: {}, periods: {}, leaderboards: {} }),
    log: await storage.readLog(key),
    counters: await storage.counters(key.tenant),
    users: await storage.listUsers(),
    games: await storage.games(),
  }
}

/** Names that a careless map, collation or trim would mix up or lose. */
export const NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'Ann',
  'ann',
  'ann ',
  ' ann',
  'é',
  'e\u0301',
  '🎉',
  '👩‍👩‍👧',
  'ß',
  'SS',
  "o'brien",
  '"quoted"',
  'back\\slash',
  'per%cent_',
  'line\nbreak',
  '\u0001',
  '\uffff',
  '%',
  '0',
  '00',
  '1e3',
  'null',
  '好'.repeat(255),
  'x'.repeat(255),
]

/** Ascending by code point, which is the order of UTF-8 bytes. By UTF-16 units the last two would change places. */
export const ORDERED: readonly string[] = ['A', 'Z', 'Za', 'a', 'e\u0301', 'z', 'é', 'ÿ', 'Ω', '好', '\uff5e', '😀']
