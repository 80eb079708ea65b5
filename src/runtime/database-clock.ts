import type { z } from 'zod'
import { GamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import type { OutboxTransaction } from '../storage/outbox.ts'
import type { Storage } from '../storage/storage.ts'
import type { Context, DatabaseClock, Logger } from './context.ts'

/** As far as `occurredAt` may lie ahead of the clock. */
const MOST_APART_MS = 300_000
const REFRESHED_AFTER_MS = 60_000
/** How often a rejected write starts a new comparison. */
const RETRIED_AFTER_MS = 1_000

/** Operations that write data or dates that other processes see. */
const GUARDED: ReadonlySet<string> = new Set([
  'addGame',
  'commit',
  'transaction',
  'claimDeliveries',
  'replayDeliveries',
  'openTransaction',
  'joinTransaction',
] satisfies readonly (keyof Storage)[])

/** `isJudged`: whether the process uses the system clock. A clock from the host is used as it is. */
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

  const compare = async (bound: Storage = storage): Promise<string | null> => {
    askedAt = performance.now()
    const before = now()
    const { now: server } = await bound.checkWritable()
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

  return {
    compare,
    refresh: async () => {
      if (performance.now() - comparedAt >= REFRESHED_AFTER_MS) await compare()
    },
    leaseNow: () => (origin === null ? now() : Math.round(origin + performance.now())),
    guard: (operation, call) => {
      if (!GUARDED.has(operation) || aheadBy <= MOST_APART_MS) return call()
      if (performance.now() - askedAt >= RETRIED_AFTER_MS) compare().catch(() => undefined)
      return refuse(operation, aheadBy)
    },
  }
}

function refuse(operation: string, aheadBy: number): Promise<never> {
  const error = new GamificationError('unavailable', describe(aheadBy))
  if (operation === 'joinTransaction') throw error
  return Promise.reject(error)
}

function isApart(aheadBy: number): boolean {
  return Math.abs(aheadBy) > MOST_APART_MS
}

function describe(aheadBy: number): string {
  const minutes = Math.round(Math.abs(aheadBy) / 60_000)
  const [where, so] = aheadBy > 0 ? ['ahead of', 'nothing is recorded'] : ['behind', 'events are dated too early']
  return `The clock of this process is ${minutes} minutes ${where} the clock of the database, so ${so}. Set both clocks by NTP.`
}

const CLOCK = 'clock'

/** Reads a document about the progress of scheduled work. `stored` is `null` if there is none that can be read. */
export async function readDocument<T>(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  schema: z.ZodType<T>,
): Promise<{ readonly stored: T | null; readonly version: number }> {
  const document = await storage.document(CLOCK, name)
  if (document === null) return { stored: null, version: 0 }
  const parsed = schema.safeParse(JSON.parse(document.text))
  return { stored: parsed.success ? parsed.data : null, version: document.version }
}

/** Runs `beside` in the same transaction. Returns `false`, and writes nothing, if another process wrote first. */
export function writeDocument(
  { storage }: Pick<Context, 'storage'>,
  name: string,
  version: number,
  value: object,
  beside: (tx: OutboxTransaction) => Promise<void> = async () => undefined,
): Promise<boolean> {
  return storage.openTransaction(async (tx) => {
    if (!(await tx.putDocument({ kind: CLOCK, name, version, text: JSON.stringify(value) }))) return false
    await beside(tx)
    return true
  })
}

const MOST_TRIES = 50

/** Repeats a change while it returns `undefined`, because another process wrote first. `what` names the documents. */
export async function untilWritten<T>(what: string, change: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const done = await change()
    if (done !== undefined) return done
  }
  const message = `Other processes keep changing ${what}. Nothing was stored; try again.`
  throw new GamificationError('unavailable', message)
}
