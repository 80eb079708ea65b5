// A real browser: Chromium, as Debian and others install it, driven by playwright-core. Its headless shell is the fastest.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

const PLACES = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome']
const NAMES = ['chromium-headless-shell', 'chromium', 'google-chrome', 'chromium-browser', 'chrome']

/** The program: what CHROMIUM names, else where systems put it, or `null` if there is none. */
export const chromium: string | null =
  [process.env.CHROMIUM ?? '', ...NAMES.flatMap((name) => PLACES.map((place) => join(place, name)))].find(
    (file) => file !== '' && existsSync(file),
  ) ?? null

/** For `describe.skipIf(chromium === null)(inBrowser('…'))`: the title says why it is skipped. */
export function inBrowser(title: string): string {
  return chromium === null ? `${title} (skipped: there is no Chromium, and CHROMIUM names none)` : title
}

interface PageOptions
  extends Pick<
    BrowserContextOptions,
    'colorScheme' | 'forcedColors' | 'hasTouch' | 'javaScriptEnabled' | 'locale' | 'reducedMotion' | 'timezoneId'
  > {
  /** In CSS pixels. Default 1,280 by 800. */
  readonly width?: number
  readonly height?: number
}

interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  /** The problems of the page so far: uncaught errors, and errors and warnings of the console (the CSP's too). */
  readonly problems: string[]
  /** The addresses that it asked for, in their order. */
  readonly requests: string[]
}

/**
 * One browser for the tests of a file. Each call opens a page with cookies and storage of its own, in English, in UTC, in
 * light colours and without motion; it is closed after its test.
 */
export function useBrowser(): (options?: PageOptions) => Promise<Opened> {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    if (chromium === null) return
    const { chromium: engine } = await import('playwright-core')
    browser = await engine.launch({ executablePath: chromium, args: ['--no-sandbox'] })
  }, 60_000)
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(() => browser?.close())

  return async ({ width = 1_280, height = 800, ...options } = {}) => {
    if (browser === undefined) throw new Error('There is no Chromium')
    const context = await browser.newContext({
      viewport: { width, height },
      locale: 'en-US',
      timezoneId: 'UTC',
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    return { page, context, ...watch(page) }
  }
}

function watch(page: Page): { readonly problems: string[]; readonly requests: string[] } {
  const problems: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => problems.push(`not caught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('request', (request) => requests.push(request.url()))
  watchRequests(page)
  return { problems, requests }
}

const underWay = new WeakMap<Page, Set<Request>>()

/** Counts from now on what the page asks for, until it is answered: `requestsUnderWay` tells. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => {
    // With a new document all that the one before asked for is given up.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.clear()
    requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** The addresses that the page has asked for and that are not answered yet. */
export function requestsUnderWay(page: Page): readonly string[] {
  const requests = underWay.get(page)
  if (requests === undefined) throw new Error('The requests of this page are not watched')
  return [...requests].map((request) => request.url())
}

/** Resolves when all that follows from what was done last is drawn: effects run after a frame, and draw in the next. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  )
}

/**
 * The faults that axe-core finds by WCAG 2.2 at the levels A and AA, and by its best practices: `rule: element`. Empty
 * if there are none.
 */
export async function violationsOf(page: Page, within = 'html'): Promise<readonly string[]> {
  const { default: axe } = await import('axe-core')
  await page.evaluate(axe.source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const settings = JSON.stringify({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })
  const answer: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(within)}, ${settings})`)
  return answer.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const [why] = [...any, ...all, ...none]
      return `${id}: ${html.slice(0, 160)}${why === undefined ? '' : ` (${why.message})`}`
    }),
  )
}

/** By how many pixels the page is wider than the screen; 0 if it does not scroll sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** A picture to be looked at, in the folder that PICTURES names; without it, none is taken. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
