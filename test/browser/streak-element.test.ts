// @heavy: It drives a browser.
// The calendar of a streak, for eyes, ears and hands.

import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, useBrowser } from '../support/browser.ts'
import { streakOf, WEEK, YEAR } from './elements-data.ts'
import { useElements } from './elements-page.ts'

describe.skipIf(chromium === null)(inBrowser('<laurels-streak>'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements()
  const show = async (data: unknown, options: Parameters<typeof open>[0] = {}, dir: 'ltr' | 'rtl' = 'ltr') => {
    const { page } = await open(options)
    await elements.show(page, {
      html: '<laurels-streak></laurels-streak>',
      dir,
      properties: { 'laurels-streak': { data } },
    })
    return page
  }

  test('says how long it is, until when it can be extended, and what there is to save it', async () => {
    const page = await show(WEEK)
    expect(await page.locator('.count').textContent()).toBe('2 days')
    expect(await page.locator('.now .muted').textContent()).toBe('Extend it today to keep it.')
    expect(await page.locator('.freezes').textContent()).toBe('2 of 3 freezes')
  })

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'has the dates of the user, seen from %s',
    async (timezoneId) => {
      const page = await show(WEEK, { timezoneId })
      expect(
        await page
          .getByRole('list', { name: /^Streak/ })
          .getByRole('listitem')
          .allTextContents(),
      ).toEqual([
        'ThuThursday, March 5, 2026: kept, 1 day',
        'FriFriday, March 6, 2026: lost',
        'SatSaturday, March 7, 2026: kept, 1 day',
        'SunSunday, March 8, 2026: saved by a freeze, 1 day',
        'MonMonday, March 9, 2026: paused, 1 day',
        'TueTuesday, March 10, 2026: kept, 2 days',
        'WedWednesday, March 11, 2026: today, 2 days',
      ])
    },
  )

  test('is a row of up to 31 days, and of more a calendar with a column for each week', async () => {
    const row = await show(streakOf(31, {}))
    expect(await row.getByRole('grid').count()).toBe(0)
    const calendar = await show(streakOf(32, {}))
    const grid = calendar.getByRole('grid', { name: /^Streak, February 8\s–\s.*March 11, 2026$/ })
    expect(await grid.getByRole('gridcell', { name: /2026/ }).count()).toBe(32)
    expect(await grid.getByRole('rowheader').allTextContents()).toEqual([
      ...['SundaySun', 'Monday', 'TuesdayTue', 'Wednesday', 'ThursdayThu', 'Friday', 'SaturdaySat'],
    ])
  })

  test('explains the signs that are there', async () => {
    const page = await show(YEAR)
    const legend = page.getByRole('list', { name: 'Legend' })
    expect(await legend.getByRole('listitem').allTextContents()).toEqual([
      ...['kept', 'saved by a freeze', 'paused', 'lost', 'today'],
    ])
  })

  test('is walked through with the keyboard, one day after the other', async () => {
    const page = await show(YEAR)
    await page.keyboard.press('Tab')
    const focused = (): Promise<string> =>
      page.evaluate('document.querySelector("laurels-streak").shadowRoot.activeElement.dataset.focus')
    const expectAfter = async (keys: readonly string[], date: string): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
      await expect.poll(focused).toBe(date)
    }
    await expectAfter([], '2026-03-11')
    await expectAfter(['ArrowUp'], '2026-03-10')
    await expectAfter(['ArrowLeft'], '2026-03-03')
    await expectAfter(['ArrowUp', 'ArrowUp', 'ArrowUp'], '2026-02-28')
    await expectAfter(['ArrowDown'], '2026-03-01')
    await expectAfter(['ArrowRight', 'ArrowRight'], '2026-03-08')
    await expectAfter(['PageUp'], '2026-02-08')
    // The first Sunday and the last Saturday of the history.
    await expectAfter(['Home'], '2025-03-16')
    await expectAfter(['ArrowUp', 'End'], '2026-03-07')
    await expect.poll(() => page.locator('.detail').textContent()).toBe('Saturday, March 7, 2026: kept, 193 days')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.localName')).toBe('body')
  })

  test('goes from right to left where the page does', async () => {
    const page = await show(YEAR, {}, 'rtl')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    const focused = 'document.querySelector("laurels-streak").shadowRoot.activeElement.dataset.focus'
    await expect.poll(() => page.evaluate(focused)).toBe('2026-03-04')
  })

  test('shows the newest weeks where there is no room for all', async () => {
    const page = await show(YEAR, { width: 320 })
    const today = page.locator('[data-focus="2026-03-11"]')
    await expect.poll(async () => (await today.boundingBox())?.x ?? 1_000).toBeLessThan(320)
  })

  test('tells of no streak, and of weeks and months', async () => {
    const none = await show({ ...WEEK, length: 0, expires: null, streakHistory: [] })
    expect(await none.locator('.now .muted').textContent()).toBe('No active streak. Start a new one any time.')
    const item = (periodStart: string, periodEnd: string, length: number) => ({
      periodStart,
      periodEnd,
      length,
      usedPause: false,
    })
    const weeks = [item('2026-03-02', '2026-03-08', 4), item('2026-03-09', '2026-03-15', 5)]
    const weekly = await show({ ...WEEK, frequency: 'weekly', length: 5, expires: '2026-03-22', streakHistory: weeks })
    expect(await weekly.locator('.count').textContent()).toBe('5 weeks')
    expect(await weekly.locator('.now .muted').textContent()).toBe('Done for now. Come back by Sunday, March 22.')
    expect(await weekly.locator('.row li').last().textContent()).toMatch(/^Mar 9March 9\s–\s15, 2026: kept, 5 weeks$/)
    const months = [item('2026-02-01', '2026-02-28', 1), item('2026-03-01', '2026-03-31', 1)]
    const monthly = await show({
      ...WEEK,
      frequency: 'monthly',
      length: 1,
      expires: '2026-03-31',
      streakHistory: months,
    })
    expect(await monthly.locator('.row li').allTextContents()).toEqual([
      ...['FebFebruary 2026: kept, 1 month', 'MarMarch 2026: this month, 1 month'],
    ])
  })
})
