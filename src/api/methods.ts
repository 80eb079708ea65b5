import { type ErrorCode, GamificationError, isGamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import { checkOptions } from '../options.ts'
import { dryRunMode, transactionMode } from '../record/write-modes.ts'
import type { Call, Context, WriteCall, WriteMode } from '../runtime/context.ts'
import { aboutOtherGame } from '../runtime/game-registry.ts'
import { type Request, startCall } from '../runtime/start-call.ts'
import { publicCall, tracedCall } from '../runtime/tracing.ts'
import { type Eventually, runSteps, type Steps } from '../storage/steps.ts'
import * as boosts from './boosts/manage-boosts.ts'
import { importItems } from './events/import-events.ts'
import { areSeveral, readVoided, voidEvent, voidEvents } from './events/void-events.ts'
import { exportUser } from './operate/export-users.ts'
import {
  isOperation,
  nameIn,
  type Operation,
  type Operations,
  type OperationsOf,
  type RecordOptions,
  type WriteOptions,
} from './operation.ts'
import { type DeclaredCalls, OPERATIONS } from './operations.ts'
import type { VoidEventResponse, VoidEventsResponse } from './public-types.ts'
import type { GamificationApi } from './tenant-api.ts'

/** The values that all methods of one tenant share. */
interface Caller {
  /** Without a deadline: an import or an export may take any time. */
  readonly context: Context
  /** Returns the tenant's id. Throws if the game requires one, or has no tenants. */
  tenantOf(): string
  readonly request: Partial<Request> | undefined
}

type Run<Given extends readonly unknown[], Answer> = (call: Call, ...given: Given) => Answer
type Method<Given extends readonly unknown[], Answer> = (...given: Given) => Promise<Answer>
type Writing<Given extends readonly unknown[], Answer> = Method<[...Given, options?: WriteOptions], Answer>

function start({ context, tenantOf, request }: Caller): Call {
  const tenant = tenantOf()
  return Object.assign(startCall(context, request), { tenant })
}

/** Codes of errors about keys that the game in force does not have. */
const OF_GAME: ReadonlySet<ErrorCode> = new Set([
  'unknown_metric',
  'unknown_achievement',
  'unknown_points_system',
  'unknown_level',
  'unknown_trigger',
  'unknown_leaderboard',
  'unknown_streak',
  'unknown_attribute',
])

/** Runs a call. Its errors say so if the game of this process is not in force. */
async function onGameInForce<T>({ context }: Caller, run: () => Eventually<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isGamificationError(error) && OF_GAME.has(error.code) ? aboutOtherGame(context.games, error) : error
  }
}

/** A call with options after `count` arguments. */
function withOptions<Given extends readonly unknown[], Answer>(
  caller: Caller,
  operation: string,
  count: Given['length'],
  run: (options: WriteOptions | undefined, ...rest: Parameters<Run<Given, unknown>>) => Eventually<Answer>,
): Writing<Given, Answer> {
  return (...all) => {
    const options = all[count] as WriteOptions | undefined
    const given = all.slice(0, count) as readonly unknown[] as Given
    const answer = (): Promise<Answer> => onGameInForce(caller, () => run(options, start(caller), ...given))
    // An error of the host's own transaction stays unchanged: the host has to run the transaction again.
    if (options?.tx === undefined) return publicCall(operation, 'outcome_unknown', answer)
    return tracedCall(operation, answer)
  }
}

/**
 * The types forbid `dryRun` if it is not taken. A caller without types must not write by a call that was meant as one.
 */
function modeOf(context: Context, options: RecordOptions | undefined, takesDryRun = false): WriteMode {
  if (options === undefined) return context.queued
  checkOptions('options', options, ['tx', 'dryRun'])
  const { tx, dryRun = false } = options
  if (takesDryRun && typeof dryRun !== 'boolean') {
    throw new GamificationError('invalid_request', 'dryRun must be true or false.')
  }
  if (dryRun !== false) {
    if (takesDryRun && tx === undefined) return dryRunMode(context)
    const message = takesDryRun
      ? 'dryRun does not go with tx: a dry run writes nothing that a transaction could commit. Leave one out.'
      : 'dryRun is an option of metrics.event, achievements.complete and events.void of one event: leave it out here.'
    throw new GamificationError('invalid_request', message)
  }
  if (tx === undefined) return context.queued
  const storage = context.storage.joinTransaction(tx)
  if (typeof tx?.afterCommit !== 'function') {
    const message =
      'The option tx is for Postgres. On SQLite call gamification.within(db, (g) => …): its methods join the transaction of db.'
    throw new GamificationError('storage_unusable', message)
  }
  return transactionMode(context, storage, (run) => tx.afterCommit(run))
}

/** Voiding many events has a deadline for each user. */
function voidAny(caller: Caller): GamificationApi<DefinedGame>['events']['void'] {
  const method = withOptions<[event: unknown, request?: unknown], VoidEventResponse | VoidEventsResponse>(
    caller,
    'events.void',
    2,
    (options, call, event, request) => {
      const which = readVoided(event)
      if (!areSeveral(which)) return voidEvent({ ...call, mode: modeOf(call, options, true) }, which, request)
      const { tenant, by } = call
      const mode = modeOf(call, options)
      return voidEvents(() => ({ ...startCall(caller.context, { by }), tenant, mode }), which, request)
    },
  )
  return method as GamificationApi<DefinedGame>['events']['void']
}

/**
 * An import writes with the key of the host's request, but without its deadline: each item has a deadline of its own.
 */
function importUnhurried({ context, tenantOf, request }: Caller): GamificationApi<DefinedGame>['import'] {
  const unhurried: Context = request?.by == null ? context : { ...context, by: request.by }
  return (items, options = {}) => tracedCall('import', async () => importItems(unhurried, tenantOf, items, options))
}

/** The method of an operation: its arguments, then the options if it writes. Traces have the operation's name. */
function methodOf(
  caller: Caller,
  name: string,
  { kind, takes, takesDryRun, run }: Operation,
): Method<readonly unknown[], unknown> {
  return (...given) => {
    const options = kind === 'write' ? (given[takes.length] as WriteOptions | undefined) : undefined
    const answer = (): Promise<unknown> =>
      onGameInForce(caller, () => {
        const call = start(caller)
        const mode = kind === 'write' ? modeOf(call, options, takesDryRun) : call.queued
        const running = run(Object.assign(call, { mode }), given)
        return running instanceof Promise ? running : runSteps(running)
      })
    // An error of the host's own transaction stays unchanged: the host has to run the transaction again.
    if (options?.tx !== undefined) return tracedCall(name, answer)
    return publicCall(name, kind === 'read' ? 'internal' : 'outcome_unknown', answer)
  }
}

/**
 * Makes the methods of operations for a caller. The names are made once, because each HTTP request is a caller. The
 * methods are own properties of plain objects, so hosts can spread a group or replace a method in a test.
 */
function methodsFrom<Api>(operations: OperationsOf<Api>): (caller: Caller) => Api {
  return groupFrom(operations as Operations, '') as (caller: Caller) => Api
}

function groupFrom(operations: Operations, group: string): (caller: Caller) => object {
  const parts = Object.entries(operations).map(([part, inside]) => {
    const name = nameIn(group, part)
    const make = isOperation(inside)
      ? (caller: Caller): unknown => methodOf(caller, name, inside)
      : groupFrom(inside, name)
    return { part, make }
  })
  return (caller) => {
    const made: Record<string, unknown> = {}
    for (const { part, make } of parts) made[part] = make(caller)
    return made
  }
}

/** Makes the methods of a caller. Traces have the name of the operation. */
function methodsOf(caller: Caller) {
  const wrapped =
    (code: 'internal' | 'outcome_unknown') =>
    <Given extends readonly unknown[], Answer>(
      operation: string,
      run: Run<Given, Eventually<Answer>>,
    ): Method<Given, Answer> =>
    (...given) =>
      publicCall(operation, code, () => onGameInForce(caller, () => run(start(caller), ...given)))
  const read = wrapped('internal')
  /** A call that writes outside the host's transactions. */
  const change = wrapped('outcome_unknown')
  /** A call that writes in one of the write modes, with options after `count` arguments. */
  const write = <Given extends readonly unknown[], Answer>(
    operation: string,
    count: Given['length'],
    run: (call: WriteCall, ...given: Given) => Steps<Answer> | Promise<Answer>,
    takesDryRun = false,
  ): Writing<Given, Answer> =>
    withOptions(caller, operation, count, (options, call, ...given: Given) => {
      const answer = run({ ...call, mode: modeOf(call, options, takesDryRun) }, ...given)
      // Calls that `within` has too are steps; the others wait in any case.
      return answer instanceof Promise ? answer : runSteps(answer)
    })
  return { read, change, write }
}

type Methods = ReturnType<typeof methodsOf>
type Declared = DeclaredCalls<DefinedGame>

const declaredOf = methodsFrom<Declared>(OPERATIONS)

function usersOf(
  { read }: Methods,
  caller: Caller,
  declared: Declared['users'],
): GamificationApi<DefinedGame>['users'] {
  return {
    export: (id) => exportUser({ ...caller.context, tenant: caller.tenantOf() }, id),
    pointsBoosts: read('users.pointsBoosts', boosts.listUserBoosts),
    ...declared,
  }
}

function adminOf({ read, write }: Methods, declared: Declared['admin']): GamificationApi<DefinedGame>['admin'] {
  return {
    attributes: declared.attributes,
    metrics: declared.metrics,
    points: {
      ...declared.points,
      boosts: {
        create: write('admin.points.boosts.create', 2, boosts.createBoosts),
        list: read('admin.points.boosts.list', boosts.listAdminBoosts),
        get: read('admin.points.boosts.get', boosts.readAdminBoost),
        update: write('admin.points.boosts.update', 2, boosts.updateBoosts),
        delete: write('admin.points.boosts.delete', 2, boosts.deleteBoosts),
      },
    },
    achievements: declared.achievements,
    leaderboards: declared.leaderboards,
    applicationApiKeys: declared.applicationApiKeys,
    streaks: declared.streaks,
  }
}

export function createTenantApi<G extends DefinedGame>(
  context: Context,
  tenantOf: () => string,
  request?: Partial<Request>,
): GamificationApi<G> {
  const caller: Caller = { context, tenantOf, request }
  const methods = methodsOf(caller)
  const declared = declaredOf(caller)
  // An object literal is faster to make than a walk over a table, and each HTTP request makes one.
  const api: GamificationApi<DefinedGame> = {
    metrics: declared.metrics,
    events: { void: voidAny(caller), ...declared.events },
    activity: declared.activity,
    status: declared.status,
    achievements: declared.achievements,
    users: usersOf(methods, caller, declared.users),
    points: { ...declared.points, boosts: methods.read('points.boosts', boosts.listBoosts) },
    leaderboards: declared.leaderboards,
    streaks: declared.streaks,
    admin: adminOf(methods, declared.admin),
    explain: declared.explain,
    import: importUnhurried(caller),
  }
  // The keys of the game are known to the compiler alone.
  return api as unknown as GamificationApi<G>
}
