import { sendRaw } from '../support/bindings.ts'

export interface RawCall {
  /** No body if null or absent. */
  readonly key?: string | null
  /** Sent unchanged, in this order; a name may come twice. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Sent unchanged, with its length and as JSON unless the headers say otherwise. */
  readonly body?: string | Uint8Array | undefined
  /** How many milliseconds nothing may come before it is given up. */
  readonly patience?: number
}

export interface RawAnswer {
  /** 0 if the connection was closed, or given up, without an answer. */
  readonly status: number
  /** Status line and headers without `Date`, which is the time's and not ours. */
  readonly head: string
  readonly text: string
}

/** One request on a connection of its own, whose target, headers and body no client library has touched. */
export async function ask(port: number, method: string, target: string, call: RawCall = {}): Promise<RawAnswer> {
  const { key = null, headers = [], body, patience = 10_000 } = call
  const isNamed = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(isNamed('host') ? [] : ['Host: 127.0.0.1']),
    'Connection: close',
    ...(key === null ? [] : [`X-API-KEY: ${key}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || isNamed('content-type') ? [] : ['Content-Type: application/json']),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return read(await sendRaw(port, Buffer.concat([head, Buffer.from(body ?? '')]), patience))
}

function read(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n')
  const head = answer.slice(0, end).replace(/\r\nDate: [^\r]*/i, '')
  const rest = answer.slice(end + 4)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  return { status, head, text: /\r\ntransfer-encoding: chunked/i.test(head) ? unchunk(rest) : rest }
}

/** Lengths are in bytes. */
function unchunk(text: string): string {
  let rest = Buffer.from(text)
  const pieces: Buffer[] = []
  for (;;) {
    const line = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.subarray(0, line).toString(), 16)
    if (line === -1 || !(size > 0)) return Buffer.concat(pieces).toString('utf8')
    pieces.push(rest.subarray(line + 2, line + 2 + size))
    rest = rest.subarray(line + 2 + size + 2)
  }
}
