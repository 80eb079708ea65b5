import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  fromNode,
  type HttpApi,
  type HttpOptions,
  serve,
  toTarget,
} from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'

export type { CorsOptions, HttpOptions } from '../../src/http/index.ts'

export interface FastifyApiOptions extends HttpOptions {
  readonly gamification: Gamification<DefinedGame>
  /** Where it answers. Fastify puts it before every path of the plugin. */
  readonly prefix?: string
}

/** A plugin for `app.register`: encapsulated, so that parsers, hooks and error handlers of the host stay as they are. */
export type FastifyApi = (app: FastifyInstance, options: FastifyApiOptions) => Promise<void>

/** Serves the application API (specification, section 4): `app.register(applicationApi, { gamification, prefix: '/v1' })`. */
export const applicationApi: FastifyApi = (app, options) => register(app, applicationRoutes, options)

/** Serves the admin API (specification 4.13): `app.register(adminApi, { gamification, prefix: '/admin/v1' })`. */
export const adminApi: FastifyApi = (app, options) => register(app, adminRoutes, options)

async function register(app: FastifyInstance, api: HttpApi, options: FastifyApiOptions): Promise<void> {
  const { gamification, prefix: _, ...httpOptions } = options
  const handle = serve(gamification, api, httpOptions)

  const undecodable = new WeakMap<IncomingMessage, string>()
  // Fastify answers a path that it cannot decode before any route of ours is asked. It is shown another one instead.
  app.server.prependListener('request', (request: IncomingMessage) => {
    const { url = '/' } = request
    if (toTarget(url, app.prefix) === null || isDecodable(url)) return
    undecodable.set(request, url)
    request.url = `${app.prefix}/`
  })

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = toTarget(undecodable.get(request.raw) ?? request.raw.url ?? '/', app.prefix) ?? ''
    const source = request.body instanceof Readable ? request.body : request.raw
    const response = await handle(fromNode(request.raw, target, source))
    if (response === null) {
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    return reply.code(response.status).headers(response.headers).send(response.body)
  }

  // The body is read by the handler, after the key was found valid.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  // What Fastify refuses by itself, such as a malformed content type, is answered in the decided order too.
  app.setErrorHandler((_error, request, reply) => answer(request, reply))
  app.setNotFoundHandler(answer)
  // Unknown paths, and ids longer than Fastify lets a parameter be.
  app.all('/*', answer)
  for (const { method, path } of api.routes) {
    app.route({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), handler: answer })
  }
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url)
    return true
  } catch {
    return false
  }
}
