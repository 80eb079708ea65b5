import type { Instant } from '../rules/calendar.ts'

/** One task of `work`: messages that time causes, merging, subscriptions or webhooks. */
export interface Worker {
  /**
   * Does a part of what is due at `now`, small enough that other tasks run soon, and returns what it did. It is called
   * again at once while it returns that it did anything. It may reject: the error is logged, and a later call tries
   * again.
   */
  runOnce(now: Instant): Promise<Partial<WorkReport> & MoreToDo>
  /**
   * Waits until a request that outlives `runOnce` has ended. Returns `false` at once if there is none. A caller that
   * wants everything due to be done then calls `runOnce` again.
   */
  ended?(): Promise<boolean>
  /** Whether `runOnce` may be called while an earlier call is still running. */
  readonly overlaps?: boolean
  /** Ends the work in progress and releases leases. Called once, after the last `runOnce`. */
  stop?(): Promise<void>
}

export interface MoreToDo {
  /** Whether there may be more to do, even if the report is all zeros. */
  readonly isMore?: boolean
}

/** How much was done. */
export interface WorkReport {
  /** Messages that were written because time passed. */
  readonly told: number
  /** Messages that were merged from the changes of one quarter of an hour. */
  readonly merged: number
  /** Messages that handlers of subscriptions accepted. */
  readonly handled: number
  /** Deliveries that receivers of webhooks accepted. */
  readonly delivered: number
  /** Handler calls and deliveries that failed. They are retried later or become dead letters. */
  readonly failed: number
}

export const NOTHING_DONE: WorkReport = { told: 0, merged: 0, handled: 0, delivered: 0, failed: 0 }

export function addReports(left: WorkReport, right: Partial<WorkReport>): WorkReport {
  return {
    told: left.told + (right.told ?? 0),
    merged: left.merged + (right.merged ?? 0),
    handled: left.handled + (right.handled ?? 0),
    delivered: left.delivered + (right.delivered ?? 0),
    failed: left.failed + (right.failed ?? 0),
  }
}

/** Whether anything was done, so that more may be due. */
export function hasDone({ isMore = false, ...report }: Partial<WorkReport> & MoreToDo): boolean {
  return isMore || Object.values(report).some((count) => count > 0)
}
