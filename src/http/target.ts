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
  if (prefix === '' || /^\/.*[^/]$/.test(prefix)) return prefix
  throw new TypeError(`The prefix ${JSON.stringify(prefix)} must begin with a slash and not end with one: write '/v1'.`)
}
