import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
interface RawAnswer {
  readonly status: number
  /** By names in small letters, in the order they came. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Statuses of 1xx that came before it. */
  readonly interim: readonly number[]
}

export type Outcome = RawAnswer | 'closed' | 'silent'

/** A socket that sends bytes unchanged and reads the answers one after the other. */
export interface Connection {
  write(bytes: string | Uint8Array): void
  /** The next answer; `isHead`: it was asked for by HEAD. `closed`: the other side closed without one. */
  next(options?: { readonly isHead?: boolean; readonly patience?: number }): Promise<Outcome>
  /** Says that nothing more is to come, and continues reading. */
  end(): void
  /** Breaks off. */
  destroy(): void
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const inbox = new Inbox(socket)
  return {
    write: (bytes) => {
      socket.write(bytes)
    },
    next: ({ isHead = false, patience = 5_000 } = {}) => inbox.next(isHead, patience),
    end: () => {
      socket.end()
    },
    destroy: () => {
      socket.destroy()
    },
  }
}

class Inbox {
  private bytes: Buffer = Buffer.alloc(0)
  private isClosed = false
  private wake: () => void = () => undefined

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk])
      this.wake()
    })
    const close = (): void => {
      this.isClosed = true
      this.wake()
    }
    socket.on('end', close).on('close', close).on('error', close)
  }

  async next(isHead: boolean, patience: number): Promise<Outcome> {
    const until = performance.now() + patience
    const interim: number[] = []
    for (;;) {
      const read = readAnswer(this.bytes, isHead, this.isClosed)
      if (read !== null) {
        this.bytes = this.bytes.subarray(read.size)
        if (read.answer.status >= 200) return { ...read.answer, interim }
        interim.push(read.answer.status)
      } else if (this.isClosed) {
        return 'closed'
      } else if (!(await this.more(until - performance.now()))) {
        return 'silent'
      }
    }
  }

  private more(patience: number): Promise<boolean> {
    if (patience <= 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patience)
      this.wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}

interface Read {
  readonly answer: Omit<RawAnswer, 'interim'>
  /** How many bytes it took. */
  readonly size: number
}

/** The first answer in the bytes; null while it is not whole. */
function readAnswer(bytes: Buffer, isHead: boolean, isClosed: boolean): Read | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`No answer of HTTP: ${JSON.stringify(statusLine)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  }
  const start = headEnd + 4
  if (isHead || status < 200 || status === 204 || status === 304) {
    return { answer: { status, headers, body: '' }, size: start }
  }
  const length = headers.get('content-length')
  if (length !== undefined) {
    const end = start + Number(length)
    return bytes.length < end
      ? null
      : { answer: { status, headers, body: bytes.toString('utf8', start, end) }, size: end }
  }
  if (headers.get('transfer-encoding') === 'chunked') {
    const read = readChunks(bytes, start)
    return read === null ? null : { answer: { status, headers, body: read.body }, size: read.size }
  }
  return isClosed ? { answer: { status, headers, body: bytes.toString('utf8', start) }, size: bytes.length } : null
}

function readChunks(bytes: Buffer, start: number): { readonly body: string; readonly size: number } | null {
  const chunks: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return null
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const chunkEnd = lineEnd + 2 + length
    if (bytes.length < chunkEnd + 2) return null
    if (length === 0) return { body: Buffer.concat(chunks).toString('utf8'), size: chunkEnd + 2 }
    chunks.push(bytes.subarray(lineEnd + 2, chunkEnd))
    at = chunkEnd + 2
  }
}

/** A request as one would write it by hand. Headers are sent as given, doubled ones too. */
export interface RawRequest {
  readonly method: string
  /** The request target of the request line, unchanged. */
  readonly path: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** With a Content-Length, or in chunks of `chunk` bytes. */
  readonly body?: Uint8Array | string
  readonly chunk?: number
}

export function toBytes({ method, path, headers = [], body, chunk }: RawRequest): Buffer {
  const content = body === undefined ? null : Buffer.from(body)
  const framing =
    content === null
      ? []
      : chunk === undefined
        ? [['Content-Length', content.length]]
        : [['Transfer-Encoding', 'chunked']]
  const lines = [['Host', '127.0.0.1'], ...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
  if (content === null) return head
  return Buffer.concat(chunk === undefined ? [head, content] : [head, ...toChunks(content, chunk)])
}

function toChunks(content: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < content.length; at += size) {
    const chunk = content.subarray(at, at + size)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}
