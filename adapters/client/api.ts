import type {
  AchievementCompletionResponse,
  AchievementsRequest,
  AchievementWithStats,
  ApiAchievementKey,
  BoostsRequest,
  CompletionRequest,
  DefinedGame,
  EventAttribute,
  EventSummaryItem,
  EventSummaryRequest,
  LeaderboardKey,
  LeaderboardRequest,
  LeaderboardResponse,
  LeaderboardsRequest,
  LeaderboardWithRankings,
  MetricEventRequest,
  MetricEventResponse,
  MetricKey,
  MetricResponse,
  PointsBoost,
  PointsKey,
  PointsLevel,
  PointsLevelSummaryItem,
  PointsRange,
  PointsSummaryRequest,
  PointsSystemResponse,
  PreferencesUpdate,
  StreakRanking,
  StreakRankingsRequest,
  StreaksRequest,
  User,
  UserAchievementsRequest,
  UserAchievementWithStats,
  UserAttribute,
  UserLeaderboard,
  UserLeaderboardRequest,
  UserPoints,
  UserPointsRequest,
  UserPreferences,
  UserStreak,
  UserStreakLength,
  UserStreakRequest,
  UserUpdate,
  UserUpsert,
  Wrapped,
  WrappedRequest,
} from '../../src/index.ts'

export interface CallOptions {
  /** Gives the call up: it rejects with the signal's reason. What was sent may still be carried out. */
  readonly signal?: AbortSignal
}

/** What is for the server alone to decide. */
type OverHttp<Request> = Omit<Request, 'includePrivate'>

/** An event happens when it arrives; `idempotencyKey` makes sure that it counts once, however often it is sent. */
export type ClientEvent<G extends DefinedGame = DefinedGame> = Omit<
  MetricEventRequest<UserAttribute<G>, EventAttribute<G>>,
  'includePrivate' | 'occurredAt'
>

/** The group is a text over HTTP: `city:London,plan:pro`. */
export interface ClientLeaderboardRequest
  extends Omit<LeaderboardRequest, 'includePrivate' | 'among' | 'userAttributes'> {
  readonly userAttributes?: string
}

/**
 * The calls of the application API, with the names that they have in-process and in the hosted service's own client. Each
 * rejects with an `ApiError`.
 */
export interface GamificationClient<G extends DefinedGame = DefinedGame> {
  readonly metrics: {
    /** Adds `value` to the user's total and answers everything that follows. */
    event(metric: MetricKey<G>, event: ClientEvent<G>, options?: CallOptions): Promise<MetricEventResponse>
  }
  readonly achievements: {
    /** The active achievements, with how many users have them. */
    all(request?: AchievementsRequest, options?: CallOptions): Promise<readonly AchievementWithStats[]>
    /** Completing again answers the first completion. */
    complete(
      achievement: ApiAchievementKey<G>,
      request: CompletionRequest<UserAttribute<G>>,
      options?: CallOptions,
    ): Promise<AchievementCompletionResponse>
  }
  readonly users: {
    /** A known id is updated. */
    create(user: UserUpsert<UserAttribute<G>>, options?: CallOptions): Promise<User>
    get(id: string, options?: CallOptions): Promise<User>
    /** Creates or updates. */
    identify(id: string, update: UserUpdate<UserAttribute<G>>, options?: CallOptions): Promise<User>
    update(id: string, update: UserUpdate<UserAttribute<G>>, options?: CallOptions): Promise<User>
    getPreferences(id: string, options?: CallOptions): Promise<UserPreferences>
    updatePreferences(
      id: string,
      update: PreferencesUpdate<MetricKey<G>>,
      options?: CallOptions,
    ): Promise<UserPreferences>
    allMetrics(id: string, options?: CallOptions): Promise<readonly MetricResponse[]>
    singleMetric(id: string, metric: MetricKey<G>, options?: CallOptions): Promise<MetricResponse>
    /** What events added on each day, week or month between two dates. */
    metricEventSummary(
      id: string,
      metric: MetricKey<G>,
      request: EventSummaryRequest,
      options?: CallOptions,
    ): Promise<readonly EventSummaryItem[]>
    /** Those not yet completed on request. */
    achievements(
      id: string,
      request?: UserAchievementsRequest,
      options?: CallOptions,
    ): Promise<readonly UserAchievementWithStats[]>
    /** As it reads now, with history on request. */
    streak(id: string, request?: OverHttp<UserStreakRequest>, options?: CallOptions): Promise<UserStreak>
    /** Total, level and newest awards in one points system. */
    points(id: string, system: PointsKey<G>, request?: UserPointsRequest, options?: CallOptions): Promise<UserPoints>
    pointsBoosts(id: string, system: PointsKey<G>, options?: CallOptions): Promise<readonly PointsBoost[]>
    pointsEventSummary(
      id: string,
      system: PointsKey<G>,
      request: EventSummaryRequest,
      options?: CallOptions,
    ): Promise<readonly EventSummaryItem[]>
    /** A year in review. */
    wrapped(id: string, request?: OverHttp<WrappedRequest>, options?: CallOptions): Promise<Wrapped>
    /** Rank and value in one run of a leaderboard. */
    leaderboard(
      id: string,
      leaderboard: LeaderboardKey<G>,
      request?: OverHttp<UserLeaderboardRequest>,
      options?: CallOptions,
    ): Promise<UserLeaderboard>
  }
  readonly streaks: {
    /** An application key and a session may name their own user only. */
    list(request: StreaksRequest, options?: CallOptions): Promise<readonly UserStreakLength[]>
    /** For admin keys. */
    rankings(request?: StreakRankingsRequest, options?: CallOptions): Promise<readonly StreakRanking[]>
  }
  readonly points: {
    system(system: PointsKey<G>, options?: CallOptions): Promise<PointsSystemResponse>
    /** The lowest first. */
    levels(system: PointsKey<G>, options?: CallOptions): Promise<readonly PointsLevel[]>
    boosts(system: PointsKey<G>, request?: BoostsRequest, options?: CallOptions): Promise<readonly PointsBoost[]>
    /** For admin keys. */
    levelSummary(system: PointsKey<G>, options?: CallOptions): Promise<readonly PointsLevelSummaryItem[]>
    /** For admin keys. */
    summary(
      system: PointsKey<G>,
      request?: PointsSummaryRequest,
      options?: CallOptions,
    ): Promise<readonly PointsRange[]>
  }
  readonly leaderboards: {
    all(request?: OverHttp<LeaderboardsRequest>, options?: CallOptions): Promise<readonly LeaderboardResponse[]>
    /** A page of one run, or the places around a user. */
    get(
      leaderboard: LeaderboardKey<G>,
      request?: ClientLeaderboardRequest,
      options?: CallOptions,
    ): Promise<LeaderboardWithRankings>
  }
}
