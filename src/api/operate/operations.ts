import type { StatusResponse } from '../../shapes/operate.ts'
import type { ActivityResponse, RetentionResponse } from '../../shapes/users.ts'
import { arg, defineOperation, type OperationsOf } from '../operation.ts'
import { readRetention, readStatus } from './overview.ts'
import { readActivity } from './read-activity.ts'
import { type ActivityRequest, activityRequest } from './requests.ts'

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

const range = arg('request', activityRequest)

export const overviewOperations: OperationsOf<OverviewCalls> = {
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
