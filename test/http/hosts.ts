import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { DefinedGame, GameDefinition, Gamification, Storage } from '../../src/index.ts'
import { createGamification, defineGame } from '../../src/index.ts'
import type { Logger } from '../../src/runtime/context.ts'
import { NOON } from '../support/engine.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  userAttributes: ['plan'],
  eventAttributes: ['source'],
}

interface Opened {
  readonly gamification: Gamification<DefinedGame>
  /** A full admin key. */
  readonly key: string
}

/** An engine in which Ann is known. It is closed after the test. */
export async function openGamification(
  storage: Storage = memory(),
  { logger, definition = GAME }: { readonly logger?: Logger; readonly definition?: GameDefinition } = {},
): Promise<Opened> {
  const gamification = createGamification<DefinedGame>({
    game: defineGame(definition),
    storage,
    clock: () => new Date(NOON),
    ...(logger === undefined ? {} : { logger }),
  })
  onTestFinished(() => gamification.close())
  await gamification.migrate()
  await gamification.users.create({ id: 'ann' })
  const { key } = await gamification.adminKeys.create()
  return { gamification, key }
}

interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  readonly body: any
}

interface Asked {
  readonly method?: string
  readonly key?: string
  readonly headers?: Record<string, string>
  /** Sent as JSON with the content type, unless it is a string, which is sent unchanged. */
  readonly body?: unknown
}

export interface Listening {
  readonly port: number
  ask(path: string, asked?: Asked): Promise<Told>
}

/** Listens on a port of its own until the test is over. */
export async function listenOn(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port, ask: (path, asked = {}) => ask(`http://127.0.0.1:${port}${path}`, asked) }
}

export function listenWith(listener: RequestListener): Promise<Listening> {
  return listenOn(createServer(listener))
}

async function ask(url: string, { method, key, headers = {}, body }: Asked): Promise<Told> {
  const isJson = body !== undefined && typeof body !== 'string'
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { 'X-API-KEY': key }),
      ...(body === undefined ? {} : { 'Content-Type': isJson ? 'application/json' : 'text/plain' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : String(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: toJson(text) }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One word of Ann's. */
export const EVENT = { user: { id: 'ann' }, value: 1 }
export const EVENT_PATH = '/v1/metrics/words/event'

export async function wordsOf(gamification: Gamification<DefinedGame>, user = 'ann'): Promise<number> {
  return (await gamification.users.singleMetric(user, 'words')).current
}
