// @heavy: It drives a browser.
// Without a mouse: everything is reached by Tab, and done by Enter.

import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { chromium, inBrowser, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'
import { MORE_PAGES, RICH_GAME } from '../support/console-game.ts'

/** The element with the focus: its role or tag, and its name. */
const FOCUSED = `(() => {
  const element = document.activeElement
  return (element.getAttribute('aria-label') ?? element.textContent ?? '').trim() || element.tagName
})()`

async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab')
    if (name.test(await page.evaluate<string>(FOCUSED))) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(chromium === null)(inBrowser('Without a mouse'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('the parts of the game are gone through, and what belongs to one is set off', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { page } = await open({ width: 1_440 })
    await page.goto(`${console.base}game`)
    await settled(page)
    await tabTo(page, /^Cause Completed via API/)
    await tabTo(page, /^Metric Comments/)
    await tabTo(page, /^Streak reviews/)
    await tabTo(page, /^Achievement Helpful/)
    await page.keyboard.press('Enter')
    const dimmed = page.locator('.part.dimmed')
    await expect.poll(() => page.locator('.part:not(.dimmed)').count()).toBe(3)
    expect(await dimmed.count()).toBeGreaterThan(20)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('status').getByText('Helpful', { exact: true }).waitFor()
    await tabTo(page, /^Open its page/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Helpful' }).waitFor()
  })

  test('an achievement is completed, and the dialog gives the focus back', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    await console.gamification.users.create({ id: 'ada', name: 'Ada' })
    const { page } = await open()
    await page.goto(`${console.base}achievements/joined-a-club`)
    await settled(page)
    await tabTo(page, /^Complete it for a user/)
    const dialog = page.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: 'Complete it', exact: true })
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.type('nobody')
    await page.getByText('There is no user with this id.').waitFor()
    await page.keyboard.press('Enter')
    await settled(page)
    expect(await dialog.isVisible()).toBe(true)
    for (let letters = 0; letters < 6; letters += 1) await page.keyboard.press('Backspace')
    await page.keyboard.type('ada')
    await page.getByText('This is Ada.').waitFor()
    await expect.poll(() => submit.isEnabled()).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('table').getByRole('link', { name: 'Ada' }).waitFor()
    await expect.poll(() => page.evaluate(FOCUSED)).toMatch(/^Complete it for a user/)
    const [achievement] = await console.gamification.users.achievements('ada')
    expect(achievement).toMatchObject({ key: 'joined-a-club', count: 1 })
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await expect.poll(() => page.evaluate(FOCUSED)).toMatch(/^Complete it for a user/)
  })

  test('what is typed before the next frame goes into the dialog that was asked for', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { page } = await open()
    await page.goto(`${console.base}achievements/joined-a-club`)
    await settled(page)
    const focused = await page.evaluate(`(async () => {
      document.querySelector('.page-head button.primary').click()
      await null
      return document.activeElement.closest('dialog[open] label')?.textContent
    })()`)
    expect(focused).toBe('Id of the user')
  })

  test('no page keeps the focus, and each shows where it is', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    await fillWithDemo(console, 3, { game: defineGame(RICH_GAME) })
    const { page } = await open()
    for (const path of MORE_PAGES) {
      await page.goto(`${console.base}${path}`)
      await settled(page)
      let hasLeft = false
      for (let steps = 0; steps < 250 && !hasLeft; steps += 1) {
        await page.keyboard.press('Tab')
        hasLeft = await page.evaluate<boolean>('document.activeElement === document.body')
        const isShown = `getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement.closest('.part, .skip') !== null`
        if (!hasLeft) expect(await page.evaluate(isShown), `${path}: ${await page.evaluate(FOCUSED)}`).toBe(true)
      }
      expect(hasLeft, path).toBe(true)
    }
  })
})
