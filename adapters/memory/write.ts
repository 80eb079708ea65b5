import type { Instant } from '../../src/rules/calendar.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { UserState } from '../../src/rules/state.ts'
import { linesOf } from '../../src/sql/entry-rows.ts'
import { checkSave, fail } from '../../src/sql/row-changes.ts'
import { countsOf } from '../../src/sql/user-rows.ts'
import type { NoticeCursor } from '../../src/storage/outbox.ts'
import {
  type Award,
  type CounterKind,
  type LeaderboardRow,
  periodKey,
  type Snapshot,
  type StreakPeriod,
  type UserKey,
} from '../../src/storage/rows.ts'
import {
  type CounterChange,
  type LoadedUser,
  type Lookup,
  type RemovedUser,
  type RemoveUserOptions,
  type StoredGame,
  type StoredKey,
  type UserRequest,
  type UserSave,
  usedKeyOf,
  valueLookupOf,
} from '../../src/storage/storage.ts'
import { freeze } from './freeze.ts'
import { isOf, type Outbox, type Owner, removeOf, writeMessages } from './outbox.ts'

export interface Memory {
  readonly games: StoredGame[]
  /** When a process with the newest game was last seen. */
  seenAt: Instant
  /** By `idOf`. */
  readonly users: Map<string, MemoryUser>
  /** The user whose log has an entry, by `entryIdOf`. */
  readonly entries: Map<string, UserKey>
  /** By tenant, then by kind and key. */
  readonly counters: Map<string, Map<string, { readonly kind: CounterKind; readonly key: string; count: number }>>
  /** By prefix. */
  readonly keys: Map<string, StoredKey>
  readonly outbox: Outbox
  /** Counts the writes. A user's version is the count at its last write, so no two writes give the same version. */
  writes: number
}

export interface MemoryUser {
  readonly key: UserKey
  version: number
  state: UserState
  /** In order of (at, seq). */
  readonly log: Entry[]
  /** Entry ids by `textOf`. */
  readonly found: Map<string, string>
  readonly awards: Map<string, Award>
  /** By streak and first date (`periodKey`). */
  readonly periods: Map<string, StreakPeriod>
  /** By `entryOf`. */
  readonly leaderboards: Map<string, LeaderboardRow>
  readonly snapshots: Map<number, Snapshot>
  notices: NoticeCursor | null
}

export const idOf = ({ tenant, user }: UserKey): string => JSON.stringify([tenant, user])
export const entryOf = ({ leaderboard, run }: LeaderboardRow): string => JSON.stringify([leaderboard, run])
export const entryIdOf = (tenant: string, id: string): string => JSON.stringify([tenant, id])
const textOf = (lookup: Lookup): string =>
  JSON.stringify('newValue' in lookup ? [lookup.metric, null, lookup.newValue] : [lookup.metric, lookup.idempotencyKey])

export function toLoadedUser(stored: MemoryUser | undefined, { tenant, user, lookups }: UserRequest): LoadedUser {
  return {
    tenant,
    user,
    state: stored?.state ?? null,
    version: stored?.version ?? 0,
    found: lookups.map((lookup) => find(stored, lookup)),
    notices: stored?.notices ?? null,
  }
}

export function find(stored: MemoryUser | undefined, lookup: Lookup | null): string | null {
  if (stored === undefined || lookup === null) return null
  return stored.found.get(textOf(lookup)) ?? null
}

/**
 * Throws `internal` if a database would report a violated constraint. `entryIds` collects the commit's new entry ids.
 */
export function checkConstraints(
  { users, entries }: Memory,
  key: UserKey,
  save: UserSave,
  entryIds: Set<string>,
): void {
  const stored = users.get(idOf(key))
  checkSave({ ...key, state: stored?.state ?? null }, save)
  const keys = new Set<string>()
  const released = new Set<string>()
  const { changed, added } = linesOf(save)
  for (const entry of changed) {
    const known = stored?.log.find(({ seq, at }) => seq === entry.seq && at === entry.at)
    const line = known ?? fail(key, `updates an unknown entry ${entry.seq}`)
    const [before, after] = [usedBy(line), usedBy(entry)]
    if (before !== null && before !== after) released.add(before)
  }
  for (const entry of added) {
    const entryId = entryIdOf(key.tenant, entry.id)
    if (entryIds.has(entryId) || entries.has(entryId)) fail(key, `repeats the entry ${entry.id}`)
    entryIds.add(entryId)
    const used = usedBy(entry)
    if (used === null) continue
    const isUsed = keys.has(used) || (stored?.found.has(used) && !released.has(used))
    if (isUsed) fail(key, `repeats the idempotency key ${used}`)
    keys.add(used)
  }
  const removed = new Set(save.awards.remove.map(({ id }) => id))
  for (const { id } of save.awards.put) {
    if (stored?.awards.has(id) && !removed.has(id)) fail(key, `repeats the award ${id}`)
  }
}

/** Searches from the end, because most entries are the newest of their log. */
function insertInOrder(log: Entry[], entry: Entry): void {
  const isAfter = ({ at, seq }: Entry): boolean => at > entry.at || (at === entry.at && seq > entry.seq)
  log.splice(log.findLastIndex((line) => !isAfter(line)) + 1, 0, entry)
}

export function writeSave(memory: Memory, key: UserKey, save: UserSave): void {
  const user = memory.users.get(idOf(key)) ?? newUser(key, save.after)
  memory.users.set(idOf(key), user)
  memory.writes += 1
  user.version = memory.writes
  user.state = save.after
  if (save.notices !== undefined) user.notices = save.notices

  const { changed, added } = linesOf(save)
  for (const entry of changed) {
    const index = user.log.findIndex(({ seq }) => seq === entry.seq)
    const line = user.log[index]
    if (line === undefined) continue
    for (const text of textsOf(line)) if (user.found.get(text) === line.id) user.found.delete(text)
    // The key that wrote a line, and the profile that came with it, stay.
    user.log[index] = { ...entry, profile: line.profile, ...(line.by === undefined ? {} : { by: line.by }) }
    noteTexts(user, entry)
  }
  for (const entry of added) {
    insertInOrder(user.log, entry)
    memory.entries.set(entryIdOf(key.tenant, entry.id), user.key)
    noteTexts(user, entry)
  }

  for (const { id } of save.awards.remove) user.awards.delete(id)
  for (const award of save.awards.put) user.awards.set(award.id, award)
  for (const period of save.periods.remove) user.periods.delete(periodKey(period))
  for (const period of save.periods.put) user.periods.set(periodKey(period), period)
  for (const row of save.leaderboards.remove) user.leaderboards.delete(entryOf(row))
  for (const row of save.leaderboards.put) user.leaderboards.set(entryOf(row), row)
  const { after = null, put = [] } = save.snapshots ?? {}
  for (const lines of user.snapshots.keys()) if (after !== null && lines > after) user.snapshots.delete(lines)
  for (const snapshot of put) user.snapshots.set(snapshot.lines, snapshot)
  for (const change of save.counted) count(memory, key.tenant, change)
  const { messages = [] } = save
  writeMessages(
    memory.outbox,
    messages.map((message) => ({ ...message, tenant: key.tenant, user: key.user })),
  )
}

/** The idempotency key that an entry uses, by `textOf`, or `null` if there is none. */
function usedBy(entry: Entry): string | null {
  const used = usedKeyOf(entry)
  return used === null ? null : textOf(used)
}

function textsOf(entry: Entry): readonly string[] {
  const used = usedBy(entry)
  const value = valueLookupOf(entry)
  return [...(used === null ? [] : [used]), ...(value === null ? [] : [textOf(value)])]
}

function noteTexts({ found }: MemoryUser, entry: Entry): void {
  for (const text of textsOf(entry)) found.set(text, entry.id)
}

export function newUser({ tenant, user }: UserKey, state: UserState): MemoryUser {
  return {
    key: { tenant, user },
    version: 0,
    state,
    log: [],
    found: new Map(),
    awards: new Map(),
    periods: new Map(),
    leaderboards: new Map(),
    snapshots: new Map(),
    notices: null,
  }
}

export function count({ counters }: Pick<Memory, 'counters'>, tenant: string, { kind, key, by }: CounterChange): void {
  const ofTenant = counters.get(tenant) ?? new Map()
  counters.set(tenant, ofTenant)
  const id = JSON.stringify([kind, key])
  const sum = (ofTenant.get(id)?.count ?? 0) + by
  if (sum === 0) ofTenant.delete(id)
  else ofTenant.set(id, { kind, key, count: sum })
}

/** The answer that `removeUser` would give now. Every check comes before the first write. */
export function checkRemoval(memory: Memory, key: UserKey, options: RemoveUserOptions): RemovedUser {
  const { version, replacement = { epoch: memory.games.length, users: [] } } = options
  const { tenant } = key
  const versionOf = (user: string): number => memory.users.get(idOf({ tenant, user }))?.version ?? 0
  const others = replacement.users.filter(({ user }) => user !== key.user)
  const isOther = version !== undefined && version !== versionOf(key.user)
  if (isOther || others.some((each) => each.version !== versionOf(each.user))) return 'changed'
  if (replacement.epoch !== memory.games.length) return 'changed'
  const [rest, ids] = [without(memory, goneWith(memory, key, options)), new Set<string>()]
  for (const { user, save } of replacement.users) checkConstraints(rest, { tenant, user }, save, ids)
  return memory.users.has(idOf(key)) || (!options.keepsNames && hasRest(memory, key)) ? 'removed' : 'unknown'
}

/** Removes a user after `checkRemoval`. */
export function removeUser(memory: Memory, key: UserKey, options: RemoveUserOptions): void {
  const { keepsNames = false, endsKeys = false, replacement } = options
  if (endsKeys) for (const each of [key, ...otherNamesOf(memory, key)]) removeKeys(memory, each)
  for (const each of goneWith(memory, key, options)) remove(memory, each, keepsNames)
  for (const { user, save } of freeze(replacement?.users ?? [])) writeSave(memory, { tenant: key.tenant, user }, save)
}

function goneWith(memory: Memory, key: UserKey, { keepsNames = false }: RemoveUserOptions): readonly UserKey[] {
  return keepsNames ? [key] : [key, ...otherNamesOf(memory, key)]
}

/** Users who are other names of a user, directly or by way of another name. */
export function otherNamesOf(memory: Memory, { tenant, user }: UserKey): readonly UserKey[] {
  const names = [...memory.users.values()].filter(({ key, state }) => {
    return key.tenant === tenant && state.mergedInto === user
  })
  return names.flatMap(({ key }) => [key, ...otherNamesOf(memory, key)])
}

function without(memory: Memory, gone: readonly UserKey[]): Memory {
  const [users, entries] = [new Map(memory.users), new Map(memory.entries)]
  for (const key of gone) {
    for (const { id } of users.get(idOf(key))?.log ?? []) entries.delete(entryIdOf(key.tenant, id))
    users.delete(idOf(key))
  }
  return { ...memory, users, entries }
}

function remove(memory: Memory, key: UserKey, keepsNames: boolean): void {
  if (!keepsNames) removeRest(memory, key)
  const user = memory.users.get(idOf(key))
  if (user === undefined) return
  for (const { id } of user.log) memory.entries.delete(entryIdOf(key.tenant, id))
  memory.users.delete(idOf(key))
  for (const change of countsOf(user.state, -1)) count(memory, key.tenant, change)
}

/** True if there are rows that `removeRest` would remove. */
function hasRest({ keys, outbox }: Memory, key: UserKey): boolean {
  const rest = [...keys.values()].map(({ owner }) => owner)
  const { waiting, placed, deliveries } = outbox
  return [...rest, ...waiting.values(), ...placed, ...deliveries.all.values()].some(isOf(key))
}

/** Removes the keys, messages and deliveries of a user, or of a whole tenant; with `keepsNames` the user's stay. */
export function removeRest(memory: Memory, key: Owner): void {
  removeKeys(memory, key)
  removeOf(memory.outbox, key)
}

function removeKeys({ keys }: Memory, key: Owner): void {
  for (const { prefix, owner } of [...keys.values()]) if (isOf(key)(owner)) keys.delete(prefix)
}
