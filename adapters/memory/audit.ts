import { type CounterRow, compareCounters, compareWithFacts, toRepairedRows } from '../../src/sql/audit.ts'
import type { MethodsOf } from '../../src/sql/calls.ts'
import { countsOf } from '../../src/sql/user-rows.ts'
import type { StorageAudit, UserAudit, UserFacts } from '../../src/storage/audit.ts'
import { periodKey, type UserKey } from '../../src/storage/rows.ts'
import { freeze } from './freeze.ts'
import { listUsers } from './read.ts'
import { count, entryOf, idOf, type Memory, type MemoryUser, newUser } from './write.ts'

/** Only a caller can corrupt this storage; nothing else writes to it. */
export const MEMORY_AUDIT: MethodsOf<Memory, Omit<StorageAudit, 'auditsAtOnce'>> = {
  audit,
  repair: (memory, key, facts, version) => repair(memory, key, freeze(facts), version),
  // No log outlives its user here, so the users are all owners.
  listOwners: listUsers,
  auditCounters: (memory, { repair = false } = {}) => {
    const counted = countAll(memory)
    const drift = compareCounters([...counterRows(memory.counters, true), ...counterRows(counted, false)])
    if (repair) memory.counters.clear()
    if (repair) for (const [tenant, counters] of counted) memory.counters.set(tenant, counters)
    return drift
  },
  // Ranks are found by sorting all entries, so there are no blocks.
  listBlockGroups: () => [],
  auditBlocks: () => [],
}

/** Rows made here keep booleans as booleans. */
const TRAITS = { toBoolean: (value: boolean) => value }

/** Compares the user with the facts, both as the rows that a database would have. */
function audit({ users }: Memory, key: UserKey, facts: UserFacts | null): UserAudit {
  const user = users.get(idOf(key))
  const rows = toRepairedRows(TRAITS, key, user === undefined ? null : toFacts(user), null)
  const found = compareWithFacts(TRAITS, key, { lines: user?.log.length ?? 0, rows }, facts)
  return { ...found, version: user?.version ?? 0, notices: user?.notices ?? null }
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
  memory.writes += 1
  memory.users.set(idOf(key), {
    ...(user ?? newUser(key, facts.state)),
    version: memory.writes,
    state: facts.state,
    awards: new Map(facts.awards.map((award) => [award.id, award])),
    periods: new Map(facts.periods.map((period) => [periodKey(period), period])),
    leaderboards: new Map(facts.leaderboards.map((row) => [entryOf(row), row])),
    snapshots: new Map(facts.snapshots?.map((snapshot) => [snapshot.lines, snapshot])),
    notices: facts.notices === undefined ? (user?.notices ?? null) : facts.notices,
  })
  return true
}

function countAll({ users }: Memory): Memory['counters'] {
  const counters: Memory['counters'] = new Map()
  for (const { key, state } of users.values()) {
    for (const change of countsOf(state, 1)) count({ counters }, key.tenant, change)
  }
  return counters
}

function counterRows(counters: Memory['counters'], stored: boolean): readonly CounterRow[] {
  return [...counters].flatMap(([tenant_id, ofTenant]) =>
    [...ofTenant.values()].map((counter) => ({ tenant_id, stored, level: null, ...counter })),
  )
}
