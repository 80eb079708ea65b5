import { type RawBuilder, sql } from 'kysely'
import type { CounterAudit, TenantCounter } from '../../src/storage-audit.ts'
import type { CounterKind } from '../../src/storage-rows.ts'
import { type Bind, bindAll, type Statement, statement } from './statement.ts'
import type { CountersTable } from './tables.ts'
import type { SqlTraits } from './traits.ts'

/** A counter, and the values that the rows it counts have. */
export interface CounterColumns extends Omit<CountersTable, 'count'> {
  readonly counted_key: string
  readonly counted_level: string | null
}

export interface AuditCounterQueries {
  readonly all: Statement<Readonly<Record<string, never>>, CountersTable>
  /** The stored count, and how many rows there are to count. */
  audit(kind: CounterKind): Statement<CounterColumns, CounterAudit>
}

export function auditCounterQueries(traits: SqlTraits): AuditCounterQueries {
  const counts = {
    // The counter of users has an empty key; with another key it counts nobody.
    users: audit(traits, 'users', (bind) => sql`${bind('counted_key')} = '' and merged_into is null`),
    completions: audit(traits, 'completions', (bind) => sql`achievement = ${bind('counted_key')}`),
    level: audit(traits, 'points', (bind) => sql`system = ${bind('counted_key')} and level = ${bind('counted_level')}`),
  }
  return {
    all: statement(traits, () =>
      traits.kysely
        .selectFrom('counters')
        .select((eb) => ['tenant_id', 'kind', 'key', eb.fn.sum<number>('count').as('count')])
        .groupBy(['tenant_id', 'kind', 'key'])
        .having((eb) => eb(eb.fn.sum('count'), '<>', 0))
        .orderBy('tenant_id')
        .orderBy('kind')
        .orderBy('key'),
    ),
    // A counter of an unknown kind has no level, so the statement for levels counts nothing for it.
    audit: (kind) => counts[kind] ?? counts.level,
  }
}

function audit(
  traits: SqlTraits,
  table: 'users' | 'completions' | 'points',
  isCounted: (bind: Bind<CounterColumns>) => RawBuilder<boolean>,
): Statement<CounterColumns, CounterAudit> {
  const { kysely } = traits
  return statement(traits, (bind: Bind<CounterColumns>) => {
    const stored = kysely
      .selectFrom('counters')
      // A database may keep one counter in several rows.
      .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
      .where((eb) => eb.and(bindAll(bind, ['tenant_id', 'kind', 'key'])))
    const counted = kysely
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tenant_id', '=', bind('tenant_id'))
      .where(isCounted(bind))
    return kysely.selectFrom([stored.as('s'), counted.as('c')]).select(['s.count as stored', 'c.count as counted'])
  })
}

export function toCounterColumns(tenant: string, kind: CounterKind, key: string): CounterColumns {
  const [counted_key, counted_level] = toCounted(kind, key)
  return { tenant_id: tenant, kind, key, counted_key, counted_level }
}

function toCounted(kind: CounterKind, key: string): readonly [string, string | null] {
  if (kind === 'users' || kind === 'completions') return [key, null]
  return kind === 'level' ? readLevel(key) : ['', null]
}

/** `[system, level]`; any other text gives values that no row has. */
function readLevel(key: string): readonly [string, string | null] {
  try {
    const parsed: unknown = JSON.parse(key)
    if (!Array.isArray(parsed) || parsed.length !== 2) return ['', null]
    const [system, level]: readonly unknown[] = parsed
    // One level has one text: other spellings of its JSON must not count it too.
    if (typeof system !== 'string' || typeof level !== 'string' || JSON.stringify(parsed) !== key) return ['', null]
    return [system, level]
  } catch {
    return ['', null]
  }
}

export function toTenantCounter({ tenant_id, kind, key, count }: CountersTable): TenantCounter {
  return { tenant: tenant_id, kind, key, count }
}
