import { type ErrorCode, GamificationError, isGamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import { checkOptions } from '../options.ts'
import { dryRunMode, transactionMode } from '../record/write-modes.ts'
import type { Call, Context, WriteMode } from '../runtime/context.ts'
import { aboutOtherGame } from '../runtime/game-registry.ts'
import { type Request, startCall } from '../runtime/start-call.ts'
import { publicCall, tracedCall } from '../runtime/tracing.ts'
import { type Eventually, runSteps } from '../storage/steps.ts'
import { exportUser } from './operate/export-users.ts'
import { importItems } from './operate/import-items.ts'
import {
  isOperation,
  nameIn,
  type Operation,
  type Operations,
  type OperationsOf,
  type RecordOptions,
  type WriteOptions,
} from './operation.ts'
import { type DeclaredCalls, type GamificationApi, OPERATIONS } from './operations.ts'

/** The values that all methods of one tenant share. */
interface Caller {
  /** Without a deadline: an import or an export may take any time. */
  readonly context: Context
  /** Returns the tenant's id. Throws if the game requires one, or has no tenants. */
  tenantOf(): string
  readonly request: Partial<Request> | undefined
}

type Method<Given extends readonly unknown[], Answer> = (...given: Given) => Promise<Answer>

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

/** Runs and traces a call. An error of the host's own transaction stays unchanged, because the host retries it. */
function traced<Answer>(
  caller: Caller,
  operation: string,
  code: 'internal' | 'outcome_unknown',
  options: WriteOptions | undefined,
  run: (call: Call) => Eventually<Answer>,
): Promise<Answer> {
  const answer = (): Promise<Answer> => onGameInForce(caller, () => run(start(caller)))
  return options?.tx === undefined ? publicCall(operation, code, answer) : tracedCall(operation, answer)
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
    return traced(caller, name, kind === 'read' ? 'internal' : 'outcome_unknown', options, (call) => {
      const mode = kind === 'write' ? modeOf(call, options, takesDryRun) : call.queued
      const running = run(Object.assign(call, { mode }), given)
      return running instanceof Promise ? running : runSteps(running)
    })
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

const declaredOf = methodsFrom<DeclaredCalls<DefinedGame>>(OPERATIONS)

export function createTenantApi<G extends DefinedGame>(
  context: Context,
  tenantOf: () => string,
  request?: Partial<Request>,
): GamificationApi<G> {
  const caller: Caller = { context, tenantOf, request }
  const declared = declaredOf(caller)
  const api: GamificationApi<DefinedGame> = {
    ...declared,
    users: { export: (id) => exportUser({ ...context, tenant: tenantOf() }, id), ...declared.users },
    import: importUnhurried(caller),
  }
  // The keys of the game are known to the compiler alone.
  return api as unknown as GamificationApi<G>
}
