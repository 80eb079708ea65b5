import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { checkPrefix, fromNode } from '../../src/http/index.ts'
import { hasMethods, invalidOption } from '../../src/options.ts'
import { listen, type RequestListener, type RoutedRequest } from '../express/listen.ts'
import { register } from '../fastify/register.ts'
import { answerAt, type FetchHandler, fromFetch } from '../fetch/answer-at.ts'
import type { Console } from './console.ts'

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

/** What a plugin is given by Fastify, for who has none of its types. */
export interface FastifyApp {
  readonly prefix: string
}

/** What there is of Fastify's request, whose type a host's function may name instead. */
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
