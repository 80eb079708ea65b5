import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { checkPrefix, checkRegistered, fromNode } from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { hasMethods, invalidOption } from '../../src/options.ts'
import { listen, type RequestListener, type RoutedRequest } from '../express/listen.ts'
import { OF_FASTIFY, register } from '../fastify/register.ts'
import { answerAt, type FetchHandler, fromFetch } from '../fetch/fetch-handler.ts'
import { type Authorize, type Authorized, type Console, createConsole } from './console.ts'
import type { OneTimeLink } from './one-time-link.ts'

export type { RequestListener } from '../express/listen.ts'
export type { FetchHandler } from '../fetch/fetch-handler.ts'
export type { Authorize, Authorized } from './console.ts'
export { type OneTimeLink, type OneTimeLinkOptions, oneTimeLink } from './one-time-link.ts'

/** `Request` is your framework's type: `(request: express.Request) => …`. */
export interface ConsoleOptions<Request> {
  /** Decides who may look and who may make changes. */
  readonly authorize: Authorize<Request> | OneTimeLink
  /**
   * The origins from which the console accepts changes, such as `https://example.com`. Needed if a proxy replaces the header
   * Host. Default: the host of the request.
   */
  readonly origins?: readonly string[]
  /**
   * The path of the console if no router removes it from the URL: on a plain `node:http` server, in `consoleFetch`, or
   * with `app.use(handler)` without a path. Empty for the root. Default: `/console`.
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
  /** The path of the console. Fastify puts it before every path of the plugin. */
  readonly prefix?: string
  /** Decides who may look and who may make changes: a function of Fastify's request, or a one-time link. */
  readonly authorize: OneTimeLink | FastifyAuthorize['authorize']
  /**
   * The origins from which the console accepts changes, such as `https://example.com`. Needed if a proxy replaces the header
   * Host. Default: the host of the request.
   */
  readonly origins?: readonly string[]
}

interface FastifyAuthorize {
  /** A method, so that your function may use Fastify's own type. */
  authorize(request: FastifyVisitor): Authorized | Promise<Authorized>
}

/** The console as a plugin of Fastify: `app.register(consolePlugin, { gamification, prefix: '/console', authorize })`. */
export async function consolePlugin(app: FastifyApp, options: ConsolePluginOptions): Promise<void> {
  checkRegistered('consolePlugin', options)
  onFastify(app, createConsole(options.gamification, options, OF_FASTIFY))
}

export function onNode<Request extends RoutedRequest>(
  console: Console<Request>,
  prefix: string,
): RequestListener<Request> {
  return listen(checkPrefix(prefix), (request: Request, place) =>
    console({
      target: place.target,
      path: request.originalUrl ?? request.url ?? '/',
      original: request,
      read: (found) => fromNode(request, { ...place, target: found }),
    }),
  )
}

export function onFetch(console: Console<Request>, prefix: string): FetchHandler {
  return answerAt(checkPrefix(prefix), (request, place) =>
    console({
      target: place.target,
      path: URL.parse(request.url)?.pathname ?? '/',
      original: request,
      read: (found) => fromFetch(request, { ...place, target: found }),
    }),
  )
}

/** Fastify's app, for projects without Fastify's types. */
export interface FastifyApp {
  readonly prefix: string
}

/** Fastify's request, for projects without Fastify's types. */
export interface FastifyVisitor {
  readonly headers: IncomingHttpHeaders
  readonly raw: IncomingMessage
}

export function onFastify(app: FastifyApp, console: Console<FastifyVisitor>): void {
  if (!isFastify(app)) throw invalidOption('app', 'an app of Fastify: app.register(consolePlugin, { … })', app)
  register(app, [], (request, place, body) =>
    console({
      target: place.target,
      path: request.raw.url ?? '/',
      original: request,
      read: (found) => fromNode(request.raw, { ...place, target: found }, body),
    }),
  )
}

function isFastify(app: FastifyApp): app is FastifyInstance {
  return hasMethods(app, ['route', 'addHook', 'addContentTypeParser'])
}
