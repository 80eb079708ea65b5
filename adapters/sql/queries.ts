import { type ApiKeyQueries, apiKeyQueries } from './api-keys.ts'
import { type AwardQueries, awardQueries } from './awards.ts'
import { type CounterQueries, counterQueries } from './counters.ts'
import { type DeliveryQueries, deliveryQueries } from './deliveries.ts'
import { type DocumentQueries, documentQueries } from './documents.ts'
import { type FoundUserQueries, foundUserQueries } from './found-users.ts'
import { type GameQueries, gameQueries } from './games.ts'
import { type GivenBoostQueries, givenBoostQueries } from './given-boosts.ts'
import { type BlockQueries, blockQueries } from './leaderboard-blocks.ts'
import { type LeaderboardEntryQueries, leaderboardEntryQueries } from './leaderboard-entries.ts'
import { type RankingQueries, rankingQueries } from './leaderboard-ranking.ts'
import { type LogQueries, logQueries } from './log.ts'
import { type MessageQueries, messageQueries } from './messages.ts'
import { type OverviewQueries, overviewQueries } from './overview.ts'
import { type PointsTotalQueries, pointsTotalQueries } from './points-totals.ts'
import { type ProgressQueries, progressQueries } from './progress.ts'
import { type RemovalQueries, removalQueries } from './removal.ts'
import { type RowQueries, rowQueries } from './row-queries.ts'
import { type SnapshotQueries, snapshotQueries } from './snapshots.ts'
import { type StreakPauseQueries, streakPauseQueries } from './streak-pauses.ts'
import { type StreakPeriodQueries, streakPeriodQueries } from './streak-periods.ts'
import { type TenantQueries, tenantQueries } from './tenants.ts'
import type { SqlTraits } from './traits.ts'
import { type UserValueQueries, userValueQueries } from './user-values.ts'
import { type UserQueries, userQueries } from './users.ts'

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
