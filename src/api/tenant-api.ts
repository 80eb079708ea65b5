import type { DefinedGame } from '../game/define-game.ts'
import type { AchievementsApi, AdminAchievementsApi, UserAchievementsApi } from './achievements/operations.ts'
import type { AdminBoostsApi, BoostsApi, UserBoostsApi } from './boosts/operations.ts'
import type { ConfigurationApi } from './configuration/operations.ts'
import type { AdminMetricsApi, EventsApi, ImportApi, MetricsApi, UserMetricsApi, VoidApi } from './events/operations.ts'
import type { ExplainCalls } from './explain/operations.ts'
import type { ApplicationKeysApi } from './keys/operations.ts'
import type { LeaderboardsApi, UserLeaderboardApi } from './leaderboards/operations.ts'
import type { OverviewCalls } from './operate/operations.ts'
import type { AdminPointsApi, PointsApi, UserPointsApi } from './points/operations.ts'
import type { AdminStreaksApi, StreaksApi, UserStreakApi } from './streaks/operations.ts'
import type { AdminUsersApi, UserReadsApi, UserWritesApi } from './users/operations.ts'
import type { UserYearApi } from './year/operations.ts'

/**
 * The HTTP API, in-process. Method names match the client of the hosted service, and answers have the shape of the HTTP
 * responses. Every method rejects with a `GamificationError`; nothing was saved then.
 */
export interface GamificationApi<G extends DefinedGame> extends OverviewCalls, ExplainCalls<G>, ImportApi<G> {
  readonly metrics: MetricsApi<G>
  readonly events: VoidApi<G> & EventsApi<G>
  readonly achievements: AchievementsApi<G>
  readonly users: AdminUsersApi &
    UserReadsApi &
    UserWritesApi<G> &
    UserAchievementsApi<G> &
    UserMetricsApi<G> &
    UserPointsApi<G> &
    UserBoostsApi<G> &
    UserLeaderboardApi<G> &
    UserStreakApi<G> &
    UserYearApi
  readonly streaks: StreaksApi
  readonly points: PointsApi<G> & BoostsApi<G>
  readonly leaderboards: LeaderboardsApi<G>
  readonly admin: ConfigurationApi & {
    readonly points: AdminPointsApi<G> & { readonly boosts: AdminBoostsApi }
    readonly achievements: AdminAchievementsApi<G>
    readonly metrics: AdminMetricsApi<G>
    readonly applicationApiKeys: ApplicationKeysApi<G>
    readonly streaks: AdminStreaksApi<G>
  }
}
