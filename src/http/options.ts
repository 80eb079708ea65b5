import type { WholeNumbers } from '../answers/whole-numbers.ts'
import type { KeyHolder } from '../shapes/keys.ts'

export type { WholeNumbers }

/** The caller of a request: the holder of a key, the user of the host's session, or a viewer of the console. */
export type Caller = KeyHolder | SessionUser | ConsoleCaller

export interface SessionUser {
  readonly kind: 'session'
  /** Empty if the game has no tenants. */
  readonly tenant: string
  readonly userId: string
  /** The users among whom the session's user is ranked, as the host returns them. Absent if the host names none. */
  readonly among?: () => unknown
}

/** The rights of a viewer in the console: read, or read and write. */
export type ConsoleAccess = 'read' | 'write'

export interface ConsoleCaller {
  readonly kind: 'console'
  readonly access: ConsoleAccess
}

/** True if the caller has only the rights of one user. */
export function isOneUser(caller: Caller | null): caller is Exclude<Caller, { kind: 'admin' | 'console' }> {
  return caller !== null && caller.kind !== 'admin' && caller.kind !== 'console'
}

/** Which web pages may call the API with an application key. */
export interface CorsOptions {
  /** Origins as browsers send them, `https://app.example.com`; `*` for any. */
  readonly origins: readonly string[] | '*'
}

/**
 * Decides if a caller may continue. Called once for each request that has a valid key or session, before its body is
 * read. `null` or undefined lets the request pass. Otherwise the answer is 429, and asks the client to retry after the
 * returned number of seconds. The host keeps the counts.
 */
export type RateLimit = (caller: Exclude<Caller, ConsoleCaller>) => RateLimited | Promise<RateLimited>

export type RateLimited = { readonly retryAfter: number } | null | undefined

export interface HttpOptions {
  /** The most bytes of a body. A batch of events may have 16 times as many. Default: 256 KiB. */
  readonly bodyLimit?: number
  /** Default: off. */
  readonly cors?: CorsOptions
  readonly rateLimit?: RateLimit
  /**
   * Returns leaderboard scores as integers, for clients that cannot read decimals. Default: scores keep their decimals.
   */
  readonly wholeNumbers?: WholeNumbers
}

/** How the user API is served. */
export interface SessionOptions extends Pick<HttpOptions, 'bodyLimit' | 'rateLimit' | 'wholeNumbers'> {
  /**
   * The origins of the app's pages, as browsers send them, such as `https://app.example.com`. Only these may write, and
   * they may read answers to requests with the session's cookies. Default: the host that a request is sent to.
   */
  readonly origins?: readonly string[]
}

/** How the user API knows the user of a request. */
export interface SessionReaders<Request> {
  /** Returns the id of the signed-in user. `null` or `undefined`: the response is 401. */
  readonly user: (request: Request) => string | null | undefined | Promise<string | null | undefined>
  /** Returns the user's tenant, in a game with tenants. */
  readonly tenant?: (request: Request) => string | Promise<string>
  /**
   * The ids of users, such as friends, among whom the user is ranked: at most 1,000. For
   * `GET /leaderboards/{key}/among`.
   */
  readonly among?: (request: Request) => readonly string[] | Promise<readonly string[]>
}
