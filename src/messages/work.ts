import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DAY, type Instant } from '../rules/calendar.ts'
import type { Context } from '../runtime/context.ts'
import { parse } from '../runtime/input.ts'
import { removeDeliveries } from '../sql/deliveries.ts'
import { removeMessages } from '../sql/messages.ts'
import { loadDocuments } from '../sql/outbox.ts'
import { mergeDue } from './merge-pieces.ts'
import { publishScheduled, publishTimeMessages, refreshGame } from './publish-scheduled.ts'
import { workOptions } from './requests.ts'
import { assignAllPositions, readSubscription, SUBSCRIPTION } from './stored-subscription.ts'

/** One task of `work`: messages that time causes, merging, subscriptions or webhooks. */
export interface Worker {
  /** Does a small part of the work that is due at `now`. Called again at once as long as it reports work done. */
  runOnce(now: Instant): Promise<Done>
  /** Waits until a request that outlives `runOnce` has ended. Returns `false` at once if there is none. */
  ended?(): Promise<boolean>
  /** True if `runOnce` may be called while an earlier call is still running. */
  readonly overlaps?: boolean
  /** Ends the work in progress and releases leases. Called once, after the last `runOnce`. */
  stop?(): Promise<void>
}

/** How much was done. */
export interface WorkReport {
  /** Messages that fell due, and were written. */
  readonly published: number
  /** Messages that were merged from the changes of one quarter of an hour. */
  readonly merged: number
  /** Messages that handlers of subscriptions accepted. */
  readonly handled: number
  /** Deliveries that receivers of webhooks accepted. */
  readonly delivered: number
  /** Handler calls and deliveries that failed. They are retried later or become dead letters. */
  readonly failed: number
}

/** The work of one run. `isMore`: there may be more to do, even if all counts are zero. */
export type Done = Partial<WorkReport> & { readonly isMore?: boolean }

export function sumReports(reports: readonly Done[]): WorkReport {
  const sum = (name: keyof WorkReport): number => reports.reduce((total, report) => total + (report[name] ?? 0), 0)
  const written = { published: sum('published'), merged: sum('merged') }
  return { ...written, handled: sum('handled'), delivered: sum('delivered'), failed: sum('failed') }
}

/** True if anything was done, so that more may be due. */
function hasDone({ isMore = false, ...report }: Done): boolean {
  return isMore || Object.values(report).some((count) => count > 0)
}

const REMOVED_EVERY_MS = 60_000
const MOST_PAUSE_MS = 20
const PAUSE_AFTER_ERROR_MS = 1_000

export interface Work {
  work(options?: unknown): Promise<void>
  /** Does everything that is due, then rejects if some of it failed. */
  workOnce(): Promise<WorkReport>
  stop(): Promise<void>
}

interface Workers {
  /** It runs before the scheduled ones. */
  readonly check: Worker
  readonly scheduled: readonly Worker[]
  readonly deliverers: readonly Worker[]
}

/** `deliverers`: the workers that deliver messages. They run again as soon as a message is written. */
export function createWork(context: Context, deliverers: readonly Worker[]): Work {
  const workers: Workers = {
    check: { runOnce: () => checkClockAndGame(context) },
    scheduled: scheduledWorkers(context),
    deliverers,
  }
  const ending = new AbortController()
  const running = new Set<Promise<unknown>>()
  const track = <T>(promise: Promise<T>): Promise<T> => {
    running.add(promise)
    const forget = (): void => void running.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  return {
    work: async (options = {}) => {
      const { signal, pollMs } = parse(workOptions, options, 'options')
      const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
      await track(workUntil(context, workers, { signal: both, pause: nextTurn }, pollMs))
    },
    workOnce: () => track(runAllOnce(context, workers, ending.signal)),
    stop: async () => {
      ending.abort()
      await Promise.allSettled(running)
      await Promise.all(deliverers.map((worker) => worker.stop?.()))
    },
  }
}

async function checkClockAndGame(context: Context): Promise<Done> {
  await context.databaseClock.refresh()
  await refreshGame(context)
  return {}
}

async function runAll(context: Context, workers: readonly Worker[], run: Run): Promise<WorkReport> {
  return sumReports(await Promise.all(workers.map((worker) => runWhileDue(context, worker, run))))
}

async function runScheduled(context: Context, { check, scheduled }: Workers, run: Run): Promise<WorkReport> {
  await runWhileDue(context, check, run)
  return runAll(context, scheduled, { ...run, pause: startPauses(context) })
}

async function runAllOnce(context: Context, workers: Workers, signal: AbortSignal): Promise<WorkReport> {
  const { deliverers } = workers
  const errors = new Map<Worker, unknown>()
  const run: Run = { signal, pause: nextTurn, errors }
  // A slow request that ends after the round may leave more to do.
  const hasEnded = async (): Promise<boolean> =>
    (await Promise.all(deliverers.map((worker) => worker.ended?.()))).includes(true)
  const reports: WorkReport[] = []
  for (let isMore = true; isMore; ) {
    // Scheduled work first: it writes messages that the deliverers deliver.
    const published = await runScheduled(context, workers, run)
    const done = sumReports([published, await runAll(context, deliverers, run)])
    reports.push(done)
    isMore = !signal.aborted && (hasDone(done) || (await hasEnded()))
  }
  for (const error of errors.values()) throw error
  return sumReports(reports)
}

async function workUntil(context: Context, workers: Workers, run: Run, pollMs: number): Promise<void> {
  const { signal } = run
  // Leases use the database's clock. An error here is logged by the first round, which refreshes it again.
  await context.databaseClock.refresh().catch(() => undefined)
  const scheduledRounds = async (): Promise<void> => {
    while (!signal.aborted) {
      await runScheduled(context, workers, run)
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }
  await Promise.all([
    scheduledRounds(),
    ...workers.deliverers.map((worker) => deliverUntil(context, worker, run, pollMs)),
  ])
}

function scheduledWorkers(context: Context): readonly Worker[] {
  let removedAt = Number.NEGATIVE_INFINITY
  return [
    inParts('published', () => publishTimeMessages(context)),
    { runOnce: async () => ({ published: (await publishScheduled(context)) ?? 0 }) },
    inParts('merged', () => mergeDue(context)),
    {
      runOnce: async () => {
        if (performance.now() - removedAt >= REMOVED_EVERY_MS) {
          removedAt = performance.now()
          await removeOld(context)
        }
        return {}
      },
    },
  ]
}

/** Does one part of the work per run, until a part returns `null`: there is nothing more to do. */
function inParts(name: keyof WorkReport, work: () => Promise<number | null>): Worker {
  return {
    runOnce: async () => {
      const done = await work()
      return done === null ? {} : { [name]: done, isMore: true }
    },
  }
}

/** Runs one deliverer after each message that is written, and every `pollMs`. A slow one does not delay the others. */
async function deliverUntil(context: Context, worker: Worker, run: Run, pollMs: number): Promise<void> {
  const { signal } = run
  const listener = context.messageSignal.listen(signal)
  const runs = new Set<Promise<unknown>>()
  while (!signal.aborted) {
    const one = runWhileDue(context, worker, run).finally(() => runs.delete(one))
    runs.add(one)
    const isOver = one.then(() => true)
    const isLong = worker.overlaps === true ? sleep(pollMs, false, { ref: false }) : isOver
    if ((await Promise.race([isOver, isLong])) && !signal.aborted) await listener.wait(pollMs)
  }
  await Promise.allSettled(runs)
}

/** The CPU time of the process in milliseconds; 0 in a Worker of Cloudflare, which does not know its own. */
function usedMs(): number {
  try {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return 0
  }
}

/** If API calls arrived, pauses as long as the process was busy since: API calls keep at least half of the CPU. */
function startPauses({ recorder }: Context): () => Promise<unknown> {
  let [calls, used] = [recorder.count, usedMs()]
  return async () => {
    await nextTurn()
    if (recorder.count > calls) await sleep(Math.min(usedMs() - used, MOST_PAUSE_MS))
    calls = recorder.count
    used = usedMs()
  }
}

interface Run {
  readonly signal: AbortSignal
  /** Waits between two runs of one worker. */
  readonly pause: () => Promise<unknown>
  /** Collects the error of each worker whose last run failed. */
  readonly errors?: Map<Worker, unknown>
}

/** Runs a worker while it has something to do. An error is logged, and the next round tries again. */
async function runWhileDue(context: Context, worker: Worker, { signal, pause, errors }: Run): Promise<WorkReport> {
  let report = sumReports([])
  try {
    for (;;) {
      const done = await worker.runOnce(context.now())
      errors?.delete(worker)
      report = sumReports([report, done])
      if (!hasDone(done) || signal.aborted) return report
      await pause()
    }
  } catch (err) {
    if (signal.aborted) return report
    errors?.set(worker, err)
    context.logger.error({ err }, 'Scheduled work failed. The next round tries again.')
    if (errors === undefined) await sleep(PAUSE_AFTER_ERROR_MS, undefined, { signal }).catch(() => undefined)
    return report
  }
}

/** How long messages are kept after every subscription has read them. */
const MESSAGES_MS = 7 * DAY
/** How long finished and dead deliveries are kept. */
const DELIVERIES_MS = 30 * DAY
const MOST_AT_ONCE = 1_000
const MOST_ROUNDS = 20

async function removeOld({ storage, now }: Context): Promise<void> {
  const head = await assignAllPositions(storage)
  const documents = await loadDocuments(storage, SUBSCRIPTION)
  const upTo = Math.min(head, ...documents.map((document) => readSubscription(document).position))
  await inRounds(() => removeMessages(storage, upTo, now() - MESSAGES_MS, MOST_AT_ONCE))
  await inRounds(() => removeDeliveries(storage, now() - DELIVERIES_MS, MOST_AT_ONCE))
}

async function inRounds(remove: () => Promise<number>): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if ((await remove()) < MOST_AT_ONCE) return
  }
}
