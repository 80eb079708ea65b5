// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { chromium, inBrowser, useBrowser, violationsOf } from '../support/browser.ts'
import { settled, useConsole } from '../support/console.ts'

const GAME: GameDefinition = { multiTenant: true, metrics: { lessons: { name: 'Lessons' } } }

describe.skipIf(chromium === null)(inBrowser('The console of a game with tenants'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('asks for a tenant first, keeps it in every link, and changes it in place', async () => {
    const console = await openConsole({ definition: GAME })
    const { gamification } = console
    await gamification.tenant('acme').metrics.event('lessons', { user: { id: '18', name: 'Ada' }, value: 3 })
    await gamification.tenant('b & c').metrics.event('lessons', { user: { id: '18', name: 'Bea' }, value: 4 })
    const { page, problems } = await open()
    await page.goto(`${console.base}users`)
    await settled(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Choose a tenant')
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['acme', 'b & c'])
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'b & c' }).click()
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { level: 1, name: /^(?:Users|Choose a tenant)$/ }).waitFor()
    expect(page.url()).toBe(`${console.base}users?tenant=b+%26+c`)
    await page.getByRole('link', { name: 'Bea' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bea' }).waitFor()
    await settled(page)
    expect(page.url()).toBe(`${console.base}users/18?tenant=b+%26+c`)
    expect(await page.locator('[data-total=lessons]').textContent()).toBe('4')

    // The link alone leads there.
    const other = await open()
    await other.page.goto(page.url())
    await settled(other.page)
    expect(await other.page.locator('[data-total=lessons]').textContent()).toBe('4')

    const tenant = page.getByLabel('Tenant')
    expect(await page.locator('#tenants option').count()).toBe(2)
    await tenant.fill('acme')
    await tenant.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await settled(page)
    expect(await page.locator('[data-total=lessons]').textContent()).toBe('3')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Bea' }).waitFor()

    await tenant.fill('café')
    await tenant.press('Enter')
    await page.getByText('A tenant is named in a header, which is ASCII: "café" cannot be.').first().waitFor()
    expect(problems).toEqual([])
  })
})
