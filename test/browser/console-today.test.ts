// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'

describe.skipIf(chromium === null)(inBrowser('The page Today'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [360, 'dark'],
  ] as const)('shows what was done, %i pixels wide, %s', async (width, colorScheme) => {
    const console = await openConsole()
    const count = await fillWithDemo(console, 40)
    const { page, problems, requests } = await open({ width, colorScheme })
    await page.goto(console.base)
    await settled(page)

    const { days } = await console.gamification.activity.days({ from: today(0), to: today(0) })
    expect(days).toHaveLength(1)
    const shown = await page.locator('[data-figure=events] .value').textContent()
    expect(shown).toBe(days[0]?.events.toLocaleString('en'))
    expect(await page.locator('[data-figure=users] .value').textContent()).toBe(String(count))
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Today')
    expect(await page.title()).toBe('Today · laurels')
    expect(await page.getByRole('link', { name: 'All time' }).count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(console.base))).toEqual([])
    await takePicture(page, `console-today-${width}-${colorScheme}`)
  })

  test('has each chart as a table too, with the figures of the answer', async () => {
    const console = await openConsole()
    await fillWithDemo(console, 20)
    const { page } = await open()
    await page.goto(`${console.base}?days=7`)
    await settled(page)
    await page.getByText('As a table').first().click()
    const table = page.getByRole('table', { name: 'Events by day' })
    await table.waitFor()

    const { days } = await console.gamification.activity.days({ from: today(-6), to: today(0) })
    const cells = await table.getByRole('cell').allTextContents()
    expect(cells).toEqual(days.map(({ events }) => events.toLocaleString('en')))
    expect(cells).toHaveLength(7)
  })

  test('of an empty game says so without a fault', async () => {
    const console = await openConsole()
    const { page, problems } = await open()
    await page.goto(console.base)
    await settled(page)
    expect(await page.locator('[data-figure=events] .value').textContent()).toBe('0')
    expect(await page.locator('[data-figure=users] .value').textContent()).toBe('0')
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('says when the server is gone, keeps what it has, and goes on when it is back', async () => {
    const console = await openConsole()
    const count = await fillWithDemo(console, 10)
    const { page } = await open()
    await page.goto(console.base)
    await settled(page)

    await console.stop()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The server does not answer.').first().waitFor()
    await settled(page)
    expect(await page.getByRole('link', { name: 'All time' }).count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])

    await console.start()
    for (const name of ['what was done', 'the state of the engine']) {
      await page.getByRole('alert').filter({ hasText: name }).getByRole('button', { name: 'Try again' }).click()
    }
    await settled(page)
    expect(await page.getByText('The server does not answer.').count()).toBe(0)
    expect(await page.locator('[data-figure=users] .value').textContent()).toBe(String(count))
  })
})

function today(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}
