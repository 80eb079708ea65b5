import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkPlainPrefix,
  checkServing,
  checkSessions,
  fromNode,
  type HttpApi,
  type HttpResponse,
  serve,
  serveSessions,
  toTarget,
  userApi as userRoutes,
} from '../../src/http/index.ts'
import type { HttpOptions, SessionOptions } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

export type { CorsOptions, HttpOptions, RateLimit, SessionOptions } from '../../src/http/options.ts'

export interface FastifyApiOptions extends HttpOptions {
  readonly gamification: Gamification<DefinedGame>
  /** Where it answers. Fastify puts it before every path of the plugin. */
  readonly prefix?: string
}

/** A plugin for `app.register`: encapsulated, so that parsers, hooks and error handlers of the host stay as they are. */
export type FastifyApi = (app: FastifyInstance, options: FastifyApiOptions) => Promise<void>

/** Serves the application API: `app.register(applicationApi, { gamification, prefix: '/v1' })`. */
export const applicationApi: FastifyApi = (app, options) => serveKeys(app, applicationRoutes, options)

/** Serves the admin API: `app.register(adminApi, { gamification, prefix: '/admin/v1' })`. */
export const adminApi: FastifyApi = (app, options) => serveKeys(app, adminRoutes, options)

/** What Fastify itself reads of a plugin's options. */
const OF_FASTIFY = ['prefix', 'logLevel', 'logSerializers', 'encapsulate']

export interface UserApiOptions extends SessionOptions, Pick<FastifyApiOptions, 'gamification' | 'prefix'> {
  /** The id of the user who is signed in; null or undefined: nobody, which is answered with 401. */
  readonly user: (request: FastifyRequest) => string | null | undefined | Promise<string | null | undefined>
  /** The id of the user's tenant, where the game has tenants. */
  readonly tenant?: (request: FastifyRequest) => string | Promise<string>
}

/**
 * Serves what one user may do, to the app's own pages: no key, the user is whom the app's session names, and cannot name
 * another. Register it after the session: `app.register(userApi, { gamification, prefix: '/game', user: (request) => … })`.
 * What changes something is taken as JSON from a page of the app only.
 */
export const userApi = async (app: FastifyInstance, given: UserApiOptions): Promise<void> => {
  const { gamification, bodyLimit, origins, rateLimit, user, tenant } = given
  checkSessions(gamification, given, ['gamification', ...OF_FASTIFY])
  const options = {
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(origins === undefined ? {} : { origins }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
  const handle = serveSessions(gamification, userRoutes, options)
  register(app, userRoutes, (request, target, body) =>
    handle(fromNode(request.raw, target, body), { user: () => user(request), tenant: () => tenant?.(request) }),
  )
}

async function serveKeys(app: FastifyInstance, api: HttpApi, options: FastifyApiOptions): Promise<void> {
  checkServing(options.gamification, options, ['gamification', ...OF_FASTIFY])
  const { gamification, bodyLimit, cors, rateLimit } = options
  const httpOptions = {
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(cors === undefined ? {} : { cors }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  }
  const handle = serve(gamification, api, httpOptions)
  register(app, api, ({ raw }, target, body) => handle(fromNode(raw, target, body)))
}

function register(
  app: FastifyInstance,
  api: HttpApi,
  handle: (request: FastifyRequest, target: string, body: Readable) => Promise<HttpResponse | null>,
): void {
  const prefix = checkPlainPrefix(app.prefix)
  const undecodable = showDecodable(app.server, prefix)

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { raw, body } = request
    const target = toTarget(undecodable.get(raw) ?? raw.url ?? '/', prefix) ?? ''
    const response = await handle(request, target, body instanceof Readable ? body : raw)
    if (response === null) {
      reply.hijack()
      raw.socket.destroy()
      return reply
    }
    return reply.code(response.status).headers(response.headers).send(response.body)
  }

  // The body is read by the handler, after the key was found valid.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('preParsing', async ({ raw }, _reply, payload) => {
    // A host may have put a stream of its own there, which may break before anybody reads it.
    payload.on('error', () => undefined)
    // Fastify would refuse it before the key is looked at, and without the host's further hooks.
    if (!MEDIA_TYPE.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type']
    return payload
  })
  for (const { method, path, isPublic } of api.routes) {
    // At the root the host may have a /health of its own. Without one it is reached as the unknown paths are.
    if (isPublic && prefix === '') continue
    app.route({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), handler: answer })
  }
  // Unknown paths, and ids longer than Fastify lets a parameter be.
  app.all('/*', answer)
  // Methods that Fastify has no routes for. Without a prefix they are the host's.
  if (prefix !== '') app.setNotFoundHandler(answer)
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Fastify answers a path that it cannot decode before any route of ours is asked. It is shown another one instead;
 * returns what the path was.
 */
function showDecodable(server: FastifyInstance['server'], prefix: string): WeakMap<IncomingMessage, string> {
  const undecodable = new WeakMap<IncomingMessage, string>()
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '/' } = request
    const [path = ''] = url.split('?', 1)
    if (toTarget(path, prefix) === null) return
    // Fastify refuses one without a type itself; no route of ours takes it, whatever its type.
    if (request.method === 'QUERY') request.headers['content-type'] ??= 'application/json'
    if (isDecodable(path)) return
    undecodable.set(request, url)
    request.url = `${prefix}/undecodable`
  })
  return undecodable
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
