import { checkRegistered } from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import type { RequestListener, RoutedRequest } from '../express/listen.ts'
import { OF_FASTIFY } from '../fastify/register.ts'
import type { FetchHandler } from '../fetch/answer-at.ts'
import { type Authorize, type Authorized, createConsole } from './console.ts'
import { type FastifyApp, type FastifyVisitor, onFastify, onFetch, onNode } from './frameworks.ts'
import type { OneTimeLink } from './one-time-link.ts'

export type { RequestListener } from '../express/listen.ts'
export type { FetchHandler } from '../fetch/answer-at.ts'
export type { Authorize, Authorized } from './console.ts'
export type { FastifyApp, FastifyVisitor } from './frameworks.ts'
export { type OneTimeLink, type OneTimeLinkOptions, oneTimeLink } from './one-time-link.ts'

/** `Request` is the host's own type of a request: `(request: express.Request) => …`. */
export interface ConsoleOptions<Request> {
  /** Who may look, and who may change things. Without it the console is not mounted. */
  readonly authorize: Authorize<Request> | OneTimeLink
  /**
   * The origins of the console's own pages, as browsers send them, `https://example.com`, where a proxy does not hand on the
   * header Host: changes are taken from these only. Default: the host that a request is sent to.
   */
  readonly origins?: readonly string[]
  /**
   * The path it answers under where no router has taken it off: on a plain `node:http` server, in `consoleFetch`, or
   * `app.use(handler)` without a path. Empty: at the root. Default: `/console`.
   */
  readonly prefix?: string
}

const PREFIX = '/console'

/**
 * The console, for Express 4 and 5 and for a plain `node:http` server. Mount it after the session:
 * `app.use('/console', consoleApp(gamification, { authorize: (request) => … }))`.
 */
export function consoleApp<G extends DefinedGame, Request extends RoutedRequest>(
  gamification: Gamification<G>,
  options: ConsoleOptions<Request>,
): RequestListener<Request> {
  return onNode(createConsole(gamification, options, ['prefix']), options.prefix ?? PREFIX)
}

/** The console as a function from `Request` to `Response`: `app.all('/console/*', ({ req }) => handle(req.raw))` in Hono. */
export function consoleFetch<G extends DefinedGame>(
  gamification: Gamification<G>,
  options: ConsoleOptions<Request>,
): FetchHandler {
  return onFetch(createConsole(gamification, options, ['prefix']), options.prefix ?? PREFIX)
}

export interface ConsolePluginOptions {
  readonly gamification: Gamification<DefinedGame>
  /** Where it answers. Fastify puts it before every path of the plugin. */
  readonly prefix?: string
  /** Who may look, and who may change things: a function of Fastify's request, or a one-time link. */
  readonly authorize: OneTimeLink | FastifyAuthorize['authorize']
  /**
   * The origins of the console's own pages, as browsers send them, `https://example.com`, where a proxy does not hand on the
   * header Host: changes are taken from these only. Default: the host that a request is sent to.
   */
  readonly origins?: readonly string[]
}

interface FastifyAuthorize {
  /** A method, so that the host's function may name Fastify's own type of a request. */
  authorize(request: FastifyVisitor): Authorized | Promise<Authorized>
}

/** The console as a plugin of Fastify: `app.register(consolePlugin, { gamification, prefix: '/console', authorize })`. */
export async function consolePlugin(app: FastifyApp, options: ConsolePluginOptions): Promise<void> {
  checkRegistered('consolePlugin', options)
  onFastify(app, createConsole(options.gamification, options, ['gamification', ...OF_FASTIFY]))
}
