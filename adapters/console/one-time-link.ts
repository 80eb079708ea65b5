import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../../src/http/exchange.ts'
import type { ConsoleAccess } from '../../src/http/options.ts'
import { checkOptions, invalidOption } from '../../src/options.ts'

export interface OneTimeLinkOptions {
  /** The rights of the person who opens the link. Default: `read`. */
  readonly access?: ConsoleAccess
}

/** Admits a person who opens a link once: for a console on your own machine, without sign-in. */
export interface OneTimeLink {
  /**
   * Creates a link that can be opened once, within ten minutes. Earlier links become invalid. `base` is the URL of the
   * console: `http://localhost:3000/console`.
   */
  url(base: string): string
  /** Returns the cookie for a valid token, or `null` if the token is unknown, used or expired. The console calls it. */
  open(token: string): string | null
  /** Returns the access of the request's cookie, or `null`. The console calls it. */
  access(request: Pick<HttpRequest, 'header'>): ConsoleAccess | null
}

const TOKEN_MS = 10 * 60_000
const SESSION_MS = 12 * 60 * 60_000
/** A further session replaces the oldest. */
const MOST_SESSIONS = 20

interface Secret {
  readonly hash: Buffer
  readonly expiresAt: number
}

/** `consoleApp(gamification, { authorize: link })`, and print `link.url('http://localhost:3000/console')`. */
export function oneTimeLink(options: OneTimeLinkOptions = {}, now: () => number = Date.now): OneTimeLink {
  checkOptions('options', options, ['access'])
  const { access = 'read' } = options
  if (access !== 'read' && access !== 'write') throw invalidOption('access', "'read' or 'write'", access)
  // Cookies ignore ports, so each console has a cookie name of its own.
  const name = `laurels_console_${randomBytes(4).toString('hex')}`
  let token: Secret | null = null
  let attributes = 'HttpOnly; SameSite=Strict'
  const sessions: Secret[] = []
  const fits = ({ hash, expiresAt }: Secret, given: string): boolean =>
    timingSafeEqual(hash, hashOf(given)) && now() < expiresAt

  return {
    url: (base) => {
      if (!URL.canParse(base)) throw invalidOption('base', "a URL as 'http://localhost:3000/console'", base)
      const url = new URL(base)
      if (!url.pathname.endsWith('/')) url.pathname += '/'
      const text = randomBytes(32).toString('base64url')
      token = { hash: hashOf(text), expiresAt: now() + TOKEN_MS }
      attributes = `HttpOnly; SameSite=Strict${url.protocol === 'https:' ? '; Secure' : ''}`
      url.search = `?token=${text}`
      return url.href
    },
    open: (given) => {
      if (token === null || !fits(token, given)) return null
      token = null
      const text = randomBytes(32).toString('base64url')
      sessions.push({ hash: hashOf(text), expiresAt: now() + SESSION_MS })
      if (sessions.length > MOST_SESSIONS) sessions.shift()
      return `${name}=${text}; ${attributes}`
    },
    access: ({ header }) => {
      const given = (header('cookie') ?? '').split(/[;,] */).flatMap((each) => {
        const [key, value = ''] = each.trim().split('=', 2)
        return key === name ? [value] : []
      })
      return given.some((value) => sessions.some((session) => fits(session, value))) ? access : null
    },
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
