// @heavy: It drives a browser.
// The page of examples/express-sqlite, as npm start serves it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { useCompiledPackage } from '../support/compiled-package.ts'
import { settled } from '../support/console.ts'
import { type ExampleServer, useExamples } from '../support/example-server.ts'

describe.skipIf(chromium === null)(inBrowser('The page of the example'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const packaged = useCompiledPackage()
  const files = mkdtempSync(join(tmpdir(), 'laurels-page-'))
  const { start } = useExamples(packaged, files)
  let server: ExampleServer

  beforeAll(async () => {
    server = await start('express-sqlite', { DEMO: 'no' })
  }, 60_000)
  afterAll(() => rmSync(files, { recursive: true, force: true }))

  test('logs pages, shows a toast for a badge, and what came of it in the elements', async () => {
    const { page, context, problems, requests } = await open({ width: 1_024, timezoneId: 'Europe/Berlin' })
    await page.goto(server.address)
    await expect.poll(() => page.locator('laurels-streak .count').textContent()).toBe('0 days')
    const [session] = await context.cookies()
    expect([session?.httpOnly, session?.sameSite]).toEqual([true, 'Strict'])

    await page.getByLabel('Pages read').fill('120')
    await page.keyboard.press('Enter')
    // The quests that 120 pages complete differ by day.
    const isOfQuest = (toast: string): boolean => toast.startsWith('Completed: ')
    const toasts = (): Promise<readonly string[]> => page.locator('.toast').allTextContents()
    await expect
      .poll(async () => (await toasts()).filter((toast) => !isOfQuest(toast)))
      .toEqual(['New badge: First page', 'Day 1 of your streak'])
    expect((await toasts()).filter(isOfQuest).length).toBeGreaterThan(0)
    await expect.poll(() => page.locator('laurels-streak .count').textContent()).toBe('1 day')
    expect(await page.locator('laurels-streak .row li').count()).toBe(14)
    await expect.poll(() => page.locator('laurels-level .total').textContent()).toBe('60 \u2068XP\u2069')
    await expect.poll(() => page.locator('laurels-badges .earned .name').allTextContents()).toEqual(['First page'])
    await expect.poll(() => page.locator('laurels-leaderboard .mine').textContent()).toBe('1Robin ReaderYou120')

    const claim = page.locator('laurels-challenges').getByRole('button', { name: /^Claim/ })
    const waiting = await claim.count()
    expect(waiting).toBeGreaterThan(0)
    await claim.first().click()
    await expect.poll(() => claim.count()).toBe(waiting - 1)

    await settled(page)
    await takePicture(page, 'example-page')
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(server.address))).toEqual([])
  })

  test('can be used in the dark, on a phone', async () => {
    const { page } = await open({ width: 320, colorScheme: 'dark' })
    await page.goto(server.address)
    await page.locator('button:enabled', { hasText: 'Log' }).waitFor()
    await page.getByLabel('Pages read').press('Enter')
    await page.locator('laurels-leaderboard .mine').waitFor()
    await settled(page)
    await takePicture(page, 'example-page-phone')
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  // How many of these have read this week goes by the day on which this runs.
  test('shows a new reader among those that are made up', async () => {
    const { address } = await start('express-sqlite', { DATABASE: 'demo.db' })
    const { page } = await open({ width: 1_280, locale: 'de-DE' })
    await page.goto(address)
    await page.locator('button:enabled', { hasText: 'Log' }).waitFor()
    await page.getByLabel('Pages read').fill('1000')
    await page.keyboard.press('Enter')
    await page.getByText('New badge: Bookworm').waitFor()
    await expect
      .poll(() => page.locator('laurels-leaderboard .mine').textContent())
      .toMatch(/^1Robin ReaderYou(?:new)?1,000$/)
    await settled(page)
    await takePicture(page, 'example-page-demo')
    expect(await violationsOf(page)).toEqual([])
  })

  test('says what went wrong', async () => {
    const { page } = await open()
    await page.goto(server.address)
    await page.locator('laurels-level .level').waitFor()
    await page.route('**/event', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { error: 'Slow down', code: 'rate_limited' },
      }),
    )
    await page.getByRole('button', { name: 'Log' }).click()
    await expect.poll(() => page.locator('.toast').allTextContents()).toEqual(['Slow down'])
  })

  test('lets nothing of other sites in, and is shown in no frame', async () => {
    const { headers } = await fetch(server.address)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('set-cookie')).toMatch(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await fetch(`${server.address}/game/users/reader/streak`)).status).toBe(401)
  })
})
