import { type ErrorCode, GamificationError, isGamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import { checkOptions } from '../options.ts'
import { dryRunMode, transactionMode } from '../record/write-modes.ts'
import type { Context, WriteCall, WriteMode } from '../runtime/context.ts'
import { aboutOtherGame } from '../runtime/game-registry.ts'
import { type Request, startCall } from '../runtime/start-call.ts'
import { tracedCall, wrapError } from '../runtime/tracing.ts'
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

/** Its write mode is the queue. */
function start({ context, tenantOf, request }: Caller): WriteCall {
  const tenant = tenantOf()
  return Object.assign(startCall(context, request), { tenant, mode: context.queued })
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
  'unknown_challenge',
  'unknown_reward',
  'unknown_attribute',
])

/**
 * Runs and traces a call. Its errors say so if the game of this process is not in force. An error of the host's own
 * transaction stays unchanged, because the host retries it.
 */
function traced<Answer>(
  caller: Caller,
  operation: string,
  code: 'internal' | 'outcome_unknown',
  options: WriteOptions | undefined,
  run: (call: WriteCall) => Eventually<Answer>,
): Promise<Answer> {
  return tracedCall(operation, async () => {
    try {
      return await run(start(caller))
    } catch (error) {
      if (isGamificationError(error) && OF_GAME.has(error.code)) throw aboutOtherGame(caller.context.games, error)
      throw options?.tx === undefined ? wrapError(code, error) : error
    }
  })
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
function makeMethod(
  caller: Caller,
  name: string,
  { kind, takes, takesDryRun, run }: Operation,
): Method<readonly unknown[], unknown> {
  return (...given) => {
    const options = kind === 'write' ? (given[takes.length] as WriteOptions | undefined) : undefined
    return traced(caller, name, kind === 'read' ? 'internal' : 'outcome_unknown', options, (call) => {
      const running = run(options === undefined ? call : { ...call, mode: modeOf(call, options, takesDryRun) }, given)
      return running instanceof Promise ? running : runSteps(running)
    })
  }
}

/** Makes the methods and groups of an API, each for a caller. */
type PartsOf<Api> = { readonly [Part in keyof Api]: (caller: Caller) => Api[Part] }

function partsFrom<Api>(operations: OperationsOf<Api>, group = ''): PartsOf<Api> {
  const parts = Object.entries(operations as Operations).map(([part, inside]) => {
    const name = nameIn(group, part)
    if (isOperation(inside)) return [part, (caller: Caller): unknown => makeMethod(caller, name, inside)] as const
    const ofGroup = partsFrom<object>(inside, name)
    return [part, (caller: Caller): unknown => makeAll(ofGroup, caller)] as const
  })
  return Object.fromEntries(parts) as PartsOf<Api>
}

/** The methods are own properties of plain objects, so hosts can spread a group or replace a method in a test. */
function makeAll<Api extends object>(parts: PartsOf<Api>, caller: Caller): Api {
  const made: Partial<Api> = {}
  for (const part in parts) made[part] = parts[part](caller)
  return made as Api
}

const DECLARED = partsFrom<DeclaredCalls<DefinedGame>>(OPERATIONS)

const PARTS: PartsOf<GamificationApi<DefinedGame>> = {
  ...DECLARED,
  users: (caller) => ({
    export: (id) => exportUser({ ...caller.context, tenant: caller.tenantOf() }, id),
    ...DECLARED.users(caller),
  }),
  import: importUnhurried,
}

export function createTenantApi<G extends DefinedGame>(context: Context, tenantOf: () => string): GamificationApi<G> {
  const api = makeAll(PARTS, { context, tenantOf, request: undefined })
  // The keys of the game are known to the compiler alone.
  return api as unknown as GamificationApi<G>
}

const CALLER: unique symbol = Symbol('caller')
const REQUEST_API = {}
for (const [part, make] of Object.entries(PARTS)) {
  Object.defineProperty(REQUEST_API, part, {
    get(this: { readonly [CALLER]: Caller }) {
      return make(this[CALLER])
    },
  })
}

/** `createTenantApi` for one request. Each part is made when it is used, because a request uses one of them. */
export function createRequestApi<G extends DefinedGame>(
  context: Context,
  tenantOf: () => string,
  request: Request,
): GamificationApi<G> {
  const caller: Caller = { context, tenantOf, request }
  return Object.assign(Object.create(REQUEST_API), { [CALLER]: caller })
}
