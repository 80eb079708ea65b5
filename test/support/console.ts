// The console with its pages in their current state, on a server of its own.

import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterEach } from 'vitest'
import { demoGame, makeHistory } from '../../adapters/cli/demo.ts'
import { createConsole } from '../../adapters/console/console.ts'
import { onNode } from '../../adapters/console/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  type GamificationOptions,
  type Storage,
} from '../../src/index.ts'
import { loadLog } from '../../src/sql/log.ts'
import type { UserKey } from '../../src/storage/rows.ts'
import { aroundQuery } from './around-query.ts'
import { drawn, requestsUnderWay } from './browser.ts'
import { extendStorage } from './extend-storage.ts'

interface ConsoleOptions {
  /** Default: the game of `laurels demo`. */
  readonly definition?: GameDefinition
  /** Default: `write`. */
  readonly access?: 'read' | 'write'
  /** Other options of `createGamification`. Default: a storage in memory. */
  readonly options?: Partial<Pick<GamificationOptions<DefinedGame>, 'clock' | 'storage' | 'webhooks'>>
}

export interface OpenedConsole {
  /** `http://127.0.0.1:port/` */
  readonly base: string
  readonly gamification: Gamification<DefinedGame>
  /** The server is gone: it takes no connections, and those that there are end. */
  stop(): Promise<void>
  /** It is there again, at the same address. */
  start(): Promise<void>
}

let built: Promise<string> | undefined

/** The folder with the pages, made once for all tests of a process. */
export function builtPages(): Promise<string> {
  built ??= buildPages()
  return built
}

async function buildPages(): Promise<string> {
  const outDir = mkdtempSync(join(process.env.LAURELS_TESTS_DIRECTORY ?? tmpdir(), 'pages-'))
  const configFile = fileURLToPath(new URL('../../adapters/console/vite.config.ts', import.meta.url))
  await build({ configFile, logLevel: 'error', build: { outDir } })
  return outDir
}

/** Each call opens a console on an empty storage in memory; it is closed after its test. */
export function useConsole(): (options?: ConsoleOptions) => Promise<OpenedConsole> {
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })
  return async (options) => {
    const [console, close] = await openConsole(options)
    opened.push(close)
    return console
  }
}

export async function openConsole({
  definition,
  access = 'write',
  options = {},
}: ConsoleOptions = {}): Promise<readonly [OpenedConsole, close: () => Promise<void>]> {
  const game: DefinedGame = definition === undefined ? demoGame(false) : defineGame(definition)
  const gamification = createGamification<DefinedGame>({ game, storage: memory(), ...options })
  const settings = { directory: await builtPages() }
  const listener = onNode(createConsole(gamification, { authorize: () => access }, [], settings), '')
  let server: Server = createServer(listener)
  let port = 0
  const start = async (): Promise<void> => {
    server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  await start()
  const close = async (): Promise<void> => {
    await stop()
    await gamification.close()
  }
  return [{ base: `http://127.0.0.1:${port}/`, gamification, stop, start }, close]
}

interface FillOptions {
  /** Default: that of `laurels demo`. */
  readonly game?: DefinedGame
  /** Default: the system's clock. */
  readonly now?: number
}

/** Users of `laurels demo`, with what they did in 90 days; answers how many there are, for some do nothing. */
export async function fillWithDemo(
  { gamification }: OpenedConsole,
  users: number,
  { game = demoGame(false), now = Date.now() }: FillOptions = {},
): Promise<number> {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0)
  const items = makeHistory(game, { users, end: midnight, now })
  const { refused } = await gamification.import(items)
  if (refused > 0) throw new Error(`${refused} events of the demo were refused`)
  return new Set(items.map(({ user }) => user.id)).size
}

const SETTLED_MS = 30_000
/** Loaded data leads to further requests, a frame or two later. */
const QUIET_LOOKS = 3

/**
 * Resolves when all that follows from what was done last is there: nothing is asked for and nothing is being loaded,
 * after some frames in which something could have begun. A search begins later than its typing: wait for its result.
 */
export async function settled(page: Page): Promise<void> {
  const end = Date.now() + SETTLED_MS
  for (let quiet = 0; quiet < QUIET_LOOKS; ) {
    await drawn(page)
    const loading = await page.locator('.loading, [aria-busy="true"]').count()
    const requests = requestsUnderWay(page)
    quiet = loading === 0 && requests.length === 0 ? quiet + 1 : 0
    if (Date.now() > end) throw new Error(`The page still loads ${loading} parts, and asks for ${requests.join(', ')}`)
  }
}

/** Presses each “Try again” that is there, until all is loaded. */
export async function tryAgain(page: Page): Promise<void> {
  await settled(page)
  const again = page.getByRole('button', { name: 'Try again' })
  for (let left = await again.count(); left > 0; left = await again.count()) {
    await again.first().click()
    await settled(page)
  }
}

/** A storage in which this user is neither read nor locked before `release`: a walk through all users waits there. */
export function holdAt(user: string): { readonly storage: Storage; release(): void } {
  const storage = memory()
  const { promise, resolve } = Promise.withResolvers<void>()
  let isReleased = false
  return {
    storage: extendStorage(storage, (storage) => ({
      ...aroundQuery(
        (storage) => loadLog(storage, { tenant: '', user: '' }),
        async (run, asked: UserKey) => {
          if (asked.user === user) await promise
          return run()
        },
      )(storage),
      transaction: async (work) => {
        let isAsked = false
        const held = storage.transaction((held) =>
          work({
            ...held,
            lockUser: (key, options) => {
              isAsked = key.user === user && !isReleased
              if (isAsked) throw new Error('Not before it is released.')
              return held.lockUser(key, options)
            },
          }),
        )
        return held.catch(async (error: unknown) => {
          if (!isAsked) throw error
          await promise
          return storage.transaction(work)
        })
      },
    })),
    release: () => {
      isReleased = true
      resolve()
    },
  }
}

/** Forbidden effects of a user's text on a page, counted from now on: dialogs, and violations of the CSP. */
export async function watchForScript(page: Page): Promise<() => Promise<readonly string[]>> {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript(`
    globalThis.stopped = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      stopped.push(violatedDirective + ': ' + blockedURI))
  `)
  return async () => {
    const found: readonly string[] = await page.evaluate('[...stopped, ...("ran" in globalThis ? ["it ran"] : [])]')
    return [...seen, ...found]
  }
}
