import { GamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import { type Eventually, runSteps, type Steps, wait } from '../storage/steps.ts'
import type { JoinedTransaction, Storage } from '../storage/storage.ts'
import type { DatabaseClock, Logger } from './context.ts'

/** As far as `occurredAt` may lie ahead of the clock. */
const MOST_APART_MS = 300_000
const REFRESHED_AFTER_MS = 60_000
/** How often rejected writes start a new comparison. */
const RETRIED_AFTER_MS = 1_000

/** `isJudged`: whether the process uses the system clock. A clock from the host is never compared. */
export function createDatabaseClock(
  storage: Storage,
  now: () => Instant,
  isJudged: boolean,
  logger: Logger,
): DatabaseClock {
  let [comparedAt, askedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  /** The database's time when `performance.now()` was 0. */
  let origin: number | null = null
  let aheadBy = 0
  /** Writes that begin at the same time wait for one answer. */
  let checking: Promise<void> | null = null

  const leaseNow = (): Instant => (origin === null ? now() : Math.round(origin + performance.now()))

  /** Compares with the clock that `ask` reads. Returns the problem of this process's clock, or null. */
  function* compareBy(ask: () => Eventually<{ readonly now: Instant | null }>): Steps<string | null> {
    askedAt = performance.now()
    const before = now()
    const { now: server } = yield* wait(ask())
    comparedAt = performance.now()
    if (!isJudged || server === null) return null
    origin = server - comparedAt
    const wasApart = isApart(aheadBy)
    // The database was asked at some moment between the two.
    aheadBy = Math.max(0, before - server) + Math.min(0, now() - server)
    if (!isApart(aheadBy)) return null
    const message = describe(aheadBy)
    if (!wasApart) logger.warn({ aheadBySeconds: Math.round(aheadBy / 1_000) }, message)
    return message
  }

  /** True if the storage was asked, and the clock has not moved far ahead since. */
  const isKnownRight = (): boolean => {
    if (comparedAt === Number.NEGATIVE_INFINITY) return false
    return !isJudged || origin === null || now() - leaseNow() <= MOST_APART_MS
  }

  /** Throws if the process must not write. */
  function* check(ask: () => Eventually<{ readonly now: Instant | null }>): Steps<void> {
    if (aheadBy > MOST_APART_MS && performance.now() - askedAt < RETRIED_AFTER_MS) throw refusal(aheadBy)
    yield* compareBy(ask)
    if (aheadBy > MOST_APART_MS) throw refusal(aheadBy)
  }

  function* workChecked<T>(joined: JoinedTransaction, work: () => Eventually<T>): Steps<T> {
    yield* check(joined.checkTables)
    return yield* wait(work())
  }

  /** Asks on the host's connection: another one may not be free before the transaction ends. */
  const guardJoined = (joined: JoinedTransaction): JoinedTransaction => ({
    ...joined,
    savepoint: (work) => joined.savepoint(isKnownRight() ? work : () => runSteps(workChecked(joined, work))),
  })

  const compare = async (bound: Storage = storage): Promise<string | null> =>
    runSteps(compareBy(() => bound.checkWritable()))

  return {
    compare,
    refresh: async () => {
      if (performance.now() - comparedAt >= REFRESHED_AFTER_MS) await compare()
    },
    leaseNow,
    mayWrite: (bound) => {
      if (isKnownRight()) return true
      checking ??= Promise.resolve(runSteps(check(bound.checkTables))).finally(() => {
        checking = null
      })
      return checking
    },
    guardJoined,
  }
}

function refusal(aheadBy: number): GamificationError {
  return new GamificationError('unavailable', describe(aheadBy))
}

function isApart(aheadBy: number): boolean {
  return Math.abs(aheadBy) > MOST_APART_MS
}

const HOUR_MS = 3_600_000

function describe(aheadBy: number): string {
  const [where, so] = aheadBy > 0 ? ['ahead of', 'nothing is recorded'] : ['behind', 'events are dated too early']
  return `The clock of this process is ${lengthOf(Math.abs(aheadBy))} ${where} the clock of the database, so ${so}. Set both clocks by NTP.`
}

/** In minutes below two hours, and in hours below two days. */
function lengthOf(ms: number): string {
  if (ms >= 48 * HOUR_MS) return `${Math.round(ms / (24 * HOUR_MS))} days`
  return ms >= 2 * HOUR_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / 60_000)} minutes`
}
