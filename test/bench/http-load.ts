import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type BenchEvent, events } from './game.ts'
import { type Measured, measureFor } from './measure.ts'

/** What the load generator is told to do. */
export interface Load {
  readonly port: number
  readonly key: string
  readonly connections: number
  readonly seconds: number
  readonly users: number
  readonly seed: number
  /** Connections beside them on which one user sends events with an application key. They are not measured. */
  readonly flood?: { readonly key: string; readonly user: string; readonly connections: number }
}

export interface LoadResult extends Measured {
  /** How many answers there were of each status. */
  readonly statuses: { readonly [status: string]: number }
  /** Of the bodies, in bytes. */
  readonly meanLength: number
  /** Share of the time that this process was at work itself: near 1, it is what was measured. */
  readonly busy: number
}

interface Answer {
  readonly status: string
  readonly length: number
}

/** One connection with one request under way. It reads of the answer no more than it takes to find its end. */
interface Client {
  send(request: string): Promise<Answer>
  close(): void
}

async function open(port: number): Promise<Client> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | null = null
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text = text === '' ? chunk : text + chunk
    const answer = read(text)
    if (answer === null) return
    text = ''
    waiting?.resolve(answer)
  })
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection.')))
  socket.on('error', (error) => waiting?.reject(error))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => void socket.destroy(),
  }
}

const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i

/** null: there is more to come. */
function read(text: string): Answer | null {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return null
  const body = end + 4
  const status = text.slice(9, 12)
  const length = LENGTH.exec(text.slice(0, body))?.[1]
  if (length !== undefined) return text.length < body + Number(length) ? null : { status, length: Number(length) }
  // Chunked: a body of JSON in one line cannot look like its end.
  return text.endsWith('\r\n0\r\n\r\n') ? { status, length: text.length - body } : null
}

async function run({ port, key, connections, seconds, users, seed, flood }: Load): Promise<LoadResult> {
  const flooding = flood === undefined ? null : await startFlood(port, flood)
  const clients = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const source = events(users, seed)
  const statuses: Record<string, number> = {}
  let bytes = 0
  let count = 0
  const call = async (caller: number): Promise<void> => {
    const answer = await (clients[caller] as Client).send(toRequest(port, key, source.next().value as BenchEvent))
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    bytes += answer.length
    count += 1
  }
  const before = process.cpuUsage()
  const start = performance.now()
  const measured = await measureFor(connections, seconds, call)
  const { user, system } = process.cpuUsage(before)
  const busy = (user + system) / 1_000 / (performance.now() - start)
  for (const client of clients) client.close()
  await flooding?.stop()
  return { ...measured, statuses, meanLength: bytes / count, busy }
}

function toRequest(port: number, key: string, { user, metric, value }: BenchEvent): string {
  const body = `{"user":{"id":"${user}"},"value":${value}}`
  return (
    `POST /v1/metrics/${metric}/event HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-KEY: ${key}\r\n` +
    `Idempotency-Key: ${randomUUID()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

async function startFlood(
  port: number,
  { key, user, connections }: NonNullable<Load['flood']>,
): Promise<{ stop(): Promise<void> }> {
  const clients = await Promise.all(Array.from({ length: connections }, () => open(port)))
  let isOver = false
  const running = clients.map(async (client) => {
    while (!isOver) {
      const { status } = await client.send(toRequest(port, key, { user, metric: 'words', value: 1 }))
      if (status !== '201') throw new Error(`An event of the flood was answered ${status}.`)
    }
    client.close()
  })
  return {
    stop: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
