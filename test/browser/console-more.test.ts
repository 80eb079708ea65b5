// @heavy: It drives a browser.
// The pages of rules and of operation, each with demo data, empty, and with the server gone.

import { describe, expect, test } from 'vitest'
import { defineGame } from '../../src/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, tryAgain, useConsole } from '../support/console.ts'
import { MORE_PAGES, RICH_GAME } from '../support/console-game.ts'

/** axe-core takes seconds for a page. */
const MINUTE = 60_000

describe.skipIf(chromium === null)(inBrowser('The pages of rules and of operation'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [360, 'dark'],
  ] as const)(
    'are whole with demo data, %i pixels wide, %s',
    async (width, colorScheme) => {
      const console = await openConsole({ definition: RICH_GAME })
      await fillWithDemo(console, 30, { game: defineGame(RICH_GAME) })
      const { page, problems, requests } = await open({ width, colorScheme })
      for (const path of MORE_PAGES) {
        await page.goto(`${console.base}${path}`)
        await settled(page)
        expect(await page.getByRole('alert').count(), path).toBe(0)
        // The text for an unknown value.
        expect(await page.getByText('…', { exact: true }).count(), path).toBe(0)
        expect(await page.evaluate('document.activeElement.tagName'), path).toBe('H1')
        expect(await violationsOf(page), path).toEqual([])
        expect(await overflowOf(page), path).toBe(0)
        expect(await page.title(), path).toMatch(/ · laurels$/)
        await takePicture(page, `console-${path.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}`)
      }
      expect(problems).toEqual([])
      expect(requests.filter((url) => !url.startsWith(console.base))).toEqual([])
    },
    MINUTE * 4,
  )

  test(
    'say what is missing where there is nothing',
    async () => {
      const console = await openConsole({ definition: { metrics: { words: { name: 'Words' } } } })
      const { page, problems } = await open({ width: 360 })
      const texts: readonly (readonly [path: string, text: string])[] = [
        ['achievements', 'The game has no achievements'],
        ['achievements/nothing', 'The game has no achievement with the key nothing'],
        ['challenges', 'The game has no challenges'],
        ['challenges/nothing', 'The game has no challenge with the key nothing'],
        ['leaderboards', 'The game has no leaderboards'],
        ['leaderboards/nothing', 'The game has no leaderboard with the key nothing'],
        ['rewards', 'The game has no rewards'],
        ['game', 'Words'],
        ['what-if', 'It changes nothing.'],
        ['integrity', 'Is the database right?'],
        ['keys', 'There are no application keys'],
        ['keys?user=nobody', 'The user nobody has no application keys'],
        ['outbox', 'There are no webhooks'],
        ['outbox', 'There are no subscriptions'],
      ]
      for (const [path, text] of texts) {
        await page.goto(`${console.base}${path}`)
        await settled(page)
        expect(await page.getByText(text).filter({ visible: true }).count(), path).toBeGreaterThan(0)
        expect(await violationsOf(page), path).toEqual([])
        expect(await overflowOf(page), path).toBe(0)
      }
      expect(problems).toEqual([])
    },
    MINUTE * 4,
  )

  test('say that nobody is on a board and has an achievement yet', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { page } = await open()
    await page.goto(`${console.base}leaderboards/weekly`)
    await page.getByText('No user is on it yet').waitFor()
    await page.goto(`${console.base}achievements/first-words`)
    await page.getByText('No user has it yet').waitFor()
    await page.goto(`${console.base}leaderboards/by-plan`)
    await page.getByText('Choose a group').waitFor()
  })

  test(
    'say that the server is gone, and go on when it is back',
    async () => {
      const console = await openConsole({ definition: RICH_GAME })
      await fillWithDemo(console, 5, { game: defineGame(RICH_GAME) })
      const { page } = await open()
      await page.goto(`${console.base}integrity`)
      await settled(page)
      const pages = [
        ['Achievements', 'First words'],
        ['Challenges', 'Daily quests'],
        ['Leaderboards', 'This week'],
        ['Rewards', 'A mug'],
        ['Game', 'What leads to what'],
        ['Keys', 'There are no application keys'],
        ['Outbox', 'There are no webhooks'],
      ] as const
      for (const [name, text] of pages) {
        await console.stop()
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
        await page.getByRole('alert').first().waitFor()
        await settled(page)
        expect(await page.getByRole('alert').first().textContent(), name).toContain('The server does not answer.')
        expect(await violationsOf(page), name).toEqual([])
        await console.start()
        await tryAgain(page)
        await page.getByText(text).first().waitFor()
        expect(await page.getByRole('alert').count(), name).toBe(0)
      }
    },
    MINUTE * 4,
  )
})
