import type {
  ApiAchievementKey,
  DefinedGame,
  EventAttribute,
  MetricKey,
  UserAttribute,
} from '../../game/define-game.ts'
import type { ExportPage, StatusResponse } from '../../shapes/operate.ts'
import type { ActivityResponse, RetentionResponse } from '../../shapes/users.ts'
import type { ImportCompletion, ImportItem } from '../events/requests.ts'
import { arg, defineOperation, type OperationsOf, optionalArg, userArg } from '../operation.ts'
import { exportPage } from './export-users.ts'
import type { ImportOptions, ImportReport } from './import-report.ts'
import { readRetention, readStatus } from './overview.ts'
import { readActivity } from './read-activity.ts'
import { type ActivityRequest, activityRequest, type ExportPageRequest, exportPageRequest } from './requests.ts'

export interface OverviewCalls {
  /** Returns the state of the storage, the game and the pending work of this tenant. Rejects if the storage fails. */
  readonly status: () => Promise<StatusResponse>
  /** Activity of all users, by dates in UTC. */
  readonly activity: {
    /**
     * Returns the number of events, users, completions and points for each date. A call reads for about 200
     * milliseconds; for the missing dates, call again with its `before`. Figures of past dates may be a minute old.
     */
    days(request: ActivityRequest): Promise<ActivityResponse>
    /**
     * Compares the control group of the game's `experiment` with all other users who were created in a range of dates.
     * Reports who had an event 1, 7, 14 and 30 days later, active days, and events. One call reads at most 10,000
     * users, for about two seconds.
     */
    retention(request: ActivityRequest): Promise<RetentionResponse>
  }
}

export interface UserExportPagesApi {
  /** Returns the lines of `export` as objects, in pages, for callers that cannot keep a stream open. */
  exportPage(id: string, request?: ExportPageRequest): Promise<ExportPage>
}

export interface UserExportApi extends UserExportPagesApi {
  /**
   * Exports everything that is stored about the user, as lines of JSON, each with a line break: a header, the games,
   * then the log.
   */
  export(id: string): AsyncGenerator<string>
}

/** It is not an operation: each item has its own deadline, and lines of an export name their tenant. */
export interface ImportApi<G extends DefinedGame> {
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
  | ImportItem<MetricKey<G>, UserAttribute<G>, EventAttribute<G>>
  | ImportCompletion<ApiAchievementKey<G>, UserAttribute<G>>

/** The calls of operators, in the groups of the API. */
export interface OperateCalls extends OverviewCalls {
  readonly users: UserExportPagesApi
}

const range = arg('request', activityRequest)

export const operateOperations: OperationsOf<OperateCalls> = {
  users: {
    exportPage: defineOperation({
      kind: 'read',
      takes: [userArg, optionalArg('request', exportPageRequest)],
      endpoint: {
        at: 'GET /users/{id}/export',
        tag: 'Users',
        api: 'admin',
        operationId: 'users_export',
        summary: 'Export a user in pages of lines',
        answers: { 200: ['Some lines of the export.', 'ExportPage'] },
      },
      run: exportPage,
    }),
  },
  status: defineOperation({
    kind: 'read',
    takes: [],
    endpoint: {
      at: 'GET /status',
      tag: 'Overview',
      api: 'admin',
      summary: 'Get the state of the tenant and of the engine',
      answers: { 200: ['The state.', 'StatusResponse'] },
    },
    run: readStatus,
  }),
  activity: {
    days: defineOperation({
      kind: 'read',
      takes: [range],
      endpoint: {
        at: 'GET /activity',
        tag: 'Overview',
        api: 'admin',
        operationId: 'activity',
        summary: 'Count events, users, completions and points by date in UTC, the newest first',
        answers: { 200: ['The days that were read in time.', 'ActivityResponse'] },
      },
      run: readActivity,
    }),
    retention: defineOperation({
      kind: 'read',
      takes: [range],
      endpoint: {
        at: 'GET /activity/retention',
        tag: 'Overview',
        api: 'admin',
        summary: 'Compare the control group with other users who were created on these dates in UTC',
        answers: { 200: ['Both groups.', 'RetentionResponse'] },
      },
      run: readRetention,
    }),
  },
}
