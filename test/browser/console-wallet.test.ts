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
      expires: { after: { months: 12 } },
      triggers: [{ type: 'metric', metric: 'orders', threshold: 1, points: 100 }],
    },
  },
}

describe.skipIf(chromium === null)(inBrowser("A user's wallet in the console"), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [390, 'dark'],
  ] as const)(
    'shows the balance and the statement, and support changes them: %i pixels wide, %s',
    async (width, colorScheme) => {
      const clock = createTestClock('2026-06-01T12:00:00Z')
      const { base, gamification } = await openConsole({ definition: GAME, options: { clock: clock.now } })
      await gamification.metrics.event('orders', { user: { id: '18', name: 'Ada' }, value: 5 })
      await gamification.points.spend('coins', { user: '18', amount: 120, reference: 'order 7' })
      await gamification.points.hold('coins', { user: '18', amount: 30, expiresIn: { days: 2 }, reference: 'order 8' })
      const { page, problems } = await open({ width, colorScheme })
      await page.goto(`${base}users/18?tab=wallet`)
      const cells = async (name: string): Promise<readonly (readonly string[])[]> => {
        await settled(page)
        const rows = await page.getByRole('table', { name }).locator('tbody tr').all()
        return Promise.all(rows.map((row) => row.locator('th, td:not(.fit)').allInnerTexts()))
      }
      await settled(page)
      expect(await page.locator('.figures .value').allInnerTexts()).toEqual(['350', '0', '30', '350'])
      expect(await cells('The parts of the balance')).toEqual([['350', '1 Jul 2027']])
      expect(await cells('Movements of Coins, the newest first')).toEqual([
        ['1 Jun 2026, 12:00', 'Held: 30\norder 8', '−30', '350'],
        ['1 Jun 2026, 12:00', 'Spent: 120\norder 7', '−120', '380'],
        ['1 Jun 2026, 12:00', 'Earned: 500', '+500', '500'],
      ])
      expect(await violationsOf(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      await takePicture(page, `console-wallet-${width}-${colorScheme}`)

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
      await choose('Explain: Coins')
      await page.getByText('The user can spend points').waitFor()
      expect(await violationsOf(page, 'dialog')).toEqual([])
      await takePicture(page, `console-explained-balance-${width}-${colorScheme}`)
      await page.keyboard.press('Escape')
      const balance = () => page.locator('[data-figure=balance] .value').textContent()
      await choose('Refund 120')
      await page.getByLabel(/^Points/).fill('20')
      await takePicture(page, `console-refund-${width}-${colorScheme}`)
      await confirm('Refund')
      expect(await balance()).toBe('370')
      await choose('Release 30')
      await confirm('Release it')
      expect(await balance()).toBe('400')
      await choose('Adjust: Coins')
      await page.getByRole('spinbutton').fill('-100')
      await page.getByLabel(/^Reason/).fill('Counted twice')
      await page.getByLabel(/^Also lower/).check()
      await confirm('Adjust the points')
      expect(await balance()).toBe('300')
      expect((await gamification.users.points('18', 'coins')).total).toBe(400)
      expect(problems).toEqual([])
    },
  )
})
