import type { DefinedGame, PointsKey } from '../game/define-game.ts'
import type { Declared, NoSystems } from '../game/definition-parts.ts'
import type { AchievementsApi, AdminAchievementsApi, UserAchievementsApi } from './achievements/operations.ts'
import type { ConfigurationApi } from './configuration/operations.ts'
import type { AdminMetricsApi, EventsApi, ImportApi, MetricsApi, UserMetricsApi, VoidApi } from './events/operations.ts'
import type { ExplainCalls } from './explain/operations.ts'
import type { ApplicationKeysApi } from './keys/operations.ts'
import type { LeaderboardsApi, UserLeaderboardApi } from './leaderboards/operations.ts'
import type { OverviewCalls } from './operate/operations.ts'
import type { WriteOptions } from './operation.ts'
import type { AdminPointsApi, PointsApi, UserPointsApi } from './points/operations.ts'
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
    UserPointsApi<G> &
    UserLeaderboardApi<G> &
    UserStreakApi<G> &
    UserYearApi & {
      /** Lists the boosts that apply to the user now, the user's own included, the oldest first. */
      pointsBoosts(id: string, system: Declared<PointsKey<G>, NoSystems>): Promise<readonly Types.PointsBoost[]>
    }
  readonly streaks: StreaksApi
  readonly points: PointsApi<G> & {
    /**
     * Lists the system's boosts for all users, the oldest first, by dates in UTC. Finished boosts are included only on
     * request.
     */
    boosts(
      system: Declared<PointsKey<G>, NoSystems>,
      request?: Types.BoostsRequest,
    ): Promise<readonly Types.PointsBoost[]>
  }
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
