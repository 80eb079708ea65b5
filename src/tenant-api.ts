import { type AdminBoostsApi, adminBoostsApi } from './admin-boosts-api.ts'
import { type AdminUsersApi, adminUsersApi } from './admin-users-api.ts'
import type {
  AchievementCompletionResponse,
  AchievementCompletions,
  AchievementWithStats,
  UserAchievementWithStats,
} from './engine/answers/wire/achievement.ts'
import type {
  ApplicationKey,
  CreateApplicationKeysResponse,
  DeleteApplicationKeysResponse,
} from './engine/answers/wire/keys.ts'
import type {
  LeaderboardGroups,
  LeaderboardResponse,
  LeaderboardRuns,
  LeaderboardWithRankings,
  UserLeaderboard,
} from './engine/answers/wire/leaderboard.ts'
import type {
  ApproveEventResponse,
  EventBatchResponse,
  EventSummaryItem,
  HeldEvent,
  MetricEventResponse,
  MetricResponse,
  VoidEventResponse,
  VoidEventsResponse,
} from './engine/answers/wire/metric.ts'
import type {
  PointsBoost,
  PointsLevel,
  PointsLevelSummaryItem,
  PointsRange,
  PointsSystemResponse,
  UserPoints,
} from './engine/answers/wire/points.ts'
import type { StatusResponse } from './engine/answers/wire/status.ts'
import type {
  CreateFreezesResponse,
  CreatePausesResponse,
  DeletePausesResponse,
  RestoreStreaksResponse,
  StreakRanking,
  UserStreak,
  UserStreakLength,
} from './engine/answers/wire/streak.ts'
import type { ActivityResponse, User, UserPreferences } from './engine/answers/wire/users.ts'
import type { Wrapped } from './engine/answers/wire/wrapped.ts'
import {
  createApplicationKeys,
  deleteApplicationKeys,
  listApplicationKeys,
} from './engine/calls/keys/application-keys.ts'
import { readStatus } from './engine/calls/operate/health.ts'
import { listStreaks, rankStreaks } from './engine/calls/read/rank-streaks.ts'
import { listAchievements, listCompletions, listUserAchievements } from './engine/calls/read/read-achievements.ts'
import { listBoosts, listUserBoosts } from './engine/calls/read/read-boosts.ts'
import { type ConfigurationApi, configurationApi } from './engine/calls/read/read-configuration.ts'
import { listHeldEvents } from './engine/calls/read/read-events.ts'
import { listGroups, listLeaderboards, listRuns, readLeaderboard } from './engine/calls/read/read-leaderboard.ts'
import { listUserMetrics, readUserMetric, summarizeEvents } from './engine/calls/read/read-metrics.ts'
import {
  listLevels,
  readPointsSystem,
  readUserPoints,
  summarizeAwards,
  summarizeLevels,
  summarizePoints,
} from './engine/calls/read/read-points.ts'
import { readUserStreak } from './engine/calls/read/read-streak.ts'
import { getUser, readActivity, readPreferences } from './engine/calls/read/read-user.ts'
import { readUserLeaderboard } from './engine/calls/read/read-user-leaderboard.ts'
import { readWrapped } from './engine/calls/read/read-wrapped.ts'
import { completeAchievement } from './engine/calls/write/complete-achievement.ts'
import { importItems } from './engine/calls/write/import-events.ts'
import type { ImportOptions, ImportReport } from './engine/calls/write/import-report.ts'
import { createFreezes, createPauses, deletePauses, restoreStreaks } from './engine/calls/write/manage-streaks.ts'
import { recordEvent } from './engine/calls/write/record-event.ts'
import { recordEvents } from './engine/calls/write/record-events.ts'
import { createUser, identifyUser, updatePreferences, updateUser } from './engine/calls/write/upsert-user.ts'
import { approveEvent, areSeveral, readVoided, voidEvent, voidEvents } from './engine/calls/write/void-events.ts'
import { foreseen } from './engine/damage.ts'
import { type Request, startCall } from './engine/deadline.ts'
import { dryRunDoor } from './engine/record/dry-run-door.ts'
import { hostDoor } from './engine/record/host-door.ts'
import { tracedCall } from './engine/tracing.ts'
import type { Context, Door, Eventually } from './engine/types.ts'
import { GamificationError } from './errors.ts'
import { type Explain, explain, toExplain } from './explain/explain.ts'
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
} from './game/define-game.ts'
import type { Declared, NoApiAchievements, NoLeaderboards, NoStreaks, NoSystems } from './game/definition.ts'
import { checkOptions } from './options.ts'
import type { CompletionRequest } from './requests/types/completion.ts'
import type { EventSummaryRequest } from './requests/types/event-summary.ts'
import type { HeldEventsRequest } from './requests/types/held.ts'
import type { ApplicationKeyRequest, ApplicationKeysRequest, Capability, KeysOfUser } from './requests/types/keys.ts'
import type { LeaderboardRequest, LeaderboardsRequest, UserLeaderboardRequest } from './requests/types/leaderboards.ts'
import type { EventBatchItem, ImportCompletion, ImportItem, MetricEventRequest } from './requests/types/metric-event.ts'
import type {
  ActivityRequest,
  CompletionsRequest,
  LeaderboardGroupsRequest,
  LeaderboardRunsRequest,
} from './requests/types/overview.ts'
import type { PreferencesUpdate } from './requests/types/preferences.ts'
import type {
  AchievementsRequest,
  BoostsRequest,
  PointsSummaryRequest,
  StreakRankingsRequest,
  StreaksRequest,
  UserAchievementsRequest,
  UserPointsRequest,
  UserStreakRequest,
} from './requests/types/reads.ts'
import type { FreezesRequest, PausesRequest, RestoreRequest } from './requests/types/streaks.ts'
import type { UserUpdate, UserUpsert } from './requests/types/user.ts'
import type { EventByKey, EventsOf, VoidRequest } from './requests/types/void.ts'
import type { WrappedRequest } from './requests/types/wrapped.ts'
import type { HostTransaction } from './storage.ts'

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
      request: MetricEventRequest<UserAttribute<G>, EventAttribute<G>>,
      options?: RecordOptions,
    ): Promise<MetricEventResponse<KeysOf<G>>>
  }
  readonly events: {
    /**
     * Undoes an event, named by its id or by its idempotency key: it stays in the log, with the key used, and the
     * user's totals, points, level, streak and ranks are those of the log without it. Achievements stay unless `revoke`
     * is set. What was granted or kept for another reason stays. Voiding again changes nothing. Rejects with
     * `unknown_event`, and with `total_out_of_range` where a total would leave its bounds without the event. `dryRun`
     * tells what it would answer.
     */
    void(
      event: string | EventByKey<MetricKey<G>>,
      request?: VoidRequest,
      options?: RecordOptions,
    ): Promise<VoidEventResponse<KeysOf<G>>>
    /**
     * Undoes all counting events that one API key wrote, or that one user had in a span of time. The events of a user
     * are undone together, at most 100 users a call. Where the answer has `hasMore`, or the storage failed on the way,
     * the same call again goes on. To keep a key from writing more, delete it before.
     */
    void(events: EventsOf, request?: VoidRequest, options?: WriteOptions): Promise<VoidEventsResponse>
    /**
     * Has an event count that a limit of its metric holds back: at its own instant and local date, as if it had not
     * been held. Answers what followed, as `metrics.event` does. Approving again changes nothing. Rejects with
     * `unknown_event`, and with `event_not_held` where the event was voided, or counts since it was recorded.
     */
    approve(event: string | EventByKey<MetricKey<G>>, options?: WriteOptions): Promise<ApproveEventResponse<KeysOf<G>>>
    /**
     * The events that limits hold back, in order of user, then of when they happened; the next page comes `after` the
     * last event of this one.
     */
    held(request?: HeldEventsRequest): Promise<readonly HeldEvent[]>
  }
  /** What was done, by dates in UTC. */
  readonly activity: {
    /**
     * How much was done on each date: events, users, completions and points. One call reads for about 200 milliseconds;
     * for the dates that are missing then, ask again with its `before`. The figures of dates that are over may be a
     * minute old.
     */
    days(request: ActivityRequest): Promise<ActivityResponse>
  }
  /**
   * The state of the tenant and of what serves it: the storage, the game, and what waits to be done. Rejects where the
   * storage fails.
   */
  readonly status: () => Promise<StatusResponse>
  readonly achievements: {
    /**
     * Every achievement with stats: how many have completed it, and their share. With `userAttributes` those that such
     * a user can complete.
     */
    all(request?: AchievementsRequest): Promise<readonly AchievementWithStats<KeysOf<G>>[]>
    /**
     * Completes an achievement with the trigger `api`. Completing again answers the completion that there is; one that
     * repeats is completed once for each `idempotencyKey`.
     */
    complete(
      achievement: Declared<ApiAchievementKey<G>, NoApiAchievements>,
      request: CompletionRequest<UserAttribute<G>>,
      options?: RecordOptions,
    ): Promise<AchievementCompletionResponse<KeysOf<G>>>
    /** Who has an achievement, the newest completion first. Rejects with `unknown_achievement`. */
    completions(achievement: AchievementKey<G>, request?: CompletionsRequest): Promise<AchievementCompletions>
  }
  readonly users: AdminUsersApi & {
    /** Creates a user; one whose id is known is updated. */
    create(user: UserUpsert<UserAttribute<G>>, options?: WriteOptions): Promise<User>
    /** A user's profile. Rejects with `unknown_user`, as every other read of a user does. */
    get(id: string): Promise<User>
    /** Creates the user, or updates the one that is there: call it at login. What is absent stays, `null` clears. */
    identify(id: string, update: UserUpdate<UserAttribute<G>>, options?: WriteOptions): Promise<User>
    /** Updates a user. Rejects with `unknown_user`, where `identify` would create one. */
    update(id: string, update: UserUpdate<UserAttribute<G>>, options?: WriteOptions): Promise<User>
    /** What the user wants to be told of, and how. */
    getPreferences(id: string): Promise<UserPreferences>
    /** Sets preferences; each type of notification, and each wish for the streak, that is not named stays. */
    updatePreferences(
      id: string,
      update: PreferencesUpdate<MetricKey<G>>,
      options?: WriteOptions,
    ): Promise<UserPreferences>
    /** The user's totals of every active metric, with its achievements. */
    allMetrics(id: string): Promise<readonly MetricResponse<KeysOf<G>>[]>
    /** The user's total of one metric. Rejects with `unknown_metric`, for an archived one too. */
    singleMetric(id: string, metric: MetricKey<G>): Promise<MetricResponse<KeysOf<G>>>
    /**
     * The user's events of one metric over time: one item for every day, week or month, zeros included. Both dates are
     * `YYYY-MM-DD` and at most 400 days apart.
     */
    metricEventSummary(
      id: string,
      metric: MetricKey<G>,
      request: EventSummaryRequest,
    ): Promise<readonly EventSummaryItem[]>
    /** The user's achievements with stats; those not yet completed on request. */
    achievements(id: string, request?: UserAchievementsRequest): Promise<readonly UserAchievementWithStats<KeysOf<G>>[]>
    /** The streak as it reads now, or a named one, with history on request. Rejects with `unknown_streak`. */
    streak(id: string, request?: UserStreakRequest<Declared<StreakKey<G>, NoStreaks>>): Promise<UserStreak>
    /** The user's total, level and newest awards in one points system. */
    points(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request?: UserPointsRequest,
    ): Promise<UserPoints<KeysOf<G>>>
    /** The boosts that hold for the user now, its own among them, the oldest first. */
    pointsBoosts(id: string, system: Declared<PointsKey<G>, NoSystems>): Promise<readonly PointsBoost[]>
    /**
     * The user's points of one system over time: one item for every day, week or month, with what awards gave and took
     * on local dates of the range. Both dates are `YYYY-MM-DD`. Rejects with `unknown_points_system`.
     */
    pointsEventSummary(
      id: string,
      system: Declared<PointsKey<G>, NoSystems>,
      request: EventSummaryRequest,
    ): Promise<readonly EventSummaryItem[]>
    /**
     * A year of the user in review: the most active day, week and month, and the whole year, each with what was added,
     * compared with the period before and with other users. Rejects with `invalid_request` for a year to come.
     */
    wrapped(id: string, request?: WrappedRequest): Promise<Wrapped>
    /** The user's rank and value in one run of a leaderboard, with the last days on which the value changed. */
    leaderboard(
      id: string,
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: UserLeaderboardRequest,
    ): Promise<UserLeaderboard<KeysOf<G>>>
  }
  readonly streaks: {
    /** The lengths of at most 100 users' streaks, the longest first; users that are not known are left out. */
    list(request: StreaksRequest | readonly string[]): Promise<readonly UserStreakLength[]>
    /**
     * The users with the longest streaks, the longest first: as they read now, without those that have expired, or the
     * longest that each ever had. Users who want no streak are left out.
     */
    rankings(request?: StreakRankingsRequest): Promise<readonly StreakRanking[]>
  }
  readonly points: {
    /**
     * The system as the game has it, with the triggers that pay. Rejects with `unknown_points_system`, as these all do.
     */
    system(system: Declared<PointsKey<G>, NoSystems>): Promise<PointsSystemResponse<KeysOf<G>>>
    /** The system's levels, the lowest first. */
    levels(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly PointsLevel[]>
    /**
     * The boosts that the system has for all users, the oldest first; by dates in UTC. Finished ones only where they
     * are asked for.
     */
    boosts(system: Declared<PointsKey<G>, NoSystems>, request?: BoostsRequest): Promise<readonly PointsBoost[]>
    /** How many users are on each level. */
    levelSummary(system: Declared<PointsKey<G>, NoSystems>): Promise<readonly PointsLevelSummaryItem[]>
    /**
     * How many users have no points, and how many in each of ten ranges of the same size, up to the highest total
     * rounded up to a power of ten. Reads every user of the tenant.
     */
    summary(system: Declared<PointsKey<G>, NoSystems>, request?: PointsSummaryRequest): Promise<readonly PointsRange[]>
  }
  readonly leaderboards: {
    /** Every leaderboard in the game's order, with its status and the dates of its current run. */
    all(request?: LeaderboardsRequest): Promise<readonly LeaderboardResponse<KeysOf<G>>[]>
    /**
     * A page of one run, finished ones too, or the ranks around a user, or some users ranked `among` themselves.
     * Rejects with `unknown_leaderboard`.
     */
    get(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: LeaderboardRequest<UserAttribute<G>>,
    ): Promise<LeaderboardWithRankings<KeysOf<G>>>
    /** The runs in which there is an entry, the newest first. Rejects with `unknown_leaderboard`, as `groups` does. */
    runs(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: LeaderboardRunsRequest,
    ): Promise<LeaderboardRuns>
    /** The groups of a run, with how many users each has; one with no values where the leaderboard has no groups. */
    groups(
      leaderboard: Declared<LeaderboardKey<G>, NoLeaderboards>,
      request?: LeaderboardGroupsRequest,
    ): Promise<LeaderboardGroups>
  }
  readonly admin: ConfigurationApi & {
    readonly points: { readonly boosts: AdminBoostsApi }
    readonly metrics: {
      /**
       * Records 1 to 1,000 events, those of one user in the order of the list. A mistake in the shape of any rejects
       * with `invalid_request`, and nothing is stored; what the rules refuse of single events are issues in the answer.
       * An event with an idempotency key has an id that follows from it, as in `import`.
       */
      events(
        events: readonly EventBatchItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>[],
      ): Promise<EventBatchResponse>
    }
    /** Keys of single users, safe in their browsers and apps. */
    readonly applicationApiKeys: {
      /** At most 100. What is wrong with one item is an issue in the answer; the others get their keys. */
      create(requests: readonly ApplicationKeyRequest<CapabilityOf<G>>[]): Promise<CreateApplicationKeysResponse>
      /** A page of the keys, expired ones too, without their secrets. */
      list(request?: ApplicationKeysRequest): Promise<readonly ApplicationKey[]>
      /** By id, at most 100, or all of one user, for good. */
      delete(keys: readonly string[] | KeysOfUser): Promise<DeleteApplicationKeysResponse>
    }
    /** What is wrong with one item of these is an issue in the answer; the others are carried out. */
    readonly streaks: {
      readonly freezes: {
        /**
         * Gives freezes, at most 100 at once. Rejects with `streak_freezes_disabled` where the streak has none of its
         * own.
         */
        create(
          request: FreezesRequest<Declared<StreakKey<G>, NoStreaks>>,
          options?: WriteOptions,
        ): Promise<CreateFreezesResponse>
      }
      readonly pauses: {
        /** Pauses streaks over local dates, at most 100 at once. */
        create(request: PausesRequest, options?: WriteOptions): Promise<CreatePausesResponse>
        /** By id, at most 100. What has passed of a pause stays. */
        delete(ids: readonly string[], options?: WriteOptions): Promise<DeletePausesResponse>
      }
      /** Brings streaks back to the length they had when they were last lost, at most 100 at once. */
      restore(
        request: RestoreRequest<Declared<StreakKey<G>, NoStreaks>>,
        options?: WriteOptions,
      ): Promise<RestoreStreaksResponse>
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
   * messages and calls no handlers without the option `notify`. Given the lines that `users.export` and
   * its like answer, it puts the users back as they were, on any storage: the report then counts users, and a user who
   * is here with another log is refused with `user_exists`. Where nobody is recorded yet the games are imported too;
   * else they have to be there.
   */
  readonly import: (
    items: AsyncIterable<ImportOf<G>> | Iterable<ImportOf<G>> | AsyncIterable<string> | Iterable<string>,
    options?: ImportOptions,
  ) => Promise<ImportReport>
}

/** What an import records, in the keys of the game. */
type ImportOf<G extends DefinedGame> =
  | ImportItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>
  | ImportCompletion<ApiAchievementKey<G>, UserAttribute<G>>

/** What a key can be for, in the keys of the game. */
type CapabilityOf<G extends DefinedGame> = Capability<MetricKey<G>, ApiAchievementKey<G>, UserAttribute<G>>

/** The door of calls that take `dryRun`. Anything but a boolean might be meant either way, so it is refused. */
function recordDoorOf(context: Context, options: RecordOptions = {}): Door {
  checkOptions('options', options, ['tx', 'dryRun'])
  const { dryRun = false, ...rest } = options
  if (typeof dryRun !== 'boolean') throw new GamificationError('invalid_request', 'dryRun must be true or false.')
  if (!dryRun) return doorOf(context, rest)
  if (rest.tx === undefined) return dryRunDoor(context)
  const message = 'dryRun does not go with tx: a dry run writes nothing that a transaction could commit. Leave one out.'
  throw new GamificationError('invalid_request', message)
}

function doorOf(context: Context, options: RecordOptions = {}): Door {
  checkOptions('options', options, ['tx', 'dryRun'])
  const { tx, dryRun = false } = options
  // The types forbid it; a caller without types must not find written what was meant as a dry run.
  if (dryRun !== false) {
    const message =
      'dryRun is an option of metrics.event, achievements.complete and events.void of one event: leave it out here.'
    throw new GamificationError('invalid_request', message)
  }
  if (tx === undefined) return context.live
  const storage = context.storage.join(tx)
  if (typeof tx?.afterCommit !== 'function') {
    const message =
      'The option tx is for Postgres. On SQLite call gamification.within(db, (g) => …): its methods join the transaction of db.'
    throw new GamificationError('storage_unusable', message)
  }
  return hostDoor(context, storage, (run) => tx.afterCommit(run))
}

/** The methods for one tenant, whose id `tenantOf` gives or refuses. */
export function createTenantApi<G extends DefinedGame>(
  context: Context,
  tenantOf: () => string,
  request?: Partial<Request>,
): GamificationApi<G> {
  const begin = <T>(use: (tenant: string, call: Context) => Eventually<T>): Eventually<T> =>
    use(tenantOf(), startCall(context, request))
  const read = <T>(operation: string, use: (tenant: string, call: Context) => Eventually<T>): Promise<T> =>
    tracedCall(operation, () => foreseen('internal', () => begin(use)))
  // What the database says about the host's own transaction is for the host, who has to begin it again.
  const write = <T>(
    operation: string,
    options: WriteOptions | undefined,
    use: (tenant: string, call: Context) => Eventually<T>,
  ): Promise<T> =>
    tracedCall(operation, async () =>
      options?.tx === undefined ? foreseen('outcome_unknown', () => begin(use)) : begin(use),
    )
  function voidAny(
    event: string | EventByKey,
    request?: VoidRequest,
    options?: RecordOptions,
  ): Promise<VoidEventResponse>
  function voidAny(events: EventsOf, request?: VoidRequest, options?: WriteOptions): Promise<VoidEventsResponse>
  function voidAny(
    event: string | EventByKey | EventsOf,
    request?: VoidRequest,
    options?: RecordOptions,
  ): Promise<VoidEventResponse | VoidEventsResponse> {
    return write<VoidEventResponse | VoidEventsResponse>('events.void', options, (tenant, call) => {
      const which = readVoided(event)
      if (!areSeveral(which)) return voidEvent(call, recordDoorOf(call, options), tenant, which, request)
      const door = doorOf(call, options)
      const again = (): Context => startCall(context, { by: call.by })
      return voidEvents(again, door, tenant, which, request)
    })
  }

  // An import is given the key of the host's request, but not its deadline.
  const unhurried: Context = request?.by == null ? context : { ...context, by: request.by }
  const configuration = configurationApi((operation, use) => read(`admin.${operation}`, (_, call) => use(call)))
  const api: GamificationApi<DefinedGame> = {
    metrics: {
      event: (metric, request, options) =>
        write('metrics.event', options, (tenant, call) =>
          recordEvent(call, recordDoorOf(call, options), tenant, metric, request),
        ),
    },
    events: {
      void: voidAny,
      approve: (event, options) =>
        write('events.approve', options, (tenant, call) => approveEvent(call, doorOf(call, options), tenant, event)),
      held: (request) => read('events.held', (tenant, call) => listHeldEvents(call, tenant, request)),
    },
    activity: { days: (request) => read('activity.days', (tenant, call) => readActivity(call, tenant, request)) },
    status: () => read('status', (tenant, call) => readStatus(call, tenant)),
    achievements: {
      all: (request) => read('achievements.all', (tenant, call) => listAchievements(call, tenant, request)),
      complete: (key, request, options) =>
        write('achievements.complete', options, (tenant, call) =>
          completeAchievement(call, recordDoorOf(call, options), tenant, key, request),
        ),
      completions: (key, request) =>
        read('achievements.completions', (tenant, call) => listCompletions(call, tenant, key, request)),
    },
    users: {
      ...adminUsersApi({ read, write, doorOf, context, tenantOf }),
      create: (user, options) =>
        write('users.create', options, (tenant, call) => createUser(call, doorOf(call, options), tenant, user)),
      get: (id) => read('users.get', (tenant, call) => getUser(call, tenant, id)),
      identify: (id, update, options) =>
        write('users.identify', options, (tenant, call) =>
          identifyUser(call, doorOf(call, options), tenant, id, update),
        ),
      update: (id, update, options) =>
        write('users.update', options, (tenant, call) => updateUser(call, doorOf(call, options), tenant, id, update)),
      getPreferences: (id) => read('users.getPreferences', (tenant, call) => readPreferences(call, tenant, id)),
      updatePreferences: (id, update, options) =>
        write('users.updatePreferences', options, (tenant, call) =>
          updatePreferences(call, doorOf(call, options), tenant, id, update),
        ),
      allMetrics: (id) => read('users.allMetrics', (tenant, call) => listUserMetrics(call, tenant, id)),
      singleMetric: (id, metric) =>
        read('users.singleMetric', (tenant, call) => readUserMetric(call, tenant, id, metric)),
      metricEventSummary: (id, metric, request) =>
        read('users.metricEventSummary', (tenant, call) => summarizeEvents(call, tenant, id, metric, request)),
      achievements: (id, request) =>
        read('users.achievements', (tenant, call) => listUserAchievements(call, tenant, id, request)),
      streak: (id, request) => read('users.streak', (tenant, call) => readUserStreak(call, tenant, id, request)),
      points: (id, system, request) =>
        read('users.points', (tenant, call) => readUserPoints(call, tenant, id, system, request)),
      pointsBoosts: (id, system) =>
        read('users.pointsBoosts', (tenant, call) => listUserBoosts(call, tenant, id, system)),
      pointsEventSummary: (id, system, request) =>
        read('users.pointsEventSummary', (tenant, call) => summarizeAwards(call, tenant, id, system, request)),
      wrapped: (id, request) => read('users.wrapped', (tenant, call) => readWrapped(call, tenant, id, request)),
      leaderboard: (id, leaderboard, request) =>
        read('users.leaderboard', (tenant, call) => readUserLeaderboard(call, tenant, id, leaderboard, request)),
    },
    streaks: {
      list: (request) => read('streaks.list', (tenant, call) => listStreaks(call, tenant, request)),
      rankings: (request) => read('streaks.rankings', (tenant, call) => rankStreaks(call, tenant, request)),
    },
    points: {
      system: (system) => read('points.system', (_, call) => readPointsSystem(call, system)),
      levels: (system) => read('points.levels', (_, call) => listLevels(call, system)),
      boosts: (system, request) => read('points.boosts', (_, call) => listBoosts(call, system, request)),
      levelSummary: (system) => read('points.levelSummary', (tenant, call) => summarizeLevels(call, tenant, system)),
      summary: (system, request) =>
        read('points.summary', (tenant, call) => summarizePoints(call, tenant, system, request)),
    },
    leaderboards: {
      all: (request) => read('leaderboards.all', (_, call) => listLeaderboards(call, request)),
      get: (leaderboard, request) =>
        read('leaderboards.get', (tenant, call) => readLeaderboard(call, tenant, leaderboard, request)),
      runs: (leaderboard, request) =>
        read('leaderboards.runs', (tenant, call) => listRuns(call, tenant, leaderboard, request)),
      groups: (leaderboard, request) =>
        read('leaderboards.groups', (tenant, call) => listGroups(call, tenant, leaderboard, request)),
    },
    admin: {
      ...configuration,
      points: { ...configuration.points, boosts: adminBoostsApi({ read, write, doorOf }) },
      metrics: {
        ...configuration.metrics,
        events: (events) =>
          write('admin.metrics.events', undefined, (tenant, call) => recordEvents(call, tenant, events)),
      },
      applicationApiKeys: {
        create: (requests) =>
          write('admin.applicationApiKeys.create', undefined, (tenant, call) =>
            createApplicationKeys(call, tenant, requests),
          ),
        list: (request) =>
          read('admin.applicationApiKeys.list', (tenant, call) => listApplicationKeys(call, tenant, request)),
        delete: (keys) =>
          write('admin.applicationApiKeys.delete', undefined, (tenant, call) =>
            deleteApplicationKeys(call, tenant, keys),
          ),
      },
      streaks: {
        freezes: {
          create: (request, options) =>
            write('admin.streaks.freezes.create', options, (tenant, call) =>
              createFreezes(call, doorOf(call, options), tenant, request),
            ),
        },
        pauses: {
          create: (request, options) =>
            write('admin.streaks.pauses.create', options, (tenant, call) =>
              createPauses(call, doorOf(call, options), tenant, request),
            ),
          delete: (ids, options) =>
            write('admin.streaks.pauses.delete', options, (tenant, call) =>
              deletePauses(call, doorOf(call, options), tenant, ids),
            ),
        },
        restore: (request, options) =>
          write('admin.streaks.restore', options, (tenant, call) =>
            restoreStreaks(call, doorOf(call, options), tenant, request),
          ),
      },
    },
    explain: toExplain((id, subject) => read('explain', (tenant, call) => explain(call, tenant, id, subject))),
    // The items wait for each other: each has the storage's time from its turn on. What the host's own iterable and
    // callbacks throw is thrown as it is.
    import: (items, options = {}) => tracedCall('import', async () => importItems(unhurried, tenantOf, items, options)),
  }
  // The keys of the game are known to the compiler alone.
  return api as unknown as GamificationApi<G>
}
