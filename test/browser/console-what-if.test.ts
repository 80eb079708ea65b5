// @heavy: It drives a browser.
// The page What if shows the figures of `laurels what-if`, and puts a game in force.

import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { defineGame, type GameDefinition, type WhatIfReport } from '../../src/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { laurels, useFiles } from '../support/cli.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'

const MINUTE = 60_000

const file = useFiles()

/** Fewer chapters, more words for silver, and twice as much for words. */
const NEXT = {
  ...RICH_GAME,
  achievements: {
    ...RICH_GAME.achievements,
    novelist: { ...RICH_GAME.achievements.novelist, value: 20 },
    writer: {
      ...RICH_GAME.achievements.writer,
      tiers: { bronze: { value: 1_000 }, silver: { value: 30_000 }, gold: { value: 50_000 } },
    },
  },
  points: {
    ...RICH_GAME.points,
    xp: {
      ...RICH_GAME.points.xp,
      triggers: [
        { type: 'user_creation', points: 20 },
        { type: 'metric', metric: 'words', threshold: 100, points: 20 },
        { type: 'achievement', achievement: 'novelist', points: 500 },
        { type: 'streak', length: 7, points: 50 },
      ],
    },
  },
} as const satisfies GameDefinition

async function lookAt(page: Page, definition: unknown): Promise<void> {
  await page.getByLabel('The other definition, as JSON').fill(JSON.stringify(definition))
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('[data-figure="changed"]').waitFor({ timeout: 5 * MINUTE })
}

/** The figures of each table of the page, by its caption; a chart is no figure. */
async function figuresOf(page: Page): Promise<{ readonly [caption: string]: readonly (readonly string[])[] }> {
  const more = page.getByRole('button', { name: 'Show more' })
  for (let left = await more.count(); left > 0; left = await more.count()) await more.first().click()
  return page.evaluate(`Object.fromEntries([...document.querySelectorAll('table')].map((table) => [
    table.caption.textContent,
    [...table.tBodies[0].rows].map((row) => [...row.cells].filter((cell) => !cell.querySelector('svg')).map((cell) => cell.textContent)),
  ]))`)
}

const toText = (count: number): string => count.toLocaleString('en')

/** The expected tables for a report of the command line; `nameOf` has the names of achievements. */
function toFigures(report: WhatIfReport, nameOf: (key: string) => string): { readonly [caption: string]: unknown } {
  const sections = {
    Achievements: report.achievements.map(({ key, gained, lost }) => [nameOf(key), ...[gained, lost].map(toText)]),
    Points: report.points.map(({ gains, minted, loses, gone }) => ['XP', ...[gains, minted, loses, gone].map(toText)]),
    Levels: report.levels.map(({ up, down }) => ['XP', ...[up, down].map(toText)]),
  }
  return Object.fromEntries(Object.entries(sections).filter(([, rows]) => rows.length > 0))
}

async function expectSame(page: Page, report: WhatIfReport, nameOf: (key: string) => string): Promise<void> {
  expect(await page.locator('[data-figure="users"] .value').textContent()).toBe(toText(report.users))
  expect(await page.locator('[data-figure="changed"] .value').textContent()).toBe(toText(report.changed))
  const figures = await figuresOf(page)
  expect(figures).toMatchObject(toFigures(report, nameOf))
  expect((figures.Triggers ?? []).map(([, ...rest]) => rest)).toEqual(
    report.triggers.map(({ gains, minted, loses, gone }) => [gains, minted, loses, gone].map(toText)),
  )
  expect((figures.Leaderboards ?? []).map(([, ...rest]) => rest)).toEqual(
    report.leaderboards.map(({ entered, left, up, down }) => [entered, left, up, down].map(toText)),
  )
  const largest = figures['The users with the largest differences: of points, then of achievements'] ?? []
  expect(largest.map(([user]) => user)).toEqual(report.largest.map(({ user }) => user))
  expect(largest.map(([, points]) => points)).toEqual(
    report.largest.map(({ points }) =>
      Object.values(points)
        .map((by) => `XP ${by < 0 ? '−' : '+'}${toText(Math.abs(by))}`)
        .join(', '),
    ),
  )
}

async function onCommandLine(db: string, game: string, definition: unknown): Promise<WhatIfReport> {
  const { code, out } = await laurels([
    'what-if',
    '--db',
    db,
    '--game',
    file(game, JSON.stringify(definition)),
    '--json',
  ])
  expect(code).toBe(0)
  return JSON.parse(out) as WhatIfReport
}

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(chromium === null)(inBrowser('The page What if'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('shows the figures of the command line for demo data', async () => {
    const db = file('demo.db')
    const console = await openConsole({ definition: RICH_GAME, options: { storage: sqlite(db) } })
    await console.gamification.migrate()
    await fillWithDemo(console, 40, { game: defineGame(RICH_GAME) })
    const { page, problems } = await open({ width: 1_440 })
    await page.goto(`${console.base}what-if`)
    await lookAt(page, NEXT)
    const report = await onCommandLine(db, 'next.json', NEXT)
    expect(report.changed).toBeGreaterThan(10)
    const names: { readonly [key: string]: string } = {
      novelist: 'Novelist',
      'writer.silver': 'Writer Silver',
      'all-rounder': 'All-rounder',
    }
    await expectSame(page, report, (key) => names[key] ?? key)
    expect(await violationsOf(page)).toEqual([])
    await takePicture(page, 'console-what-if-report')
    await page.setViewportSize({ width: 360, height: 800 })
    await settled(page)
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
  })

  test('shows what the server says is wrong with a definition, and what is no JSON', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { page } = await open({ width: 360 })
    await page.goto(`${console.base}what-if`)
    const look = async (text: string): Promise<void> => {
      await page.getByLabel('The other definition, as JSON').fill(text)
      await page.getByRole('button', { name: 'Preview' }).click()
    }
    const told = (): Promise<string | null> => page.getByRole('alert').textContent()
    await look('')
    await expect.poll(told).toContain('Paste a definition, or choose a file.')
    await look('{ "metrics": ')
    await expect.poll(told).toContain('This is not JSON')
    await look('[]')
    await expect.poll(told).toContain('must be a JSON object')
    await look('{ "metrics": { "words": {} }, "achievements": { "a": { "name": 3 } } }')
    await page.getByRole('alert').getByText('metrics.words.name', { exact: true }).waitFor()
    expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual([
      'metrics.words.name is missing; give a string that is not empty',
      "achievements.a.trigger is missing; give 'metric', 'api', 'streak', 'achievement', 'criteria' or 'anniversary'",
      'achievements.a.name must be a string that is not empty, not 3',
    ])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  test('puts a game in force by the policy that was chosen, after asking', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    await fillWithDemo(console, 20, { game: defineGame(RICH_GAME) })
    const { page, problems } = await open()
    await page.goto(`${console.base}what-if`)
    await page.getByLabel('The other definition, as JSON').fill(JSON.stringify(NEXT))
    await page.getByRole('button', { name: 'Apply…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Put this game in force?' })
    await dialog.getByText('No user loses anything.').waitFor()
    await dialog.getByText('Users can lose achievements').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await console.gamification.whatIf(defineGame(NEXT))).changed).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Apply…' }).click()
    await dialog.getByLabel('recompute').check()
    await dialog.getByRole('button', { name: 'Apply and recompute' }).click()
    await page.getByText('The game is in force as epoch 2, by recompute').waitFor()
    expect((await console.gamification.whatIf(defineGame(NEXT))).changed).toBe(0)
    await page.goto(`${console.base}game?tab=older`)
    await settled(page)
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['2', '1'])
    expect(problems).toEqual([])
  })
})
