import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { parse } from '../api/input.ts'
import { workOptions } from '../api/webhooks/requests.ts'
import { unchangedSave } from '../record/accept/accept-command.ts'
import { tellTime, toldSoFar, toldUntil, wantsTime } from '../record/accept/user-messages.ts'
import { bringToNewestGame } from '../record/locked-user.ts'
import { isAboutAll } from '../record/record-batch.ts'
import type { UserState } from '../rules/state.ts'
import type { Context, CurrentGame, Wanted } from '../runtime/context.ts'
import { writeDocument } from '../runtime/database-clock.ts'
import { isReplaced } from '../runtime/game-book.ts'
import { isPassed, isSamePass, newPass, readPass, SWEEP, type SweepPass } from '../runtime/sweep-pass.ts'
import { userKeyText } from '../runtime/user-key.ts'
import type { UserKey } from '../storage/rows.ts'
import type { Decide, LoadedUser, UserSave } from '../storage/storage.ts'
import { removeOld } from './messages.ts'
import { mergeDue } from './rank-messages.ts'
import { tellClock } from './tenants-clock.ts'
import { addReports, hasDone, NOTHING_DONE, type Worker, type WorkReport } from './worker.ts'

const MOST_USERS = 64
/**
 * How long after a game with other notices the pass begins: until then a host's transaction may be open that was
 * decided under the game before, and whose new users nobody sees.
 */
const PAUSE_MS = 60_000

/** Tells what time has brought to some users; null: nothing is due, or nobody wants to know. */
export async function sweep(context: Context): Promise<number | null> {
  const current = await context.games.current()
  const { messages } = current
  if (messages === null || !wantsTime(messages)) return null
  const due = await context.storage.dueUsers(context.now(), MOST_USERS)
  const { told, isOutdated } = await tellUsers(context, current, due)
  const passed = isOutdated ? null : await goOnWithPass(context, current, messages)
  if (told === null && passed === null) return null
  return (told ?? 0) + (passed ?? 0)
}

/** Reads the games again where another process has stored one that this process does not know. */
async function refreshGame({ storage, games }: Context): Promise<void> {
  const current = await games.current()
  const { epoch } = await storage.readUser(NOBODY)
  if (epoch !== current.epoch) await games.refresh()
}

/** With any user, the newest epoch is answered. */
const NOBODY: UserKey = { tenant: '', user: '' }

/**
 * Goes on with the pass through all users. Users of whom nothing was told yet have no instant at which they are due,
 * and users without an entry since a newer game have one of an earlier game. null: the pass is done, or nothing more
 * can be done now.
 */
async function goOnWithPass(context: Context, current: CurrentGame, wanted: Wanted): Promise<number | null> {
  const { stored, version } = await readPass(context)
  const first = newPass(current, wanted)
  const known = isSamePass(stored, first) ? stored : first
  if (isPassed(known, first) || !isTimeFor(known, stored, context.now(), current)) return null
  const isForMissed = known.isDone || known.missed.length >= MOST_USERS
  const users = isForMissed
    ? known.missed.slice(0, MOST_USERS)
    : await context.storage.listUsers({ ...(known.after && { after: known.after }), limit: MOST_USERS })
  const { told, missed, isOutdated } = await tellUsers(context, current, users)
  if (isOutdated) return 0
  const rest = known.missed.slice(users.length)
  const next = isForMissed ? { ...known, missed: [...rest, ...missed] } : afterPage(known, users, missed)
  const isStuck = isForMissed && missed.length === users.length
  // If this is not written, another process went through the same users, and finds them told.
  if (!isStuck || rest.length > 0) await writeDocument(context, SWEEP, version, next)
  return isStuck || isPassed(next, first) ? told : (told ?? 0)
}

/** Not while a process that knows more games goes through users, and not too soon after a game. */
function isTimeFor(known: SweepPass, stored: SweepPass | null, now: number, { noticesFrom }: CurrentGame): boolean {
  if (known === stored || stored === null || known.since !== stored.since) return true
  return stored.notices < known.notices && now >= (noticesFrom.at(-1)?.from ?? now) + PAUSE_MS
}

/** Once it is done it names nobody any more: users may be deleted. */
function afterPage(known: SweepPass, users: readonly UserKey[], missed: readonly UserKey[]): SweepPass {
  const isDone = users.length < MOST_USERS
  const last = users.at(-1)
  const after = isDone || last === undefined ? null : { tenant: last.tenant, user: last.user }
  return { ...known, after, missed: [...known.missed, ...missed], isDone }
}

interface Told {
  /** How many messages were written; null: there was nothing to store of any of the users, or others were at it. */
  readonly told: number | null
  /** Whom somebody else held. */
  readonly missed: readonly UserKey[]
  /** Nothing was done: a newer game was stored, which is known now. */
  readonly isOutdated: boolean
}

/** A failure nobody foresaw splits the users until the one that cannot be told stands alone; the others are told. */
async function tellUsers(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Told> {
  const [user, ...others] = users
  if (user === undefined) return { told: null, missed: [], isOutdated: false }
  try {
    return await tellTogether(context, current, users)
  } catch (err) {
    if (isAboutAll(err)) throw err
    if (others.length === 0) {
      context.logger.error({ ...user, err }, 'What time has brought to a user could not be told; it is tried again.')
      return { told: null, missed: users, isOutdated: false }
    }
    const half = Math.ceil(users.length / 2)
    const left = await tellUsers(context, current, users.slice(0, half))
    if (left.isOutdated) return left
    const right = await tellUsers(context, current, users.slice(half))
    const told = left.told === null && right.told === null ? null : (left.told ?? 0) + (right.told ?? 0)
    return { told, missed: [...left.missed, ...right.missed], isOutdated: right.isOutdated }
  }
}

async function tellTogether(context: Context, current: CurrentGame, users: readonly UserKey[]): Promise<Told> {
  const { storage, now } = context
  const at = now()
  const saves = new Map<string, UserSave>()
  const replaced: UserKey[] = []
  let isOutdated = false
  const decide: Decide = (loaded, epoch) =>
    loaded.map((user) => {
      const { tenant, user: id } = user
      saves.delete(userKeyText(user))
      isOutdated ||= epoch !== current.epoch
      if (isOutdated) return null
      if (isReplaced(user.state, current) && user.state?.mergedInto === null) {
        replaced.push({ tenant, user: id })
        return null
      }
      const save = toSweep(user, current, at)
      if (save !== null) saves.set(userKeyText(user), save)
      return save
    })
  const requests = users.map(({ tenant, user }) => ({ tenant, user, lookups: [] }))
  const { failures } = await storage.commit(requests, decide)
  if (isOutdated) {
    await context.games.refresh()
    return { told: 0, missed: [], isOutdated }
  }
  for (const failure of failures) saves.delete(userKeyText(failure))
  for (const key of replaced) await bringToNewestGame(context, key)
  const missed = failures.map(({ tenant, user }) => ({ tenant, user }))
  if (saves.size === 0 && replaced.length === 0) return { told: null, missed, isOutdated }
  const told = [...saves.values()].reduce((sum, { messages = [] }) => sum + messages.length, 0)
  return { told, missed, isOutdated }
}

/** null: there is nothing to tell by now, and it is known when there will be. */
function toSweep(user: LoadedUser, current: CurrentGame, now: number): UserSave | null {
  const { state, told } = user
  if (state === null) return null
  if (told !== null && (told.due ?? now + 1) > now && isKnown({ state, told }, current)) return null
  return { ...unchangedSave(state), ...tellTime(user, { state, told }, current, now) }
}

/**
 * Whether `told` is right under the games of now: one from before messages of time were wanted, or from before a game
 * with other notices, may not be.
 */
function isKnown(
  { state, told }: { readonly state: UserState; readonly told: NonNullable<LoadedUser['told']> },
  current: CurrentGame,
): boolean {
  const since = Math.max(current.messages?.since ?? 0, current.noticesFrom.at(-1)?.from ?? 0)
  const until = toldSoFar(told, state)
  return until >= since && toldUntil(current, state, until).due === told.due
}

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
