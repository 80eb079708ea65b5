import { BlockList, isIP } from 'node:net'

/** Ranges outside the public internet. One list for both families would compare addresses of one with the other. */
const INSIDE_V4: BlockList = new BlockList()
const INSIDE_V6: BlockList = new BlockList()

const RANGES_V4: readonly (readonly [net: string, prefix: number])[] = [
  // This host.
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local. Cloud providers serve credentials there.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Documentation.
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  // Benchmarks.
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const RANGES_V6: readonly (readonly [net: string, prefix: number])[] = [
  // Only 2000::/3 is public: loopback, unique local, link-local, site-local and multicast lie outside it.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Teredo, ORCHID, benchmarks and other protocol assignments.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
]

/** IPv6 addresses from which a router takes an IPv4 address: mapped, through NAT64, and 6to4. */
const TRANSLATED: BlockList = new BlockList()
TRANSLATED.addSubnet('::ffff:0.0.0.0', 96, 'ipv6')
TRANSLATED.addSubnet('64:ff9b::', 96, 'ipv6')
TRANSLATED.addSubnet('2002::', 16, 'ipv6')

/** Translated addresses that lead to these ranges of IPv4. */
const INSIDE_TRANSLATED: BlockList = new BlockList()

for (const [net, prefix] of RANGES_V6) INSIDE_V6.addSubnet(net, prefix, 'ipv6')
for (const [net, prefix] of RANGES_V4) {
  INSIDE_V4.addSubnet(net, prefix, 'ipv4')
  INSIDE_TRANSLATED.addSubnet(`::ffff:${net}`, 96 + prefix, 'ipv6')
  INSIDE_TRANSLATED.addSubnet(`64:ff9b::${net}`, 96 + prefix, 'ipv6')
  const [a = 0, b = 0, c = 0, d = 0] = net.split('.').map(Number)
  INSIDE_TRANSLATED.addSubnet(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`, 16 + prefix, 'ipv6')
}

/** True if an address leads to this machine, its network or nowhere. Returns `true` for text that is no address. */
export function isInside(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  if (family === 4) return INSIDE_V4.check(address, 'ipv4')
  const [plain = ''] = address.split('%')
  return (TRANSLATED.check(plain, 'ipv6') ? INSIDE_TRANSLATED : INSIDE_V6).check(plain, 'ipv6')
}

export const MOST_IN_URL = 2_048

/** The problem with a URL, as the rest of a sentence. Returns `null` if none shows before the name is resolved. */
export function urlProblem(text: string, allowInternal: boolean): string | null {
  if (text.length > MOST_IN_URL) return `must have at most ${MOST_IN_URL} characters`
  const url = URL.parse(text)
  if (url === null) return 'must be a URL, as https://example.com/hooks'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must have no user and no password in it'
  if (url.hash !== '') return 'must have no fragment (#): it is never sent'
  if (!allowInternal && isLiteralInside(url))
    return 'must not be an internal address, unless allowInternal (--allow-internal) is given'
  if (!allowInternal && url.protocol === 'http:')
    return 'must begin with https://, unless allowInternal (--allow-internal) is given'
  return null
}

/** The host for a socket: an IPv6 address has no brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** True if the host in the URL is an internal address. Names are resolved only when something is sent. */
export function isLiteralInside(url: URL): boolean {
  const host = hostOf(url)
  if (isIP(host) !== 0) return isInside(host)
  return host === 'localhost' || host.endsWith('.localhost')
}
