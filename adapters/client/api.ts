import type { ClientAchievementsApi, UserAchievementsApi } from '../../src/api/achievements/operations.ts'
import type { BoostsApi, UserBoostsApi } from '../../src/api/boosts/operations.ts'
import type { ChallengesApi, UserChallengesApi } from '../../src/api/challenges/operations.ts'
import type { UserMetricsApi } from '../../src/api/events/operations.ts'
import type { PointsApi, UserPointsApi } from '../../src/api/points/operations.ts'
import type { RedeemApi, RewardReadsApi } from '../../src/api/rewards/operations.ts'
import type { StreakRankingsApi } from '../../src/api/streaks/operations.ts'
import type { UserReadsApi, UserWritesApi } from '../../src/api/users/operations.ts'
import type { WalletsApi } from '../../src/api/wallets/operations.ts'
import type { Declared, NoLeaderboards, NoStreaks } from '../../src/game/definition-parts.ts'
import type {
  CallOptions,
  DefinedGame,
  EventAttribute,
  KeysOf,
  LeaderboardKey,
  LeaderboardRequest,
  LeaderboardResponse,
  LeaderboardsRequest,
  LeaderboardWithRankings,
  MetricEventRequest,
  MetricEventResponse,
  MetricKey,
  StreakKey,
  StreaksRequest,
  UserAttribute,
  UserLeaderboard,
  UserLeaderboardRequest,
  UserStreak,
  UserStreakLength,
  UserStreakRequest,
  Wrapped,
  WrappedRequest,
} from '../../src/index.ts'

/** The options that only a server may set. Editors keep the texts of the others, which `Omit` would lose. */
export interface FromServer {
  /** The caller's rights decide it. */
  readonly includePrivate?: never
}

/** An event happens when it arrives; `idempotencyKey` makes sure that it counts once, however often it is sent. */
export interface ClientEvent<G extends DefinedGame = DefinedGame>
  extends MetricEventRequest<UserAttribute<G>, EventAttribute<G>> {
  /** The caller's rights decide it. */
  readonly includePrivate?: never
  /** Only a server may set it. */
  readonly occurredAt?: never
}

/** The requested part of a run: a page, or the places around a user. */
export interface ClientLeaderboardRequest extends LeaderboardRequest {
  /** The caller's rights decide it. */
  readonly includePrivate?: never
  /** The client has a call for it: `leaderboards.among`. */
  readonly among?: never
  /** The group, on a leaderboard with a breakdown: `city:London,plan:pro`. Default: the group of `userId`. */
  readonly userAttributes?: string
}

export interface ClientAmongRequest {
  /** `YYYY-MM-DD`: the run in which this date lies. Default: the current run. */
  readonly run?: string
  /** The most places to return, 0 to 1,000. Default 10. */
  readonly limit?: number
  /** For keys, at most 1,000. */
  readonly userIds?: readonly string[]
}

/**
 * The calls of the application API, with the names that they have in-process and in the hosted service's own client. Each
 * rejects with an `ApiError`. `streaks.rankings`, `points.levelSummary`, `points.summary`, and the calls that spend
 * points, are for admin keys.
 */
export interface GamificationClient<G extends DefinedGame = DefinedGame> {
  readonly metrics: {
    /** Adds `value` to the user's total. Returns everything that changed. */
    event(metric: MetricKey<G>, event: ClientEvent<G>, options?: CallOptions): Promise<MetricEventResponse<KeysOf<G>>>
  }
  readonly achievements: ClientAchievementsApi<G, 'overHttp'>
  readonly users: UserReadsApi<'overHttp'> &
    UserMetricsApi<G, 'overHttp'> &
    UserPointsApi<G, 'overHttp'> &
    UserBoostsApi<G, 'overHttp'> &
    UserWritesApi<G, 'overHttp'> &
    UserChallengesApi<G, 'overHttp'> &
    UserAchievementsApi<G, 'overHttp'> & {
      /** Returns the user's current streak, with history on request. */
      streak(
        id: string,
        request?: UserStreakRequest<Declared<StreakKey<G>, NoStreaks>> & FromServer,
        options?: CallOptions,
      ): Promise<UserStreak>
      /** Returns a review of the user's year. */
      wrapped(id: string, request?: WrappedRequest & FromServer, options?: CallOptions): Promise<Wrapped>
      /** Returns the user's rank and value in one run of a leaderboard. */
      leaderboard(
        id: string,
        leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
        request?: UserLeaderboardRequest & FromServer,
        options?: CallOptions,
      ): Promise<UserLeaderboard<KeysOf<G>>>
    }
  readonly challenges: ChallengesApi<G, 'overHttp'>
  readonly rewards: RewardReadsApi<G, 'overHttp'> & RedeemApi<G, 'overHttp'>
  readonly streaks: StreakRankingsApi<'overHttp'> & {
    /** Returns the streak lengths of users. An application key or a session may name its own user only. */
    list(request: StreaksRequest, options?: CallOptions): Promise<readonly UserStreakLength[]>
  }
  readonly points: PointsApi<G, 'overHttp'> & BoostsApi<G, 'overHttp'> & WalletsApi<G, 'overHttp'>
  readonly leaderboards: {
    /** Lists the leaderboards that the caller may see, each with its current run. */
    all(
      request?: LeaderboardsRequest & FromServer,
      options?: CallOptions,
    ): Promise<readonly LeaderboardResponse<KeysOf<G>>[]>
    /** Returns a page of one run, or the places around a user. */
    get(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: ClientLeaderboardRequest,
      options?: CallOptions,
    ): Promise<LeaderboardWithRankings<KeysOf<G>>>
    /** Ranks some users among themselves. For a session, the app names them with `among` of `userApi`. */
    among(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: ClientAmongRequest,
      options?: CallOptions,
    ): Promise<LeaderboardWithRankings<KeysOf<G>>>
  }
}
