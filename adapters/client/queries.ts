import type { StatementRequest } from '../../src/api/wallets/requests.ts'
import type { Declared, NoLeaderboards, NoStreaks, NoSystems } from '../../src/game/definition-parts.ts'
import type {
  CallOptions,
  DefinedGame,
  KeysOf,
  LeaderboardKey,
  LeaderboardWithRankings,
  MetricKey,
  MetricResponse,
  PointsBalance,
  PointsKey,
  PointsStatement,
  Redemption,
  Reward,
  StreakKey,
  UserAchievementsRequest,
  UserAchievementWithStats,
  UserChallenge,
  UserPoints,
  UserPointsRequest,
  UserPreferences,
  UserStreak,
  UserStreakRequest,
} from '../../src/index.ts'
import type { ClientLeaderboardRequest, FromServer, GamificationClient } from './api.ts'

/** One read, and the key under which a cache keeps its answer. You can pass it to TanStack Query unchanged. */
export interface Query<Data> {
  /** `laurels`, the name of the query, then its arguments. */
  readonly queryKey: readonly unknown[]
  readonly queryFn: (options?: CallOptions) => Promise<Data>
}

/** The reads that pages show, for one user. */
export interface Queries<G extends DefinedGame = DefinedGame> {
  metric(metric: MetricKey<G>): Query<MetricResponse<KeysOf<G>>>
  achievements(request?: UserAchievementsRequest): Query<readonly UserAchievementWithStats<KeysOf<G>>[]>
  streak(request?: UserStreakRequest<Declared<StreakKey<G>, NoStreaks>> & FromServer): Query<UserStreak>
  preferences(): Query<UserPreferences>
  challenges(): Query<readonly UserChallenge<KeysOf<G>>[]>
  points(system: Declared<PointsKey<G>, NoSystems>, request?: UserPointsRequest): Query<UserPoints<KeysOf<G>>>
  /** The points of a system that the user can spend. */
  balance(system: Declared<PointsKey<G>, NoSystems>): Query<PointsBalance>
  statement(request: StatementRequest): Query<PointsStatement>
  rewards(): Query<readonly Reward<KeysOf<G>>[]>
  redemptions(): Query<readonly Redemption<KeysOf<G>>[]>
  leaderboard(
    leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
    request?: ClientLeaderboardRequest,
  ): Query<LeaderboardWithRankings<KeysOf<G>>>
}

/** Makes the queries of a user. A cache that is not `laurels/react` can keep their answers. */
export function createQueries<G extends DefinedGame = DefinedGame>(
  {
    users,
    leaderboards,
    points: wallets,
    rewards,
  }: Pick<GamificationClient<G>, 'users' | 'leaderboards' | 'points' | 'rewards'>,
  userId: string,
): Queries<G> {
  const query = <Data>(queryKey: readonly unknown[], queryFn: Query<Data>['queryFn']): Query<Data> => ({
    queryKey: ['laurels', ...queryKey],
    queryFn,
  })
  return {
    metric: (metric) => query(['metric', userId, metric], (options) => users.singleMetric(userId, metric, options)),
    achievements: (request = {}) =>
      query(['achievements', userId, request], (options) => users.achievements(userId, request, options)),
    streak: (request = {}) => query(['streak', userId, request], (options) => users.streak(userId, request, options)),
    preferences: () => query(['preferences', userId], (options) => users.getPreferences(userId, options)),
    challenges: () => query(['challenges', userId], (options) => users.challenges(userId, options)),
    points: (system, request = {}) =>
      query(['points', userId, system, request], (options) => users.points(userId, system, request, options)),
    balance: (system) => query(['balance', userId, system], (options) => wallets.balance(userId, system, options)),
    statement: (request) =>
      query(['statement', userId, request], (options) => wallets.statement(userId, request, options)),
    rewards: () => query(['rewards'], (options) => rewards.list(options)),
    redemptions: () => query(['redemptions', userId], (options) => rewards.redemptions({ user: userId }, options)),
    leaderboard: (leaderboard, request = {}) =>
      query(['leaderboard', leaderboard, request], (options) => leaderboards.get(leaderboard, request, options)),
  }
}
