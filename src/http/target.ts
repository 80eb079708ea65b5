import { GamificationError } from '../errors.ts'

/**
 * The part of a URL after the prefix under which an API is served, with its query; null when it lies elsewhere. `url` may
 * be absolute, as clients send it to a proxy.
 */
export function toTarget(url: string, prefix: string): string | null {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  if (prefix === '') return target
  if (!target.startsWith(prefix)) return null
  const rest = target.slice(prefix.length)
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : null
}

/** Throws when a prefix cannot be one: it begins with a slash and does not end with one, or is empty. */
export function checkPrefix(prefix: string): string {
  if (prefix === '' || (typeof prefix === 'string' && /^\/.*[^/]$/.test(prefix))) return prefix
  throw wrongPrefix(prefix, 'must begin with a slash and not end with one')
}

/** The same, for a framework to which some characters mean more. */
export function checkPlainPrefix(prefix: string): string {
  if (/[:*]/.test(prefix)) throw wrongPrefix(prefix, 'must be a plain path, without parameters')
  return checkPrefix(prefix)
}

function wrongPrefix(prefix: unknown, rule: string): GamificationError {
  return new GamificationError('invalid_request', `The prefix ${JSON.stringify(prefix)} ${rule}: write '/v1'.`)
}
