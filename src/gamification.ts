/// <reference lib="esnext.disposable" preserve="true" />

import { listGames } from './api/configuration/read-configuration.ts'
import { createContext } from './api/create-context.ts'
import { readCurrentGame } from './api/explain/explain.ts'
import { parse, tenantId } from './api/input.ts'
import { authenticate } from './api/keys/api-key.ts'
import { type AdminKeysApi, createAdminKeys } from './api/keys/keys.ts'
import type { KeyHolder } from './api/keys/types.ts'
import { createTenantApi } from './api/methods.ts'
import { applyGame } from './api/operate/apply-game.ts'
import { exportAll } from './api/operate/export-users.ts'
import { createHealth } from './api/operate/overview.ts'
import { removedByDeploy } from './api/operate/removed-metrics.ts'
import type { ApplyOptions, AuditOptions, GamesRequest, VerifyOptions, WhatIfOptions } from './api/operate/requests.ts'
import { createTenants, type TenantsApi } from './api/operate/tenants.ts'
import type * as Operate from './api/operate/types.ts'
import { rebuild, verify } from './api/operate/verify.ts'
import { whatIf } from './api/operate/what-if.ts'
import type { GamificationApi } from './api/tenant-api.ts'
import type { ExportOptions } from './api/users/requests.ts'
import type { SubscribeOptions, WorkOptions } from './api/webhooks/requests.ts'
import { runWithin, type WithinApi } from './api/within.ts'
import { GamificationError } from './errors.ts'
import type { DefinedGame, KeysOf, TenantId } from './game/define-game.ts'
import type { SubscriptionHandler } from './messages/deliver-to-handler.ts'
import { publishScheduled } from './messages/publish-scheduled.ts'
import { createSubscriptions, type SubscriptionsApi, storeWantedTypes } from './messages/subscriptions.ts'
import type { GamificationMessage, MessageType } from './messages/types.ts'
import type { WebhooksApi } from './messages/webhooks/calls.ts'
import { type WebhooksOptions, webhooksOf } from './messages/webhooks/webhooks.ts'
import { createWork, type WorkReport } from './messages/work.ts'
import { checkNoOptions } from './options.ts'
import type { Context, EventName, Handler, Logger } from './runtime/context.ts'
import { deadlineFrom, type Request, startCall, toArrival, toRequest } from './runtime/deadline.ts'
import { publicCall, tracedCall, wrapErrors } from './runtime/tracing.ts'
import type { HandlerTransaction } from './storage/outbox.ts'
import type { Storage } from './storage/storage.ts'

export interface GamificationOptions<G extends DefinedGame> {
  readonly game: G
  /** `sqlite(…)`, `postgres(…)`, `memory()` or another adapter. */
  readonly storage: Storage
  /** The one source of time. Default: the system's clock. */
  readonly clock?: () => Date
  /** Makes the ids of what is recorded: UUIDs. Default: version 7, of the clock's time. */
  readonly ids?: () => string
  /** Takes (details, message), as pino does; `console` is taken too. Default: silent. */
  readonly logger?: Logger
  readonly wrapped?: {
    /**
     * `users.wrapped` compares a user with all others: it reads the events of all logs once in ten minutes. If a tenant
     * has more events than this, it leaves the percentiles out. 0: always. Default: 1,000,000.
     */
    readonly mostEvents?: number
  }
  readonly webhooks?: WebhooksOptions
}

export interface Gamification<G extends DefinedGame = DefinedGame> extends GamificationApi<G> {
  /** The game of this process. */
  readonly game: G
  /** Passes on to the logger that was given, whose own failures are ignored. Silent where none was given. */
  readonly logger: Logger
  /**
   * Brings the storage's tables to the newest schema and stores the game if it is new. Call it once at start; any
   * number of processes may do so at once. The answer says if the rules of another deploy are in force, and which metrics
   * the deploy removed.
   */
  migrate(): Promise<Operate.MigrateResponse>
  /**
   * Runs `work` at once within the host's own transaction on `database`, a database of SQLite on the same file,
   * or within one of its own where none is open. Each call in it is undone alone when it is refused. `tenant` is for a
   * game with `multiTenant`.
   */
  within<T>(database: object, work: (gamification: WithinApi<G>) => T, tenant?: TenantId<G>): T
  /** The same game for one tenant. Throws if the game does not have `multiTenant: true`. */
  tenant(id: TenantId<G>): GamificationApi<G>
  /** The games that are stored. */
  readonly games: GamesApi
  /** Tenants as a whole: listed, exported, deleted. */
  readonly tenants: TenantsApi
  /** Every game and everything that is kept of every user, as lines of JSON, each with its end. */
  export(options?: ExportOptions): AsyncGenerator<string>
  /** Receivers over HTTP of what happens, in every tenant. */
  readonly webhooks: WebhooksApi
  /** Keys of the account; at most 3. */
  readonly adminKeys: AdminKeysApi
  /**
   * Whom a full key stands for; null when it is missing, malformed, unknown, rotated away, revoked or deleted.
   * `arrivedAt` is that of `forRequest`.
   */
  authenticate(key: unknown, arrivedAt?: number): Promise<KeyHolder | null>
  /**
   * The same calls for one request of the host's, which arrived at this moment, by `performance.now()`: the time that
   * the storage's options give a call (`deadlineMs`, `busyDeadlineMs`) runs from then, for all of them together. `by`:
   * the id of the API key that it came with, which the log then names.
   */
  forRequest(arrivedAt: number, options?: RequestOptions): RequestApi<G>
  /**
   * Replays every user's log and reports each derived row that differs, then each counter and each block of a
   * leaderboard that differs from the rows it counts. A missing row may also be reported as a wrong counter or block.
   * Writes nothing, and does not block writers.
   */
  verify(options?: VerifyOptions): Promise<Operate.AuditReport>
  /**
   * Mends users' rows, then counters and blocks beside them; the report says what was mended. A `verify` after it finds
   * nothing.
   */
  rebuild(options?: AuditOptions): Promise<Operate.AuditReport>
  /** Who would gain and who would lose what if another game had always been there. Reads only. */
  whatIf(next: DefinedGame, options?: WhatIfOptions): Promise<Operate.WhatIfReport>
  /**
   * Puts a game in force for every process on the storage, by a policy. A process that starts with a changed game does
   * the same with `forward`.
   */
  apply(next: DefinedGame, options?: ApplyOptions): Promise<Operate.ApplyReport>
  /**
   * Reports within two seconds if the storage works, and if the game of this process is the newest. Never rejects.
   */
  health(): Promise<Operate.Health>
  /** Calls the handler after the commit of whatever made it happen; returns the function that ends it. */
  on<Name extends EventName>(name: Name, handler: Handler<Name, KeysOf<G>>): () => void
  /**
   * Hands messages of these types to a handler, in order for each user, in one process at a time of those that run
   * `work` with it. A message is kept until the handler has taken it: it is handed over at least once, and what the
   * handler writes by `tx` is stored exactly once. A handler that throws is asked again, with growing pauses. The
   * subscription is stored when the promise resolves; a process that subscribes by its name again goes on where it
   * stands.
   */
  subscribe<Type extends MessageType>(
    name: string,
    options: SubscribeOptions<Type>,
    handler: (
      messages: readonly GamificationMessage<Type, KeysOf<G>>[],
      context: { readonly tx: HandlerTransaction },
    ) => unknown,
  ): Promise<void>
  /** How far subscriptions are, and what they put aside. */
  readonly subscriptions: SubscriptionsApi
  /**
   * Publishes messages that time causes, and delivers messages to webhooks and to the subscriptions of this process,
   * until the signal aborts or `close` is called. Any number of processes may work at once. Errors are logged, and the
   * next round tries again.
   */
  work(options?: WorkOptions): Promise<void>
  /**
   * Does everything that is due now, once, for example from a scheduler. Returns how much that was. If a part failed, the
   * call does all other parts and then rejects with the error.
   */
  workOnce(): Promise<WorkReport>
  /**
   * Waits for what is under way, then closes what the storage opened. Waits at most 10 seconds for requests to webhooks,
   * which other processes then send again, and at most 10 seconds for handlers. Idempotent.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The games that are stored: of all tenants. */
export interface GamesApi {
  /** The one in force, with a sentence for each of its rules. */
  current(): Promise<Operate.CurrentGameResponse>
  /**
   * Each game that was put in force, the newest first, with the epoch in which that was. Later epochs that changed only
   * boosts or wanted messages are left out.
   */
  list(request?: GamesRequest): Promise<Operate.GamesResponse>
}

export interface RequestOptions {
  /** The `keyId` that `authenticate` answered: what these calls write is `by` this key. Default: by none. */
  readonly by?: string | null
  /**
   * True for requests with an application key or a user's session. `secret` achievements are hidden from them until
   * the user has them. Default false.
   */
  readonly isClient?: boolean
  /**
   * Called before a call goes on with another user, into whom the named user was merged. If it rejects, the call rejects
   * too, and nothing of the other user is read or written. Ask here again whether the key is valid: a merge ends keys,
   * also while a request with one is under way. Default: every call goes on.
   */
  readonly confirm?: (() => Promise<void>) | null
}

/** The calls for one request. */
export interface RequestApi<G extends DefinedGame> extends GamificationApi<G> {
  /** As `Gamification.tenant`. */
  tenant(id: TenantId<G>): GamificationApi<G>
}

/** The engine of a game on a storage. Nothing is opened or read before the first call. */
export function createGamification<G extends DefinedGame>(options: GamificationOptions<G>): Gamification<G> {
  const context = createContext(options)
  const { multiTenant } = options.game.rules
  const want = async (): Promise<void> => {
    await storeWantedTypes(context)
    await publishScheduled(context)
  }
  const subscriptions = createSubscriptions(context, multiTenant, want)
  const webhooks = webhooksOf(context, options.webhooks ?? {}, multiTenant, want)
  const work = createWork(context, [subscriptions, webhooks.worker])
  let closing: Promise<void> | null = null

  const close = (): Promise<void> => {
    if (closing === null) webhooks.worker.endWithin(MOST_FOR_HOST_MS)
    closing ??= work.stop().then(() => drainAndClose(context))
    return closing
  }

  return {
    ...callsOf<G>(context, multiTenant),
    ...callsOnAll<G>(context, multiTenant),
    game: options.game,
    logger: context.logger,
    webhooks: webhooks.api,
    forRequest: (arrivedAt, options) => callsOf(context, multiTenant, toRequest(arrivedAt, options)),
    on: (name, handler) => context.emitter.on(name, handler),
    // A handler gets only messages of the types that it asked for.
    subscribe: (name, options, handler) => subscriptions.subscribe(name, options, handler as SubscriptionHandler),
    subscriptions: subscriptions.api,
    work: (options) => wrapErrors('internal', () => work.work(options)),
    workOnce: withoutOptions('workOnce', () => work.workOnce()),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The calls of one tenant, or of a game without tenants. */
function callsOf<G extends DefinedGame>(context: Context, multiTenant: boolean, request?: Request): RequestApi<G> {
  return {
    ...createTenantApi<G>(context, () => withoutTenant(multiTenant), request),
    tenant: (id) => {
      requireTenants(multiTenant)
      return createTenantApi<G>(context, () => parse(tenantId, id, 'tenant id'), request)
    },
  }
}

/** The calls on the storage as a whole, and `within`. */
function callsOnAll<G extends DefinedGame>(context: Context, multiTenant: boolean) {
  const ofGames = <T>(name: keyof GamesApi, use: (call: Context) => Promise<T>): Promise<T> =>
    publicCall(`games.${name}`, 'internal', () => use(startCall(context)))
  return {
    migrate: withoutOptions('migrate', () => migrate(context)),
    health: createHealth(context),
    games: {
      current: () => ofGames('current', readCurrentGame),
      list: (request) => ofGames('list', (call) => listGames(call, request)),
    },
    tenants: createTenants(context),
    export: (request = {}) => exportAll(context, null, request),
    adminKeys: createAdminKeys(context),
    authenticate: (key, arrivedAt) =>
      wrapErrors('internal', () => {
        const since = arrivedAt === undefined ? performance.now() : toArrival(arrivedAt)
        return authenticate(context, key, deadlineFrom(context.storage, since))
      }),
    verify: (request) => tracedCall('verify', () => verify(context, request)),
    rebuild: (request) => tracedCall('rebuild', () => rebuild(context, request)),
    whatIf: (next, request) => tracedCall('whatIf', () => whatIf(context, next, request)),
    apply: (next, request) => tracedCall('apply', () => applyGame(context, next, request)),
    within: (database, work, tenant) => {
      const tenantOf = (): string => {
        if (tenant === undefined) return withoutTenant(multiTenant)
        requireTenants(multiTenant)
        return parse(tenantId, tenant, 'tenant id')
      }
      return runWithin<G, ReturnType<typeof work>>(context, tenantOf, database, work)
    },
  } satisfies Partial<Gamification<G>>
}

function withoutOptions<T>(name: string, run: () => Promise<T>): () => Promise<T> {
  return (...given: readonly unknown[]) =>
    publicCall(name, 'internal', () => {
      checkNoOptions(name, given)
      return run()
    })
}

/** After so many milliseconds `migrate` logs why a server does not start. A first start can take two seconds. */
const WAITING_MS = 3_000

async function migrate(context: Context): Promise<Operate.MigrateResponse> {
  const call = startCall(context)
  const timer = setTimeout(() => {
    const reasons = 'it may be unreachable, locked, or still making the tables.'
    context.logger.warn({ waitedMs: WAITING_MS }, `migrate() is still waiting for the database: ${reasons}`)
  }, WAITING_MS)
  timer.unref()
  const report = await call.storage.migrate().finally(() => clearTimeout(timer))
  // What was pending took as long as it took.
  const { storage, databaseClock, games } = report.applied.length > 0 ? startCall(context) : call
  await databaseClock.compare(storage)
  const { epoch } = await games.current(storage)
  const message = games.otherGame()
  const removedMetrics = await removedByDeploy(startCall(context))
  return { ...report, game: { epoch, isOwn: message === null, message, removedMetrics } }
}

/** How long requests to webhooks may hold up the end of the process, and then handlers of the host. */
const MOST_FOR_HOST_MS = 10_000

async function drainAndClose({ recorder, keyUses, games, emitter, logger, storage }: Context): Promise<void> {
  await Promise.all([recorder.drained(), keyUses.drained(), games.drained()])
  const handlers = await emitter.drained(MOST_FOR_HOST_MS)
  if (handlers > 0) logger.warn({ handlers }, 'Handlers still run while the storage is closed.')
  // Handlers may have asked for more meanwhile.
  await recorder.drained()
  await storage.close()
}

function withoutTenant(multiTenant: boolean): string {
  if (!multiTenant) return ''
  throw new GamificationError('tenant_required', "The game has multiTenant: call it as gamification.tenant('…').")
}

function requireTenants(multiTenant: boolean): void {
  if (multiTenant) return
  const help = 'add multiTenant: true to the game, or call the methods without a tenant.'
  throw new GamificationError('invalid_request', `The game does not keep tenants apart: ${help}`)
}
