import type {
  AchievementKey,
  ApiAchievementKey,
  DefinedGame,
  EventAttribute,
  KeysOf,
  LeaderboardKey,
  MetricKey,
  PointsKey,
  StreakKey,
  UserAttribute,
} from '../game/define-game.ts'
import type { Declared, NoApiAchievements, NoLeaderboards, NoStreaks, NoSystems } from '../game/definition-parts.ts'
import type { HostTransaction } from '../storage/storage.ts'
import type { ConfigurationApi } from './configuration/read-configuration.ts'
import type { ImportOptions, ImportReport } from './events/import-report.ts'
import type { Explain } from './explain/explain.ts'
import type * as Types from './public-types.ts'

/** Options of every call that writes. */
export interface WriteOptions {
  /**
   * Writes within this transaction of the host's: committed with it, undone with it. Handlers run when the host calls
   * `tx.committed()` after its commit.
   */
  readonly tx?: HostTransaction
}

/** Options of the calls that record what a user did. */
export interface RecordOptions extends WriteOptions {
  /**
   * Answers what the same call would answer now (ranks and refusals included) and writes nothing: no handler runs, no
   * idempotency key is used up, and the ids of what would be new are not kept. Not together with `tx`.
   */
  readonly dryRun?: boolean
}

/**
 * What the HTTP API does, in-process: the method names are those of the hosted service's client, the answers have the
 * shapes that go over the wire. Every method rejects with a `GamificationError`; nothing is then written.
 */
export interface GamificationApi<G extends DefinedGame> {
  readonly metrics: {
    /** Adds `value` to the user's total and answers everything that follows. */
    event(
      metric: MetricKey<G>,
      request: Types.MetricEventRequest<UserAttribute<G>, EventAttribute<G>>,
      options?: RecordOptions,
    ): Promise<Types.MetricEventResponse<KeysOf<G>>>
  }
  readonly events: {
    /**
     * Undoes an event, named by its id or by its idempotency key. The event stays in the log, and its key stays used.
     * The user's totals, points, level, streak and ranks become those of the log without it. Achievements stay unless
     * `revoke` is set, and grants stay. Voiding again changes nothing. Rejects with `unknown_event`, and with
     * `total_out_of_range` if a total would leave its bounds. `dryRun` returns the answer, and writes nothing.
     */
    void(
      event: string | Types.EventByKey<MetricKey<G>>,
      request?: Types.VoidRequest,
      options?: RecordOptions,
    ): Promise<Types.VoidEventResponse<KeysOf<G>>>
    /**
     * Undoes all counting events that one API key wrote, or that one user had in a span of time. The events of a user
     * are undone together, at most 100 users a call. Where the answer has `hasMore`, or the storage failed on the way,
     * the same call again goes on. To keep a key from writing more, delete it before.
     */
    void(events: Types.EventsOf, request?: Types.VoidRequest, options?: WriteOptions): Promise<Types.VoidEventsResponse>
    /**
     * Has an event count that a limit of its metric holds back: at its own instant and local date, as if it had not
     * been held. Answers what followed, as `metrics.event` does. Approving again changes nothing. Rejects with
     * `unknown_event`, and with `event_not_held` where the event was voided, or counts since it was recorded.
     */
    approve(
      event: string | Types.EventByKey<MetricKey<G>>,
      options?: WriteOptions,
    ): Promise<Types.ApproveEventResponse<KeysOf<G>>>
    /**
     * The events that limits hold back, in order of user, then of when they happened; the next page comes `after` the
     * last event of this one.
     */
    held(request?: Types.HeldEventsRequest): Promise<readonly Types.HeldEvent[]>
  }
  /** What was done, by dates in UTC. */
  readonly activity: {
    /**
     * How much was done on each date: events, users, completions and points. One call reads for about 200 milliseconds;
     * for the dates that are missing then, ask again with its `before`. The figures of dates that are over may be a
     * minute old.
     */
    days(request: Types.ActivityRequest): Promise<Types.ActivityResponse>
    /**
     * Compares the control group of the game's `experiment` with all other users who were created from one date to
     * another: who had an event 1, 7, 14 and 30 days later, active days, and events. One call reads at most 10,000 users,
     * for about two seconds.
     */
    retention(request: Types.ActivityRequest): Promise<Types.RetentionResponse>
  }
  /**
   * The state of the tenant and of what serves it: the storage, the game, and what waits to be done. Rejects where the
   * storage fails.
   */
  readonly status: () => Promise<Types.StatusResponse>
  readonly achievements: {
    /**
     * Every achievement with stats: how many have completed it, and their share. With `userAttributes` those that such
     * a user can complete.
     */
    all(request?: Types.AchievementsRequest): Promise<readonly Types.AchievementWithStats<KeysOf<G>>[]>
    /**
     * Completes an achievement with the trigger `api`. Completing again answers the completion that there is; one that
     * repeats is completed once for each `idempotencyKey`.
     */
    complete(
      achievement: Declared<ApiAchievementKey<G>, NoApiAchievements>,
      request: Types.CompletionRequest<UserAttribute<G>>,
      options?: RecordOptions,
    ): Promise<Types.AchievementCompletionResponse<KeysOf<G>>>
    /** Who has an achievement, the newest completion first. Rejects with `unknown_achievement`. */
    completions(
      achievement: AchievementKey<G>,
      request?: Types.CompletionsRequest,
    ): Promise<Types.AchievementCompletions>
  }
  readonly users: AdminUsersApi & {
    /** Creates a user; one whose id is known is updated. */
    create(user: Types.UserUpsert<UserAttribute<G>>, options?: WriteOptions): Promise<Types.User>
    /** A user's profile. Rejects with `unknown_user`, as every other read of a user does. */
    get(id: string): Promise<Types.User>
    /** Creates the user, or updates the one that is there: call it at login. Absent fields stay, `null` clears. */
    identify(id: string, update: Types.UserUpdate<UserAttribute<G>>, options?: WriteOptions): Promise<Types.User>
    /** Updates a user. Rejects with `unknown_user`, where `identify` would create one. */
    update(id: string, update: Types.UserUpdate<UserAttribute<G>>, options?: WriteOptions): Promise<Types.User>
    /** The notifications and the streak settings that the user wants. */
    getPreferences(id: string): Promise<Types.UserPreferences>
    /** Sets preferences; each type of notification, and each wish for the streak, that is not named stays. */
    updatePreferences(
      id: string,
      update: Types.PreferencesUpdate<MetricKey<G>>,
      options?: WriteOptions,
    ): Promise<Types.UserPreferences>
    /** The user's totals of every active metric, with its achievements. */
    allMetrics(id: string): Promise<readonly Types.MetricResponse<KeysOf<G>>[]>
    /** The user's total of one metric. Rejects with `unknown_metric`, for an archived one too. */
    singleMetric(id: string, metric: MetricKey<G>): Promise<Types.MetricResponse<KeysOf<G>>>
    /**
     * The user's events of one metric over time: one item for every day, week or month, zeros included. Both dates are
     * `YYYY-MM-DD` and at most 400 days apart.
     */
    metricEventSummary(
      id: string,
      metric: MetricKey<G>,
      request: Types.EventSummaryRequest,
    ): Promise<readonly Types.EventSummaryItem[]>
    /** The user's achievements with stats; those not yet completed on request. */
    achievements(
      id: string,
      request?: Types.UserAchievementsRequest,
    ): Promise<readonly Types.UserAchievementWithStats<KeysOf<G>>[]>
    /** The streak as it reads now, or a named one, with history on request. Rejects with `unknown_streak`. */
    streak(id: string, request?: Types.UserStreakRequest<Declared<StreakKey<G>, NoStreaks>>): Promise<Types.UserStreak>
    /** The user's total, level and newest awards in one points system. */
    points(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.UserPointsRequest,
    ): Promise<Types.UserPoints<KeysOf<G>>>
    /** The boosts that hold for the user now, its own among them, the oldest first. */
    pointsBoosts(id: string, system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsBoost[]>
    /**
     * The user's points of one system over time: one item for every day, week or month, with what awards gave and took
     * on local dates of the range. Both dates are `YYYY-MM-DD`. Rejects with `unknown_points_system`.
     */
    pointsEventSummary(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request: Types.EventSummaryRequest,
    ): Promise<readonly Types.EventSummaryItem[]>
    /**
     * A year of the user in review: the most active day, week and month, and the whole year, each with what was added,
     * compared with the period before and with other users. Rejects with `invalid_request` for a year to come.
     */
    wrapped(id: string, request?: Types.WrappedRequest): Promise<Types.Wrapped>
    /** The user's rank and value in one run of a leaderboard, with the last days on which the value changed. */
    leaderboard(
      id: string,
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: Types.UserLeaderboardRequest,
    ): Promise<Types.UserLeaderboard<KeysOf<G>>>
  }
  readonly streaks: {
    /** The lengths of at most 100 users' streaks, the longest first; users that are not known are left out. */
    list(request: Types.StreaksRequest | readonly string[]): Promise<readonly Types.UserStreakLength[]>
    /**
     * The users with the longest streaks, the longest first: as they read now, without those that have expired, or the
     * longest that each ever had. Users who want no streak are left out.
     */
    rankings(request?: Types.StreakRankingsRequest): Promise<readonly Types.StreakRanking[]>
  }
  readonly points: {
    /**
     * The system as the game has it, with the triggers that pay. Rejects with `unknown_points_system`, as these all do.
     */
    system(system: Declared<PointsKey<G>, NoSystems>): Promise<Types.PointsSystemResponse<KeysOf<G>>>
    /** The system's levels, the lowest first. */
    levels(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsLevel[]>
    /**
     * The boosts that the system has for all users, the oldest first; by dates in UTC. Finished ones only where they
     * are asked for.
     */
    boosts(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.BoostsRequest,
    ): Promise<readonly Types.PointsBoost[]>
    /** How many users are on each level. */
    levelSummary(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsLevelSummaryItem[]>
    /**
     * How many users have no points, and how many in each of ten ranges of the same size, up to the highest total
     * rounded up to a power of ten. Reads every user of the tenant.
     */
    summary(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.PointsSummaryRequest,
    ): Promise<readonly Types.PointsRange[]>
  }
  readonly leaderboards: {
    /** Every leaderboard in the game's order, with its status and the dates of its current run. */
    all(request?: Types.LeaderboardsRequest): Promise<readonly Types.LeaderboardResponse<KeysOf<G>>[]>
    /**
     * A page of one run, finished ones too, or the ranks around a user, or some users ranked `among` themselves.
     * Rejects with `unknown_leaderboard`.
     */
    get(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: Types.LeaderboardRequest<UserAttribute<G>>,
    ): Promise<Types.LeaderboardWithRankings<KeysOf<G>>>
    /** The runs in which there is an entry, the newest first. Rejects with `unknown_leaderboard`, as `groups` does. */
    runs(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: Types.LeaderboardRunsRequest,
    ): Promise<Types.LeaderboardRuns>
    /** The groups of a run, with how many users each has; one with no values where the leaderboard has no groups. */
    groups(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: Types.LeaderboardGroupsRequest,
    ): Promise<Types.LeaderboardGroups>
  }
  readonly admin: ConfigurationApi & {
    readonly points: {
      readonly boosts: AdminBoostsApi
      /**
       * Gives a user points, or takes them, by support's decision. Boosts, caps and cooldowns do not apply; the total
       * stays between 0 and `maxPoints`. Rejects with `unknown_user`, `unknown_points_system`, and
       * `idempotency_key_reused` if the key was used for another adjustment.
       */
      adjust(
        system: Declared<PointsKey<G>, NoSystems>,
        adjustment: Types.PointsAdjustment,
        options?: WriteOptions,
      ): Promise<Types.AdjustPointsResponse<KeysOf<G>>>
    }
    readonly achievements: {
      /**
       * Completes an achievement by support's decision, with what it pays: one of any trigger, also if it is locked, or
       * the user has not the attributes for it. One that repeats is completed once more; any other that the user has
       * stays as it is. Rejects with `unknown_user` and `unknown_achievement`.
       */
      grant(
        achievement: AchievementKey<G>,
        request: Types.SupportRequest,
        options?: WriteOptions,
      ): Promise<Types.AchievementCompletionResponse<KeysOf<G>>>
      /**
       * Takes an achievement away, with all completions of one that repeats. Only grants complete it again. The points
       * that it paid, and composites that needed it, stay. Rejects with `achievement_not_completed` if the user does
       * not have it.
       */
      revoke(
        achievement: AchievementKey<G>,
        request: Types.SupportRequest,
        options?: WriteOptions,
      ): Promise<Types.RevokedAchievement<KeysOf<G>>>
    }
    readonly metrics: {
      /**
       * Records 1 to 1,000 events, those of one user in the order of the list. A mistake in the shape of any rejects
       * with `invalid_request`, and nothing is stored; what the rules refuse of single events are issues in the answer.
       * An event with an idempotency key has an id that follows from it, as in `import`.
       */
      events(
        events: readonly Types.EventBatchItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>[],
      ): Promise<Types.EventBatchResponse>
    }
    /** Keys of single users, safe in their browsers and apps. */
    readonly applicationApiKeys: {
      /** At most 100. A mistake in one item is an issue in the answer; the others get their keys. */
      create(
        requests: readonly Types.ApplicationKeyRequest<CapabilityOf<G>>[],
      ): Promise<Types.CreateApplicationKeysResponse>
      /** A page of the keys, expired ones too, without their secrets. */
      list(request?: Types.ApplicationKeysRequest): Promise<readonly Types.ApplicationKey[]>
      /** By id, at most 100, or all of one user, for good. */
      delete(keys: readonly string[] | Types.KeysOfUser): Promise<Types.DeleteApplicationKeysResponse>
    }
    /** A mistake in one item of these calls is an issue in the answer; the others are processed. */
    readonly streaks: {
      readonly freezes: {
        /**
         * Gives freezes, at most 100 at once. Rejects with `streak_freezes_disabled` where the streak has none of its
         * own.
         */
        create(
          request: Types.FreezesRequest<Declared<StreakKey<G>, NoStreaks>>,
          options?: WriteOptions,
        ): Promise<Types.CreateFreezesResponse>
      }
      readonly pauses: {
        /** Pauses streaks over local dates, at most 100 at once. */
        create(request: Types.PausesRequest, options?: WriteOptions): Promise<Types.CreatePausesResponse>
        /** By id, at most 100. What has passed of a pause stays. */
        delete(ids: readonly string[], options?: WriteOptions): Promise<Types.DeletePausesResponse>
      }
      /** Brings streaks back to the length they had when they were last lost, at most 100 at once. */
      restore(
        request: Types.RestoreRequest<Declared<StreakKey<G>, NoStreaks>>,
        options?: WriteOptions,
      ): Promise<Types.RestoreStreaksResponse>
    }
  }
  /**
   * Why a user has an achievement or not, what an event did and what it did not count for, or what became of the streak
   * on a date: reasons as data, each with a sentence. Found in the user's log; nothing is written. Rejects with
   * `unknown_user`.
   */
  readonly explain: Explain<MetricKey<G>, AchievementKey<G>, Declared<StreakKey<G>, NoStreaks>>
  /**
   * Records a history of events and completions; safe to run again if its events have idempotency keys. It publishes no
   * messages and calls no handlers without the option `notify`. It also takes the lines of `users.export` and the
   * other exports, and restores those users on any storage. The report then counts users. A user who exists with another
   * log is refused with `user_exists`. Games are imported if the storage has no users; otherwise they must exist.
   */
  readonly import: (
    items: AsyncIterable<ImportOf<G>> | Iterable<ImportOf<G>> | AsyncIterable<string> | Iterable<string>,
    options?: ImportOptions,
  ) => Promise<ImportReport>
}

/** What an import records, in the keys of the game. */
type ImportOf<G extends DefinedGame> =
  | Types.ImportItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>
  | Types.ImportCompletion<ApiAchievementKey<G>, UserAttribute<G>>

/** What a key can be for, in the keys of the game. */
type CapabilityOf<G extends DefinedGame> = Types.Capability<MetricKey<G>, ApiAchievementKey<G>, UserAttribute<G>>

/** Users as a whole: for those who run the product, not for clients. */
export interface AdminUsersApi {
  /**
   * A page of the users in order of id. `search` is a part of the id or the name. One call reads at most 10,000 users,
   * so a page can be short or empty before the last. `after` is null on the last page.
   */
  list(request?: Types.UsersRequest): Promise<Types.UsersResponse>
  /** The user's log as it is kept, the newest entry first. Rejects with `unknown_user`, as all of these do. */
  events(id: string, request?: Types.UserEventsRequest): Promise<Types.UserEventsResponse>
  /** Everything that is kept of the user, as lines of JSON, each with its end: a header, the games, then the log. */
  export(id: string): AsyncGenerator<string>
  /** The same lines, as objects, in pages: for what cannot keep a stream open. */
  exportPage(id: string, request?: Types.ExportPageRequest): Promise<Types.ExportPage>
  /**
   * Deletes every row of the user, in one commit. Ranks close up, counts are those of the others, and the user's keys
   * are gone. Calls that come later are of a user who is not known; the id may come again as a new user.
   */
  delete(id: string, request?: Types.DeletionRequest, options?: WriteOptions): Promise<Types.DeletedUser>
  /**
   * Leaves the user out of leaderboards, of runs that are over too: others move up, events answer no rank. All else
   * goes on. Suspending again changes nothing.
   */
  suspend(id: string, request?: Types.SuspensionRequest, options?: WriteOptions): Promise<Types.SuspendedUser>
  /**
   * Makes one user of two: both logs are folded as one, in the order of the instants. `from` is another name for `into`
   * from then on: every call for it goes there. What either has completed stays completed; an idempotency key that both
   * have used counts once. Application keys of `from` end, unless `keepKeys` is true. Merging again what is one user
   * already changes nothing. Rejects with `unknown_user`, and with `total_out_of_range` where a total would leave its
   * bounds.
   */
  merge(request: Types.MergeRequest): Promise<Types.MergeResponse>
  /** Everything is as if the user had never been suspended. */
  restore(id: string, options?: WriteOptions): Promise<Types.SuspendedUser>
}

/**
 * Boosts that are given while the game runs. `system`: id or key of a points system; `unknown_points_system` where
 * there is none. A boost of all users holds for those of every tenant, and goes on with the next deploy. What is wrong
 * with one item is an issue in the answer; the others are carried out.
 */
export interface AdminBoostsApi {
  /** Gives 1 to 100, to all users or to single ones. With `tx` to single ones only. */
  create(
    system: string,
    boosts: readonly Types.BoostRequest[],
    options?: WriteOptions,
  ): Promise<Types.CreateBoostsResponse>
  /**
   * A page of the boosts, planned ones too: first those of all users, the oldest first, then those of single users, by
   * id.
   */
  list(system: string, request?: Types.ConfigurationListRequest): Promise<readonly Types.AdminPointsBoost[]>
  /** Rejects with `unknown_boost`. */
  get(system: string, id: string): Promise<Types.AdminPointsBoost>
  /** Changes 1 to 100 that were given, from now on: what they have paid stays. */
  update(
    system: string,
    boosts: readonly Types.BoostUpdate[],
    options?: WriteOptions,
  ): Promise<Types.UpdateBoostsResponse>
  /** 1 to 100 that were given, by id. What they have paid stays. */
  delete(system: string, ids: readonly string[], options?: WriteOptions): Promise<Types.DeleteBoostsResponse>
}
