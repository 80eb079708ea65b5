// @heavy: It drives a browser.
// The page of a leaderboard shows the API's answer.

import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { defineGame, type LeaderboardWithRankings } from '../../src/index.ts'
import { chromium, inBrowser, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, settled, useConsole } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'

type Row = readonly [rank: string | null, user: string, value: string | null]

/** When what was chosen last has come. */
async function rowsOf(page: Page): Promise<readonly Row[]> {
  await settled(page)
  return page.evaluate(`[...document.querySelectorAll('table tbody tr')].map((row) => [
    row.cells[0].textContent,
    decodeURIComponent(row.querySelector('a').pathname.split('/').at(-1)),
    row.cells[2].textContent,
  ])`)
}

async function valuesOf(page: Page, label: string): Promise<readonly string[]> {
  const options = await page.getByRole('combobox', { name: label }).locator('option').all()
  return Promise.all(options.map(async (option) => (await option.getAttribute('value')) ?? ''))
}

function toRows({ rankings }: LeaderboardWithRankings): readonly Row[] {
  return rankings.map(({ rank, userId, value }) => [rank.toLocaleString('en'), userId, value.toLocaleString('en')])
}

vi.setConfig({ testTimeout: 240_000 })

describe.skipIf(chromium === null)(inBrowser('The page of a leaderboard'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('shows every page of every run as the API has it, and leads to the users', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    await fillWithDemo(console, 80, { game: defineGame(RICH_GAME) })
    const { leaderboards } = console.gamification
    const { page } = await open()
    await page.goto(`${console.base}leaderboards/weekly`)
    await settled(page)
    const runs = await valuesOf(page, 'Run')
    expect(runs.length).toBeGreaterThan(12)
    for (const run of runs.slice(0, 6)) {
      await page.getByRole('combobox', { name: 'Run' }).selectOption(run)
      for (let offset = 0; ; offset += 25) {
        const asked = { offset, limit: 25, ...(run === '' ? {} : { run }) }
        const expected = toRows(await leaderboards.get('weekly', asked))
        const polled = { message: `${run} ${offset}`, timeout: 10_000 }
        await expect.poll(() => rowsOf(page), polled).toEqual(expected)
        if (expected.length < 25) break
        await page.getByRole('button', { name: 'Next' }).click()
        await expect.poll(() => page.url(), { timeout: 10_000 }).toMatch(new RegExp(`offset=${offset + 25}\\b`))
      }
    }
    await page.getByRole('combobox', { name: 'Run' }).selectOption('')
    const [first] = await rowsOf(page)
    await page.getByRole('table').getByRole('link').first().click()
    await page.waitForURL(`${console.base}users/${first?.[1]}`)
  })

  test('jumps to a user, in the group that it is in, and says who is not on it', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    await fillWithDemo(console, 80, { game: defineGame(RICH_GAME) })
    const { leaderboards } = console.gamification
    const { rankings } = await leaderboards.get('streaks', { limit: 60 })
    const userId = rankings.at(-1)?.userId ?? ''
    await console.gamification.users.create({ id: 'newcomer' })
    const { page } = await open()
    for (const key of ['streaks', 'by-plan']) {
      await page.goto(`${console.base}leaderboards/${key}`)
      await settled(page)
      await page.getByLabel('Jump to a user').fill(userId)
      await page.keyboard.press('Enter')
      await page.locator('.marked').waitFor()
      expect(await rowsOf(page)).toEqual(toRows(await leaderboards.get(key, { userId, offset: -10, limit: 25 })))
      expect(await page.locator('.marked').textContent()).toContain(userId)
    }
    await page.goto(`${console.base}leaderboards/streaks?user=newcomer`)
    await page.getByText('The user newcomer is not on the leaderboard in this run').waitFor()
    await page.getByRole('button', { name: 'From the first place' }).click()
    expect(await rowsOf(page)).toEqual(toRows(await leaderboards.get('streaks', { limit: 25 })))
  })

  test.each(['light', 'dark'] as const)(
    'marks anonymous users, and says why a user is hidden: %s',
    async (colorScheme) => {
      const board = { name: 'Readers', rankBy: 'metric', metric: 'pages', start: '2024-01-01' } as const
      const console = await openConsole({
        definition: { metrics: { pages: { name: 'Pages' } }, leaderboards: { all: { ...board, smallestGroup: 5 } } },
      })
      const { metrics, users } = console.gamification
      for (const [id, name, value] of [
        ['ann', 'Ann', 30],
        ['bob', 'Bob', 20],
        ['cid', 'Cid', 10],
      ] as const)
        await metrics.event('pages', { user: { id, name }, value })
      await users.updatePreferences('bob', { leaderboards: 'anonymous' })
      await users.updatePreferences('cid', { leaderboards: 'hidden' })
      const { page, problems } = await open({ colorScheme })
      await page.goto(`${console.base}leaderboards/all`)
      expect(await rowsOf(page)).toEqual([
        ['1', 'ann', '30'],
        ['2', 'bob', '20'],
      ])
      expect(await page.getByRole('row', { name: 'Bob' }).getByText('anonymous for others').count()).toBe(1)
      expect(await page.getByText('anonymous for others').count()).toBe(1)
      await page.getByText('clients see groups from 5 participants on').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await takePicture(page, `console-anonymous-${colorScheme}`)
      await page.goto(`${console.base}leaderboards/all?user=cid`)
      await page.getByText('The user chose to be hidden on leaderboards.').waitFor()
      expect(problems).toEqual([])
    },
  )
})
