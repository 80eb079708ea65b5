import { toDateText } from '../../src/rules/calendar.ts'
import type {
  Drift,
  DriftRow,
  DriftValue,
  StorageAudit,
  TenantCounter,
  UserAudit,
  UserFacts,
} from '../../src/storage-audit.ts'
import type { CounterKind, LeaderboardRow, UserKey } from '../../src/storage-rows.ts'
import { compareRows } from '../sql/compare-rows.ts'
import { freeze } from './freeze.ts'
import { CHUNK, compareText } from './read.ts'
import { idOf, type Memory, type MemoryUser } from './write.ts'

/** What is to be wrong here can only come from a caller: nobody else writes. */
export function audits(open: () => Memory): StorageAudit {
  return {
    audit: async (key, facts) => audit(open(), key, facts),
    repair: async (key, facts, version) => repair(open(), key, freeze(facts), version),
    // A user's log is never without its user.
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
    // Places are found by sorting everybody, so there are no blocks.
    listBlockGroups: async () => nothing(open()),
    auditBlocks: async () => nothing(open()),
    repairBlocks: async () => void open(),
  }
}

const nothing = (_: Memory): readonly never[] => []

const USER = ['tenant_id', 'user_id'] as const
const TABLES = [
  { name: 'users', key: USER },
  { name: 'totals', key: [...USER, 'metric'] },
  { name: 'tallies', key: [...USER, 'rule_id'] },
  { name: 'completions', key: [...USER, 'achievement'] },
  { name: 'points', key: [...USER, 'system'] },
  { name: 'awards', key: [...USER, 'system', 'at', 'seq', 'ordinal'] },
  { name: 'streak_periods', key: [...USER, 'start_date'] },
  { name: 'streak_pauses', key: [...USER, 'pause_id'] },
  { name: 'leaderboard_entries', key: [...USER, 'leaderboard', 'run'] },
] as const

type Rows = { readonly [Name in (typeof TABLES)[number]['name']]: readonly DriftRow[] }

function audit({ users }: Memory, key: UserKey, facts: UserFacts | null): UserAudit {
  const user = users.get(idOf(key))
  const stored = user === undefined ? null : toRows(key, toFacts(user))
  const expected = facts === null ? null : toRows(key, facts)
  const drift = TABLES.flatMap((table): readonly Drift[] =>
    compareRows(table, stored?.[table.name] ?? [], expected?.[table.name] ?? []),
  )
  return { version: user?.version ?? 0, lines: user?.log.length ?? 0, drift }
}

function toFacts({ state, awards, periods, leaderboards }: MemoryUser): UserFacts {
  return {
    state,
    awards: [...awards.values()],
    periods: [...periods.values()],
    leaderboards: [...leaderboards.values()],
  }
}

/** As databases have them, but for what is deep: that is told as JSON. Members without a table stand in the user's row. */
function toRows({ tenant, user }: UserKey, { state, awards, periods, leaderboards }: UserFacts): Rows {
  const owner = { tenant_id: tenant, user_id: user }
  const { totals, tallies, completions, points, ...own } = state
  return {
    users: [{ ...owner, ...mapValues(own, toCell) }],
    totals: [...totals].map(([metric, sums]) => ({ ...owner, metric, ...sums })),
    tallies: [...tallies].map(([rule_id, sums]) => ({ ...owner, rule_id, ...sums })),
    completions: [...completions].map(([achievement, { at: when, entryId }]) => {
      return { ...owner, achievement, at: when, entry_id: entryId }
    }),
    points: [...points].map(([system, balance]) => ({ ...owner, system, ...balance })),
    awards: awards.map(({ id, trigger, entryId, ...award }) => {
      return { ...owner, ...award, award_id: id, trigger_id: trigger, entry_id: entryId }
    }),
    streak_periods: periods.map(({ start, ...period }) => ({ ...owner, start_date: toDateText(start), ...period })),
    streak_pauses: own.pauses.map(({ id }) => ({ ...owner, pause_id: id })),
    leaderboard_entries: leaderboards.map((row) => ({ ...owner, ...row })),
  }
}

function mapValues(object: object, map: (value: unknown) => DriftValue): DriftRow {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}

function toCell(value: unknown): DriftValue {
  return typeof value === 'number' ? value : toText(value)
}

/** Whatever the order of the members. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Map) return [...inner].sort(([a], [b]) => compareText(a, b))
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
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
    version: version + 1,
    state: facts.state,
    log,
    idempotency,
    awards: new Map(facts.awards.map((award) => [award.id, award])),
    periods: new Map(facts.periods.map((period) => [period.start, period])),
    leaderboards: new Map(facts.leaderboards.map((row) => [entryOf(row), row])),
  })
  return true
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
  if (kind === 'users') return key === ''
  if (kind === 'completions') return state.completions.has(key)
  return [...state.points].some(([system, { level }]) => level !== null && JSON.stringify([system, level]) === key)
}
