import { GamificationError } from '../errors.ts'
import { checkOptions } from '../options.ts'
import { parse } from '../requests/input.ts'
import { keyId } from '../requests/keys.ts'
import type { Storage } from '../storage.ts'
import type { Context } from './types.ts'

/** The deadline of work to which no time is set. */
export const NEVER: number = Number.POSITIVE_INFINITY

/** By `performance.now()`, as every deadline is. */
export function deadlineFrom({ deadlineMs }: Pick<Storage, 'deadlineMs'>, arrivedAt: number): number {
  // A storage of somebody else's may be older than this member.
  return typeof deadlineMs === 'number' ? arrivedAt + deadlineMs : NEVER
}

/** The moment at which a request arrived, as the host gives it. Throws `invalid_request`. */
export function toArrival(given: unknown): number {
  if (typeof given === 'number' && Number.isFinite(given)) return given
  const message = 'arrivedAt must be the moment at which the request arrived, by performance.now(): a finite number.'
  throw new GamificationError('invalid_request', message)
}

/** What the host says of a request. Throws `invalid_request`. */
export function toRequest(
  arrivedAt: unknown,
  options: { readonly by?: string | null; readonly isClient?: boolean } = {},
): Request {
  checkOptions('options', options, ['by', 'isClient'])
  const { by = null, isClient = false } = options
  if (typeof isClient !== 'boolean') throw new GamificationError('invalid_request', 'isClient must be true or false.')
  return { arrivedAt: toArrival(arrivedAt), by: by === null ? null : parse(keyId, by, 'by'), isClient }
}

/** A deadline as methods of a storage take it: without one the storage gives the call a time of its own. */
export function toArgument(deadline: number): number | undefined {
  return deadline === NEVER ? undefined : deadline
}

export function waitedTooLong(): GamificationError {
  const message = 'The call waited behind others until its deadline, and was not begun. Nothing was stored; try again.'
  return new GamificationError('unavailable', message)
}

/** The deadline of one call; `spare` puts it off by time that is not to count. */
interface Time {
  readonly deadline: number
  spare(ms: number): void
}

/** What a call is told of the request that it is made for. */
export interface Request {
  /** By `performance.now()`. */
  readonly arrivedAt: number
  /** Id of the API key that it came with. */
  readonly by: string | null
  /** Whether the request is a client's. */
  readonly isClient: boolean
}

/** A context as one call has it. */
interface Call extends Context, Time {
  deadline: number
  by: string | null
  isClient: boolean
  /** Made where it is asked for: most calls write, through the recorder, and never ask. */
  bound: Storage | null
}

/** What the calls of a context have in common. Calls inherit it, because a call's context is made for every event. */
const prototypes = new WeakMap<Context, object>()

/** The context of a call that arrived at this moment: the storage has to answer all its questions by one deadline. */
export function startCall(
  context: Context,
  { arrivedAt = performance.now(), by = null, isClient = false }: Partial<Request> = {},
): Context {
  const deadline = deadlineFrom(context.storage, arrivedAt)
  if (deadline === NEVER && by === null && !isClient) return context
  const call: Call = Object.create(prototypes.get(context) ?? prototypeOf(context))
  call.deadline = deadline
  call.by = by
  call.isClient = isClient
  call.bound = null
  return call
}

function prototypeOf(context: Context): object {
  const { storage } = context
  const prototype: object = Object.create(context, {
    storage: {
      get(this: Call): Storage {
        this.bound ??= this.deadline === NEVER ? storage : storageUntil(storage, this)
        return this.bound
      },
    },
    spare: {
      value(this: Call, ms: number): void {
        this.deadline += ms
      },
    },
  })
  prototypes.set(context, prototype)
  return prototype
}

/** The storage for what has to be done by a deadline. */
export function storageBy(storage: Storage, deadline: number): Storage {
  if (deadline === NEVER) return storage
  const time = {
    deadline,
    spare: (ms: number): void => {
      time.deadline += ms
    },
  }
  return storageUntil(storage, time)
}

/** Readings in parts may be of any length: each part has a time of its own, and takes none from the other steps. */
function storageUntil(storage: Storage, time: Time): Storage {
  let lastPart = 0
  const inParts = async <T>(isFirst: boolean, part: Promise<T>): Promise<T> => {
    const start = isFirst ? performance.now() : lastPart
    const read = await part
    lastPart = performance.now()
    time.spare(lastPart - start)
    return read
  }
  return {
    ...storage,
    readLog: (key, options = {}) => inParts(options.after === undefined, storage.readLog(key, options)),
    readSnapshot: (key, until) => storage.readSnapshot(key, until, time.deadline),
    readValues: (key, metric, options = {}) =>
      inParts(options.after === undefined, storage.readValues(key, metric, options)),
    readEvents: (key, options = {}) => inParts(options.after === undefined, storage.readEvents(key, options)),
    eventSums: (tenant, ranges, options = {}) =>
      inParts(options.after === undefined, storage.eventSums(tenant, ranges, options)),
    awardSums: (tenant, ranges, options = {}) =>
      inParts(options.after === undefined, storage.awardSums(tenant, ranges, options)),
    entryDates: (tenant, ids) => storage.entryDates(tenant, ids, time.deadline),
    readAwarded: (key, system, options = {}) =>
      inParts(options.after === undefined, storage.readAwarded(key, system, options)),
    pointsTotals: (tenant, system, options = {}) =>
      inParts(options.after === undefined, storage.pointsTotals(tenant, system, options)),
    longestStreaks: (tenant, by, options = {}) =>
      inParts(options.after === undefined, storage.longestStreaks(tenant, by, options)),
    findEvent: (tenant, entryId) => storage.findEvent(tenant, entryId, time.deadline),
    eventsBy: (tenant, by, options = {}) => inParts(options.after === undefined, storage.eventsBy(tenant, by, options)),
    migrate: async () => {
      const start = performance.now()
      const report = await storage.migrate(time.deadline)
      // What was pending took as long as it took.
      if (report.applied.length > 0) time.spare(performance.now() - start)
      return report
    },
    checkWritable: () => storage.checkWritable(time.deadline),
    games: () => storage.games(time.deadline),
    addGame: (game) => storage.addGame(game, time.deadline),
    commit: (requests, decide) => storage.commit(requests, decide, time.deadline),
    readUser: (key, options) => storage.readUser(key, options, time.deadline),
    counters: (tenant) => storage.counters(tenant, time.deadline),
    leaderboardPage: (tenant, key, page) => storage.leaderboardPage(tenant, key, page, time.deadline),
    leaderboardEntries: (tenant, leaderboard, run, users) =>
      storage.leaderboardEntries(tenant, leaderboard, run, users, time.deadline),
    ranks: (user, requests) => storage.ranks(user, requests, time.deadline),
    findPauses: (tenant, ids) => storage.findPauses(tenant, ids, time.deadline),
    findBoosts: (tenant, ids) => storage.findBoosts(tenant, ids, time.deadline),
    listBoosts: (tenant, page) => storage.listBoosts(tenant, page, time.deadline),
    findKey: (prefix) => storage.findKey(prefix, time.deadline),
    adminKeys: () => storage.adminKeys(time.deadline),
    applicationKeys: (tenant, options) => storage.applicationKeys(tenant, options, time.deadline),
    addAdminKey: (key, most) => storage.addAdminKey(key, most, time.deadline),
    addApplicationKeys: (keys) => storage.addApplicationKeys(keys, time.deadline),
    updateAdminKey: (id, change) => storage.updateAdminKey(id, change, time.deadline),
    removeAdminKey: (id) => storage.removeAdminKey(id, time.deadline),
    findUsers: (tenant, options) => storage.findUsers(tenant, options, time.deadline),
    readNewest: (key, options) => storage.readNewest(key, options, time.deadline),
    activity: (tenant, from, before) => storage.activity(tenant, from, before, time.deadline),
    completions: (tenant, achievement, options) => storage.completions(tenant, achievement, options, time.deadline),
    leaderboardRuns: (tenant, leaderboard, options) =>
      storage.leaderboardRuns(tenant, leaderboard, options, time.deadline),
    leaderboardGroups: (tenant, leaderboard, run, options) =>
      storage.leaderboardGroups(tenant, leaderboard, run, options, time.deadline),
    countEntries: (tenant, leaderboard, run, options) =>
      storage.countEntries(tenant, leaderboard, run, options, time.deadline),
    backlog: (now, most) => storage.backlog(now, most, time.deadline),
    tenants: (options) => storage.tenants(options, time.deadline),
    clearTenant: (tenant) => storage.clearTenant(tenant, time.deadline),
    hold: (work) => storage.hold(work, time.deadline),
    removeUser: (key, options) => storage.removeUser(key, options, time.deadline),
    removeApplicationKeys: (tenant, ids) => storage.removeApplicationKeys(tenant, ids, time.deadline),
  }
}
