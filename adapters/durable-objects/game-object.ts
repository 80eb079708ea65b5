import { createGamification, type DefinedGame, type Gamification, type GamificationOptions } from '../../src/index.ts'
import { adminApi, applicationApi, type FetchHandler } from '../fetch/index.ts'
import { type Alarms, createAlarms } from './alarms.ts'
import type { ObjectContext } from './platform.ts'
import { storageOf } from './storage.ts'

export interface GameObjectOptions<G extends DefinedGame> extends Omit<GamificationOptions<G>, 'storage'> {
  /**
   * Runs whenever the object starts, before its first request: for subscriptions, handlers and webhooks. If it rejects, the
   * requests that wait fail, and the next one starts the object again.
   */
  readonly start?: (gamification: Gamification<G>) => unknown
  /** Makes the function that answers the object's requests. Default: `/v1` and `/admin/v1`. */
  readonly fetch?: (gamification: Gamification<G>) => FetchHandler
}

/** The members that `gameObject` adds to a Durable Object. */
export interface GameObject<G extends DefinedGame> {
  /** The engine on the object's storage. Only the object's own methods can use it. */
  readonly gamification: Gamification<G>
  fetch(request: Request): Promise<Response>
  /** Does the work that is due, and sets the alarm to the next instant at which some is. */
  alarm(): Promise<void>
}

/**
 * Makes the class of a Durable Object that keeps a game: given `DurableObject` of `cloudflare:workers`, or a class that
 * extends it. Each object is a game of its own, with its own users, keys and leaderboards. Messages that time causes need no
 * worker, because the object's alarm is set to the next one.
 *
 * @example
 * export class Game extends gameObject(DurableObject, { game }) {
 *   write(id: string, words: number) {
 *     return this.gamification.metrics.event('words', { user: { id }, value: words })
 *   }
 * }
 */
export function gameObject<G extends DefinedGame, Context extends ObjectContext, Env, Instance extends object>(
  Base: abstract new (ctx: Context, env: Env) => Instance,
  { start, fetch = bothApis, ...options }: GameObjectOptions<G>,
): new (
  ctx: Context,
  env: Env,
) => Instance & GameObject<G> {
  // TypeScript cannot extend a class whose instances have the type of a parameter.
  const Parent = Base as unknown as new (ctx: Context, env: Env) => object
  class GameInObject extends Parent implements GameObject<G> {
    readonly gamification: Gamification<G>
    readonly #answer: FetchHandler
    readonly #alarms: Alarms

    constructor(ctx: Context, env: Env) {
      super(ctx, env)
      const storage = storageOf(ctx, () => this.#alarms.written())
      this.gamification = createGamification({ ...options, storage })
      this.#answer = fetch(this.gamification)
      this.#alarms = createAlarms(ctx.storage, this.gamification, () => (options.clock?.() ?? new Date()).getTime())
      ctx.blockConcurrencyWhile(async () => {
        await this.gamification.migrate()
        await start?.(this.gamification)
        await this.#alarms.start()
      })
    }

    fetch(request: Request): Promise<Response> {
      return this.#answer(request)
    }

    alarm(): Promise<void> {
      return this.#alarms.ring()
    }
  }
  return GameInObject as unknown as new (
    ctx: Context,
    env: Env,
  ) => Instance & GameObject<G>
}

function bothApis<G extends DefinedGame>(gamification: Gamification<G>): FetchHandler {
  const application = applicationApi(gamification)
  const admin = adminApi(gamification)
  return (request) => (new URL(request.url).pathname.startsWith('/admin/') ? admin(request) : application(request))
}
