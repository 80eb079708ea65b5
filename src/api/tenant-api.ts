import type { DefinedGame, KeysOf, PointsKey } from '../game/define-game.ts'
import type { Declared, NoSystems } from '../game/definition-parts.ts'
import type { AchievementsApi, AdminAchievementsApi, UserAchievementsApi } from './achievements/operations.ts'
import type { ConfigurationApi } from './configuration/operations.ts'
import type { AdminMetricsApi, EventsApi, ImportApi, MetricsApi, UserMetricsApi, VoidApi } from './events/operations.ts'
import type { ExplainCalls } from './explain/operations.ts'
import type { ApplicationKeysApi } from './keys/operations.ts'
import type { LeaderboardsApi, UserLeaderboardApi } from './leaderboards/operations.ts'
import type { OverviewCalls } from './operate/operations.ts'
import type { WriteOptions } from './operation.ts'
import type * as Types from './public-types.ts'
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
    UserLeaderboardApi<G> &
    UserStreakApi<G> &
    UserYearApi & {
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
    readonly metrics: AdminMetricsApi<G>
    readonly applicationApiKeys: ApplicationKeysApi<G>
    readonly streaks: AdminStreaksApi<G>
  }
}

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
