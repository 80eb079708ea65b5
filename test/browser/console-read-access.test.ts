// @heavy: It drives a browser.
// A viewer with read access sees no control that changes data.

import { describe, expect, test, vi } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { chromium, inBrowser, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'
import { MORE_PAGES, RICH_GAME } from '../support/console-game.ts'

/** The controls on these pages for a viewer with read access. */
const HARMLESS =
  /^(?:Menu|Show|Show more|Next|Previous|More runs|More groups|Copy JSON|Preview|Start from the current game|Verify .*|Reload the .*|Rules|Definition|All games|Show the definition of epoch \d+|Of all users|Choose File.*|Cause .*|Metric .*|Streak .*|Challenge .*|Achievement .*|Points system .*|Trigger .*|Level .*|Leaderboard .*)$/

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(chromium === null)(inBrowser('With read access'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('the pages have no button that changes anything, and ask nothing that would', async () => {
    const webhooks = { secretKey: '0123456789abcdef0123456789abcdef' }
    const console = await openConsole({ definition: RICH_GAME, access: 'read', options: { webhooks } })
    await fillWithDemo(console, 3, { game: defineGame(RICH_GAME) })
    const { gamification } = console
    await gamification.admin.applicationApiKeys.create([{ userId: 'demo-1' }])
    const { id } = await gamification.webhooks.create({ url: 'https://example.com/', types: ['user.created'] })
    const { page, problems } = await open()
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(`${request.method()} ${request.url()}`)
    })
    const pressed: string[] = []
    for (const path of [...MORE_PAGES, `outbox?webhook=${id}`]) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      for (const button of await page.getByRole('button').all()) {
        const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? ''
        pressed.push((await button.getAttribute('type')) === 'file' ? 'Choose File' : name)
      }
      expect(await violationsOf(page), path).toEqual([])
    }
    expect(pressed.filter((name) => !HARMLESS.test(name.replaceAll('\n', ' ')))).toEqual([])
    expect(pressed.length).toBeGreaterThan(30)
    expect(changes).toEqual([])
    expect(problems).toEqual([])
  })

  test('verifying and what-if are there, for they change nothing', async () => {
    const console = await openConsole({ definition: RICH_GAME, access: 'read' })
    await fillWithDemo(console, 3, { game: defineGame(RICH_GAME) })
    const { page } = await open()
    await page.goto(`${console.base}integrity`)
    await page.getByRole('button', { name: 'Verify all users' }).click()
    await page.getByText('every row is what the logs say.').waitFor()
    await page.goto(`${console.base}what-if`)
    await page.getByRole('button', { name: 'Start from the current game' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('No user would gain or lose anything').waitFor()
  })
})
