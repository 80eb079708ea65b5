import type {
  ApiAchievementKey,
  DefinedGame,
  EventAttribute,
  KeysOf,
  MetricKey,
  PointsKey,
  UserAttribute,
} from '../game/define-game.ts'
import type { Declared, NoSystems } from '../game/definition-parts.ts'
import type { AchievementsApi, AdminAchievementsApi, UserAchievementsApi } from './achievements/operations.ts'
import type { ConfigurationApi } from './configuration/operations.ts'
import type { ImportOptions, ImportReport } from './events/import-report.ts'
import type { MetricsApi } from './events/operations.ts'
import type { ExplainCalls } from './explain/operations.ts'
import type { ApplicationKeysApi } from './keys/operations.ts'
import type { LeaderboardsApi, UserLeaderboardApi } from './leaderboards/operations.ts'
import type { OverviewCalls } from './operate/operations.ts'
import type { RecordOptions, WriteOptions } from './operation.ts'
import type * as Types from './public-types.ts'
import type { AdminStreaksApi, StreaksApi, UserStreakApi } from './streaks/operations.ts'
import type { AdminUsersApi, UserReadsApi, UserWritesApi } from './users/operations.ts'
import type { UserYearApi } from './year/operations.ts'

/**
 * The HTTP API, in-process. Method names match the client of the hosted service, and answers have the shape of the HTTP
 * responses. Every method rejects with a `GamificationError`; nothing was saved then.
 */
export interface GamificationApi<G extends DefinedGame> extends OverviewCalls, ExplainCalls<G> {
  readonly metrics: MetricsApi<G>
  readonly events: {
    /**
     * Voids an event, named by its id or its idempotency key. The event stays in the log, and its key stays used. The
     * user's totals, points, level, streak and ranks become what they would be without it. Achievements stay unless
     * `revoke` is set; grants stay. Voiding a voided event changes nothing. Rejects with `unknown_event`, and with
     * `total_out_of_range` if a total would leave its bounds. With `dryRun` it returns the answer and writes nothing.
     */
    void(
      event: string | Types.EventByKey<MetricKey<G>>,
      request?: Types.VoidRequest,
      options?: RecordOptions,
    ): Promise<Types.VoidEventResponse<KeysOf<G>>>
    /**
     * Voids all events that an API key wrote, or that a user recorded in a time range. The events of one user are
     * voided together, at most 100 users a call. If the answer has `hasMore`, or the call failed, call it again to
     * continue. Delete the key first, so that it writes no more.
     */
    void(events: Types.EventsOf, request?: Types.VoidRequest, options?: WriteOptions): Promise<Types.VoidEventsResponse>
    /**
     * Approves an event that a limit of its metric holds back. The event then counts at its own instant and local date,
     * as if it had not been held. Returns the same answer as `metrics.event`. Approving again changes nothing. Rejects
     * with `unknown_event`, and with `event_not_held` if the event was voided or was never held.
     */
    approve(
      event: string | Types.EventByKey<MetricKey<G>>,
      options?: WriteOptions,
    ): Promise<Types.ApproveEventResponse<KeysOf<G>>>
    /**
     * Lists the events that limits hold back, by user and then by time. For the next page, set `after` to the last
     * event of this one.
     */
    held(request?: Types.HeldEventsRequest): Promise<readonly Types.HeldEvent[]>
  }
  readonly achievements: AchievementsApi<G>
  readonly users: AdminUsersApi &
    UserReadsApi &
    UserWritesApi<G> &
    UserAchievementsApi<G> &
    UserLeaderboardApi<G> &
    UserStreakApi<G> &
    UserYearApi & {
      /** Lists the user's totals of every active metric, with its achievements. */
      allMetrics(id: string): Promise<readonly Types.MetricResponse<KeysOf<G>>[]>
      /** Returns the user's total of one metric. Rejects with `unknown_metric`, also for an archived metric. */
      singleMetric(id: string, metric: MetricKey<G>): Promise<Types.MetricResponse<KeysOf<G>>>
      /**
       * Summarizes the user's events of one metric: one item for every day, week or month, zeros included. Both dates are
       * `YYYY-MM-DD` and at most 400 days apart.
       */
      metricEventSummary(
        id: string,
        metric: MetricKey<G>,
        request: Types.EventSummaryRequest,
      ): Promise<readonly Types.EventSummaryItem[]>
      /** Returns the user's total, level and newest awards in one points system. */
      points(
        id: string,
        system: Declared<PointsKey<G>, NoSystems>,
        request?: Types.UserPointsRequest,
      ): Promise<Types.UserPoints<KeysOf<G>>>
      /** Lists the boosts that apply to the user now, the user's own included, the oldest first. */
      pointsBoosts(id: string, system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsBoost[]>
      /**
       * Summarizes the user's points in one system: one item for every day, week or month, with the points gained and
       * lost on local dates in the range. Both dates are `YYYY-MM-DD`. Rejects with `unknown_points_system`.
       */
      pointsEventSummary(
        id: string,
        system: Declared<PointsKey<G>, NoSystems>,
        request: Types.EventSummaryRequest,
      ): Promise<readonly Types.EventSummaryItem[]>
    }
  readonly streaks: StreaksApi
  readonly points: {
    /**
     * Returns the system as the game defines it, with its triggers. Rejects with `unknown_points_system`, as all
     * methods of `points` do.
     */
    system(system: Declared<PointsKey<G>, NoSystems>): Promise<Types.PointsSystemResponse<KeysOf<G>>>
    /** Lists the system's levels, the lowest first. */
    levels(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsLevel[]>
    /**
     * Lists the system's boosts for all users, the oldest first, by dates in UTC. Finished boosts are included only on
     * request.
     */
    boosts(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.BoostsRequest,
    ): Promise<readonly Types.PointsBoost[]>
    /** Returns the number of users on each level. */
    levelSummary(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsLevelSummaryItem[]>
    /**
     * Counts the users without points, and the users in each of ten ranges of the same size. The ranges end at the
     * highest total, rounded up to a power of ten. Reads every user of the tenant.
     */
    summary(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.PointsSummaryRequest,
    ): Promise<readonly Types.PointsRange[]>
  }
  readonly leaderboards: LeaderboardsApi<G>
  readonly admin: ConfigurationApi & {
    readonly points: {
      readonly boosts: AdminBoostsApi
      /**
       * Gives or takes points by a decision of support. Boosts, caps and cooldowns do not apply; the total stays
       * between 0 and `maxPoints`. Rejects with `unknown_user`, `unknown_points_system`, and `idempotency_key_reused`
       * if the key was used for another adjustment.
       */
      adjust(
        system: Declared<PointsKey<G>, NoSystems>,
        adjustment: Types.PointsAdjustment,
        options?: WriteOptions,
      ): Promise<Types.AdjustPointsResponse<KeysOf<G>>>
    }
    readonly achievements: AdminAchievementsApi<G>
    readonly metrics: {
      /**
       * Records 1 to 1,000 events; events of one user are recorded in the order of the list. A malformed item rejects
       * the call with `invalid_request`, and nothing is stored. Events that the rules refuse are listed as issues. An
       * event with an idempotency key gets an id derived from that key, as in `import`.
       */
      events(
        events: readonly Types.EventBatchItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>[],
      ): Promise<Types.EventBatchResponse>
    }
    readonly applicationApiKeys: ApplicationKeysApi<G>
    readonly streaks: AdminStreaksApi<G>
  }
  /**
   * Records a history of events and completions. It is safe to repeat if the events have idempotency keys. Without the
   * option `notify` it publishes no messages and calls no handlers. It also accepts the lines of `users.export` and the
   * other exports, and restores those users on any storage. The report then counts users. A user who exists with
   * another log is refused with `user_exists`. Games are imported if the storage has no users; otherwise they must
   * exist.
   */
  readonly import: (
    items: AsyncIterable<ImportOf<G>> | Iterable<ImportOf<G>> | AsyncIterable<string> | Iterable<string>,
    options?: ImportOptions,
  ) => Promise<ImportReport>
}

/** Items of an import, in the keys of the game. */
type ImportOf<G extends DefinedGame> =
  | Types.ImportItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>
  | Types.ImportCompletion<ApiAchievementKey<G>, UserAttribute<G>>

/**
 * Boosts that are created while the game runs. `system` is the id or key of a points system; an unknown one rejects
 * with `unknown_points_system`. A boost for all users applies in every tenant and survives deploys. Invalid items are
 * listed as issues; the others are applied.
 */
export interface AdminBoostsApi {
  /** Creates 1 to 100 boosts, for all users or for single users. With `tx`, every boost must name a user. */
  create(
    system: string,
    boosts: readonly Types.BoostRequest[],
    options?: WriteOptions,
  ): Promise<Types.CreateBoostsResponse>
  /**
   * Returns a page of the boosts, planned ones included. Boosts for all users come first, the oldest first; boosts of
   * single users follow, by id.
   */
  list(system: string, request?: Types.ConfigurationListRequest): Promise<readonly Types.AdminPointsBoost[]>
  /** Returns one boost. Rejects with `unknown_boost`. */
  get(system: string, id: string): Promise<Types.AdminPointsBoost>
  /** Changes 1 to 100 boosts from now on. Points that they have paid stay. */
  update(
    system: string,
    boosts: readonly Types.BoostUpdate[],
    options?: WriteOptions,
  ): Promise<Types.UpdateBoostsResponse>
  /** Deletes 1 to 100 boosts by id. Points that they have paid stay. */
  delete(system: string, ids: readonly string[], options?: WriteOptions): Promise<Types.DeleteBoostsResponse>
}
