// Takes the pictures in docs/pictures, of the console and of the elements: `npm run pictures`. Run by hand, with a fixed clock.

import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as engine, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { userApi } from '../../adapters/express/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { defineGame } from '../../src/index.ts'
import { chromium, watchRequests } from '../support/browser.ts'
import { fillWithDemo, type OpenedConsole, openConsole, settled } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'

const NOW = Date.parse('2026-03-15T10:00:00Z')
const FOLDER = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const MOST_BYTES = 120 * 1_024
const SIZE = { width: 1_280, height: 800 }
const USER = 'demo-041'
const ELEMENTS_USER = 'demo-012'

interface Picture {
  readonly name: string
  readonly path: string
  /** Actions on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'today', path: '' },
  { name: 'user', path: `users/${USER}` },
  {
    name: 'game',
    path: 'game',
    prepare: async (page) => {
      await page.locator('[data-node="achievement:all-rounder"]').click()
      await page.mouse.move(0, 0)
    },
  },
  { name: 'what-if', path: 'what-if', prepare: lookAtAnother },
]

/** More words for silver, fewer chapters for a novelist, and twice the points for words. */
async function lookAtAnother(page: Page): Promise<void> {
  const { achievements, points } = RICH_GAME
  const { writer, novelist } = achievements
  const silver = { ...writer, tiers: { ...writer.tiers, silver: { value: 30_000 } } }
  const triggers = points.xp.triggers.map((each) => (each.type === 'metric' ? { ...each, points: 20 } : each))
  const definition = {
    ...RICH_GAME,
    achievements: { ...achievements, writer: silver, novelist: { ...novelist, value: 20 } },
    points: { ...points, xp: { ...points.xp, triggers } },
  }
  await page.getByLabel('The other definition, as JSON').fill(JSON.stringify(definition, null, 2))
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('[data-figure="changed"]').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Preview' }).scrollIntoViewIfNeeded()
  await page.evaluate("document.querySelector('.figures').scrollIntoView({ block: 'start' })")
}

const ELEMENTS_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8">
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; --laurels-padding: 16px; }
  body { margin: 16px; background: light-dark(#f2f4f6, #0c0f12); display: grid; gap: 16px; grid-template-columns: 3fr 2fr; }
  div { display: grid; gap: 16px; align-content: start; }
</style>
<div><laurels-streak></laurels-streak><laurels-badges images="off"></laurels-badges></div>
<div><laurels-level system="xp"></laurels-level><laurels-leaderboard leaderboard="weekly" limit="9" around></laurels-leaderboard></div>
<script type="module">
  for (const element of document.querySelectorAll('div > *')) element.setAttribute('base-url', '/game')
  await import('/elements.js')
</script>`

/** Serves the page of elements, on which the user is signed in. */
async function serveElements({ gamification }: OpenedConsole): Promise<readonly [url: string, close: () => void]> {
  const bundle = await rolldown({ input: 'adapters/elements/index.ts', platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  const api = userApi(gamification, { prefix: '/game', user: () => ELEMENTS_USER })
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/game/') === true) return void api(request, response)
    const isScript = request.url === '/elements.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? output[0].code : ELEMENTS_PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, () => server.close()]
}

async function take(console: OpenedConsole, elements: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const browser = await engine.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  watchRequests(page)
  await page.clock.setFixedTime(NOW)
  for (const { name, path, prepare } of PICTURES) {
    await page.goto(`${console.base}${path}`)
    await settled(page)
    await prepare?.(page)
    await page.evaluate('document.activeElement.blur()')
    await settled(page)
    write(`${name}-${colorScheme}`, await toWebp(page, await page.screenshot()))
  }
  await page.goto(elements)
  await settled(page)
  write(`elements-${colorScheme}`, await toWebp(page, await page.screenshot({ fullPage: true })))
  await browser.close()
}

function write(name: string, picture: Buffer): void {
  const file = join(FOLDER, `${name}.webp`)
  writeFileSync(file, picture)
  const { size } = statSync(file)
  if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, which is more than ${MOST_BYTES}`)
  process.stdout.write(`${name}.webp ${Math.round(size / 1_024)} KB\n`)
}

/** By the browser itself, which can write WebP, on an empty page. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const other = await page.context().newPage()
  const url: string = await other.evaluate(`(async () => {
    const picture = new Image()
    picture.src = 'data:image/png;base64,${png.toString('base64')}'
    await picture.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.85)
  })()`)
  await other.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

if (chromium === null) throw new Error('There is no Chromium, and CHROMIUM names none.')
mkdirSync(FOLDER, { recursive: true })
const options = { storage: memory(), clock: () => new Date(NOW) }
const [console, close] = await openConsole({ definition: RICH_GAME, options })
await fillWithDemo(console, 120, { game: defineGame(RICH_GAME), now: NOW })
for (const id of [USER, ELEMENTS_USER, 'demo-031']) {
  await console.gamification.achievements.complete('joined-a-club', { user: { id }, idempotencyKey: id })
}
const [elements, closeElements] = await serveElements(console)
await take(console, elements, 'light')
await take(console, elements, 'dark')
closeElements()
await close()
