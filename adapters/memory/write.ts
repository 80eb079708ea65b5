import { GamificationError } from '../../src/errors.ts'
import type { Entry } from '../../src/rules/entry.ts'
import type { UserState } from '../../src/rules/state.ts'
import type {
  CounterChange,
  EventLookup,
  LoadedUser,
  StoredGame,
  StoredKey,
  UserRequest,
  UserSave,
} from '../../src/storage.ts'
import type { Award, CounterKind, LeaderboardRow, StreakPeriod, UserKey } from '../../src/storage-rows.ts'

export interface Memory {
  readonly games: StoredGame[]
  /** By `idOf`. */
  readonly users: Map<string, MemoryUser>
  /** Whose an entry is, by tenant and id. */
  readonly entries: Map<string, UserKey>
  /** By tenant, then by kind and key. */
  readonly counters: Map<string, Map<string, { readonly kind: CounterKind; readonly key: string; count: number }>>
  /** By prefix. */
  readonly keys: Map<string, StoredKey>
  /** How often anything was written: no two writes give a user the same version. */
  writes: number
}

export interface MemoryUser {
  readonly key: UserKey
  version: number
  state: UserState
  /** In order of (at, seq). */
  readonly log: Entry[]
  /** Entry ids by `idempotencyOf`. */
  readonly idempotency: Map<string, string>
  readonly awards: Map<string, Award>
  readonly periods: Map<number, StreakPeriod>
  /** By `entryOf`. */
  readonly leaderboards: Map<string, LeaderboardRow>
}

export const idOf = ({ tenant, user }: UserKey): string => JSON.stringify([tenant, user])
const entryOf = ({ leaderboard, run }: LeaderboardRow): string => JSON.stringify([leaderboard, run])
export const entryIdOf = (tenant: string, id: string): string => JSON.stringify([tenant, id])
const idempotencyOf = (metric: string, key: string): string => JSON.stringify([metric, key])

export function toLoadedUser(stored: MemoryUser | undefined, { tenant, user, lookups }: UserRequest): LoadedUser {
  return {
    tenant,
    user,
    state: stored?.state ?? null,
    version: stored?.version ?? 0,
    found: lookups.map((lookup) => find(stored, lookup)),
  }
}

export function find(stored: MemoryUser | undefined, lookup: EventLookup | null): string | null {
  if (stored === undefined || lookup === null) return null
  return stored.idempotency.get(idempotencyOf(lookup.metric, lookup.idempotencyKey)) ?? null
}

/** Throws where a database would answer with a violated constraint. `entryIds` are those of the commit so far. */
export function checkSave({ users, entries }: Memory, key: UserKey, save: UserSave, entryIds: Set<string>): void {
  const stored = users.get(idOf(key))
  const fail = (what: string): never => {
    throw new GamificationError('internal', `The save of user ${idOf(key)} ${what}.`)
  }
  if ((save.before?.seq ?? 0) !== (stored?.state.seq ?? 0)) fail('does not start from the stored state')
  if (save.after.seq !== (stored?.state.seq ?? 0) + save.appended.length) fail('counts its entries wrongly')

  const keys = new Set<string>()
  for (const [index, entry] of save.appended.entries()) {
    if (entry.seq !== (stored?.state.seq ?? 0) + index + 1) fail(`has a gap at seq ${entry.seq}`)
    const entryId = entryIdOf(key.tenant, entry.id)
    if (entryIds.has(entryId) || entries.has(entryId)) fail(`repeats the entry ${entry.id}`)
    entryIds.add(entryId)
    if (entry.kind !== 'eventRecorded' || entry.idempotencyKey === null) continue
    const used = idempotencyOf(entry.metric, entry.idempotencyKey)
    if (keys.has(used) || stored?.idempotency.has(used)) fail(`repeats the idempotency key ${used}`)
    keys.add(used)
  }
  const lines = save.redated.length === 0 ? [] : [...(stored?.log ?? []), ...save.appended]
  for (const { at, seq } of save.redated) {
    if (!lines.some((entry) => entry.seq === seq && entry.at === at)) fail(`dates an unknown entry ${seq} anew`)
  }
  const removed = new Set(save.awards.remove.map(({ id }) => id))
  for (const { id } of save.awards.put) {
    if (stored?.awards.has(id) && !removed.has(id)) fail(`repeats the award ${id}`)
  }
}

export function writeSave(memory: Memory, key: UserKey, save: UserSave): void {
  const user = memory.users.get(idOf(key)) ?? newUser(key, save.after)
  memory.users.set(idOf(key), user)
  memory.writes += 1
  user.version = memory.writes
  user.state = save.after

  for (const entry of save.appended) {
    user.log.push(entry)
    memory.entries.set(entryIdOf(key.tenant, entry.id), user.key)
    if (entry.kind === 'eventRecorded' && entry.idempotencyKey !== null) {
      user.idempotency.set(idempotencyOf(entry.metric, entry.idempotencyKey), entry.id)
    }
  }
  for (const entry of save.redated) {
    const index = user.log.findIndex(({ seq }) => seq === entry.seq)
    const { dating, epoch } = entry
    const line = user.log[index]
    const voided = entry.kind === 'eventRecorded' && entry.voidedBy !== undefined ? { voidedBy: entry.voidedBy } : {}
    if (line !== undefined) user.log[index] = { ...withoutVoid(line), dating, epoch, ...voided }
  }
  user.log.sort((a, b) => a.at - b.at || a.seq - b.seq)

  for (const { id } of save.awards.remove) user.awards.delete(id)
  for (const award of save.awards.put) user.awards.set(award.id, award)
  for (const { start } of save.periods.remove) user.periods.delete(start)
  for (const period of save.periods.put) user.periods.set(period.start, period)
  for (const row of save.leaderboards.remove) user.leaderboards.delete(entryOf(row))
  for (const row of save.leaderboards.put) user.leaderboards.set(entryOf(row), row)
  for (const change of save.counted) count(memory, key.tenant, change)
}

function withoutVoid(line: Entry): Entry {
  if (line.kind !== 'eventRecorded') return line
  const { voidedBy, ...counting } = line
  return counting
}

function newUser({ tenant, user }: UserKey, state: UserState): MemoryUser {
  return {
    key: { tenant, user },
    version: 0,
    state,
    log: [],
    idempotency: new Map(),
    awards: new Map(),
    periods: new Map(),
    leaderboards: new Map(),
  }
}

export function count({ counters }: Memory, tenant: string, { kind, key, by }: CounterChange): void {
  const ofTenant = counters.get(tenant) ?? new Map()
  counters.set(tenant, ofTenant)
  const id = JSON.stringify([kind, key])
  const sum = (ofTenant.get(id)?.count ?? 0) + by
  if (sum === 0) ofTenant.delete(id)
  else ofTenant.set(id, { kind, key, count: sum })
}
