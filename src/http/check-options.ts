import { isWholeNumbers } from '../answers/whole-numbers.ts'
import { GamificationError } from '../errors.ts'
import type { DefinedGame } from '../game/define-game.ts'
import type { Gamification } from '../gamification.ts'
import { checkOptions, describeGiven, hasMethods, invalidOption } from '../options.ts'

const ORIGINS = "a list of origins as browsers send them, ['https://app.example.com']"

/** Rejects what cannot be served, and unknown options; `own`: the options of the binding. */
export function checkServing(gamification: unknown, options: unknown, own: readonly string[]): void {
  checkServed(gamification, options, ['cors', ...own])
  const { cors } = options as { readonly [name: string]: unknown }
  if (cors !== undefined) checkCors(cors)
}

/** Rejects a call of a Fastify plugin by hand: Fastify always gives options. */
export function checkRegistered(name: string, options: unknown): void {
  if (options !== undefined) return
  const message = `${name} is a plugin of Fastify: register it, as app.register(${name}, { gamification, prefix: '/…' }).`
  throw new GamificationError('invalid_request', message)
}

/** Rejects calls without a Node response, as by frameworks with a `Request`, and by Fastify's `register`. */
export function checkNodeResponse(response: unknown): void {
  if (hasMethods(response, ['setHeader', 'end'])) return
  throw wrongBinding('(request, response), as Express and node:http call it', response)
}

/** Rejects a value that is no `Request`: Express and node:http have none. */
export function checkFetchRequest(request: unknown): void {
  const headers = typeof request === 'object' && request !== null ? Reflect.get(request, 'headers') : null
  if (hasMethods(headers, ['get'])) return
  throw wrongBinding('a Request, as Hono and Next have it', request)
}

function wrongBinding(wanted: string, given: unknown): GamificationError {
  const message =
    `This handler answers ${wanted}, and was given ${describeGiven(given)}. There are laurels/express for Express and ` +
    'node:http, laurels/fastify for Fastify, and laurels/fetch for a Request.'
  return new GamificationError('invalid_request', message)
}

/** Checks the options of the user API. It needs the option `tenant` if the game has tenants. */
export function checkSessions(gamification: unknown, options: unknown, own: readonly string[]): void {
  checkServed(gamification, options, ['user', 'tenant', 'among', 'origins', ...own])
  const { user, tenant, among, origins } = options as { readonly [name: string]: unknown }
  if (typeof user !== 'function') {
    throw invalidOption('user', "a function that answers the id of a request's user, or null", user)
  }
  if (among !== undefined && typeof among !== 'function') {
    throw invalidOption('among', "a function that answers the ids of a request's users, such as friends", among)
  }
  const { multiTenant } = (gamification as Gamification<DefinedGame>).game.rules
  if (multiTenant && typeof tenant !== 'function') {
    throw invalidOption('tenant', "a function that answers a request's tenant, for the game has tenants", tenant)
  }
  if (!multiTenant && tenant !== undefined)
    throw invalidOption('tenant', 'left out, for the game has no tenants', tenant)
  if (origins !== undefined) {
    checkOrigins('origins', origins, ORIGINS, [])
  }
}

/** The same for the console, which needs the host's `authorize`. */
export function checkConsole(gamification: unknown, options: unknown, own: readonly string[]): void {
  requireEngine(gamification)
  checkOptions('options', options, ['authorize', 'origins', ...own])
  const { authorize, origins } = options as { readonly [name: string]: unknown }
  if (origins !== undefined) checkOrigins('origins', origins, ORIGINS, [])
  if (typeof authorize === 'function' || hasMethods(authorize, ['open', 'access'])) return
  throw invalidOption('authorize', "a function that answers 'read', 'write', or null for no access", authorize)
}

/** Throws if the value is not a list, or if a member is not an origin that a browser would send for a page. */
function checkOrigins(name: string, origins: unknown, wanted: string, others: readonly string[]): void {
  if (!Array.isArray(origins)) throw invalidOption(name, wanted, origins)
  for (const [index, origin] of origins.entries()) {
    if (isOrigin(origin) || others.includes(origin)) continue
    throw invalidOption(`${name}[${index}]`, "a scheme and a host as 'https://app.example.com', without a path", origin)
  }
}

/** Without a path, and not `null`, which any page can be made to send. */
function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s*]+$/.test(origin)
}

function checkServed(gamification: unknown, options: unknown, own: readonly string[]): void {
  requireEngine(gamification)
  checkOptions('options', options, ['bodyLimit', 'rateLimit', 'wholeNumbers', ...own])
  const { bodyLimit, rateLimit, wholeNumbers } = options as { readonly [name: string]: unknown }
  if (rateLimit !== undefined && typeof rateLimit !== 'function') {
    throw invalidOption('rateLimit', 'a function that answers null, or { retryAfter } in seconds', rateLimit)
  }
  if (bodyLimit !== undefined && !(typeof bodyLimit === 'number' && bodyLimit >= 0)) {
    throw invalidOption('bodyLimit', 'a number of bytes', bodyLimit)
  }
  if (wholeNumbers !== undefined && !isWholeNumbers(wholeNumbers)) {
    throw invalidOption('wholeNumbers', "'round' or 'floor'", wholeNumbers)
  }
}

function requireEngine(gamification: unknown): void {
  if (hasMethods(gamification, ['authenticate', 'tenant'])) return
  const message = `An API was given ${describeGiven(gamification)}: give it what createGamification({ … }) returns.`
  throw new GamificationError('invalid_request', message)
}

function checkCors(cors: unknown): void {
  checkOptions('option cors', cors, ['origins'])
  const { origins } = cors as { readonly origins?: unknown }
  if (origins === '*') return
  checkOrigins('cors.origins', origins, "a list of origins as ['https://app.example.com'], or '*'", ['null'])
}
