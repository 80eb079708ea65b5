import { useEffect, useState } from 'preact/hooks'

/** The URL of the console, from `<base>`. It ends with a slash. */
export const MOUNT: URL = new URL(document.baseURI)
const BASE = MOUNT.pathname

/** The address below the mount point: decoded segments and the query. */
export interface PageAddress {
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** The address of a page: `toPath(['users', '18'])`. It keeps the tenant. */
export function toPath(segments: readonly string[], query: { readonly [name: string]: string | null } = {}): string {
  const whole = { ...query, tenant: query.tenant ?? new URLSearchParams(location.search).get('tenant') }
  const given = Object.entries(whole).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== '')
  return join(BASE + segments.map(encodeURIComponent).join('/'), new URLSearchParams(given))
}

function join(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`
}

/** The address of this page with changes to the query. `null` removes a parameter. */
export function withQuery(changes: { readonly [name: string]: string | null }): string {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  return join(location.pathname, query)
}

/** Goes to a page of the console without reloading the document. */
export function navigate(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The current address. */
export function useAddress(): PageAddress {
  const [address, setAddress] = useState(readAddress)
  useEffect(() => {
    const update = (): void => setAddress(readAddress())
    addEventListener('popstate', update)
    document.addEventListener('click', followLink)
    return () => {
      removeEventListener('popstate', update)
      document.removeEventListener('click', followLink)
    }
  }, [])
  return address
}

function readAddress(): PageAddress {
  const { pathname, search } = location
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : ''
  return { segments: below.split('/').filter(Boolean).map(decode), query: new URLSearchParams(search) }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Opens links to pages of the console without reloading the document. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
  if (!link.pathname.startsWith(BASE) || link.pathname.startsWith(`${BASE}api/`)) return
  if (link.hash !== '' && link.pathname === location.pathname) return
  event.preventDefault()
  navigate(link.pathname + link.search)
}

/** The properties of a page: the second segment of its address, or an empty text, and the query. */
export interface PageOf {
  readonly id: string
  readonly query: URLSearchParams
}
