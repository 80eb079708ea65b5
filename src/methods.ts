import type { VoidEventResponse, VoidEventsResponse } from './engine/answers/wire/metric.ts'
import {
  createApplicationKeys,
  deleteApplicationKeys,
  listApplicationKeys,
} from './engine/calls/keys/application-keys.ts'
import { readStatus } from './engine/calls/operate/health.ts'
import { mergeUsers } from './engine/calls/operate/merge-users.ts'
import { exportPage, exportUser } from './engine/calls/read/export-users.ts'
import { listStreaks, rankStreaks } from './engine/calls/read/rank-streaks.ts'
import { listAchievements, listCompletions, listUserAchievements } from './engine/calls/read/read-achievements.ts'
import { listAdminBoosts, listBoosts, listUserBoosts, readAdminBoost } from './engine/calls/read/read-boosts.ts'
import { CONFIGURATION, type ConfigurationCalls } from './engine/calls/read/read-configuration.ts'
import { listHeldEvents, readEvents } from './engine/calls/read/read-events.ts'
import { listGroups, listLeaderboards, listRuns, readLeaderboard } from './engine/calls/read/read-leaderboard.ts'
import { listUserMetrics, readUserMetric, summarizeEvents } from './engine/calls/read/read-metrics.ts'
import * as points from './engine/calls/read/read-points.ts'
import { readUserStreak } from './engine/calls/read/read-streak.ts'
import { getUser, listUsers, readActivity, readPreferences } from './engine/calls/read/read-user.ts'
import { readUserLeaderboard } from './engine/calls/read/read-user-leaderboard.ts'
import { readWrapped } from './engine/calls/read/read-wrapped.ts'
import { completeAchievement } from './engine/calls/write/complete-achievement.ts'
import { deleteUser } from './engine/calls/write/delete-user.ts'
import { importItems } from './engine/calls/write/import-events.ts'
import type { ImportOptions } from './engine/calls/write/import-report.ts'
import { createBoosts, deleteBoosts, updateBoosts } from './engine/calls/write/manage-boosts.ts'
import { createFreezes, createPauses, deletePauses, restoreStreaks } from './engine/calls/write/manage-streaks.ts'
import { recordEvent } from './engine/calls/write/record-event.ts'
import { recordEvents } from './engine/calls/write/record-events.ts'
import * as users from './engine/calls/write/upsert-user.ts'
import { approveEvent, areSeveral, readVoided, voidEvent, voidEvents } from './engine/calls/write/void-events.ts'
import { foreseen } from './engine/damage.ts'
import { type Request, startCall } from './engine/deadline.ts'
import { dryRunDoor } from './engine/record/dry-run-door.ts'
import { hostDoor } from './engine/record/host-door.ts'
import { tracedCall } from './engine/tracing.ts'
import type { Context, Door, Eventually } from './engine/types.ts'
import { GamificationError } from './errors.ts'
import { explain, toExplain } from './explain/explain.ts'
import type { DefinedGame } from './game/define-game.ts'
import { checkOptions } from './options.ts'
import type { GamificationApi, RecordOptions, WriteOptions } from './tenant-api.ts'

/** What the methods of one tenant have in common. */
interface Caller {
  /** Without a deadline: what is read or written in parts may be of any length. */
  readonly context: Context
  /** The tenant's id. Throws if the game wants one, or none. */
  tenantOf(): string
  readonly request: Partial<Request> | undefined
}

/** A method before it has a caller. Its traces have the name that the table gives it, as `users.get`. */
type Method<Call> = (caller: Caller, operation: string) => Call
type Run<Given extends readonly unknown[], Answer> = (call: Context, tenant: string, ...given: Given) => Answer
type Answering<Given extends readonly unknown[], Answer> = (...given: Given) => Promise<Answer>
type Writing<Given extends readonly unknown[], Answer> = Answering<[...Given, options?: WriteOptions], Answer>

function start<T>({ context, tenantOf, request }: Caller, run: Run<[], T>): T {
  const tenant = tenantOf()
  return run(startCall(context, request), tenant)
}

/** A call that reads, for one tenant. */
function read<Given extends readonly unknown[], Answer>(
  run: Run<Given, Eventually<Answer>>,
): Method<Answering<Given, Answer>> {
  return (caller, operation) =>
    (...given) =>
      tracedCall(operation, () =>
        foreseen('internal', () => start(caller, (call, tenant) => run(call, tenant, ...given))),
      )
}

/** A call that reads the game, which all tenants share. */
function readGame<Given extends readonly unknown[], Answer>(
  run: (call: Context, ...given: Given) => Eventually<Answer>,
): Method<Answering<Given, Answer>> {
  return read((call, _, ...given: Given) => run(call, ...given))
}

/** A call that writes outside of the host's transactions. */
function change<Given extends readonly unknown[], Answer>(
  run: Run<Given, Eventually<Answer>>,
): Method<Answering<Given, Answer>> {
  return (caller, operation) =>
    (...given) =>
      traceWrite(operation, undefined, () => start(caller, (call, tenant) => run(call, tenant, ...given)))
}

/** A call that writes through a door: its options follow after `count` arguments. */
function write<Given extends readonly unknown[], Answer>(
  count: Given['length'],
  run: (call: Context, door: Door, tenant: string, ...given: Given) => Eventually<Answer>,
  toDoor: (call: Context, options?: RecordOptions) => Door = doorOf,
): Method<Writing<Given, Answer>> {
  return withOptions(count, (options, call, tenant, ...given: Given) =>
    run(call, toDoor(call, options), tenant, ...given),
  )
}

/** The same for a call that takes `dryRun`. */
function record<Given extends readonly unknown[], Answer>(
  count: Given['length'],
  run: (call: Context, door: Door, tenant: string, ...given: Given) => Eventually<Answer>,
): Method<Writing<Given, Answer>> {
  return write(count, run, recordDoorOf)
}

function withOptions<Given extends readonly unknown[], Answer>(
  count: Given['length'],
  run: (options: WriteOptions | undefined, ...rest: Parameters<Run<Given, unknown>>) => Eventually<Answer>,
): Method<Writing<Given, Answer>> {
  return (caller, operation) =>
    (...all) => {
      const options = all[count] as WriteOptions | undefined
      const given = all.slice(0, count) as readonly unknown[] as Given
      return traceWrite(operation, options, () => start(caller, (call, tenant) => run(options, call, tenant, ...given)))
    }
}

/** What the database says about the host's own transaction is for the host, which has to begin it again. */
function traceWrite<T>(operation: string, options: WriteOptions | undefined, run: () => Eventually<T>): Promise<T> {
  return tracedCall(operation, async () => (options?.tx === undefined ? foreseen('outcome_unknown', run) : run()))
}

/** The door of calls that take `dryRun`. Anything but a boolean might be meant either way, so it is refused. */
function recordDoorOf(context: Context, options: RecordOptions = {}): Door {
  checkOptions('options', options, ['tx', 'dryRun'])
  const { dryRun = false, ...rest } = options
  if (typeof dryRun !== 'boolean') throw new GamificationError('invalid_request', 'dryRun must be true or false.')
  if (!dryRun) return doorOf(context, rest)
  if (rest.tx === undefined) return dryRunDoor(context)
  const message = 'dryRun does not go with tx: a dry run writes nothing that a transaction could commit. Leave one out.'
  throw new GamificationError('invalid_request', message)
}

function doorOf(context: Context, options: RecordOptions = {}): Door {
  checkOptions('options', options, ['tx', 'dryRun'])
  const { tx, dryRun = false } = options
  // The types forbid it; a caller without types must not find written what was meant as a dry run.
  if (dryRun !== false) {
    const message =
      'dryRun is an option of metrics.event, achievements.complete and events.void of one event: leave it out here.'
    throw new GamificationError('invalid_request', message)
  }
  if (tx === undefined) return context.live
  const storage = context.storage.join(tx)
  if (typeof tx?.afterCommit !== 'function') {
    const message =
      'The option tx is for Postgres. On SQLite call gamification.within(db, (g) => …): its methods join the transaction of db.'
    throw new GamificationError('storage_unusable', message)
  }
  return hostDoor(context, storage, (run) => tx.afterCommit(run))
}

/** Undoing many events takes a deadline for each user. */
function voidAny(caller: Caller, operation: string): GamificationApi<DefinedGame>['events']['void'] {
  const again = (): Context => startCall(caller.context, { by: caller.request?.by ?? null })
  const method = withOptions<[event: unknown, request?: unknown], VoidEventResponse | VoidEventsResponse>(
    2,
    (options, call, tenant, event, request) => {
      const which = readVoided(event)
      return areSeveral(which)
        ? voidEvents(again, doorOf(call, options), tenant, which, request)
        : voidEvent(call, recordDoorOf(call, options), tenant, which, request)
    },
  )
  return method(caller, operation) as GamificationApi<DefinedGame>['events']['void']
}

const removeUser = withOptions(2, (options = {}, call, tenant, id: unknown, request?: unknown) => {
  checkOptions('options', options, ['tx'])
  return deleteUser(call, tenant, id, request, options.tx)
})

/** An import has the key of the host's request, but not its deadline: each item has the storage's time for itself. */
function importUnhurried({ context, tenantOf, request }: Caller, operation: string) {
  const unhurried: Context = request?.by == null ? context : { ...context, by: request.by }
  return (items: AsyncIterable<unknown> | Iterable<unknown>, options: ImportOptions = {}) =>
    tracedCall(operation, async () => importItems(unhurried, tenantOf, items, options))
}

/** The methods for one tenant. A number says how many arguments come before the options. */
const METHODS = {
  metrics: { event: record(2, recordEvent) },
  events: { void: voidAny, approve: write(1, approveEvent), held: read(listHeldEvents) },
  activity: { days: read(readActivity) },
  status: read(readStatus),
  achievements: {
    all: read(listAchievements),
    complete: record(2, completeAchievement),
    completions: read(listCompletions),
  },
  users: {
    list: read(listUsers),
    events: read(readEvents),
    export:
      ({ context, tenantOf }: Caller) =>
      (id: unknown) =>
        exportUser(context, tenantOf(), id),
    exportPage: read(exportPage),
    delete: removeUser,
    suspend: write(2, users.suspendUser),
    merge: change(mergeUsers),
    restore: write(1, users.restoreUser),
    create: write(1, users.createUser),
    get: read(getUser),
    identify: write(2, users.identifyUser),
    update: write(2, users.updateUser),
    getPreferences: read(readPreferences),
    updatePreferences: write(2, users.updatePreferences),
    allMetrics: read(listUserMetrics),
    singleMetric: read(readUserMetric),
    metricEventSummary: read(summarizeEvents),
    achievements: read(listUserAchievements),
    streak: read(readUserStreak),
    points: read(points.readUserPoints),
    pointsBoosts: read(listUserBoosts),
    pointsEventSummary: read(points.summarizeAwards),
    wrapped: read(readWrapped),
    leaderboard: read(readUserLeaderboard),
  },
  streaks: { list: read(listStreaks), rankings: read(rankStreaks) },
  points: {
    system: readGame(points.readPointsSystem),
    levels: readGame(points.listLevels),
    boosts: readGame(listBoosts),
    levelSummary: read(points.summarizeLevels),
    summary: read(points.summarizePoints),
  },
  leaderboards: {
    all: readGame(listLeaderboards),
    get: read(readLeaderboard),
    runs: read(listRuns),
    groups: read(listGroups),
  },
  admin: {
    attributes: configured(CONFIGURATION.attributes),
    metrics: { ...configured(CONFIGURATION.metrics), events: change(recordEvents) },
    points: {
      systems: configured(CONFIGURATION.systems),
      levels: configured(CONFIGURATION.levels),
      triggers: configured(CONFIGURATION.triggers),
      boosts: {
        create: write(2, createBoosts),
        list: read(listAdminBoosts),
        get: read(readAdminBoost),
        update: write(2, updateBoosts),
        delete: write(2, deleteBoosts),
      },
    },
    leaderboards: configured(CONFIGURATION.leaderboards),
    applicationApiKeys: {
      create: change(createApplicationKeys),
      list: read(listApplicationKeys),
      delete: change(deleteApplicationKeys),
    },
    streaks: {
      freezes: { create: write(1, createFreezes) },
      pauses: { create: write(1, createPauses), delete: write(1, deletePauses) },
      restore: write(1, restoreStreaks),
    },
  },
  explain: (caller: Caller, operation: string) => toExplain(read(explain)(caller, operation)),
  import: importUnhurried,
}

/** One kind of thing that the game has. */
function configured<Item, System extends readonly unknown[]>({ list, get }: ConfigurationCalls<Item, System>) {
  return { list: readGame(list), get: readGame(get) }
}

type Wired<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Method<infer Call> ? Call : Wired<Table[Name]>
}
interface Table {
  readonly [name: string]: Method<unknown> | Table
}

function wire(table: Table, caller: Caller, group = ''): object {
  const api: Record<string, unknown> = {}
  for (const [name, method] of Object.entries(table)) {
    api[name] =
      typeof method === 'function' ? method(caller, `${group}${name}`) : wire(method, caller, `${group}${name}.`)
  }
  return api
}

/** The methods for one tenant, whose id `tenantOf` gives or refuses. */
export function createTenantApi<G extends DefinedGame>(
  context: Context,
  tenantOf: () => string,
  request?: Partial<Request>,
): GamificationApi<G> {
  const api: GamificationApi<DefinedGame> = wire(METHODS, { context, tenantOf, request }) as Wired<typeof METHODS>
  // The keys of the game are known to the compiler alone.
  return api as unknown as GamificationApi<G>
}
