import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../engine/types.ts'
import { mergeDue } from '../outbox/merging.ts'
import { removeOld } from '../outbox/messages.ts'
import { parse } from '../requests/input.ts'
import { workOptions } from '../requests/subscriptions.ts'
import { refreshGame, sweep } from './sweeper.ts'
import { tellClock } from './tenants-clock.ts'
import { addReports, hasDone, NOTHING_DONE, type Worker, type WorkReport } from './worker.ts'

const REMOVED_EVERY_MS = 60_000
/** The longest pause between two parts of what time brings: calls get their turn in it. */
const MOST_PAUSE_MS = 20
/** The pause after an error. */
const PAUSE_AFTER_ERROR_MS = 1_000

export interface Work {
  work(options?: unknown): Promise<void>
  workOnce(): Promise<WorkReport>
  /** Ends what is under way. */
  stop(): Promise<void>
}

/** `deliverers`: what hands over messages, which is asked again as soon as any are written. */
export function createWork(context: Context, deliverers: readonly Worker[]): Work {
  const timed = timedWorkers(context)
  const ending = new AbortController()
  const under = new Set<Promise<unknown>>()

  const runAll = async (
    workers: readonly Worker[],
    signal: AbortSignal,
    between: () => Promise<unknown> = nextTurn,
  ): Promise<WorkReport> => {
    const reports = await Promise.all(workers.map((worker) => runWhileDue(context, worker, signal, between)))
    return reports.reduce<WorkReport>(addReports, NOTHING_DONE)
  }

  const runTimed = async (signal: AbortSignal): Promise<WorkReport> => {
    await runWhileDue(context, { runOnce: () => context.databaseClock.refresh().then(() => ({})) }, signal)
    await runWhileDue(context, { runOnce: () => refreshGame(context).then(() => ({})) }, signal)
    return runAll(timed, signal, giveWay(context))
  }

  /** What time brings first, for it is to be handed over too. */
  const runEverything = async (signal: AbortSignal): Promise<WorkReport> => {
    let report = NOTHING_DONE
    for (;;) {
      const done = addReports(await runTimed(signal), await runAll(deliverers, signal))
      report = addReports(report, done)
      if (signal.aborted) return report
      // What goes on after a round, as a request to somebody who is slow, is due now too.
      const isMore = hasDone(done) || (await Promise.all(deliverers.map((worker) => worker.ended?.()))).includes(true)
      if (!isMore) return report
    }
  }

  const workUntil = async (signal: AbortSignal, pollMs: number): Promise<void> => {
    // Leases go by the database's clock. What fails here fails in the first round too, which logs it.
    await context.databaseClock.refresh().catch(() => undefined)
    const timedRounds = async (): Promise<void> => {
      while (!signal.aborted) {
        await runTimed(signal)
        await sleep(pollMs, undefined, { signal }).catch(() => undefined)
      }
    }
    // Each by itself: one that has much to do, or waits for somebody slow, keeps no other.
    const roundsOf = async (worker: Worker): Promise<void> => {
      const bell = context.wake.listen()
      const runs = new Set<Promise<unknown>>()
      while (!signal.aborted) {
        const run = runWhileDue(context, worker, signal).finally(() => runs.delete(run))
        runs.add(run)
        const isOver = run.then(() => true)
        const isLong = worker.overlaps === true ? sleep(pollMs, false, { ref: false }) : isOver
        if ((await Promise.race([isOver, isLong])) && !signal.aborted) await bell.wait(pollMs, signal)
      }
      bell.end()
      await Promise.allSettled(runs)
    }
    await Promise.all([timedRounds(), ...deliverers.map(roundsOf)])
  }

  const track = <T>(promise: Promise<T>): Promise<T> => {
    under.add(promise)
    const forget = (): void => void under.delete(promise)
    promise.then(forget, forget)
    return promise
  }

  return {
    work: async (options = {}) => {
      const { signal, pollMs } = parse(workOptions, options, 'options')
      const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
      await track(workUntil(both, pollMs))
    },
    workOnce: () => track(runEverything(ending.signal)),
    stop: async () => {
      ending.abort()
      await Promise.allSettled(under)
      await Promise.all(deliverers.map((worker) => worker.stop?.()))
    },
  }
}

function timedWorkers(context: Context): readonly Worker[] {
  let removed = Number.NEGATIVE_INFINITY
  return [
    inParts(
      () => sweep(context),
      (told) => ({ told }),
    ),
    { runOnce: async () => ({ told: (await tellClock(context)) ?? 0 }) },
    inParts(
      () => mergeDue(context),
      (merged) => ({ merged }),
    ),
    {
      runOnce: async () => {
        if (performance.now() - removed < REMOVED_EVERY_MS) return {}
        removed = performance.now()
        await removeOld(context)
        return {}
      },
    },
  ]
}

/** Does a part of what is due each time it is asked, until that answers null: there is nothing more to do. */
function inParts(work: () => Promise<number | null>, toReport: (done: number) => Partial<WorkReport>): Worker {
  return {
    runOnce: async () => {
      const done = await work()
      return done === null ? {} : { ...toReport(done), isMore: true }
    },
  }
}

/**
 * Waits between two parts of what time brings: where calls came since the last part, for as long as the process was
 * busy since. So calls have half of the process at least, however much is due at once.
 */
function giveWay({ recorder }: Context): () => Promise<unknown> {
  let [calls, used] = [recorder.count, process.cpuUsage()]
  return async () => {
    await nextTurn()
    const { user, system } = process.cpuUsage(used)
    if (recorder.count > calls) await sleep(Math.min((user + system) / 1_000, MOST_PAUSE_MS))
    calls = recorder.count
    used = process.cpuUsage()
  }
}

/** What fails is told to the logger, and tried again with the next round. */
async function runWhileDue(
  context: Context,
  worker: Worker,
  signal: AbortSignal,
  between: () => Promise<unknown> = nextTurn,
): Promise<WorkReport> {
  let report = NOTHING_DONE
  try {
    for (;;) {
      const done = await worker.runOnce(context.now())
      report = addReports(report, done)
      if (!hasDone(done) || signal.aborted) return report
      await between()
    }
  } catch (err) {
    if (signal.aborted) return report
    context.logger.error({ err }, 'What is due could not be done; it is tried again soon.')
    await sleep(PAUSE_AFTER_ERROR_MS, undefined, { signal }).catch(() => undefined)
    return report
  }
}
