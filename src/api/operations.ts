import type { DefinedGame } from '../game/define-game.ts'
import {
  type AchievementsApi,
  type AdminAchievementsApi,
  achievementOperations,
  type UserAchievementsApi,
} from './achievements/operations.ts'
import { type AdminBoostsApi, type BoostsApi, boostOperations, type UserBoostsApi } from './boosts/operations.ts'
import { type ChallengesApi, challengeOperations, type UserChallengesApi } from './challenges/operations.ts'
import { type ConfigurationApi, configurationOperations } from './configuration/operations.ts'
import {
  type AdminMetricsApi,
  type EventsApi,
  eventOperations,
  type MetricsApi,
  type UserLogApi,
  type UserMetricsApi,
} from './events/operations.ts'
import { type ExplainCalls, explainOperations } from './explain/operations.ts'
import { type ApplicationKeysApi, keyOperations } from './keys/operations.ts'
import { type LeaderboardsApi, leaderboardOperations, type UserLeaderboardApi } from './leaderboards/operations.ts'
import {
  type ImportApi,
  type OverviewCalls,
  operateOperations,
  type UserExportApi,
  type UserExportPagesApi,
} from './operate/operations.ts'
import type { OperationsOf } from './operation.ts'
import { type AdminPointsApi, type PointsApi, pointsOperations, type UserPointsApi } from './points/operations.ts'
import { type RewardsApi, rewardOperations } from './rewards/operations.ts'
import { type AdminStreaksApi, type StreaksApi, streakOperations, type UserStreakApi } from './streaks/operations.ts'
import { type AdminUsersApi, type UserReadsApi, type UserWritesApi, userOperations } from './users/operations.ts'
import { type WalletsApi, walletOperations } from './wallets/operations.ts'
import { type UserYearApi, yearOperations } from './year/operations.ts'

/** The calls that are declared as operations, in the groups of the API. */
export interface DeclaredCalls<G extends DefinedGame> extends OverviewCalls, ExplainCalls<G> {
  readonly metrics: MetricsApi<G>
  readonly events: EventsApi<G>
  readonly achievements: AchievementsApi<G>
  readonly users: AdminUsersApi &
    UserReadsApi &
    UserWritesApi<G> &
    UserLogApi &
    UserExportPagesApi &
    UserAchievementsApi<G> &
    UserChallengesApi<G> &
    UserMetricsApi<G> &
    UserPointsApi<G> &
    UserBoostsApi<G> &
    UserLeaderboardApi<G> &
    UserStreakApi<G> &
    UserYearApi
  readonly challenges: ChallengesApi<G>
  readonly rewards: RewardsApi<G>
  readonly streaks: StreaksApi
  readonly points: PointsApi<G> & BoostsApi<G> & WalletsApi<G>
  readonly leaderboards: LeaderboardsApi<G>
  readonly admin: ConfigurationApi & {
    readonly points: AdminPointsApi<G> & { readonly boosts: AdminBoostsApi }
    readonly achievements: AdminAchievementsApi<G>
    readonly metrics: AdminMetricsApi<G>
    readonly applicationApiKeys: ApplicationKeysApi<G>
    readonly streaks: AdminStreaksApi<G>
  }
}

/**
 * The HTTP API, in-process. Method names match the client of the hosted service, and answers have the shape of the HTTP
 * responses. Every method rejects with a `GamificationError`; nothing was saved then.
 */
export interface GamificationApi<G extends DefinedGame> extends DeclaredCalls<G>, ImportApi<G> {
  readonly users: DeclaredCalls<G>['users'] & UserExportApi
}

export const OPERATIONS: OperationsOf<DeclaredCalls<DefinedGame>> = {
  metrics: eventOperations.metrics,
  events: eventOperations.events,
  achievements: achievementOperations.achievements,
  challenges: challengeOperations.challenges,
  points: { ...pointsOperations.points, ...boostOperations.points, ...walletOperations.points },
  rewards: rewardOperations.rewards,
  leaderboards: leaderboardOperations.leaderboards,
  users: {
    ...userOperations.users,
    ...eventOperations.users,
    ...operateOperations.users,
    ...achievementOperations.users,
    ...challengeOperations.users,
    ...pointsOperations.users,
    ...boostOperations.users,
    ...leaderboardOperations.users,
    ...streakOperations.users,
    ...yearOperations.users,
  },
  streaks: streakOperations.streaks,
  status: operateOperations.status,
  activity: operateOperations.activity,
  ...explainOperations,
  admin: {
    ...configurationOperations.admin,
    ...keyOperations.admin,
    streaks: { ...configurationOperations.admin.streaks, ...streakOperations.admin.streaks },
    achievements: { ...configurationOperations.admin.achievements, ...achievementOperations.admin.achievements },
    metrics: { ...configurationOperations.admin.metrics, ...eventOperations.admin.metrics },
    points: {
      ...configurationOperations.admin.points,
      ...pointsOperations.admin.points,
      ...boostOperations.admin.points,
    },
  },
}
