// @heavy: It drives a browser.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { createTestClock } from '../../src/testing/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { settled, useConsole } from '../support/console.ts'

const GAME: GameDefinition = {
  metrics: { pages: { name: 'Pages' }, sessions: { name: 'Sessions' } },
  points: { xp: { name: 'XP' } },
  challenges: {
    daily: {
      ...{ name: 'Daily quests', every: 'day', pick: 2, rerolls: 1, claim: { within: { days: 2 } } },
      pool: {
        p20: { name: '20 pages', of: [{ metric: 'pages', value: 20 }], reward: { points: { xp: 10 } } },
        twice: { name: 'Read twice', of: [{ events: 'sessions', count: 2 }], reward: { points: { xp: 15 } } },
        p50: { name: '50 pages', of: [{ metric: 'pages', value: 50 }], reward: { points: { xp: 30 } } },
      },
    },
    tour: { name: 'Tour', enrol: 'manual', within: { days: 7 }, of: [{ metric: 'pages', value: 100 }] },
    june: { name: 'Read in June', start: '2024-06-01', end: '2024-06-30', of: [{ metric: 'pages', value: 500 }] },
    someday: { name: 'Some day', start: '2999-01-01', of: [{ metric: 'pages', value: 500 }] },
  },
}

const NOW = '2026-06-01T12:00:00Z'

/** The texts of the cells of each row, without cells that have buttons. */
async function rowsOf(page: Page, caption: string): Promise<readonly (readonly string[])[]> {
  await settled(page)
  const table = page.getByRole('table', { name: caption })
  const rows = await table.locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('th, td:not(.fit)').allInnerTexts()))
}

describe.skipIf(chromium === null)(inBrowser('Challenges in the console'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  const openGame = async (access: 'read' | 'write' = 'write') => {
    const clock = createTestClock(NOW)
    const console = await openConsole({ definition: GAME, access, options: { clock: clock.now } })
    return { clock, ...console }
  }

  test.each([
    [1_440, 'light'],
    [390, 'dark'],
  ] as const)('are listed with how many users complete them, %i pixels wide, %s', async (width, colorScheme) => {
    const { base, gamification } = await openGame('read')
    for (const [id, pages] of [
      ['18', 60],
      ['19', 5],
      ['20', 1],
    ] as const)
      await gamification.metrics.event('pages', { user: { id }, value: pages })
    const { page, problems } = await open({ width, colorScheme })
    await page.goto(`${base}challenges`)
    expect(await rowsOf(page, 'Challenges, in the order of the game')).toEqual([
      ['Daily quests\nreward to be claimed', 'Each day', '2 of 3 quests for each user', '3', '1', '33.33 %'],
      ['Tour\nby enrolment', '7 days from the enrolment', 'Completed with 100 of "Pages".', '0', '0', '–'],
      ['Read in June\nfinished', 'From 1 Jun 2024 to 30 Jun 2024', 'Completed with 500 of "Pages".', '0', '0', '–'],
      ['Some day\nscheduled', 'From 1 Jan 2999', 'Completed with 500 of "Pages".', '0', '0', '–'],
    ])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-challenges-${width}-${colorScheme}`)

    await page.getByRole('link', { name: 'Daily quests' }).click()
    expect(await rowsOf(page, 'The quests, in the order of the game')).toEqual([
      ['20 pages\np20', 'Completed with 20 of "Pages"; gives 10 "XP".'],
      ['Read twice\ntwice', 'Completed with 2 events of "Sessions"; gives 15 "XP".'],
      ['50 pages\np50', 'Completed with 50 of "Pages"; gives 30 "XP".'],
    ])
    expect(await page.locator('[data-figure] .value').allInnerTexts()).toEqual(['3', '1', '33.33 %'])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-challenge-${width}-${colorScheme}`)
    expect(problems).toEqual([])
  })

  test.each([
    [1_440, 'light'],
    [390, 'dark'],
  ] as const)("of a user are shown and changed on the user's page, %i pixels wide, %s", async (width, colorScheme) => {
    const { base, gamification, clock } = await openGame()
    const user = { id: '18', name: 'Ada', tz: 'Europe/Berlin' }
    await gamification.metrics.event('pages', { user, value: 60 })
    clock.advance({ days: 1 })
    await gamification.metrics.event('pages', { user, value: 8 })
    const { page, problems } = await open({ width, colorScheme })
    await page.goto(`${base}users/18`)
    const rows = () => rowsOf(page, "The user's quests, in the order of the game")
    const waiting = 'completed\nreward waits until 3 Jun 2026\n1 Jun 2026, 12:00 (14:00 Berlin)'
    const rest = [
      ['Read in June', 'not now'],
      ['Some day', 'not now'],
    ]
    expect(await rows()).toEqual([
      ['Daily quests\nRead twice\n2 Jun 2026', '0 of 2'],
      ['Daily quests\n50 pages\n2 Jun 2026', '8 of 50'],
      ['Daily quests\n50 pages\n1 Jun 2026', waiting],
      ['Daily quests\n20 pages\n1 Jun 2026', waiting],
      ['Tour', 'not enrolled'],
      ...rest,
    ])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-user-challenges-${width}-${colorScheme}`)

    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await violationsOf(page, 'dialog')).toEqual([])
    }
    const confirm = async (name: string): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await settled(page)
    }
    await choose('Claim: Daily quests, p50')
    expect(await page.getByRole('dialog').locator('dd').allInnerTexts()).toEqual(['50 pages', '30 XP'])
    await takePicture(page, `console-claim-${width}-${colorScheme}`)
    await confirm('Claim')
    expect((await gamification.users.points('18', 'xp')).total).toBe(30)
    await choose('Replace: Daily quests, twice')
    await confirm('Replace')
    await choose('Enrol: Tour')
    await confirm('Enrol')
    expect(await rows()).toEqual([
      ['Daily quests\n20 pages\n2 Jun 2026', '0 of 20'],
      ['Daily quests\n50 pages\n2 Jun 2026', '8 of 50'],
      ['Daily quests\n20 pages\n1 Jun 2026', waiting],
      ['Tour\n2 Jun 2026 – 8 Jun 2026', '0 of 100'],
      ...rest,
    ])
    await choose('End the enrolment: Tour')
    await confirm('End the enrolment')
    expect((await rows())[3]).toEqual(['Tour', 'not enrolled'])

    const card = page.getByRole('region', { name: 'Challenges' })
    await card.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('Not every quest is completed').waitFor()
    await page.getByText('The quest "p50" takes').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText('The user left Tour').waitFor()
    await page.getByText('The reward of Daily quests, p50 was claimed').waitFor()
    expect(problems).toEqual([])
  })
})
