import type { Snapshot } from '../../src/storage/rows.ts'
import { compiler, insertText, OF_USER, type SqlTraits, same } from './database.ts'
import { gameQueries } from './games.ts'
import { blockQueries } from './leaderboard-blocks.ts'
import {
  GROUP,
  type LeaderboardColumns,
  leaderboardEntryQueries,
  POSITION,
  type PositionColumns,
  rankingQueries,
} from './leaderboards.ts'
import { logQueries } from './log.ts'
import { messageQueries } from './messages.ts'
import { viewQueries } from './read-user.ts'
import { rowQueries } from './row-changes.ts'
import type { CountersTable, UserColumns } from './tables.ts'
import { userQueries } from './users.ts'

export type Queries = ReturnType<typeof allQueries>

/** The statements that commits, transactions and removals share; other reads keep theirs to themselves. */
export function allQueries(traits: SqlTraits) {
  return {
    games: gameQueries(traits),
    users: userQueries(traits),
    views: viewQueries(traits),
    log: logQueries(traits),
    rows: rowQueries(traits),
    snapshots: snapshotQueries(traits),
    counters: counterQueries(traits),
    entries: leaderboardEntryQueries(traits),
    ranking: rankingQueries(traits),
    blocks: blockQueries(traits),
    messages: messageQueries(traits),
    removal: removalQueries(traits),
  }
}

type OfTenant = Pick<UserColumns, 'tenant_id'>

export type CounterQueries = ReturnType<typeof counterQueries>

function counterQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  const names = ['tenant_id', 'kind', 'key', 'slot']
  return {
    add: sql<CountersTable, unknown>(
      `${insertText('counters as c', [...names, 'count'])}
        on conflict (${names.join(', ')}) do update set count = c.count + excluded.count`,
    ),
    /** Deletes a counter that is 0 again, so that the rows do not depend on their history. */
    removeEmpty: sql<Omit<CountersTable, 'count'>, unknown>(
      `delete from laurels.counters where ${same(names)} and count = 0`,
    ),
    removeZeros: sql<object, unknown>('delete from laurels.counters where count = 0'),
    ofTenant: sql<OfTenant, Pick<CountersTable, 'kind' | 'key' | 'count'>>(
      `select kind, key, sum(count) as count from laurels.counters where tenant_id = :tenant_id
        group by kind, key having sum(count) <> 0 order by kind, key`,
    ),
  }
}

/** Statements that remove users and tenants, in addition to those of the tables whose rows follow from a log. */
function removalQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  // The condition on the kind is that of partial indexes.
  const keys = `delete from laurels.api_keys where kind = 'application' and`
  return {
    log: sql<UserColumns, unknown>(`delete from laurels.log where ${OF_USER}`),
    keys: sql<UserColumns, unknown>(`${keys} ${OF_USER}`),
    messages: sql<UserColumns, unknown>(`delete from laurels.messages where ${OF_USER}`),
    deliveries: sql<UserColumns, unknown>(`delete from laurels.deliveries where ${OF_USER}`),
    /** Positions that the user has, or had, at which blocks of leaderboards begin. */
    starts: sql<UserColumns, LeaderboardColumns & PositionColumns>(
      `select distinct ${[...GROUP, ...POSITION].join(', ')} from laurels.leaderboard_blocks
        where user_id <> '' and ${OF_USER}`,
    ),
    /** The statements that clear a tenant, in order. The lock keeps the sums as they are until the transaction ends. */
    ofTenant: [
      sql<OfTenant, unknown>(`${keys} tenant_id = :tenant_id`),
      sql<OfTenant, unknown>('delete from laurels.messages where tenant_id = :tenant_id'),
      sql<OfTenant, unknown>('delete from laurels.deliveries where tenant_id = :tenant_id'),
      sql<OfTenant, unknown>(
        `select kind from laurels.counters where tenant_id = :tenant_id order by kind, key, slot
          ${traits.locking('for update')}`,
      ),
      sql<OfTenant, unknown>(
        `delete from laurels.counters where tenant_id = :tenant_id and (kind, key) in (
          select kind, key from laurels.counters where tenant_id = :tenant_id group by kind, key having sum(count) = 0
        )`,
      ),
    ],
  }
}

function snapshotQueries(traits: SqlTraits) {
  const sql = compiler(traits)
  return {
    /** The snapshot of the most lines whose last line is at an instant or before it. */
    newest: sql<UserColumns & { readonly until: number }, Snapshot>(
      `select lines, at, seq, baseline, state from laurels.snapshots
        where ${OF_USER} and at <= :until order by lines desc limit 1`,
    ),
    removeAfter: sql<UserColumns & { readonly lines: number }, unknown>(
      `delete from laurels.snapshots where ${OF_USER} and lines > :lines`,
    ),
  }
}
