// @heavy: It drives a browser.
// The wallet and the rewards of a user.

import { createGamification, defineGame } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromium, drawn, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { REDEMPTIONS, REWARDS, STATEMENT, WALLET } from './elements-data.ts'
import { type ElementsPage, useElements } from './elements-page.ts'

const game = defineGame({
  metrics: { sales: { name: 'Sales' } },
  points: {
    coins: {
      name: 'Coins',
      spendable: true,
      expires: { after: { months: 12 } },
      triggers: [{ type: 'metric', metric: 'sales', threshold: 1, points: 1 }],
    },
  },
  rewards: { mug: { name: 'Mug', cost: { coins: 40 }, stock: 3 } },
  clients: { redeem: ['mug'] },
})
const clock = createTestClock('2026-03-09T12:00:00Z')
const gamification = createGamification({ game, storage: memory(), clock: clock.now })
const api = userApi(gamification, { prefix: '/game', user: () => 'ann' })

const ALL: ElementsPage = {
  html: `
    <laurels-wallet><h2 slot="heading">Wallet</h2></laurels-wallet>
    <laurels-rewards><h2 slot="heading">Rewards</h2></laurels-rewards>`,
  properties: {
    'laurels-wallet': { statement: STATEMENT, data: WALLET },
    'laurels-rewards': { balances: [WALLET], redemptions: REDEMPTIONS, data: REWARDS },
  },
}

describe.skipIf(chromium === null)(inBrowser('The wallet and the rewards of a user'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const find = (page: Page, name: RegExp | string): Locator => page.getByRole('button', { name })
  const elements = useElements(() => (request, response) => void api(request, response))

  test('show what can be spent, what is pending and set aside, what expires next, and the statement', async () => {
    const { page } = await open()
    await elements.show(page, ALL)
    expect(await page.locator('.balance').textContent()).toBe('1,240 Coins')
    expect(await page.locator('laurels-wallet .now .muted').allTextContents()).toEqual([
      'Use 300 before Wednesday, April 1',
      '200 pending, from Friday, March 20',
      '50 set aside',
    ])
    const lines = page.getByRole('list', { name: 'Statement' }).getByRole('listitem')
    expect(await lines.nth(0).textContent()).toBe('Earned, pendingMar 11, 2026200')
    expect(await lines.nth(1).textContent()).toBe('SpentOrder 1044Mar 11, 2026−500')
    expect(await lines.nth(3).textContent()).toBe('Set asideMar 11, 2026−50')
    expect(await page.locator('.amount').allTextContents()).toEqual(['200', '−500', '+120', '−50', '−110', '+1,000'])
  })

  test('asks the API for the balance and the statement, and for more lines by a button', async () => {
    for (let number = 1; number <= 8; number += 1) {
      await gamification.metrics.event('sales', { user: { id: 'ann' }, value: 10 })
      clock.advance({ hours: 1 })
    }
    await gamification.points.spend('coins', { user: 'ann', amount: 30, reference: 'Order 7' })
    const { page, problems } = await open()
    await elements.show(page, { html: '<laurels-wallet base-url="/game" system="coins"></laurels-wallet>' })
    await expect.poll(() => page.locator('.balance').textContent()).toBe('50 Coins')
    expect(await page.locator('.expiry').textContent()).toBe('Use 50 before Thursday, April 1')
    const lines = page.getByRole('listitem')
    expect(await lines.count()).toBe(5)
    expect(await lines.first().textContent()).toBe('SpentOrder 7Mar 9, 2026−30')
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect.poll(() => lines.count()).toBe(9)
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('say what is missing to a price, what is left, and what the user has', async () => {
    const { page } = await open()
    await elements.show(page, ALL)
    const rewards = page.getByRole('list', { name: 'Rewards' })
    expect(await rewards.locator('.name').count()).toBe(5)
    expect(await rewards.locator('.price').allTextContents()).toEqual([
      '50 \u2068Coins\u2069',
      '500 \u2068Coins\u206912 left',
      '2,000 \u2068Coins\u20693 left',
      '900 \u2068Coins\u2069None left',
      '100 \u2068Coins\u2069You have it',
    ])
    const bar = page.getByRole('progressbar', { name: 'Progress to \u2068A signed book\u2069' })
    expect(await bar.getAttribute('aria-valuetext')).toBe('760 \u2068Coins\u2069 missing')
    expect(await find(page, /^Redeem/).count()).toBe(2)
  })

  test('ask once more before points are spent, and tell the page, by the keyboard', async () => {
    const { page } = await open()
    const script = `document.addEventListener('laurels-act', ({ detail }) => { document.title = JSON.stringify(detail) })`
    await elements.show(page, { ...ALL, script })
    await find(page, 'Redeem: \u2068A mug\u2069').focus()
    await page.keyboard.press('Enter')
    await find(page, /^Spend 500/).waitFor()
    expect(await page.title()).toBe('Elements')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => find(page, /^Spend/).count()).toBe(0)
    await page.keyboard.press('Enter')
    await find(page, /^Spend 500/).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('{"act":"redeem","reward":"mug"}')
    await expect.poll(() => find(page, /^Redeem/).count()).toBe(2)
  })

  test('redeem a reward over the API, once, and show what is left', async () => {
    await gamification.users.identify('ann', {})
    await gamification.metrics.event('sales', { user: { id: 'ann' }, value: 100 })
    const { balance } = await gamification.points.balance('ann', 'coins')
    const { page, problems } = await open()
    await elements.show(page, { html: '<laurels-rewards base-url="/game"></laurels-rewards>' })
    await page.getByText('3 left').waitFor()
    await find(page, 'Redeem: \u2068Mug\u2069').click()
    await find(page, /^Spend 40/).dblclick()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Redeemed: Mug')
    await page.getByText('2 left · You have it').waitFor()
    expect((await gamification.points.balance('ann', 'coins')).balance).toBe(balance - 40)
    expect(await gamification.rewards.redemptions({ user: 'ann' })).toMatchObject([{ reward: 'mug', status: 'open' }])
    expect(problems).toEqual([])
  })

  test.each([
    { name: 'light', options: { colorScheme: 'light', width: 720 } },
    { name: 'dark', options: { colorScheme: 'dark', width: 720 } },
    { name: 'phone', options: { colorScheme: 'light', width: 320 } },
    { name: 'phone-dark', options: { colorScheme: 'dark', width: 390 } },
    { name: 'forced', options: { forcedColors: 'active', width: 390 } },
  ] as const)('look right: $name', async ({ name, options }) => {
    const { page } = await open(options)
    await elements.show(page, ALL)
    await find(page, 'Redeem: \u2068A mug\u2069').click()
    await drawn(page)
    await takePicture(page, `wallet-${name}`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })
})
