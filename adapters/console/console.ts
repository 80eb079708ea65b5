import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { GamificationError } from '../../src/errors.ts'
import type { HttpRequest, HttpResponse } from '../../src/http/exchange.ts'
import { checkConsole, readAccess, serveConsole } from '../../src/http/index.ts'
import type { ConsoleAccess } from '../../src/http/options.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { readVersion } from '../version.ts'
import type { OneTimeLink } from './one-time-link.ts'

type Headers = { readonly [name: string]: string }

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** On every response below the mount point: pages load nothing from other origins, and no other site may frame them. */
export const SECURITY: Headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** For files that have a hash in their name. */
const FOREVER: Headers = { 'cache-control': 'public, max-age=31536000, immutable' }
const NEVER_KEPT: Headers = { 'cache-control': 'no-store' }

type Bytes = Uint8Array<ArrayBuffer>

/** One file of the built pages. The package has it compressed with Brotli only. */
export interface Asset {
  readonly type: string
  readonly brotli: Bytes
}

/** The built pages, read once: no request reaches the file system. */
export interface Assets {
  /** By name. */
  readonly files: ReadonlyMap<string, Asset>
  /** index.html, for a document below `base`. */
  index(base: string): string
}

const TYPES: { readonly [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** A name with a hash of the content, so that browsers may cache the file permanently. */
const NAME = /^(?<name>[\w-]+-[\w-]{8}\.(?<extension>\w+))\.br$/
const BASE = /<base href="[^"]*" ?\/?>/

/** Beside this module in the package. When laurels runs from sources, in the output of `npm run build`. */
const PLACES: readonly URL[] = [new URL('./console', import.meta.url), new URL('../../dist/console', import.meta.url)]

/** Reads the built pages. Throws if there are none. */
function readAssets(given: string | undefined): Assets {
  const places = given === undefined ? PLACES.map((place) => fileURLToPath(place)) : [given]
  const directory = places.find((place) => existsSync(join(place, 'index.html')))
  if (directory === undefined) throw missing(places[0] ?? '')
  const [before, after, ...more] = readFileSync(join(directory, 'index.html'), 'utf8').split(BASE)
  if (before === undefined || after === undefined || more.length > 0) throw missing(directory)
  const files = readdirSync(directory).flatMap((file): [string, Asset][] => {
    const { name, extension = '' } = NAME.exec(file)?.groups ?? {}
    const type = TYPES[extension]
    if (name === undefined || type === undefined) return []
    return [[name, { type, brotli: readFileSync(join(directory, file)) }]]
  })
  return { files: new Map(files), index: (base) => `${before}<base href="${escapeHtml(base)}" />${after}` }
}

function missing(place: string): GamificationError {
  return new GamificationError(
    'internal',
    `The console's pages are missing from ${place}. In a checkout of laurels, run npm run build. If you bundle your server, keep laurels external.`,
  )
}

const ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }))

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '')
}

/** `accepted` is the header Accept-Encoding. Browsers accept Brotli over HTTPS and on localhost. */
function toAssetResponse({ type, brotli }: Asset, accepted: string | undefined): HttpResponse {
  const headers = { 'content-type': type, vary: 'Accept-Encoding', ...FOREVER }
  if (takes(accepted, 'br')) return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: brotli }
  return { status: 200, headers, body: brotliDecompressSync(brotli) }
}

function takes(accepted: string | undefined, coding: string): boolean {
  return (accepted ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

/** A page without scripts and styles that repeats nothing of the request. */
function plainPage(status: number, title: string, text: string, headers: HttpResponse['headers'] = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...NEVER_KEPT, ...headers },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`,
  }
}

/** `read`: may look. `write`: may also make changes. `null` or `undefined`: may not see the console. */
export type Authorized = ConsoleAccess | null | undefined

/**
 * Decides the rights of the sender of a request. The console calls it for each page and for each request that a page
 * sends. There is no default. If it throws, the response is 500 and the error is logged.
 */
export type Authorize<Request> = (request: Request) => Authorized | Promise<Authorized>

/** Settings that only tests and the command line use. */
export interface ConsoleOverrides {
  /** The directory of the built pages. */
  readonly directory?: string
  /** The tenant that the pages show first. */
  readonly tenant?: string | null
}

/** A request as a binding passes it. */
export interface ConsoleVisit<Request> {
  /** The part of the URL after the mount point. `null` if the request is not for the console. */
  readonly target: string | null
  /** The path as sent, including the mount point. */
  readonly path: string
  /** The framework's request, for `authorize`. */
  readonly original: Request
  read(target: string): HttpRequest
}

export type Console<Request> = (visit: ConsoleVisit<Request>) => Promise<HttpResponse | null>

/** The console that all bindings mount. `own` names the binding's options. Throws if options are invalid or pages are missing. */
export function createConsole<Request, G extends DefinedGame>(
  gamification: Gamification<G>,
  options: { readonly authorize: Authorize<Request> | OneTimeLink; readonly origins?: readonly string[] },
  own: readonly string[],
  { directory, tenant = null }: ConsoleOverrides = {},
): Console<Request> {
  checkConsole(gamification, options, own)
  const { authorize, origins } = options
  const link = typeof authorize === 'function' ? null : authorize
  const assets = readAssets(directory)
  const api = serveConsole(gamification, { version: readVersion(), tenant, ...(origins && { origins }) })

  return async ({ target, path, original, read }) => {
    if (target === null) return secured(NOWHERE)
    const request = read(target)
    const access = (): unknown => (typeof authorize === 'function' ? authorize(original) : authorize.access(request))
    if (/^\/api(?:[/?]|$)/.test(target)) return secured(await api(request, { access }))
    try {
      const entered = link && enter(link, request, path)
      if (entered !== null) return secured(entered)
      const caller = await readAccess({ access })
      return secured(caller === null ? NOBODY : show(assets, request, path))
    } catch (err) {
      log(gamification.logger, err)
      return secured(FAULT)
    }
  }
}

const NOBODY = plainPage(
  401,
  'You are not signed in',
  'Sign in with an account that may see this console, then open this page again.',
)
const NOWHERE = plainPage(404, 'Not found', 'There is no page at this address.')
const NOT_TAKEN = plainPage(405, 'Method not allowed', 'This address answers only GET and HEAD.', {
  allow: 'GET, HEAD',
})
const FAULT = plainPage(500, 'Something went wrong', 'The server log has the details.')
const OLD_LINK = plainPage(
  401,
  'This link is no longer valid',
  'A link can be opened once, within ten minutes. Start the console again to get a new link.',
)

function secured(response: HttpResponse | null): HttpResponse | null {
  return response === null ? null : { ...response, headers: { ...response.headers, ...SECURITY } }
}

/** Exchanges the token of a one-time link for a cookie and redirects without the token. `null` if there is no token. */
function enter(link: OneTimeLink, request: HttpRequest, path: string): HttpResponse | null {
  const [place = '', query = ''] = request.target.split('?', 2)
  if (place !== '' && place !== '/') return null
  const token = new URLSearchParams(query).get('token')
  if (token === null) return null
  const cookie = request.method === 'GET' ? link.open(token) : null
  if (cookie === null && link.access(request) === null) return OLD_LINK
  const headers = { ...NEVER_KEPT, location: toBase(place, path), ...(cookie === null ? {} : { 'set-cookie': cookie }) }
  return { status: 303, headers, body: '' }
}

/** Pages of the console have fewer. */
const MOST_SEGMENTS = 8

function show(assets: Assets, request: HttpRequest, path: string): HttpResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_TAKEN
  const [place = ''] = request.target.split('?', 1)
  const [, first = '', ...more] = place.split('/', MOST_SEGMENTS + 1)
  const asset = more.length === 0 ? assets.files.get(first) : undefined
  if (asset !== undefined) return toAssetResponse(asset, request.header('accept-encoding'))
  // No page has a dot in its first segment. The request is for a file of another version, for example.
  if (first.includes('.') || more.length >= MOST_SEGMENTS - 1) return NOWHERE
  const headers = { 'content-type': 'text/html; charset=utf-8', ...NEVER_KEPT }
  return { status: 200, headers, body: assets.index(toBase(place, path)) }
}

/**
 * The relative path from a page to the mount point. It works behind a proxy that rewrites addresses, without trusting any
 * header.
 */
function toBase(place: string, path: string): string {
  const depth = place.split('/').length - 2
  if (depth >= 0) return depth === 0 ? './' : '../'.repeat(depth)
  // At the mount point without a trailing slash.
  const [own = ''] = path.split('?', 1)
  return `./${own.slice(own.lastIndexOf('/') + 1)}/`
}

function log(logger: Gamification<DefinedGame>['logger'], err: unknown): void {
  try {
    logger.error({ err }, 'The console failed.')
  } catch {
    // A failing logger must not fail the request.
  }
}
