import type { Declared, NoApiAchievements, NoLeaderboards, NoStreaks } from '../../src/game/definition-parts.ts'
import type {
  AchievementCompletionResponse,
  ApiAchievementKey,
  CallOptions,
  CompletionRequest,
  DefinedGame,
  EventAttribute,
  GamificationApi,
  KeysOf,
  LeaderboardKey,
  LeaderboardRequest,
  LeaderboardResponse,
  LeaderboardsRequest,
  LeaderboardWithRankings,
  MetricEventRequest,
  MetricEventResponse,
  MetricKey,
  PreferencesUpdate,
  StreakKey,
  StreaksRequest,
  User,
  UserAttribute,
  UserLeaderboard,
  UserLeaderboardRequest,
  UserPreferences,
  UserStreak,
  UserStreakLength,
  UserStreakRequest,
  UserUpdate,
  UserUpsert,
  Wrapped,
  WrappedRequest,
} from '../../src/index.ts'

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
 * A read of the in-process API, with the options of the client. It is a method, so that a client of one game is a
 * client of any.
 */
type Read<Run> = Run extends (...given: infer Given) => infer Answer
  ? { read(...given: [...Given, options?: CallOptions]): Answer }['read']
  : never

/** Some reads of a group of calls. Each has the documentation that it has in-process. */
type Reads<Group, Name extends keyof Group> = { readonly [Each in Name]: Read<Group[Each]> }

/** The reads of users that are the same over HTTP. */
type UserReads =
  | 'get'
  | 'getPreferences'
  | 'allMetrics'
  | 'singleMetric'
  | 'metricEventSummary'
  | 'achievements'
  | 'points'
  | 'pointsBoosts'
  | 'pointsEventSummary'

/**
 * The calls of the application API, with the names that they have in-process and in the hosted service's own client. Each
 * rejects with an `ApiError`. `streaks.rankings`, `points.levelSummary` and `points.summary` are for admin keys.
 */
export interface GamificationClient<G extends DefinedGame = DefinedGame> {
  readonly metrics: {
    /** Adds `value` to the user's total and answers everything that follows. */
    event(metric: MetricKey<G>, event: ClientEvent<G>, options?: CallOptions): Promise<MetricEventResponse<KeysOf<G>>>
  }
  readonly achievements: Reads<GamificationApi<G>['achievements'], 'all'> & {
    /** Completing again answers the completion that there is; one that repeats is completed once for each `idempotencyKey`. */
    complete(
      achievement: Declared<ApiAchievementKey<G>, NoApiAchievements>,
      request: CompletionRequest<UserAttribute<G>>,
      options?: CallOptions,
    ): Promise<AchievementCompletionResponse<KeysOf<G>>>
  }
  readonly users: Reads<GamificationApi<G>['users'], UserReads> & {
    /** A known id is updated. */
    create(user: UserUpsert<UserAttribute<G>>, options?: CallOptions): Promise<User>
    /** Creates or updates. */
    identify(id: string, update: UserUpdate<UserAttribute<G>>, options?: CallOptions): Promise<User>
    update(id: string, update: UserUpdate<UserAttribute<G>>, options?: CallOptions): Promise<User>
    updatePreferences(
      id: string,
      update: PreferencesUpdate<MetricKey<G>>,
      options?: CallOptions,
    ): Promise<UserPreferences>
    /** As it reads now, with history on request. */
    streak(
      id: string,
      request?: OverHttp<UserStreakRequest<Declared<StreakKey<G>, NoStreaks>>>,
      options?: CallOptions,
    ): Promise<UserStreak>
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
  readonly streaks: Reads<GamificationApi<G>['streaks'], 'rankings'> & {
    /** An application key and a session may name their own user only. */
    list(request: StreaksRequest, options?: CallOptions): Promise<readonly UserStreakLength[]>
  }
  readonly points: Reads<GamificationApi<G>['points'], keyof GamificationApi<G>['points']>
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
