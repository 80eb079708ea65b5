// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { createTestClock } from '../../src/testing/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { settled, useConsole } from '../support/console.ts'

const GAME: GameDefinition = {
  metrics: { orders: { name: 'Orders' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      triggers: [{ type: 'metric', metric: 'orders', threshold: 1, points: 100 }],
    },
  },
  rewards: {
    mug: { name: 'A mug', cost: { coins: 200 }, stock: 3 },
    sticker: { name: 'A sticker', cost: { coins: 10 }, perUser: 2 },
    poster: { name: 'A poster', cost: { coins: 50 }, status: 'inactive' },
  },
}

describe.skipIf(chromium === null)(inBrowser('The page Rewards'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [390, 'dark'],
  ] as const)('lists rewards and redemptions, and settles them: %i pixels wide, %s', async (width, colorScheme) => {
    const clock = createTestClock('2026-06-01T12:00:00Z')
    const { base, gamification } = await openConsole({ definition: GAME, options: { clock: clock.now } })
    for (const [id, reward] of [
      ['18', 'mug'],
      ['19', 'mug'],
      ['19', 'sticker'],
    ] as const) {
      await gamification.metrics.event('orders', { user: { id }, value: 5 })
      await gamification.rewards.redeem(reward, { user: id })
      clock.advance({ minutes: 1 })
    }
    const { page, problems } = await open({ width, colorScheme })
    await page.goto(`${base}rewards`)
    const cells = async (name: string): Promise<readonly (readonly string[])[]> => {
      await settled(page)
      const rows = await page.getByRole('table', { name }).locator('tbody tr').all()
      return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()))
    }
    const rewards = () => cells('Rewards, in the order of the game')
    const redemptions = async () => (await cells('Redemptions, the newest first')).map((row) => row.slice(1, 5))
    expect(await rewards()).toEqual([
      ['A mug\nmug', '200 coins', '1', 'no limit'],
      ['A sticker\nsticker', '10 coins', 'no limit', '2'],
      ['A poster\nposter\ninactive', '50 coins', 'no limit', 'no limit'],
    ])
    expect(await redemptions()).toEqual([
      ['19', 'A sticker', '10 coins', 'open'],
      ['19', 'A mug', '200 coins', 'open'],
      ['18', 'A mug', '200 coins', 'open'],
    ])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-rewards-${width}-${colorScheme}`)

    const settle = async (name: string, verb: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await violationsOf(page, 'dialog')).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await settle('Fulfil: A mug of 18', 'Fulfil it')
    await settle('Cancel: A mug of 19', 'Cancel it')
    expect((await redemptions()).map((row) => row.at(-1))).toEqual(['open', 'cancelled', 'fulfilled'])
    expect((await rewards())[0]).toEqual(['A mug\nmug', '200 coins', '2', 'no limit'])
    await page.getByLabel('Status').selectOption('open')
    expect(await redemptions()).toEqual([['19', 'A sticker', '10 coins', 'open']])
    await page.getByRole('combobox', { name: /^Reward/ }).selectOption('mug')
    await page.getByText('There are no such redemptions').waitFor()
    expect(problems).toEqual([])
  })
})
