import { CONFIGURATION_TAG } from '../api/endpoint.ts'
import { HttpProblem } from './problem.ts'
import type { HttpApi, Route } from './route.ts'

/** A route with the request's path parameters, or `null` if the percent-encoding of one cannot be read. */
export interface Match {
  readonly route: Route
  readonly params: { readonly [name: string]: string } | null
}

export type Dispatch = (method: string, path: string) => Match

interface Pattern {
  readonly segments: readonly string[]
  readonly routes: ReadonlyMap<string, Route>
}

export type OtherApi = Pick<HttpApi, 'title' | 'routes'>

/** Finds the route of a request. Throws what answers 404 for an unknown path, 405 for a known one. */
export function createDispatch(routes: readonly Route[], other: OtherApi | null = null): Dispatch {
  const find = createFinder(routes)
  const findElsewhere = createFinder(other?.routes ?? [])

  return (method, path) => {
    const found = find(path)
    if (found === null) {
      const isElsewhere = findElsewhere(path) !== null
      const hint = isElsewhere ? `: it is a path of the ${other?.title}.` : hintAt(path, find)
      throw new HttpProblem('unknown_path', `There is nothing at this path${hint}`)
    }
    const { pattern, segments } = found
    // The bindings leave the body of an answer to HEAD out.
    const route = pattern.routes.get(method === 'HEAD' ? 'GET' : method)
    if (route !== undefined) return { route, params: toParams(pattern, segments) }
    const allowed = [...pattern.routes.keys()].flatMap((own) => (own === 'GET' ? ['GET', 'HEAD'] : [own])).join(', ')
    const isOfGame = [...pattern.routes.values()].every(({ tag }) => tag === CONFIGURATION_TAG)
    const message = `This path takes ${allowed} only.${isOfGame ? GAME_IS_CODE : ''}`
    throw new HttpProblem('method_not_allowed', message, { headers: { allow: allowed } })
  }
}

const GAME_IS_CODE = ' The game is code here: change its definition, and deploy it.'

interface Found {
  readonly pattern: Pattern
  readonly segments: readonly (string | null)[]
}

/** `isSame` compares a segment that is no parameter. Returns `null` if no route has such a path. */
type Finder = (path: string, isSame?: (own: string, given: string | null) => boolean) => Found | null

function isEqual(own: string, given: string | null): boolean {
  return own === given
}

/** No path of a route has as many. */
const MOST_SEGMENTS = 20

function createFinder(routes: readonly Route[]): Finder {
  const patterns = [...Map.groupBy(routes, ({ path }) => path)].map(([path, own]): Pattern => {
    return { segments: toSegments(path), routes: new Map(own.map((route) => [route.method, route])) }
  })
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length)
  return (path, isSame = isEqual) => {
    const segments = toSegments(path).map(decode)
    const pattern = byLength.get(segments.length)?.find((candidate) => isMatch(candidate, segments, isSame))
    return pattern === undefined ? null : { pattern, segments }
  }
}

/** The end of the sentence about an unknown path: the path that was probably meant. */
function hintAt(path: string, find: Finder): string {
  if (path.endsWith('/') && find(path.slice(0, -1)) !== null) return ': leave out the slash at its end.'
  const near = find(path, isNear)
  if (near === null || path.length > MOST_QUOTED) return '.'
  const given = toSegments(path)
  const meant = near.pattern.segments.map((own, index) => (isParam(own) ? given[index] : own))
  return `; did you mean /${meant.join('/')}?`
}

const MOST_QUOTED = 200

function isNear(own: string, given: string | null): boolean {
  const toRoot = (word: string): string => word.toLowerCase().replace(/s$/, '')
  return given !== null && toRoot(own) === toRoot(given)
}

function toSegments(path: string): readonly string[] {
  return path.split('/', MOST_SEGMENTS).slice(1)
}

/**
 * Decodes each segment on its own, so that a slash in an id stays part of it. Returns `null` if it cannot be decoded.
 */
function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

function isParam(segment: string): boolean {
  return segment.startsWith('{')
}

/** `segments`: as many as the pattern has. */
function isMatch(
  { segments: names }: Pattern,
  segments: readonly (string | null)[],
  isSame: (own: string, given: string | null) => boolean,
): boolean {
  return names.every((name, index) => (isParam(name) ? segments[index] !== '' : isSame(name, segments[index] ?? null)))
}

function toParams(
  { segments: names }: Pattern,
  segments: readonly (string | null)[],
): { readonly [name: string]: string } | null {
  const params: [string, string][] = []
  for (const [index, name] of names.entries()) {
    if (!isParam(name)) continue
    const value = segments[index] ?? null
    if (value === null || value.includes('\0')) return null
    params.push([name.slice(1, -1), value])
  }
  return Object.fromEntries(params)
}
