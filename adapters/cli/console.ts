import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { GamificationError } from '../../src/errors.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import type { Gamification } from '../../src/index.ts'
import { type Authorized, createConsole, SECURITY } from '../console/console.ts'
import { onNode } from '../console/index.ts'
import { oneTimeLink } from '../console/one-time-link.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { WEBHOOK_KEY_HELP, webhookOptions } from './database.ts'
import { flagOption, ONLY_DATABASE, textOption, whole } from './options.ts'
import { EXIT } from './terminal.ts'

export const consoleCommand: CliCommand = defineCommand({
  name: 'console',
  summary: 'open the console in a browser',
  usage: ['[--db <file|url>] [--write] [options]'],
  about: `Serves the console on this machine alone, until it is interrupted, and prints a link to it. The link can be opened once, within ten minutes.`,
  options: {
    ...ONLY_DATABASE,
    write: flagOption('allow changes; without it the console only reads'),
    port: whole('<number>', 'the port on 127.0.0.1 (default: any free port)', 0, [0, 65_535]),
    tenant: textOption('<id>', 'the tenant that it shows first, in a game with tenants'),
    game: textOption('<file>', 'refuse to start unless this is the game in force'),
  },
  notes: WEBHOOK_KEY_HELP,
  exits: { 0: 'interrupted', 2: 'the call is wrong, or it could not listen or reach the storage' },
  run: ({ values: { write, port, game }, tenant, environment, open }) =>
    open(
      async ({ gamification }) => {
        const server = await startConsole(gamification, { port, access: write ? 'write' : 'read', tenant })
        environment.output.out(`${server.link}\n`)
        const may = write ? 'It can change things.' : 'It is read-only.'
        environment.output.err(`Open it once, within ten minutes. ${may} Ctrl-C ends it.\n`)
        await untilAborted(environment.interruption())
        await server.close()
        return EXIT.ok
      },
      { game, webhooks: webhookOptions(environment) },
    ),
})

export interface ConsoleServerOptions {
  readonly port: number
  readonly access: NonNullable<Authorized>
  readonly tenant: string | null
  /** The folder of the built pages, for tests. */
  readonly directory?: string
}

export interface ConsoleServer {
  readonly link: string
  readonly port: number
  close(): Promise<void>
}

/** Serves the console on 127.0.0.1 only, to the browser that opens the link. */
export async function startConsole(
  gamification: Gamification<DefinedGame>,
  { port: wanted, access, tenant, directory }: ConsoleServerOptions,
): Promise<ConsoleServer> {
  const authorize = oneTimeLink({ access })
  const settings = { tenant, ...(directory === undefined ? {} : { directory }) }
  const show = onNode(createConsole<IncomingMessage, DefinedGame>(gamification, { authorize }, [], settings), '')
  const server = createServer()
  const port = await listenOn(server, '127.0.0.1', wanted, 'console')
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

export async function listenOn(server: Server, host: string, port: number, name: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? 'it is taken: give another --port, or 0 for any free one' : cause.message
      reject(new GamificationError('internal', `The ${name} cannot listen on ${host}:${port}: ${why}.`))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Against DNS rebinding: the host name of another site can resolve to this machine. */
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
