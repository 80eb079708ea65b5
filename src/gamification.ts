/// <reference lib="esnext.disposable" preserve="true" />

import { listGames } from './api/configuration/read-configuration.ts'
import type { GamesRequest } from './api/configuration/requests.ts'
import { createContext } from './api/create-context.ts'
import { readCurrentGame } from './api/explain/explain.ts'
import { authenticate } from './api/keys/api-key.ts'
import { type AdminKeysApi, createAdminKeys } from './api/keys/keys.ts'
import { createRequestApi, createTenantApi } from './api/methods.ts'
import { applyGame } from './api/operate/apply-game.ts'
import { exportAll } from './api/operate/export-users.ts'
import { createHealth } from './api/operate/overview.ts'
import { removedByDeploy } from './api/operate/removed-metrics.ts'
import type { ApplyOptions, AuditOptions, ExportOptions, VerifyOptions, WhatIfOptions } from './api/operate/requests.ts'
import { createTenants, type TenantsApi } from './api/operate/tenants.ts'
import { rebuild, verify } from './api/operate/verify.ts'
import { whatIf } from './api/operate/what-if.ts'
import type { GamificationApi } from './api/operations.ts'
import { runWithin, type WithinApi } from './api/within.ts'
import { GamificationError } from './errors.ts'
import type { DefinedGame, KeysOf, TenantId } from './game/define-game.ts'
import type { SubscriptionHandler } from './messages/deliver-to-handler.ts'
import { nextWorkAt } from './messages/next-work.ts'
import { publishScheduled } from './messages/publish-scheduled.ts'
import type { SubscribeOptions, WorkOptions } from './messages/requests.ts'
import { createSubscriptions, type SubscriptionsApi, storeWantedTypes } from './messages/subscriptions.ts'
import type { WebhooksApi } from './messages/webhooks/calls.ts'
import { type WebhooksOptions, webhooksOf } from './messages/webhooks/create-webhooks.ts'
import { createWork, type WorkReport } from './messages/work.ts'
import { checkNoOptions } from './options.ts'
import type { Context, Logger } from './runtime/context.ts'
import { deadlineFrom } from './runtime/deadline.ts'
import type { EventName, Handler } from './runtime/host-events.ts'
import { parse, tenantId } from './runtime/input.ts'
import { type Request, startCall, toArrival, toRequest } from './runtime/start-call.ts'
import { publicCall, tracedCall, wrapErrors } from './runtime/tracing.ts'
import type { KeyHolder } from './shapes/keys.ts'
import type { GamificationMessage, MessageType } from './shapes/messages.ts'
import type * as Operate from './shapes/operate.ts'
import type { HandlerTransaction } from './storage/outbox.ts'
import type { Storage } from './storage/storage.ts'

export interface GamificationOptions<G extends DefinedGame> {
  readonly game: G
  /** `sqlite(…)`, `postgres(…)`, `memory()` or another adapter. */
  readonly storage: Storage
  /** The only source of time. Default: the system's clock. */
  readonly clock?: () => Date
  /** Creates the ids of recorded rows. They must be UUIDs. Default: version 7, from the clock's time. */
  readonly ids?: () => string
  /** A logger whose methods take (details, message), as pino's do; `console` works too. Default: silent. */
  readonly logger?: Logger
  readonly wrapped?: {
    /**
     * `users.wrapped` compares a user with all others: it reads the events of all logs once in ten minutes. If a tenant
     * has more events than this, the answer has no percentiles. 0: never compare. Default: 1,000,000.
     */
    readonly mostEvents?: number
  }
  readonly webhooks?: WebhooksOptions
}

export interface Gamification<G extends DefinedGame = DefinedGame> extends GamificationApi<G> {
  /** The game that this process defines. */
  readonly game: G
  /** Calls the logger from the options, and ignores its failures. Silent if there is none. */
  readonly logger: Logger
  /**
   * Creates or updates the storage's tables and stores the game if it is new. Call it once at start; any number of
   * processes may call it at once. The answer says if the rules of another deploy are in force, and which metrics the
   * deploy removed.
   */
  migrate(): Promise<Operate.MigrateResponse>
  /**
   * Runs `work` synchronously within your own transaction on `database`, a SQLite connection to the same file. If no
   * transaction is open, it opens one. A refused call is rolled back on its own; the other calls stay. `tenant` is for
   * a game with `multiTenant`.
   */
  within<T>(database: object, work: (gamification: WithinApi<G>) => T, tenant?: TenantId<G>): T
  /** Returns the methods for one tenant. Throws if the game does not have `multiTenant: true`. */
  tenant(id: TenantId<G>): GamificationApi<G>
  /** The stored games. */
  readonly games: GamesApi
  /** Lists, exports and deletes whole tenants. */
  readonly tenants: TenantsApi
  /** Exports every game and everything that is stored about every user, as lines of JSON, each with a line break. */
  export(options?: ExportOptions): AsyncGenerator<string>
  /** HTTP receivers of messages from every tenant. */
  readonly webhooks: WebhooksApi
  /** Admin API keys, at most 3. */
  readonly adminKeys: AdminKeysApi
  /** Returns the holder of a key, or `null` if the key is not valid. For `arrivedAt`, see `forRequest`. */
  authenticate(key: unknown, arrivedAt?: number): Promise<KeyHolder | null>
  /**
   * Returns the same methods for one HTTP request. All calls share one deadline (`deadlineMs` or `busyDeadlineMs` of
   * the storage), counted from `arrivedAt`, a value of `performance.now()`.
   */
  forRequest(arrivedAt: number, options?: RequestOptions): RequestApi<G>
  /**
   * Replays every user's log and reports each derived row that differs. It then reports each counter and each
   * leaderboard block that differs from the rows it counts. A missing row may also be reported as a wrong counter or
   * block. Writes nothing, and does not block writers.
   */
  verify(options?: VerifyOptions): Promise<Operate.AuditReport>
  /**
   * Repairs users' rows, then counters and blocks. The report lists the repairs. A `verify` afterwards finds no
   * difference.
   */
  rebuild(options?: AuditOptions): Promise<Operate.AuditReport>
  /** Reports what each user would gain or lose if this game had always been in force. Read-only. */
  whatIf(next: DefinedGame, options?: WhatIfOptions): Promise<Operate.WhatIfReport>
  /**
   * Puts a game in force for every process on the storage, under a policy. A process that starts with a changed game
   * applies it with the policy `forward`.
   */
  apply(next: DefinedGame, options?: ApplyOptions): Promise<Operate.ApplyReport>
  /**
   * Reports within two seconds if the storage works, and if the game of this process is the newest. Never rejects.
   */
  health(): Promise<Operate.Health>
  /** Calls the handler after the commit that caused the event. Returns a function that removes the handler. */
  on<Name extends EventName>(name: Name, handler: Handler<Name, KeysOf<G>>): () => void
  /**
   * Delivers messages of these types to a handler, at least once and in order per user. One process at a time delivers,
   * of all that run `work`. Rows that the handler writes with `tx` are saved exactly once. If the handler throws, the
   * messages are delivered again, after growing pauses. The subscription is stored when the promise resolves. A process
   * that subscribes under the same name continues from the stored checkpoint.
   */
  subscribe<Type extends MessageType>(
    name: string,
    options: SubscribeOptions<Type>,
    handler: (
      messages: readonly GamificationMessage<Type, KeysOf<G>>[],
      context: { readonly tx: HandlerTransaction },
    ) => unknown,
  ): Promise<void>
  /** The progress of each subscription, and the messages that it put aside. */
  readonly subscriptions: SubscriptionsApi
  /**
   * Publishes messages that time causes, and delivers messages to webhooks and to the subscriptions of this process,
   * until the signal aborts or `close` is called. Any number of processes may run it at once. Errors are logged, and
   * the next round retries.
   */
  work(options?: WorkOptions): Promise<void>
  /**
   * Does all work that is due now, once, for example from a scheduler. Returns the amount of work. If a part failed,
   * the call completes the other parts and then rejects with the error.
   */
  workOnce(): Promise<WorkReport>
  /**
   * Returns when `workOnce` has something to do next, for a scheduler that can be set to an instant. The instant may be in
   * the past, and is at most a day from now. `null` if there is no subscription and no webhook.
   */
  nextWorkAt(): Promise<Date | null>
  /**
   * Waits for running calls, then closes the connections that the storage opened. Waits at most 10 seconds for requests
   * to webhooks, which other processes then send again, and at most 10 seconds for handlers. Safe to call again.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The stored games. All tenants share them. */
export interface GamesApi {
  /** Returns the game in force, with a sentence for each of its rules. */
  current(): Promise<Operate.CurrentGameResponse>
  /**
   * Lists the games that were put in force, the newest first, each with the epoch that it started. Epochs that changed
   * only boosts or the wanted types of messages are left out.
   */
  list(request?: GamesRequest): Promise<Operate.GamesResponse>
}

export interface RequestOptions {
  /** The `keyId` from the answer of `authenticate`; entries that these calls write name it in `by`. Default: no key. */
  readonly by?: string | null
  /**
   * True for requests with an application key or a user's session. `secret` achievements are hidden from them until
   * the user has them. Default false.
   */
  readonly isClient?: boolean
  /**
   * Called before a call continues with another user because the named user was merged. If it rejects, the call rejects
   * too, and does not read or write the other user. Check in it that the key is still valid: a merge deletes keys, even
   * during a request. Default: every call continues.
   */
  readonly confirm?: (() => Promise<void>) | null
}

/** The methods for one request. */
export interface RequestApi<G extends DefinedGame> extends GamificationApi<G> {
  /** See `Gamification.tenant`. */
  tenant(id: TenantId<G>): GamificationApi<G>
}

/** Creates the engine of a game on a storage. Opens and reads nothing before the first call. */
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
    nextWorkAt: withoutOptions('nextWorkAt', async () => {
      const at = await nextWorkAt(context)
      return at === null ? null : new Date(at)
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The methods of one tenant, or of a game without tenants. */
function callsOf<G extends DefinedGame>(context: Context, multiTenant: boolean, request?: Request): RequestApi<G> {
  const create = (tenantOf: () => string): GamificationApi<G> =>
    request === undefined ? createTenantApi<G>(context, tenantOf) : createRequestApi<G>(context, tenantOf, request)
  const tenant = (id: TenantId<G>): GamificationApi<G> => {
    requireTenants(multiTenant)
    return create(() => parse(tenantId, id, 'tenant id'))
  }
  return Object.assign(
    create(() => withoutTenant(multiTenant)),
    { tenant },
  )
}

/** The methods on the whole storage, and `within`. */
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

/** After this many milliseconds `migrate` logs why a server does not start. A first start can take two seconds. */
const WAITING_MS = 3_000

async function migrate(context: Context): Promise<Operate.MigrateResponse> {
  const call = startCall(context)
  const timer = setTimeout(() => {
    const reasons = 'it may be unreachable, locked, or still making the tables.'
    context.logger.warn({ waitedMs: WAITING_MS }, `migrate() is still waiting for the database: ${reasons}`)
  }, WAITING_MS)
  timer.unref()
  const report = await call.storage.migrate().finally(() => clearTimeout(timer))
  // A migration may have used up the deadline, so the next reads get a new one.
  const { storage, databaseClock, games } = report.applied.length > 0 ? startCall(context) : call
  await databaseClock.compare(storage)
  const { epoch } = await games.current(storage)
  const message = games.otherGame()
  const removedMetrics = await removedByDeploy(startCall(context))
  return { ...report, game: { epoch, isOwn: message === null, message, removedMetrics } }
}

/** How long `close` waits for requests to webhooks, and then for handlers of the host. */
const MOST_FOR_HOST_MS = 10_000

async function drainAndClose({ recorder, keyUses, games, emitter, logger, storage }: Context): Promise<void> {
  await Promise.all([recorder.drained(), keyUses.drained(), games.drained()])
  const handlers = await emitter.drained(MOST_FOR_HOST_MS)
  if (handlers > 0) logger.warn({ handlers }, 'Handlers still run while the storage is closed.')
  // Handlers may have recorded more in the meantime.
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
