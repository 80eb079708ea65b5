import { ask, type RawAnswer } from './raw.ts'

interface PageCall {
  readonly port: number
  /** The origin of the page. */
  readonly origin: string
  readonly method: string
  readonly target: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  /** Which the browser has for the server, and sends where the page asks for credentials. */
  readonly cookie?: string
}

interface Seen {
  /** `null` if a simple request, which is sent without asking. */
  readonly preflight: RawAnswer | null
  /** `null` if it was never sent. */
  readonly answer: RawAnswer | null
  /** True if the page may read the answer. */
  readonly isReadable: boolean
}

const SIMPLE_METHODS = ['GET', 'HEAD', 'POST']
const SIMPLE_HEADERS = ['accept', 'accept-language', 'content-language']

export function headerOf({ head }: RawAnswer, name: string): string | null {
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line === undefined ? null : line.slice(name.length + 1).trim()
}

const listOf = (answer: RawAnswer, name: string): readonly string[] =>
  (headerOf(answer, name) ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * The behaviour of a browser for a page that calls `fetch`, with credentials if it has a cookie (the fetch standard,
 * 4.8 to 4.10).
 */
export async function fetchAsPage({
  port,
  origin,
  method,
  target,
  headers = [],
  body,
  cookie,
}: PageCall): Promise<Seen> {
  const common = [
    ['Accept', '*/*'],
    ['Origin', origin],
    ['Sec-Fetch-Mode', 'cors'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Dest', 'empty'],
    ['Referer', `${origin}/`],
    [
      'User-Agent',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
  ] as const
  const isShared = (answer: RawAnswer): boolean => {
    const allowed = headerOf(answer, 'access-control-allow-origin') ?? ''
    if (cookie === undefined) return ['*', origin].includes(allowed)
    return allowed === origin && headerOf(answer, 'access-control-allow-credentials') === 'true'
  }

  const unsafe = headers.map(([name]) => name.toLowerCase()).filter((name) => !SIMPLE_HEADERS.includes(name))
  let preflight: RawAnswer | null = null
  if (unsafe.length > 0 || !SIMPLE_METHODS.includes(method)) {
    preflight = await ask(port, 'OPTIONS', target, {
      headers: [
        ['Access-Control-Request-Method', method],
        ...(unsafe.length === 0 ? [] : [['Access-Control-Request-Headers', [...unsafe].sort().join(',')] as const]),
        ...common,
      ],
    })
    const methods = [...SIMPLE_METHODS, ...listOf(preflight, 'access-control-allow-methods')]
    const allowed = listOf(preflight, 'access-control-allow-headers').map((name) => name.toLowerCase())
    const isOk = preflight.status >= 200 && preflight.status < 300
    const isAllowed =
      isOk && isShared(preflight) && methods.includes(method) && unsafe.every((name) => allowed.includes(name))
    if (!isAllowed) return { preflight, answer: null, isReadable: false }
  }
  const cookies = cookie === undefined ? [] : [['Cookie', cookie] as const]
  const answer = await ask(port, method, target, { headers: [...headers, ...cookies, ...common], body })
  return { preflight, answer, isReadable: isShared(answer) }
}
