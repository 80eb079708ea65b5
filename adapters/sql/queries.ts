import { sql } from 'kysely'
import { type ApiKeyQueries, apiKeyQueries } from './api-keys.ts'
import { type AwardQueries, awardQueries } from './awards.ts'
import { type GivenBoostQueries, givenBoostQueries } from './boosts.ts'
import { bindAll, type SqlTraits, type Statement, statement } from './database.ts'
import { type DeliveryQueries, deliveryQueries } from './deliveries.ts'
import { type FoundUserQueries, foundUserQueries, type TenantQueries, tenantQueries } from './found-users.ts'
import { type DocumentQueries, documentQueries, type GameQueries, gameQueries } from './games.ts'
import { type BlockQueries, blockQueries } from './leaderboard-blocks.ts'
import {
  GROUP,
  type LeaderboardColumns,
  type LeaderboardEntryQueries,
  leaderboardEntryQueries,
  type PositionColumns,
  type RankingQueries,
  rankingQueries,
} from './leaderboards.ts'
import { type LogQueries, logQueries } from './log.ts'
import { type MessageQueries, messageQueries } from './messages.ts'
import { type OverviewQueries, overviewQueries } from './overview.ts'
import { type PointsTotalQueries, pointsTotalQueries } from './points-totals.ts'
import {
  type ProgressQueries,
  progressQueries,
  type StreakPauseQueries,
  type StreakPeriodQueries,
  streakPauseQueries,
  streakPeriodQueries,
} from './progress.ts'
import { type RowQueries, rowQueries } from './row-changes.ts'
import type { ApiKeysTable, CountersTable, SnapshotsTable, UserColumns } from './tables.ts'
import { type UserValueQueries, userValueQueries } from './user-values.ts'
import { type UserQueries, userQueries } from './users.ts'

export interface CounterQueries {
  readonly add: Statement<CountersTable, unknown>
  /** Deletes a counter that is 0 again, so that the rows are the same by whatever way they came to be. */
  readonly removeEmpty: Statement<Omit<CountersTable, 'count'>, unknown>
  readonly ofTenant: Statement<Pick<CountersTable, 'tenant_id'>, Omit<CountersTable, 'tenant_id'>>
}

function counterQueries(traits: SqlTraits): CounterQueries {
  const { kysely } = traits
  return {
    add: statement(traits, (bind) =>
      kysely
        .insertInto('counters')
        .values(bindAll(bind, ['tenant_id', 'kind', 'key', 'count']))
        .onConflict((on) =>
          on
            .columns(['tenant_id', 'kind', 'key'])
            .doUpdateSet((eb) => ({ count: eb('counters.count', '+', eb.ref('excluded.count')) })),
        ),
    ),
    removeEmpty: statement(traits, (bind) =>
      kysely
        .deleteFrom('counters')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('kind', '=', bind('kind'))
        .where('key', '=', bind('key'))
        .where('count', '=', 0),
    ),
    ofTenant: statement(traits, (bind) =>
      kysely
        .selectFrom('counters')
        .select((eb) => ['kind', 'key', eb.fn.sum<number>('count').as('count')])
        .where('tenant_id', '=', bind('tenant_id'))
        .groupBy(['kind', 'key'])
        // A database may keep one counter in several rows.
        .having((eb) => eb(eb.fn.sum('count'), '<>', 0))
        .orderBy('kind')
        .orderBy('key'),
    ),
  }
}

/** Queries to remove a user, beside those of the tables whose rows follow from a log. */
export interface RemovalQueries {
  readonly log: Statement<UserColumns, unknown>
  readonly keys: Statement<UserColumns, unknown>
  /** Positions that the user has, or had, at which blocks of leaderboards begin. */
  readonly starts: Statement<UserColumns, LeaderboardColumns & PositionColumns>
  /** The first user behind a position who shares its value and instant; null: nobody. */
  readonly tied: Statement<LeaderboardColumns & PositionColumns, { readonly user_id: string | null }>
}

const APPLICATION = sql.lit<ApiKeysTable['kind']>('application')

function removalQueries(traits: SqlTraits): RemovalQueries {
  const { kysely } = traits
  return {
    log: statement(traits, (bind) =>
      kysely.deleteFrom('log').where('tenant_id', '=', bind('tenant_id')).where('user_id', '=', bind('user_id')),
    ),
    keys: statement(traits, (bind) =>
      kysely
        .deleteFrom('api_keys')
        // The condition of the partial index.
        .where('kind', '=', APPLICATION)
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),
    ),
    starts: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_blocks')
        .select([...GROUP, 'minus_value', 'reached_at', 'user_id'])
        .distinct()
        // The condition of the partial index.
        .where('user_id', '<>', sql.lit(''))
        .where('user_id', '=', bind('user_id'))
        .where('tenant_id', '=', bind('tenant_id')),
    ),
    tied: statement(traits, (bind) =>
      kysely
        .selectFrom('leaderboard_entries')
        .select((eb) => eb.fn.min<string | null>('user_id').as('user_id'))
        .where((eb) => eb.and(bindAll(bind, [...GROUP, 'minus_value', 'reached_at'])))
        .where('user_id', '>', bind('user_id'))
        .where('until', 'is', null),
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
  return {
    newest: statement(traits, (bind) =>
      traits.kysely
        .selectFrom('snapshots')
        .select(['lines', 'at', 'seq', 'baseline', 'state'])
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('at', '<=', bind('until'))
        .orderBy('lines', 'desc')
        .limit(1),
    ),
    removeAfter: statement(traits, (bind) =>
      traits.kysely
        .deleteFrom('snapshots')
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('lines', '>', bind('lines')),
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
  readonly pauses: StreakPauseQueries
  readonly boosts: GivenBoostQueries
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
    pauses: streakPauseQueries(traits),
    boosts: givenBoostQueries(traits),
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
  }
}
