// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'

describe.skipIf(chromium === null)(inBrowser('The page Users'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [360, 'dark'],
  ] as const)('lists users page by page, %i pixels wide, %s', async (width, colorScheme) => {
    const console = await openConsole()
    const count = await fillWithDemo(console, 60)
    const { page, problems } = await open({ width, colorScheme })
    await page.goto(`${console.base}users`)
    await settled(page)

    const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader')
    expect(await rows.count()).toBe(50)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-users-${width}-${colorScheme}`)

    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2').waitFor()
    await settled(page)
    expect(await rows.count()).toBe(count - 50)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('Page 1').waitFor()
    expect(problems).toEqual([])
  })

  test('finds by a part of an id or a name, asks once for what is typed quickly, and keeps it in the address', async () => {
    const console = await openConsole()
    await console.gamification.users.identify('ann', { name: 'Ann Ames' })
    await console.gamification.users.identify('hannah', { name: 'Hannah Bloom' })
    await console.gamification.users.identify('carl', { name: 'Carl' })
    const { page, requests } = await open()
    await page.clock.install()
    await page.goto(`${console.base}users`)
    await settled(page)
    const before = requests.length
    // A busy machine may take longer between two letters than anybody does.
    await page.clock.pauseAt(Date.now() + 10_000)
    for (const letter of 'ann') {
      await page.getByRole('searchbox').press(letter)
      await page.clock.runFor(100)
    }
    await page.clock.resume()
    await page.getByRole('heading', { name: 'Found' }).waitFor()
    await settled(page)

    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['AAAnn Amesann', 'HBHannah Bloomhannah'])
    expect(requests.slice(before).filter((url) => url.includes('/users?'))).toHaveLength(1)
    expect(new URL(page.url()).search).toBe('?search=ann')
    await page.reload()
    await settled(page)
    expect(await page.getByRole('rowheader').count()).toBe(2)
  })

  test('opens a user by its exact id, and says when there is none', async () => {
    const console = await openConsole()
    await console.gamification.users.identify('18', { name: 'Ada' })
    const { page } = await open()
    await page.goto(`${console.base}users`)
    await page.getByRole('searchbox').fill('19')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('There is no user with the id "19"').waitFor()
    await page.getByRole('searchbox').fill('18')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/users/18')
  })

  test('says that there is nobody yet', async () => {
    const console = await openConsole()
    const { page, problems } = await open()
    await page.goto(`${console.base}users`)
    await page.getByText('There are no users yet.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('says when the server is gone, and tries again', async () => {
    const console = await openConsole()
    await console.gamification.users.identify('18', { name: 'Ada' })
    const { page } = await open()
    await page.goto(`${console.base}users`)
    await settled(page)
    await console.stop()
    await page.getByRole('searchbox').fill('ad')
    await page.getByText('The server does not answer.').waitFor()
    await console.start()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('rowheader').getByText('Ada').waitFor()
  })
})
