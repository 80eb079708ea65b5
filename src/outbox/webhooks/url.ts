import { isIP } from 'node:net'
import { isInside } from './addresses.ts'

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
