import type { ConsoleAccess } from '../../src/http/callers.ts'
import type { HttpRequest, HttpResponse } from '../../src/http/exchange.ts'
import { checkConsole, readAccess, serveConsole } from '../../src/http/index.ts'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { readVersion } from '../version.ts'
import { type Assets, readAssets, toAssetResponse } from './assets.ts'
import { NEVER_KEPT, SECURITY } from './headers.ts'
import type { OneTimeLink } from './one-time-link.ts'
import { plainPage } from './plain-page.ts'

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
