import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Command = readonly (string | number)[]
export type Reply = string | number | null | readonly Reply[]

/** A connection to a Redis server of our own, which keeps nothing on disk. */
export interface Redis {
  /** Sends the commands in one write, as clients do with a pipeline; in which none may fail. */
  send(commands: readonly Command[]): Promise<readonly Reply[]>
  stop(): Promise<void>
}

/** null: there is no server to start. */
export async function startRedis(folder: string): Promise<Redis | null> {
  const { status } = spawnSync('redis-server', ['--version'], { stdio: 'ignore' })
  if (status !== 0) return null
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', loglevel: 'warning' }
  const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn('redis-server', given, { stdio: 'ignore' })
  const socket = await connectTo(port, server)
  const redis = createClient(socket)
  return {
    send: redis.send,
    stop: async () => {
      socket.destroy()
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}

async function connectTo(port: number, server: ChildProcess): Promise<Socket> {
  for (let tries = 0; tries < 200 && server.exitCode === null; tries += 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      socket.destroy()
      await sleep(25)
    }
  }
  server.kill()
  throw new Error(`redis-server could not be reached on port ${port}.`)
}

/** Replies that are still to come, in the order in which they were asked for. */
interface Waiting {
  readonly count: number
  readonly replies: Reply[]
  readonly resolve: (replies: readonly Reply[]) => void
  readonly reject: (error: Error) => void
}

/** As much of the protocol (RESP 2) as the benchmark speaks. */
function createClient(socket: Socket): Pick<Redis, 'send'> {
  let waiting: Waiting[] = []
  let received: Buffer = Buffer.alloc(0)

  function take(): void {
    let place = 0
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const reader: Reader = { bytes: received, place }
      const reply = readReply(reader)
      if (reply === undefined) break
      place = reader.place
      first.replies.push(reply)
      if (first.replies.length < first.count) continue
      waiting.shift()
      first.resolve(first.replies)
    }
    received = received.subarray(place)
  }

  function fail(error: Error): void {
    const failed = waiting
    waiting = []
    for (const { reject } of failed) reject(error)
    socket.destroy()
  }

  socket.on('error', fail)
  socket.on('close', () => fail(new Error('Redis has closed the connection.')))
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      take()
    } catch (error) {
      fail(error as Error)
    }
  })

  return {
    send: (commands) =>
      new Promise((resolve, reject) => {
        waiting.push({ count: commands.length, replies: [], resolve, reject })
        socket.write(commands.map(toText).join(''))
      }),
  }
}

/** Everything the benchmark sends is ASCII. */
function toText(command: Command): string {
  let text = `*${command.length}\r\n`
  for (const part of command) {
    const word = String(part)
    text += `$${word.length}\r\n${word}\r\n`
  }
  return text
}

interface Reader {
  readonly bytes: Buffer
  place: number
}

/** undefined: it has not come as a whole yet. */
function readReply(reader: Reader): Reply | undefined {
  const { bytes } = reader
  const end = bytes.indexOf(13, reader.place)
  if (end === -1 || end + 1 >= bytes.length) return undefined
  const kind = bytes[reader.place]
  const line = bytes.toString('latin1', reader.place + 1, end)
  reader.place = end + 2
  switch (kind) {
    case 0x2b: // +
      return line
    case 0x2d: // -
      throw new Error(`Redis: ${line}`)
    case 0x3a: // :
      return Number(line)
    case 0x24: // $
      return readBulk(reader, Number(line))
    case 0x2a: // *
      return readArray(reader, Number(line))
    default:
      throw new Error(`Redis answered ${line}.`)
  }
}

function readBulk(reader: Reader, length: number): string | null | undefined {
  if (length < 0) return null
  const start = reader.place
  if (start + length + 2 > reader.bytes.length) return undefined
  reader.place = start + length + 2
  return reader.bytes.toString('latin1', start, start + length)
}

function readArray(reader: Reader, length: number): Reply | undefined {
  if (length < 0) return null
  const items: Reply[] = []
  for (let index = 0; index < length; index += 1) {
    const item = readReply(reader)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}
