import { type RawBuilder, sql } from 'kysely'
import { type ApiKeyQueries, apiKeyQueries } from './api-keys.ts'
import { type OwnedQueries, ownedQueries } from './audit.ts'
import { type AwardQueries, awardQueries } from './awards.ts'
import {
  type Bind,
  bindAll,
  columnList,
  rawStatement,
  type SqlTraits,
  type Statement,
  same,
  statement,
  tableOf,
} from './database.ts'
import { type DeliveryQueries, deliveryQueries } from './deliveries.ts'
import { type FoundUserQueries, foundUserQueries, type TenantQueries, tenantQueries } from './found-users.ts'
import { type DocumentQueries, documentQueries, type GameQueries, gameQueries } from './games.ts'
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
import { type OverviewQueries, overviewQueries } from './overview.ts'
import {
  type OwnerQueries,
  ownerQueries,
  type ProgressQueries,
  progressQueries,
  type StreakPeriodQueries,
  streakPeriodQueries,
} from './progress.ts'
import { type RowQueries, rowQueries } from './row-changes.ts'
import type { CountersTable, SnapshotsTable, UserColumns } from './tables.ts'
import { type PointsTotalQueries, pointsTotalQueries, type UserValueQueries, userValueQueries } from './user-values.ts'
import { type UserQueries, userQueries } from './users.ts'

export interface CounterQueries {
  readonly add: Statement<CountersTable, unknown>
  /** Deletes a counter that is 0 again, so that the rows are the same by whatever way they came to be. */
  readonly removeEmpty: Statement<Omit<CountersTable, 'count'>, unknown>
  readonly ofTenant: Statement<Pick<CountersTable, 'tenant_id'>, Omit<CountersTable, 'tenant_id'>>
}

function counterQueries(traits: SqlTraits): CounterQueries {
  const counters = tableOf('counters')
  return {
    add: statement(traits, (bind) =>
      traits.kysely
        .insertInto('counters')
        .values(bindAll(bind, ['tenant_id', 'kind', 'key', 'count']))
        .onConflict((on) =>
          on
            .columns(['tenant_id', 'kind', 'key'])
            .doUpdateSet((eb) => ({ count: eb('counters.count', '+', eb.ref('excluded.count')) })),
        ),
    ),
    removeEmpty: rawStatement(
      traits,
      (bind) => sql`delete from ${counters} where ${same(bind, ['tenant_id', 'kind', 'key'])} and count = 0`,
    ),
    // A database may keep one counter in several rows.
    ofTenant: rawStatement(
      traits,
      (bind) => sql`select kind, key, sum(count) as count from ${counters} where ${same(bind, ['tenant_id'])}
        group by kind, key having sum(count) <> 0 order by kind, key`,
    ),
  }
}

/** Queries to remove a user, beside those of the tables whose rows follow from a log. */
export interface RemovalQueries {
  readonly log: Statement<UserColumns, unknown>
  readonly keys: Statement<UserColumns, unknown>
  /** Positions that the user has, or had, at which blocks of leaderboards begin. */
  readonly starts: Statement<UserColumns, LeaderboardColumns & PositionColumns>
}

function removalQueries(traits: SqlTraits): RemovalQueries {
  const ofUser = (bind: Bind<UserColumns>): RawBuilder<unknown> => same(bind, ['tenant_id', 'user_id'])
  return {
    log: rawStatement(traits, (bind) => sql`delete from ${tableOf('log')} where ${ofUser(bind)}`),
    // The conditions on kind and user are those of partial indexes.
    keys: rawStatement(
      traits,
      (bind) => sql`delete from ${tableOf('api_keys')} where kind = 'application' and ${ofUser(bind)}`,
    ),
    starts: rawStatement(
      traits,
      (bind) => sql`select distinct ${columnList([...GROUP, ...POSITION])} from ${tableOf('leaderboard_blocks')}
        where user_id <> '' and ${ofUser(bind)}`,
    ),
  }
}

export type SnapshotRow = Omit<SnapshotsTable, keyof UserColumns>

export interface SnapshotQueries {
  /** The snapshot of the most lines whose last line is at an instant or before it. */
  readonly newest: Statement<UserColumns & { readonly until: number }, SnapshotRow>
  /** Removes the snapshots of more lines than `lines`. */
  readonly removeAfter: Statement<UserColumns & { readonly lines: number }, unknown>
}

function snapshotQueries(traits: SqlTraits): SnapshotQueries {
  const snapshots = tableOf('snapshots')
  return {
    newest: rawStatement(
      traits,
      (bind) => sql`select lines, at, seq, baseline, state from ${snapshots}
        where ${same(bind, ['tenant_id', 'user_id'])} and at <= ${bind('until')} order by lines desc limit 1`,
    ),
    removeAfter: rawStatement(
      traits,
      (bind) =>
        sql`delete from ${snapshots} where ${same(bind, ['tenant_id', 'user_id'])} and lines > ${bind('lines')}`,
    ),
  }
}

export interface Queries {
  readonly games: GameQueries
  readonly users: UserQueries
  readonly progress: ProgressQueries
  readonly log: LogQueries
  readonly rows: RowQueries
  readonly awards: AwardQueries
  readonly periods: StreakPeriodQueries
  readonly owners: OwnerQueries
  readonly snapshots: SnapshotQueries
  readonly counters: CounterQueries
  readonly values: UserValueQueries
  readonly pointsTotals: PointsTotalQueries
  readonly entries: LeaderboardEntryQueries
  readonly ranking: RankingQueries
  readonly blocks: BlockQueries
  readonly apiKeys: ApiKeyQueries
  readonly removal: RemovalQueries
  readonly found: FoundUserQueries
  readonly tenants: TenantQueries
  readonly messages: MessageQueries
  readonly deliveries: DeliveryQueries
  readonly documents: DocumentQueries
  readonly overview: OverviewQueries
  readonly owned: OwnedQueries
}

export function allQueries(traits: SqlTraits): Queries {
  return {
    games: gameQueries(traits),
    users: userQueries(traits),
    progress: progressQueries(traits),
    log: logQueries(traits),
    rows: rowQueries(traits),
    awards: awardQueries(traits),
    periods: streakPeriodQueries(traits),
    owners: ownerQueries(traits),
    snapshots: snapshotQueries(traits),
    counters: counterQueries(traits),
    values: userValueQueries(traits),
    pointsTotals: pointsTotalQueries(traits),
    entries: leaderboardEntryQueries(traits),
    ranking: rankingQueries(traits),
    blocks: blockQueries(traits),
    apiKeys: apiKeyQueries(traits),
    removal: removalQueries(traits),
    found: foundUserQueries(traits),
    tenants: tenantQueries(traits),
    messages: messageQueries(traits),
    deliveries: deliveryQueries(traits),
    documents: documentQueries(traits),
    overview: overviewQueries(traits),
    owned: ownedQueries(traits),
  }
}
