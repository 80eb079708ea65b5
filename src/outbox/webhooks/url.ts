import { isIP } from 'node:net'
import { GamificationError } from '../../errors.ts'
import { quote, suggest } from '../../game/suggest.ts'
import { isInside } from './addresses.ts'
import { readSecret, SECRET_RULE } from './signed-request.ts'

export const MOST_IN_URL = 2_048

/**
 * What is wrong with the address of a webhook, as the rest of a sentence; null: nothing that can be known before the
 * name is resolved.
 */
export function urlProblem(text: string, allowInternal: boolean): string | null {
  if (text.length > MOST_IN_URL) return `must have at most ${MOST_IN_URL} characters`
  const url = URL.parse(text)
  if (url === null) return 'must be a URL, as https://example.com/hooks'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must have no user and no password in it'
  if (url.hash !== '') return 'must have no fragment (#): it is never sent'
  if (!allowInternal && isLiteralInside(url)) return 'must not be an internal address, unless allowInternal is given'
  return null
}

/** The host as sockets take it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Whether the host, as it is written, is internal. Names are resolved only when something is sent. */
export function isLiteralInside(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return isInside(host)
  return host === 'localhost' || host.endsWith('.localhost')
}

function refuse(path: string, message: string): never {
  throw new GamificationError('invalid_request', `Invalid webhook: ${path}: ${message}`, {
    issues: [{ path, message }],
  })
}

/** Returns the URL as requests use it. */
export function checkUrl(url: string, allowInternal: boolean): string {
  const problem = urlProblem(url, allowInternal)
  if (problem !== null) refuse('url', problem)
  return new URL(url).href
}

export function checkSecret(secret: string | undefined): void {
  // Never repeated, not even a wrong one.
  if (secret !== undefined && readSecret(secret) === null) refuse('secret', SECRET_RULE)
}

export function checkTypes(types: readonly string[], known: readonly string[]): void {
  for (const [index, type] of types.entries()) {
    if (known.includes(type)) continue
    const near = suggest(type, known)
    const help = near === null ? `there are ${known.join(', ')}` : `did you mean ${quote(near)}?`
    refuse(`types[${index}]`, `there is no message of the type ${quote(type)}; ${help}`)
  }
}
