import type {
  Declared,
  NoApiAchievements,
  NoLeaderboards,
  NoStreaks,
  NoSystems,
} from '../../src/game/definition-parts.ts'
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
  KeysOf,
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
  StreakKey,
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

/** A request without the options that only a server may set. */
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

/** `userIds`: for keys, at most 1,000. */
export interface ClientAmongRequest extends Pick<LeaderboardRequest, 'run' | 'limit'> {
  readonly userIds?: readonly string[]
}

/**
 * The calls of the application API, with the names that they have in-process and in the hosted service's own client. Each
 * rejects with an `ApiError`.
 */
export interface GamificationClient<G extends DefinedGame = DefinedGame> {
  readonly metrics: {
    /** Adds `value` to the user's total and answers everything that follows. */
    event(metric: MetricKey<G>, event: ClientEvent<G>, options?: CallOptions): Promise<MetricEventResponse<KeysOf<G>>>
  }
  readonly achievements: {
    /** The active achievements, with how many users have them. */
    all(request?: AchievementsRequest, options?: CallOptions): Promise<readonly AchievementWithStats<KeysOf<G>>[]>
    /** Completing again answers the completion that there is; one that repeats is completed once for each `idempotencyKey`. */
    complete(
      achievement: Declared<ApiAchievementKey<G>, NoApiAchievements>,
      request: CompletionRequest<UserAttribute<G>>,
      options?: CallOptions,
    ): Promise<AchievementCompletionResponse<KeysOf<G>>>
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
    allMetrics(id: string, options?: CallOptions): Promise<readonly MetricResponse<KeysOf<G>>[]>
    singleMetric(id: string, metric: MetricKey<G>, options?: CallOptions): Promise<MetricResponse<KeysOf<G>>>
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
    ): Promise<readonly UserAchievementWithStats<KeysOf<G>>[]>
    /** As it reads now, with history on request. */
    streak(
      id: string,
      request?: OverHttp<UserStreakRequest<Declared<StreakKey<G>, NoStreaks>>>,
      options?: CallOptions,
    ): Promise<UserStreak>
    /** Total, level and newest awards in one points system. */
    points(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request?: UserPointsRequest,
      options?: CallOptions,
    ): Promise<UserPoints<KeysOf<G>>>
    pointsBoosts(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      options?: CallOptions,
    ): Promise<readonly PointsBoost[]>
    pointsEventSummary(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request: EventSummaryRequest,
      options?: CallOptions,
    ): Promise<readonly EventSummaryItem[]>
    /** A year in review. */
    wrapped(id: string, request?: OverHttp<WrappedRequest>, options?: CallOptions): Promise<Wrapped>
    /** Rank and value in one run of a leaderboard. */
    leaderboard(
      id: string,
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: OverHttp<UserLeaderboardRequest>,
      options?: CallOptions,
    ): Promise<UserLeaderboard<KeysOf<G>>>
  }
  readonly streaks: {
    /** An application key and a session may name their own user only. */
    list(request: StreaksRequest, options?: CallOptions): Promise<readonly UserStreakLength[]>
    /** For admin keys. */
    rankings(request?: StreakRankingsRequest, options?: CallOptions): Promise<readonly StreakRanking[]>
  }
  readonly points: {
    system(system: Declared<PointsKey<G>, NoSystems>, options?: CallOptions): Promise<PointsSystemResponse<KeysOf<G>>>
    /** The lowest first. */
    levels(system: Declared<PointsKey<G>, NoSystems>, options?: CallOptions): Promise<readonly PointsLevel[]>
    boosts(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: BoostsRequest,
      options?: CallOptions,
    ): Promise<readonly PointsBoost[]>
    /** For admin keys. */
    levelSummary(
      system: Declared<PointsKey<G>, NoSystems>,
      options?: CallOptions,
    ): Promise<readonly PointsLevelSummaryItem[]>
    /** For admin keys. */
    summary(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: PointsSummaryRequest,
      options?: CallOptions,
    ): Promise<readonly PointsRange[]>
  }
  readonly leaderboards: {
    all(
      request?: OverHttp<LeaderboardsRequest>,
      options?: CallOptions,
    ): Promise<readonly LeaderboardResponse<KeysOf<G>>[]>
    /** A page of one run, or the places around a user. */
    get(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: ClientLeaderboardRequest,
      options?: CallOptions,
    ): Promise<LeaderboardWithRankings<KeysOf<G>>>
    /** Some users among themselves. A session names none: the app does. */
    among(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: ClientAmongRequest,
      options?: CallOptions,
    ): Promise<LeaderboardWithRankings<KeysOf<G>>>
  }
}
