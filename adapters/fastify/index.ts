import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  adminApi as adminRoutes,
  applicationApi as applicationRoutes,
  checkRegistered,
  fromNode,
  type HttpApi,
  serve,
  serveSessions,
  userApi as userRoutes,
} from '../../src/http/index.ts'
import type { HttpOptions, SessionOptions, SessionReaders } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { OF_FASTIFY, register } from './register.ts'

export type { CorsOptions, HttpOptions, RateLimit, SessionOptions, WholeNumbers } from '../../src/http/options.ts'

export interface FastifyApiOptions extends HttpOptions {
  readonly gamification: Gamification<DefinedGame>
  /** The path of the API. Fastify puts it before every path of the plugin. */
  readonly prefix?: string
}

/** A plugin for `app.register`. It is encapsulated: your parsers, hooks and error handlers stay unchanged. */
export type FastifyApi = (app: FastifyInstance, options: FastifyApiOptions) => Promise<void>

/** Serves the application API: `app.register(applicationApi, { gamification, prefix: '/v1' })`. */
export const applicationApi: FastifyApi = (app, options) => serveKeys('applicationApi', app, applicationRoutes, options)

/** Serves the admin API: `app.register(adminApi, { gamification, prefix: '/admin/v1' })`. */
export const adminApi: FastifyApi = (app, options) => serveKeys('adminApi', app, adminRoutes, options)

export interface UserApiOptions
  extends SessionOptions,
    SessionReaders<FastifyRequest>,
    Pick<FastifyApiOptions, 'gamification' | 'prefix'> {}

/**
 * Serves the calls of the signed-in user to the app's own pages. It needs no key: `user` reads the session, and no call can
 * name another user. Writes are accepted as JSON from pages of the app only. Register it after the session:
 * `app.register(userApi, { gamification, prefix: '/game', user: (request) => … })`.
 */
export const userApi = async (app: FastifyInstance, options: UserApiOptions): Promise<void> => {
  checkRegistered('userApi', options)
  const handle = serveSessions(options.gamification, options, OF_FASTIFY)
  register(app, userRoutes.routes, (request, place, body) => handle(fromNode(request.raw, place, body), request))
}

async function serveKeys(name: string, app: FastifyInstance, api: HttpApi, options: FastifyApiOptions): Promise<void> {
  checkRegistered(name, options)
  const handle = serve(options.gamification, api, options, OF_FASTIFY)
  register(app, api.routes, ({ raw }, place, body) => handle(fromNode(raw, place, body)))
}
