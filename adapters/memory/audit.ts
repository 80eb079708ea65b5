import type { StorageAudit, TenantCounter, UserAudit, UserFacts } from '../../src/storage-audit.ts'
import { type CounterKind, type LeaderboardRow, periodKey, type UserKey } from '../../src/storage-rows.ts'
import { compareWithFacts, toUserRows } from '../sql/audit-rows.ts'
import { freeze } from './freeze.ts'
import { CHUNK, compareText } from './read.ts'
import { idOf, type Memory, type MemoryUser } from './write.ts'

/** Only a caller can corrupt this storage; nothing else writes to it. */
export function audits(open: () => Memory): StorageAudit {
  return {
    audit: async (key, facts) => audit(open(), key, facts),
    repair: async (key, facts, version) => repair(open(), key, freeze(facts), version),
    // No log outlives its user here, so the users are all owners.
    listOwners: async ({ after, limit = CHUNK } = {}) =>
      [...open().users.values()]
        .map(({ key }) => ({ ...key }))
        .filter((key) => after === undefined || compareUsers(key, after) > 0)
        .sort(compareUsers)
        .slice(0, limit),
    listCounters: async () => listCounters(open()),
    auditCounter: async (tenant, kind, key) => ({
      stored: open().counters.get(tenant)?.get(counterOf(kind, key))?.count ?? 0,
      counted: count(open(), tenant, kind, key),
    }),
    repairCounter: async (tenant, kind, key) => {
      const { counters } = open()
      const ofTenant = counters.get(tenant) ?? new Map()
      counters.set(tenant, ofTenant)
      const counted = count(open(), tenant, kind, key)
      if (counted === 0) ofTenant.delete(counterOf(kind, key))
      else ofTenant.set(counterOf(kind, key), { kind, key, count: counted })
    },
    // Ranks are found by sorting all entries, so there are no blocks.
    listBlockGroups: async () => nothing(open()),
    auditBlocks: async () => nothing(open()),
    repairBlocks: async () => void open(),
  }
}

const nothing = (_: Memory): readonly never[] => []

/** Rows made here keep booleans as booleans. */
const TRAITS = { toBoolean: (value: boolean) => value }

/** Compares the user with the facts, both as the rows that a database would have. */
function audit({ users }: Memory, key: UserKey, facts: UserFacts | null): UserAudit {
  const user = users.get(idOf(key))
  const stored = toUserRows(TRAITS, key, user === undefined ? null : toFacts(user))
  const drift = compareWithFacts(TRAITS, key, stored, facts)
  const [version, lines] = [user?.version ?? 0, user?.log.length ?? 0]
  return { version, lines, drift, snapshots: stored.snapshots.length, told: user?.told ?? null }
}

function toFacts({ state, awards, periods, leaderboards, snapshots }: MemoryUser): UserFacts {
  return {
    state,
    awards: [...awards.values()],
    periods: [...periods.values()],
    leaderboards: [...leaderboards.values()],
    snapshots: [...snapshots.values()],
  }
}

function repair(memory: Memory, key: UserKey, facts: UserFacts | null, version: number): boolean {
  const user = memory.users.get(idOf(key))
  if ((user?.version ?? 0) !== version) return false
  if (facts === null) {
    memory.users.delete(idOf(key))
    return true
  }
  const entryOf = ({ leaderboard, run }: LeaderboardRow): string => JSON.stringify([leaderboard, run])
  const { log, idempotency } = user ?? { log: [], idempotency: new Map() }
  memory.users.set(idOf(key), {
    key: { tenant: key.tenant, user: key.user },
    version: nextVersion(memory),
    state: facts.state,
    log,
    idempotency,
    awards: new Map(facts.awards.map((award) => [award.id, award])),
    periods: new Map(facts.periods.map((period) => [periodKey(period), period])),
    leaderboards: new Map(facts.leaderboards.map((row) => [entryOf(row), row])),
    snapshots: new Map(facts.snapshots?.map((snapshot) => [snapshot.lines, snapshot])),
    told: facts.told === undefined ? (user?.told ?? null) : facts.told,
  })
  return true
}

function nextVersion(memory: Memory): number {
  memory.writes += 1
  return memory.writes
}

function compareUsers(a: UserKey, b: UserKey): number {
  return compareText(a.tenant, b.tenant) || compareText(a.user, b.user)
}

function counterOf(kind: CounterKind, key: string): string {
  return JSON.stringify([kind, key])
}

function listCounters({ counters }: Memory): readonly TenantCounter[] {
  return [...counters]
    .flatMap(([tenant, ofTenant]) => [...ofTenant.values()].map((counter) => ({ tenant, ...counter })))
    .sort((a, b) => compareText(a.tenant, b.tenant) || compareText(a.kind, b.kind) || compareText(a.key, b.key))
}

function count({ users }: Memory, tenant: string, kind: CounterKind, key: string): number {
  return [...users.values()].filter((user) => user.key.tenant === tenant && isCounted(user, kind, key)).length
}

function isCounted({ state }: MemoryUser, kind: CounterKind, key: string): boolean {
  if (kind === 'users') return key === '' && state.mergedInto === null
  if (kind === 'completions') return state.completions.has(key)
  return [...state.points].some(([system, { level }]) => level !== null && JSON.stringify([system, level]) === key)
}
