import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestTarget } from '../../src/http/exchange.ts'
import {
  checkPlainPrefix,
  type HttpApi,
  type HttpResponse,
  holdBody,
  isStream,
  toTarget,
} from '../../src/http/index.ts'

/** Options of a plugin that do not belong to the API; Fastify reads some of them itself. */
export const OF_FASTIFY: readonly string[] = ['gamification', 'prefix', 'logLevel', 'logSerializers', 'encapsulate']

/** Has Fastify hand on what lies below the prefix of a plugin: its routes, and whatever else is asked for there. */
export function register(
  app: FastifyInstance,
  routes: HttpApi['routes'],
  handle: (request: FastifyRequest, place: RequestTarget, body: Readable) => Promise<HttpResponse | null>,
): void {
  const prefix = checkPlainPrefix(app.prefix)
  const undecodable = showDecodable(app.server, prefix)
  const release = new WeakMap<IncomingMessage, () => void>()

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { raw, body } = request
    const target = toTarget(undecodable.get(raw) ?? raw.url ?? '/', prefix)
    const place = { base: prefix, target }
    const response = await handle(request, place, body instanceof Readable ? body : raw)
    release.get(raw)?.()
    if (response === null) {
      reply.hijack()
      raw.socket.destroy()
      return reply
    }
    const { status, headers, body: answered } = response
    // Fastify destroys the stream if the client has gone, and that ends it.
    return reply
      .code(status)
      .headers(headers)
      .send(isStream(answered) ? Readable.from(answered) : answered)
  }

  // The body is read by the handler, after the key was found valid.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('preParsing', async ({ raw }, _reply, payload: Readable) => {
    release.set(raw, holdBody(payload))
    // A host may have put a stream of its own there, which may break before anybody reads it.
    payload.on('error', () => undefined)
    // Fastify would refuse it before the key is looked at, and without the host's further hooks.
    if (!MEDIA_TYPE.test(raw.headers['content-type'] ?? '')) {
      delete raw.headers['content-type']
      setTypeOfQuery(raw)
    }
    return payload
  })
  for (const { method, path, isPublic } of routes) {
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
 * Fastify answers a path that it cannot decode before it runs our routes. So this replaces such a path, and returns a
 * map to the original path.
 */
function showDecodable(server: FastifyInstance['server'], prefix: string): WeakMap<IncomingMessage, string> {
  const undecodable = new WeakMap<IncomingMessage, string>()
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '/' } = request
    const [path = ''] = url.split('?', 1)
    if (toTarget(path, prefix) === null) return
    setTypeOfQuery(request)
    if (isDecodable(path)) return
    undecodable.set(request, url)
    request.url = `${prefix}/undecodable`
  })
  return undecodable
}

/** Fastify refuses a QUERY without a type itself; no route of ours takes one, whatever its type. */
function setTypeOfQuery({ method, headers }: IncomingMessage): void {
  if (method === 'QUERY') headers['content-type'] ??= 'application/json'
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
