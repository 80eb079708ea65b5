import type { Instant } from '../rules/calendar.ts'

/** One of the things that `work` does: the sweeper, the merging, subscriptions, webhooks … */
export interface Worker {
  /**
   * Does what is due at `now`, at most so much that others get their turn soon, and answers what it did. It is asked
   * again at once while it answers that it did anything. It may reject; that is told to the logger, and it is asked
   * again later.
   */
  runOnce(now: Instant): Promise<Partial<WorkReport> & MoreToDo>
  /**
   * Waits until something has ended that goes on after `runOnce`, as a request to somebody who hangs; false at once
   * where nothing does. For whoever wants all that is due now to be done, and then asks `runOnce` again.
   */
  ended?(): Promise<boolean>
  /** Whether it may be asked again while it is still at work: then what is slow in it keeps nothing else of it. */
  readonly overlaps?: boolean
  /** Ends what is under way, as when a process goes: leases are given back. Called once, after the last `runOnce`. */
  stop?(): Promise<void>
}

export interface MoreToDo {
  /** Whether there may be more to do, even if nothing that counts was done. */
  readonly isMore?: boolean
}

/** How much was done. */
export interface WorkReport {
  /** Messages that were written of what time alone brought. */
  readonly told: number
  /** Messages that were made of several of the same quarter of an hour. */
  readonly merged: number
  /** Messages that handlers of subscriptions have taken. */
  readonly handled: number
  /** Deliveries to webhooks that were taken. */
  readonly delivered: number
  /** Handlers and deliveries that failed, and will be tried again or are put aside. */
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
