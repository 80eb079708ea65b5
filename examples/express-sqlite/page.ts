import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express from 'express'
import type { DefinedGame, Gamification } from 'laurels'
import { userApi } from 'laurels/express'

/** The user who is signed in on the page of this example. Your app takes the user of its own session. */
export const READER = { id: 'reader', name: 'Robin Reader' } as const

const COOKIE = 'session'
const MOST_SESSIONS = 1_000

/** Scripts and styles come from this server only, and none are inline. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const

/** The page of a reader, at `/`: readers log what they read, and the elements show the result. */
export function readersPage<G extends DefinedGame>(gamification: Gamification<G>): express.Router {
  const sessions = new Map<string, string>()
  const userOf = (request: express.Request): string | undefined => {
    const token = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1]
    return token === undefined ? undefined : sessions.get(token)
  }
  const files = (folder: string): express.RequestHandler =>
    express.static(folder, { index: false, setHeaders: (response) => void response.set(HEADERS) })

  const router = express.Router()
  router.get('/', async (request, response) => {
    if (userOf(request) === undefined) {
      await gamification.users.identify(READER.id, { name: READER.name })
      const token = randomBytes(32).toString('base64url')
      sessions.set(token, READER.id)
      const [oldest] = sessions.keys()
      if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest)
      response.cookie(COOKIE, token, { httpOnly: true, sameSite: 'strict', path: '/' })
    }
    response.set({ ...HEADERS, 'Cache-Control': 'no-store' }).sendFile('index.html', { root: PUBLIC })
  })
  // The user API of the page: the session takes the place of a key.
  router.use('/game', userApi(gamification, { user: userOf }))
  router.get('/me', (request, response) => {
    response.set(HEADERS).json({ id: userOf(request) ?? null })
  })
  // The package's modules, which browsers load unchanged.
  for (const part of ['elements', 'client'] as const) {
    router.use(`/laurels/${part}`, files(fileURLToPath(new URL('.', import.meta.resolve(`laurels/${part}`)))))
  }
  router.use(files(PUBLIC))
  return router
}

/** The folder is beside this source file; the compiled example reads it there too. */
const PUBLIC = ['./public/', '../../../examples/express-sqlite/public/']
  .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  .filter((folder) => existsSync(folder))[0] as string
