import type { Entry, EntryBase, EntryBody, EventRecorded } from '../../rules/entry.ts'
import type { GivenBoost } from '../../rules/state.ts'
import type { Award, Movement, Snapshot, UserKey } from '../../storage/rows.ts'

export const ANN: UserKey = { tenant: '', user: 'ann' }
export const BOB: UserKey = { tenant: '', user: 'bob' }
export const CAROL: UserKey = { tenant: '', user: 'carol' }
/** Another user, with Ann's id. */
export const IN_ACME: UserKey = { tenant: 'acme', user: 'ann' }

/** 2026-03-01T12:00:00Z. */
export const NOON = 1_772_366_400_000

export function mapOf<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values))
}

export type EventSample = Partial<EntryBase & EventRecorded>

/** An event of one word in Ann's log. Its default id contains its number. */
export function sampleEvent(seq: number, changes: EventSample = {}): Entry {
  const dating = { zone: 'Europe/London', date: 20_513, time: 43_200_000 }
  return {
    ...{ id: `entry-${seq}`, seq, at: NOON + seq, recordedAt: NOON + seq, epoch: 1, dating, profile: null },
    ...{ kind: 'eventRecorded', metric: 'words', value: 1, attributes: new Map(), idempotencyKey: null },
    ...changes,
  }
}

/** The same in the log of any user: no two lines of a tenant have one id. */
export function eventOf({ user }: Pick<UserKey, 'user'>, seq: number, changes: EventSample = {}): Entry {
  return sampleEvent(seq, { id: `${user}-${seq}`, ...changes })
}

/** The same line with something else that happened. */
export function withBody({ id, seq, at, recordedAt, epoch, dating, profile }: Entry, body: EntryBody): Entry {
  return { id, seq, at, recordedAt, epoch, dating, profile, ...body }
}

export function boost(id: string): GivenBoost {
  return {
    ...{ id, system: 'xp', name: 'Double', start: 20_513, end: null },
    ...{ multiplier: 2, rounding: 'down', userAttributes: [], created: 1_773_100_000_000 },
  }
}

export function award(id: string, changes: Partial<Award> = {}): Award {
  const place = { entryId: 'entry-1', at: NOON, seq: 1, ordinal: 0 }
  return { id, system: 'xp', trigger: 'trigger-1', ...place, awarded: 10, total: 10, ...changes }
}

export function movement(changes: Partial<Movement> = {}): Movement {
  const place = { entryId: 'entry-1', at: NOON, seq: 1, ordinal: 0 }
  const none = { spend: null, hold: null, lots: [], reference: null, until: null }
  return { system: 'coins', kind: 'earned', amount: 10, balance: 10, points: 10, ...place, ...none, ...changes }
}

export function snapshot(lines: number, changes: Partial<Snapshot> = {}): Snapshot {
  const state = `{"text":"of ${lines} \\" \\u0000 lines"}`
  return { lines, at: NOON + lines, seq: lines, baseline: 0, state, ...changes }
}

/** After every sample. */
export const LATEST: number = NOON + 1_000_000

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
