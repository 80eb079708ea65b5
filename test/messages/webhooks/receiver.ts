import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
}

interface Receiver {
  /** `http://127.0.0.1:port` */
  readonly address: string
  readonly port: number
  readonly received: Received[]
  /** How many connections were made. */
  connections(): number
}

type Answering = (received: Received, response: ServerResponse, request: IncomingMessage) => unknown

/** A server of this machine, closed after the test. Without `answer` all is well. */
export async function openReceiver(
  answer: Answering = (_, response) => response.end('thanks'),
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    try {
      const { method = '', url = '' } = request
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]),
      )
      const got = { method, path: url, headers, body: await text(request) }
      received.push(got)
      await answer(got, response, request)
    } catch {
      response.destroy()
    }
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { address: `http://${name}:${port}`, port, received, connections: () => connections }
}
