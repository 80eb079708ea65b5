import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GamificationError } from '../../src/errors.ts'
import type { ConsoleAccess } from '../../src/http/callers.ts'
import type { HttpRequest, HttpResponse } from '../../src/http/exchange.ts'
import { checkConsole, readAccess, serveConsole } from '../../src/http/index.ts'
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

/** On every answer below the mount, whatever it is: nothing of elsewhere runs here, and nobody frames or reads it. */
export const SECURITY: Headers = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Of what has the same name only as long as it is the same. */
const FOREVER: Headers = { 'cache-control': 'public, max-age=31536000, immutable' }
const NEVER_KEPT: Headers = { 'cache-control': 'no-store' }

type Bytes = Uint8Array<ArrayBuffer>

/** One file of the built pages, as it is sent. */
export interface Asset {
  readonly type: string
  readonly bytes: Bytes
  /** What is sent to who takes it compressed. */
  readonly brotli: Bytes | null
  readonly gzip: Bytes | null
}

/** All that the pages consist of, read once: no path of a request ever reaches the file system. */
export interface Assets {
  /** By their names. */
  readonly files: ReadonlyMap<string, Asset>
  /** index.html, for a document below `base`. */
  index(base: string): string
}

const TYPES: { readonly [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** Only what has a hash in its name: whoever has it has what it will always be. */
const NAME = /^[\w-]+-[\w-]{8}\.(?<extension>\w+)$/
const BASE = /<base href="[^"]*" ?\/?>/

/** Beside this module in the package; from sources, where `npm run build` leaves them. */
const PLACES: readonly URL[] = [new URL('./console', import.meta.url), new URL('../../dist/console', import.meta.url)]

/** Reads the built pages. Throws where there are none. */
function readAssets(given: string | undefined): Assets {
  const places = given === undefined ? PLACES.map((place) => fileURLToPath(place)) : [given]
  const directory = places.find((place) => existsSync(join(place, 'index.html')))
  if (directory === undefined) throw missing(places[0] ?? '')
  const [before, after, ...more] = readFileSync(join(directory, 'index.html'), 'utf8').split(BASE)
  if (before === undefined || after === undefined || more.length > 0) throw missing(directory)
  return {
    files: readFiles(directory),
    index: (base) => `${before}<base href="${escapeHtml(base)}" />${after}`,
  }
}

function readFiles(directory: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(directory)
  const read = (name: string): Bytes | null => (names.includes(name) ? readFileSync(join(directory, name)) : null)
  return new Map(
    names.flatMap((name): [string, Asset][] => {
      const type = TYPES[NAME.exec(name)?.groups?.extension ?? '']
      const bytes = type === undefined ? null : read(name)
      if (type === undefined || bytes === null) return []
      return [[name, { type, bytes, brotli: read(`${name}.br`), gzip: read(`${name}.gz`) }]]
    }),
  )
}

function missing(place: string): GamificationError {
  return new GamificationError(
    'internal',
    `The pages of the console are not at ${place}. In a checkout of laurels make them: npm run build. A bundler has to leave laurels as a package of its own (external).`,
  )
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The file as whoever asks takes it: `accepted` is the header Accept-Encoding. */
function toAssetResponse({ type, bytes, brotli, gzip }: Asset, accepted: string | undefined): HttpResponse {
  const headers = { 'content-type': type, vary: 'Accept-Encoding', ...FOREVER }
  if (brotli !== null && takes(accepted, 'br')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: brotli }
  }
  if (gzip !== null && takes(accepted, 'gzip')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzip }
  }
  return { status: 200, headers, body: bytes }
}

function takes(accepted: string | undefined, coding: string): boolean {
  return (accepted ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}

/** A page without scripts or styles, for who is not let in or came to nowhere. Nothing of the request is in it. */
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

/** `read`: looks; `write`: changes things too; null or undefined: may not see it. */
export type Authorized = ConsoleAccess | null | undefined

/**
 * Says of each request what its sender may do in the console: of its pages, and of each call that they make. There is no
 * default. What it throws is answered with 500 and logged.
 */
export type Authorize<Request> = (request: Request) => Authorized | Promise<Authorized>

/** For tests and for the command line. */
export interface ConsoleSettings {
  /** Where the built pages are. */
  readonly directory?: string
  /** The tenant that the pages begin with. */
  readonly tenant?: string | null
}

/** A request as a binding has it. */
export interface Visit<Request> {
  /** What follows the mount point; null: elsewhere. */
  readonly target: string | null
  /** The path as it was sent, mount point included. */
  readonly path: string
  /** The framework's own, for the host. */
  readonly original: Request
  read(target: string): HttpRequest
}

export type Console<Request> = (visit: Visit<Request>) => Promise<HttpResponse | null>

interface ConsoleParts {
  readonly assets: Assets
  readonly link: OneTimeLink | null
}

/** What all bindings mount; `own` are the options of the binding. Throws for options that cannot be, and without pages. */
export function createConsole<Request, G extends DefinedGame>(
  gamification: Gamification<G>,
  options: { readonly authorize: Authorize<Request> | OneTimeLink; readonly origins?: readonly string[] },
  own: readonly string[],
  { directory, tenant = null }: ConsoleSettings = {},
): Console<Request> {
  checkConsole(gamification, options, own)
  const { authorize, origins } = options
  const link = typeof authorize === 'function' ? null : authorize
  const parts: ConsoleParts = { assets: readAssets(directory), link }
  const api = serveConsole(gamification, { version: readVersion(), tenant, ...(origins && { origins }) })

  return async ({ target, path, original, read }) => {
    if (target === null) return secured(NOWHERE)
    const request = read(target)
    const access = (): unknown => (typeof authorize === 'function' ? authorize(original) : authorize.access(request))
    if (/^\/api(?:[/?]|$)/.test(target)) return secured(await api(request, { access }))
    try {
      const entered = enter(parts, request, path)
      if (entered !== null) return secured(entered)
      const caller = await readAccess({ access })
      return secured(caller === null ? NOBODY : show(parts.assets, request, path))
    } catch (err) {
      log(gamification.logger, err)
      return secured(FAULT)
    }
  }
}

const NOBODY = plainPage(401, 'Nobody is signed in', 'Sign in as somebody who may see this console, and come again.')
const NOWHERE = plainPage(404, 'Not found', 'There is nothing at this address.')
const NOT_TAKEN = plainPage(405, 'Not taken', 'This address is for looking at.', { allow: 'GET, HEAD' })
const FAULT = plainPage(500, 'Something went wrong', 'The log of the server says what.')
const OLD_LINK = plainPage(
  401,
  'This link opens nothing',
  'It can be opened once, within ten minutes, and was used or is too old. Start the console again for another.',
)

function secured(response: HttpResponse): HttpResponse
function secured(response: HttpResponse | null): HttpResponse | null
function secured(response: HttpResponse | null): HttpResponse | null {
  return response === null ? null : { ...response, headers: { ...response.headers, ...SECURITY } }
}

/** Whoever comes by a one-time link gets a cookie for it, and goes on without the token. null: nobody comes by one. */
function enter({ link }: ConsoleParts, request: HttpRequest, path: string): HttpResponse | null {
  const [place = '', query = ''] = request.target.split('?', 2)
  if (link === null || (place !== '' && place !== '/')) return null
  const token = new URLSearchParams(query).get('token')
  if (token === null) return null
  const cookie = request.method === 'GET' ? link.open(token) : null
  if (cookie === null && link.access(request) === null) return OLD_LINK
  const headers = { ...NEVER_KEPT, location: toBase(place, path), ...(cookie === null ? {} : { 'set-cookie': cookie }) }
  return { status: 303, headers, body: '' }
}

/** More than any page of the console has. */
const MOST_SEGMENTS = 8

function show(assets: Assets, request: HttpRequest, path: string): HttpResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_TAKEN
  const [place = ''] = request.target.split('?', 1)
  const [, first = '', ...more] = place.split('/', MOST_SEGMENTS + 1)
  const asset = more.length === 0 ? assets.files.get(first) : undefined
  if (asset !== undefined) return toAssetResponse(asset, request.header('accept-encoding'))
  // No page has a dot in its first segment: a file of another version is asked for, say.
  if (first.includes('.') || more.length >= MOST_SEGMENTS - 1) return NOWHERE
  const headers = { 'content-type': 'text/html; charset=utf-8', ...NEVER_KEPT }
  return { status: 200, headers, body: assets.index(toBase(place, path)) }
}

/**
 * The way from a page to where the console is mounted. It is relative, so that nothing has to be known, and no header
 * believed, of what a proxy made of the address.
 */
function toBase(place: string, path: string): string {
  const depth = place.split('/').length - 2
  if (depth >= 0) return depth === 0 ? './' : '../'.repeat(depth)
  // At the mount point itself, without a slash behind.
  const [own = ''] = path.split('?', 1)
  return `./${own.slice(own.lastIndexOf('/') + 1)}/`
}

function log(logger: Gamification<DefinedGame>['logger'], err: unknown): void {
  try {
    logger.error({ err }, 'The console failed.')
  } catch {
    // A logger that fails has nobody to tell.
  }
}
