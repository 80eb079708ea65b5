// Takes the pictures of the console that stand in docs: `npm run pictures`. Run by hand, with a fixed clock.

import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium as engine, type Page } from 'playwright-core'
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

interface Picture {
  readonly name: string
  readonly path: string
  /** What is done on the page before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'today', path: '' },
  { name: 'users', path: 'users' },
  { name: 'user', path: `users/${USER}` },
  { name: 'user-log', path: `users/${USER}?tab=log` },
  { name: 'achievements', path: 'achievements' },
  { name: 'leaderboard', path: 'leaderboards/weekly' },
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
  await page.locator('.figures').evaluate((figures) => figures.scrollIntoView({ block: 'start' }))
}

async function take(console: OpenedConsole, colorScheme: 'light' | 'dark'): Promise<void> {
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
    const file = join(FOLDER, `${name}-${colorScheme}.webp`)
    writeFileSync(file, await toWebp(page, await page.screenshot()))
    const { size } = statSync(file)
    if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, which is more than ${MOST_BYTES}`)
    process.stdout.write(`${name}-${colorScheme}.webp ${Math.round(size / 1_024)} KB\n`)
  }
  await browser.close()
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
for (const id of [USER, 'demo-012', 'demo-031']) {
  await console.gamification.achievements.complete('joined-a-club', { user: { id }, idempotencyKey: id })
}
await take(console, 'light')
await take(console, 'dark')
await close()
