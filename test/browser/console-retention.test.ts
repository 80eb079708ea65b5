// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, useBrowser, violationsOf } from '../support/browser.ts'
import { settled, useConsole } from '../support/console.ts'

const EXPERIMENT = { metrics: { words: { name: 'Words' } }, experiment: { controlRatio: 0.5 } }

describe.skipIf(chromium === null)(inBrowser('The page Retention'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('shows the control group beside all other users', async () => {
    const console = await openConsole({ definition: EXPERIMENT })
    // Only user-1 is in the control group.
    const days = { 'user-0': [0, 1, 7], 'user-1': [0, 1, 1], 'user-2': [0] }
    await console.gamification.import(
      Object.entries(days).flatMap(([id, own]) =>
        own.map((day) => ({
          metric: 'words',
          user: { id },
          value: 1,
          occurredAt: new Date(Date.now() - (40 - day) * 86_400_000),
        })),
      ),
    )
    const { page, problems } = await open({ width: 360 })
    await page.goto(`${console.base}retention`)
    await settled(page)
    const rows = await page.getByRole('table').getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((row) => row.split(/\s*\t\s*/))).toEqual([
      ['Users', '1', '2'],
      ['Users with an event', '100 %', '100 %'],
      ['Came back after 1 day', '100 %', '50 %'],
      ['Came back after 7 days', '0 %', '50 %'],
      ['Came back after 14 days', '0 %', '0 %'],
      ['Came back after 30 days', '0 %', '0 %'],
      ['Active days per user', '2', '2'],
      ['Events per active user', '3', '2'],
    ])
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
  })

  test('says how to have a control group, and that there are no users', async () => {
    const console = await openConsole({ definition: { metrics: { words: { name: 'Words' } } } })
    const { page } = await open()
    await page.goto(`${console.base}retention`)
    await page.getByText('There are no users of these dates').waitFor()
    const occurredAt = new Date(Date.now() - 40 * 86_400_000)
    await console.gamification.import([{ metric: 'words', user: { id: 'ann' }, value: 1, occurredAt }])
    await page.reload()
    await page.getByText('No user is in a control group.').waitFor()
  })
})
