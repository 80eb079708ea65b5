import type { Snapshot } from '../../src/storage/rows.ts'
import { compiler, insertText, OF_USER, type SqlTraits, type Statement, same } from './database.ts'
import { type GameQueries, gameQueries } from './games.ts'
import { type BlockQueries, blockQueries } from './leaderboard-blocks.ts'
import {
  GROUP,
  type LeaderboardColumns,
  type LeaderboardEntryQueries,
  leaderboardEntryQueries,
  POSITION,
  type PositionColumns,
  type RankingQueries,
  rankingQueries,
} from './leaderboards.ts'
import { type LogQueries, logQueries } from './log.ts'
import { type MessageQueries, messageQueries } from './messages.ts'
import { type ViewQueries, viewQueries } from './read-user.ts'
import { type RowQueries, rowQueries } from './row-changes.ts'
import type { CountersTable, UserColumns } from './tables.ts'
import { type UserQueries, userQueries } from './users.ts'

/** The statements that commits, transactions and removals share; other reads keep theirs to themselves. */
export interface Queries {
  readonly games: GameQueries
  readonly users: UserQueries
  readonly views: ViewQueries
  readonly log: LogQueries
  readonly rows: RowQueries
  readonly snapshots: SnapshotQueries
  readonly counters: CounterQueries
  readonly entries: LeaderboardEntryQueries
  readonly ranking: RankingQueries
  readonly blocks: BlockQueries
  readonly messages: MessageQueries
  readonly removal: RemovalQueries
}

export function allQueries(traits: SqlTraits): Queries {
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

export interface CounterQueries {
  readonly add: Statement<CountersTable, unknown>
  /** Deletes a counter that is 0 again, so that the rows do not depend on their history. */
  readonly removeEmpty: Statement<Omit<CountersTable, 'count'>, unknown>
  readonly removeZeros: Statement<object, unknown>
  readonly ofTenant: Statement<OfTenant, Pick<CountersTable, 'kind' | 'key' | 'count'>>
}

function counterQueries(traits: SqlTraits): CounterQueries {
  const sql = compiler(traits)
  const names = ['tenant_id', 'kind', 'key', 'slot']
  return {
    add: sql(
      `${insertText('counters as c', [...names, 'count'])}
        on conflict (${names.join(', ')}) do update set count = c.count + excluded.count`,
    ),
    removeEmpty: sql(`delete from laurels.counters where ${same(names)} and count = 0`),
    removeZeros: sql('delete from laurels.counters where count = 0'),
    ofTenant: sql(
      `select kind, key, sum(count) as count from laurels.counters where tenant_id = :tenant_id
        group by kind, key having sum(count) <> 0 order by kind, key`,
    ),
  }
}

export interface RemovalQueries {
  readonly log: Statement<UserColumns, unknown>
  readonly keys: Statement<UserColumns, unknown>
  readonly messages: Statement<UserColumns, unknown>
  readonly deliveries: Statement<UserColumns, unknown>
  /** Positions that the user has, or had, at which blocks of leaderboards begin. */
  readonly starts: Statement<UserColumns, LeaderboardColumns & PositionColumns>
  /** The statements that clear a tenant, in order. The lock keeps the sums as they are until the transaction ends. */
  readonly ofTenant: readonly Statement<OfTenant, unknown>[]
}

/** Statements that remove users and tenants, in addition to those of the tables whose rows follow from a log. */
function removalQueries(traits: SqlTraits): RemovalQueries {
  const sql = compiler(traits)
  // The condition on the kind is that of partial indexes.
  const keys = `delete from laurels.api_keys where kind = 'application' and`
  return {
    log: sql(`delete from laurels.log where ${OF_USER}`),
    keys: sql(`${keys} ${OF_USER}`),
    messages: sql(`delete from laurels.messages where ${OF_USER}`),
    deliveries: sql(`delete from laurels.deliveries where ${OF_USER}`),
    starts: sql(
      `select distinct ${[...GROUP, ...POSITION].join(', ')} from laurels.leaderboard_blocks
        where user_id <> '' and ${OF_USER}`,
    ),
    ofTenant: [
      sql(`${keys} tenant_id = :tenant_id`),
      sql('delete from laurels.messages where tenant_id = :tenant_id'),
      sql('delete from laurels.deliveries where tenant_id = :tenant_id'),
      sql(
        `select kind from laurels.counters where tenant_id = :tenant_id order by kind, key, slot
          ${traits.locking('for update')}`,
      ),
      sql(
        `delete from laurels.counters where tenant_id = :tenant_id and (kind, key) in (
          select kind, key from laurels.counters where tenant_id = :tenant_id group by kind, key having sum(count) = 0
        )`,
      ),
    ],
  }
}

export interface SnapshotQueries {
  /** The snapshot of the most lines whose last line is at an instant or before it. */
  readonly newest: Statement<UserColumns & { readonly until: number }, Snapshot>
  readonly removeAfter: Statement<UserColumns & { readonly lines: number }, unknown>
}

function snapshotQueries(traits: SqlTraits): SnapshotQueries {
  const sql = compiler(traits)
  return {
    newest: sql(
      `select lines, at, seq, baseline, state from laurels.snapshots
        where ${OF_USER} and at <= :until order by lines desc limit 1`,
    ),
    removeAfter: sql(`delete from laurels.snapshots where ${OF_USER} and lines > :lines`),
  }
}
