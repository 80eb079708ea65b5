import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { GamificationMessage } from 'laurels'
import { Webhook } from 'standardwebhooks'

export interface Receiver {
  readonly url: string
  /** The secret of the webhook, once it is made. */
  use(secret: string): void
  close(): Promise<void>
}

type Signed = Record<string, string>

/** Another service. It verifies each message, and handles a repeated one only once. */
export async function openReceiver(tell: (line: string) => void): Promise<Receiver> {
  let webhook: Webhook | null = null
  const known = new Set<string>()
  let isBusy = true

  const server = createServer(async (request, response) => {
    const body = await text(request)
    try {
      // Verify the raw body: parsed and serialized again, it can differ.
      webhook?.verify(body, request.headers as Signed)
    } catch {
      tell('refused: the signature is not right')
      response.writeHead(400).end()
      return
    }
    const { id, type, userId }: GamificationMessage = JSON.parse(body)
    if (isBusy) {
      isBusy = false
      tell(`busy: ${type} of ${userId} has to come again`)
      response.writeHead(503).end()
      return
    }
    tell(`${known.has(id) ? 'known' : 'verified'}: ${type} of ${userId}`)
    known.add(id)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/hooks`,
    use: (secret) => {
      webhook = new Webhook(secret)
    },
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
