import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { GamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import type { Gamification } from '../../src/index.ts'
import { type Authorized, createConsole, SECURITY } from '../console/console.ts'
import { onNode } from '../console/on-node.ts'
import { oneTimeLink } from '../console/one-time-link.ts'

export interface ConsoleServerOptions {
  /** 0: any that is free. */
  readonly port: number
  readonly access: NonNullable<Authorized>
  readonly tenant: string | null
  /** Where the built pages are, for tests. */
  readonly directory?: string
}

export interface ConsoleServer {
  readonly link: string
  readonly port: number
  close(): Promise<void>
}

/** Serves the console on 127.0.0.1 alone, to whoever has the link. */
export async function startConsole(
  gamification: Gamification<DefinedGame>,
  { port: wanted, access, tenant, directory }: ConsoleServerOptions,
): Promise<ConsoleServer> {
  const authorize = oneTimeLink({ access })
  const settings = { tenant, ...(directory === undefined ? {} : { directory }) }
  const show = onNode(createConsole<IncomingMessage, DefinedGame>(gamification, { authorize }, [], settings), '')
  const server = createServer()
  await listening(server, wanted)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted
  server.on('request', toOwnHosts(port, show))
  return {
    link: authorize.url(`http://127.0.0.1:${port}/`),
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'it is taken: give another --port, or none' : cause.message
      reject(new GamificationError('internal', `The console cannot listen on 127.0.0.1:${port}: ${why}.`))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** A page of another site can have a name of its own lead to this machine, and then asks under that name. */
function toOwnHosts(port: number, show: RequestListener): RequestListener {
  const hosts = ['127.0.0.1', 'localhost'].map((host) => `${host}:${port}`)
  return (request, response) => {
    if (hosts.includes(request.headers.host?.toLowerCase() ?? '')) {
      show(request, response)
      return
    }
    response.writeHead(403, { ...SECURITY, 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    response.end(`The console is at http://127.0.0.1:${port} only.\n`)
  }
}
