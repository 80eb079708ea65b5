import { createHash, timingSafeEqual } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DefinedGame } from '../../src/game/define-game.ts'
import * as http from '../../src/http/index.ts'
import type { ConsoleAccess, WholeNumbers } from '../../src/http/options.ts'
import { createGamification, type Gamification, type Logger } from '../../src/index.ts'
import { SECURITY } from '../console/console.ts'
import { consoleApp } from '../console/index.ts'
import { adminApi, applicationApi } from '../express/index.ts'
import { type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { listenOn, untilAborted } from './console.ts'
import { loadGame, WEBHOOK_KEY_HELP, webhookOptions } from './database.ts'
import {
  choice,
  flagOption,
  GAME_FILES,
  listOption,
  NEW_DATABASE,
  orVariable,
  required,
  textOption,
  whole,
} from './options.ts'
import {
  clockOf,
  defined,
  type Environment,
  EXIT,
  type ExitCode,
  reasonsBehind,
  toLine,
  wrongCall,
} from './terminal.ts'

const CONSOLE_PASSWORD = 'LAURELS_CONSOLE_PASSWORD'
const LEAST_PASSWORD = 16

const game = textOption('<file>', `the game: ${GAME_FILES}`)

const OPTIONS = {
  ...NEW_DATABASE,
  game: required(orVariable(game, 'LAURELS_GAME'), 'the module or JSON file of the game, or set LAURELS_GAME'),
  host: orVariable(
    textOption('<address>', '127.0.0.1 (default) for this machine alone, 0.0.0.0 for its networks'),
    'HOST',
  ),
  port: orVariable(whole('<number>', 'the port, 0 for any free one (default: 3000)', 3_000, [0, 65_535]), 'PORT'),
  drain: orVariable(
    whole('<seconds>', 'how long it still answers new requests after SIGTERM (default: 5)', 5, [0, 300]),
    'LAURELS_DRAIN',
  ),
  console: orVariable(
    choice<ConsoleAccess>(['read', 'write'], '<access>', 'serve the console, to read or to write'),
    'LAURELS_CONSOLE',
  ),
  cors: orVariable(
    listOption('<origins>', 'origins of web pages that may use application keys, separated by commas'),
    'LAURELS_CORS',
  ),
  'whole-numbers': orVariable(
    choice<WholeNumbers>(
      ['round', 'floor'],
      '<how>',
      'whole scores of leaderboards, as clients for Python, Go and Java need them',
    ),
    'LAURELS_WHOLE_NUMBERS',
  ),
}

export const serveCommand: CliCommand = defineCommand({
  name: 'serve',
  summary: 'serve the HTTP APIs, the console and the worker',
  usage: ['[--db <file|url>] --game <file> [options]'],
  about: `Serves the application API at /v1 and the admin API at /admin/v1, publishes due messages and sends webhooks, until it is interrupted. It first updates the tables, and stores the game if it is new. /healthz says if the process runs, /readyz if it can work.`,
  options: OPTIONS,
  notes: `With --console, the console is at /console. The browser asks for the password that the variable ${CONSOLE_PASSWORD} has, with any user name.

${WEBHOOK_KEY_HELP} After SIGTERM or Ctrl-C, /readyz answers 503, and each answer closes its connection. The port closes after --drain seconds. Requests under way then have 15 seconds to end. A second signal ends the process at once.`,
  exits: { 0: 'interrupted', 2: 'the call is wrong, or it could not listen or reach the storage' },
  run: async (call) => {
    const { values, environment } = call
    const log = createLog(environment)
    const password = readPassword(call)
    const database = call.database()
    const game = await loadGame(values.game)
    const webhooks = { ...webhookOptions(environment), ...defined({ wholeNumbers: values['whole-numbers'] }) }
    const gamification = createGamification({
      game,
      storage: database.open(),
      ...clockOf(environment),
      webhooks,
      logger: log,
    })
    try {
      await gamification.migrate()
      if ((await gamification.adminKeys.list()).length === 0) {
        const create = `laurels keys create${database.option}`
        log.warn({}, `There is no API key yet, so all calls are refused. Create one: ${create}`)
      }
      return await serveUntilStopped(call, gamification, log, password)
    } finally {
      await gamification.close()
    }
  },
})

type ServeCall = CommandCall<typeof OPTIONS>

/** Returns `null` if the console is closed. */
function readPassword({ values, environment }: ServeCall): string | null {
  if (values.console === undefined) return null
  const password = environment.variable(CONSOLE_PASSWORD) ?? ''
  if (password.length >= LEAST_PASSWORD) return password
  throw wrongCall(`--console needs a password of at least ${LEAST_PASSWORD} characters in ${CONSOLE_PASSWORD}`)
}

interface Log extends Logger {
  info(message: string): void
}

/** Standard output has nothing else: one line for each entry, with its time. */
function createLog({ output, now }: Environment): Log {
  const write = (...parts: readonly string[]): void =>
    output.out(`${toLine([new Date(now()).toISOString(), ...parts].join(' '))}\n`)
  const writeProblem =
    (level: string): Logger['warn'] =>
    ({ err, ...details }, message) => {
      const pairs = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      const reasons = err instanceof Error ? [[err.message, ...reasonsBehind(err)].join(' because: ')] : []
      write(level, message, ...pairs, ...reasons)
    }
  return { info: write, warn: writeProblem('warning'), error: writeProblem('error') }
}

async function serveUntilStopped(
  { values, environment }: ServeCall,
  gamification: Gamification<DefinedGame>,
  log: Log,
  password: string | null,
): Promise<ExitCode> {
  const { host = '127.0.0.1', cors, 'whole-numbers': wholeNumbers, console: access } = values
  const options = defined({ wholeNumbers })
  const application = applicationApi(gamification, { ...options, ...(cors && { cors: { origins: cors } }) })
  const admin = adminApi(gamification, options)
  const pages = password === null ? null : guard(password, consoleApp(gamification, { authorize: () => access }))
  const signal = environment.interruption()

  // Longer than the 60 seconds of common load balancers, which otherwise send requests on a connection that is closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (path === '/healthz') return sendStatus(response, 'ok')
    if (path === '/readyz') {
      return void gamification.health().then(({ status }) => sendStatus(response, signal.aborted ? 'stopping' : status))
    }
    // Without the query, which can have personal data.
    logRequest(log, environment, `${request.method} ${path}`, response)
    if (pages !== null && /^\/console(?:\/|$)/.test(path)) pages(request, response)
    else application(request, response, () => admin(request, response))
  })
  const stop = stopper(server, signal)
  const port = await listenOn(server, host, values.port, 'server')
  log.info(`Listening on http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const working = gamification.work({ signal })
  await untilAborted(signal)
  log.info('Stopping')
  // A load balancer has this time to see that the process is not ready.
  if (values.drain > 0) await sleep(values.drain * 1_000)
  await stop()
  await working
  return EXIT.ok
}

const GRACE_MS = 15_000

/** The function that stops accepting and resolves when all requests are answered. Calls on the storage end within 12 seconds. */
function stopper(server: Server, signal: AbortSignal): () => Promise<void> {
  const underWay = new Set<ServerResponse>()
  server.prependListener('request', (_, response) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    if (signal.aborted) response.shouldKeepAlive = false
  })
  // Otherwise a client sends more on its connection, which is reset when the server closes.
  const closeLater = (): void => {
    for (const response of underWay) response.shouldKeepAlive = false
  }
  signal.addEventListener('abort', closeLater, { once: true })
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    await closed
    clearTimeout(timer)
  }
}

function logRequest(log: Log, { elapsed }: Environment, request: string, response: ServerResponse): void {
  const start = elapsed()
  response.once('close', () => {
    const ms = Math.round(elapsed() - start)
    const status = response.writableFinished ? response.statusCode : 'broken off'
    log.info(`${request} ${status} ${ms} ms`)
  })
}

function sendStatus(response: ServerResponse, status: string): void {
  response.writeHead(status === 'ok' ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
  response.end(`${JSON.stringify({ status })}\n`)
}

/** Admits requests with the password. Browsers ask for it, and send it on. */
function guard(password: string, listener: RequestListener): RequestListener {
  const hashOf = (given: string): Buffer => createHash('sha256').update(given).digest()
  const expected = hashOf(password)
  return (request, response) => {
    const [, encoded = ''] = /^basic ([\w+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
    const [, given = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
    if (timingSafeEqual(hashOf(given), expected)) {
      listener(request, response)
      return
    }
    const challenge = { 'www-authenticate': 'Basic realm="laurels", charset="UTF-8"' }
    response.writeHead(401, { ...SECURITY, ...challenge, 'content-type': 'text/plain; charset=utf-8' })
    response.end('The console needs its password.\n')
  }
}

export const openapi: CliCommand = defineCommand({
  name: 'openapi',
  summary: 'write the OpenAPI document',
  usage: ['[--admin] [--out <file>]'],
  about: `Writes the description of the HTTP API as OpenAPI 3.1, in JSON. A running server has the same at /v1/openapi.json and /admin/v1/openapi.json.`,
  options: {
    admin: flagOption('the document of the admin API: keys, batches, voids, streaks'),
    out: textOption('<file>', 'write to this file instead of standard output'),
  },
  run: async ({ values: { admin, out } }) => {
    const value = http.toOpenApi(admin ? http.adminApi : http.applicationApi)
    const json = `${JSON.stringify(value, null, 2)}\n`
    if (out === undefined) return { value, text: json }
    if (out === '') throw wrongCall('--out must not be empty: give the path of a file')
    const file = resolve(out)
    await writeFile(file, json)
    return { value, text: `wrote ${file}\n` }
  },
})
