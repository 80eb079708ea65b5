import { Problem } from './problem.ts'
import type { Route } from './route.ts'

/** A route with the request's path parameters; null where the percent-encoding of one cannot be read. */
export interface Match {
  readonly route: Route
  readonly params: { readonly [name: string]: string } | null
}

export type Dispatch = (method: string, path: string) => Match

interface Pattern {
  readonly segments: readonly string[]
  readonly routes: ReadonlyMap<string, Route>
}

/** Finds the route of a request. Throws what answers 404 for an unknown path, 405 for a known one. */
export function createDispatch(routes: readonly Route[]): Dispatch {
  const patterns = [...new Set(routes.map(({ path }) => path))].map((path): Pattern => {
    const own = routes.filter((route) => route.path === path)
    return { segments: toSegments(path), routes: new Map(own.map((route) => [route.method, route])) }
  })

  const longest = Math.max(...patterns.map(({ segments }) => segments.length))
  /** By how many segments they have, from 0. */
  const byLength = Array.from({ length: longest + 1 }, (_, length) =>
    patterns.filter(({ segments }) => segments.length === length),
  )

  return (method, path) => {
    // One more than any path has: what is longer is unknown, however long it is.
    const segments = toSegments(path, longest + 1).map(decode)
    const pattern = byLength[segments.length]?.find((candidate) => isMatch(candidate, segments))
    if (pattern === undefined) throw new Problem('unknown_path', 'There is nothing at this path.')
    // The bindings leave the body of an answer to HEAD out.
    const route = pattern.routes.get(method === 'HEAD' ? 'GET' : method)
    if (route !== undefined) return { route, params: toParams(pattern, segments) }
    const allowed = [...pattern.routes.keys()].flatMap((own) => (own === 'GET' ? ['GET', 'HEAD'] : [own])).join(', ')
    throw new Problem('method_not_allowed', `This path takes ${allowed} only.`, { headers: { allow: allowed } })
  }
}

function toSegments(path: string, most?: number): readonly string[] {
  return path.split('/', most === undefined ? undefined : most + 1).slice(1)
}

/** Each segment on its own, so that a slash in an id stays one. null: it cannot be read. */
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

/** Of a pattern of the same length. */
function isMatch(pattern: Pattern, segments: readonly (string | null)[]): boolean {
  return pattern.segments.every((segment, index) =>
    isParam(segment) ? segments[index] !== '' : segment === segments[index],
  )
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
