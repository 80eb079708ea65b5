// @heavy: It drives a browser.
// How the elements look and read in a real browser, whatever they are given.

import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import {
  BADGES,
  BOARD,
  CHALLENGES,
  CHOICES,
  HTML,
  LEVELS,
  LONG,
  POINTS,
  REDEMPTIONS,
  REWARDS,
  STATEMENT,
  WALLET,
  WEEK,
  YEAR,
} from './elements-data.ts'
import { type ElementsPage, useElements } from './elements-page.ts'

const ALL: ElementsPage = {
  html: `
    <laurels-streak id="year"><h2 slot="heading">A year</h2></laurels-streak>
    <laurels-badges><h2 slot="heading">Badges</h2></laurels-badges>
    <laurels-leaderboard highlight="u3"></laurels-leaderboard>
    <laurels-level></laurels-level>
    <laurels-challenges><h2 slot="heading">Challenges</h2></laurels-challenges>
    <laurels-wallet><h2 slot="heading">Wallet</h2></laurels-wallet>
    <laurels-rewards><h2 slot="heading">Rewards</h2></laurels-rewards>
    <laurels-choices><h2 slot="heading">Your choices</h2></laurels-choices>
    <laurels-streak id="week"></laurels-streak>`,
  properties: {
    '#year': { data: YEAR },
    '#week': { data: WEEK },
    'laurels-badges': { data: BADGES },
    'laurels-leaderboard': { data: BOARD },
    'laurels-level': { data: POINTS, levels: LEVELS },
    'laurels-challenges': { data: CHALLENGES },
    'laurels-wallet': { statement: STATEMENT, data: WALLET },
    'laurels-rewards': { balances: [WALLET], redemptions: REDEMPTIONS, data: REWARDS },
    'laurels-choices': { data: CHOICES },
  },
}

/** The name that a script of the page uses for a part of an element. */
const inside = (element: string, part: string): string =>
  `document.querySelector('${element}').shadowRoot.querySelector('${part}')`
const styleOf = (element: string, part: string, style: string): string =>
  `getComputedStyle(${inside(element, part)}).${style}`

describe.skipIf(chromium === null)(inBrowser('The elements'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements()

  test.each([
    { name: 'light', options: { colorScheme: 'light', width: 1_024 } },
    { name: 'dark', options: { colorScheme: 'dark', width: 1_024 } },
    { name: 'narrow', options: { colorScheme: 'light', width: 320 } },
    { name: 'narrow-dark', options: { colorScheme: 'dark', width: 320 } },
  ] as const)('have no violation that axe-core knows: $name', async ({ name, options }) => {
    const { page, problems } = await open(options)
    await elements.show(page, ALL)
    await takePicture(page, `elements-${name}`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    // The picture that is not there is the page's only trouble.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

  test.each(['rtl', 'forced'] as const)('have none either: %s', async (name) => {
    const { page } = await open({ width: 320, ...(name === 'forced' ? { forcedColors: 'active' } : {}) })
    await elements.show(page, name === 'rtl' ? { ...ALL, dir: 'rtl', lang: 'ar' } : ALL)
    await takePicture(page, `elements-${name}`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  test('show names that are HTML as texts', async () => {
    const { page } = await open()
    await elements.show(page, ALL)
    expect(await page.title()).toBe('Elements')
    expect(await page.locator('laurels-leaderboard tbody bdi').nth(1).textContent()).toBe(HTML)
    expect(await page.locator('laurels-badges .name', { hasText: HTML }).count()).toBe(1)
    expect(await page.locator('laurels-leaderboard img, laurels-leaderboard script').count()).toBe(0)
  })

  test('cut long names, of which all shows on hovering', async () => {
    const { page } = await open({ width: 320 })
    await elements.show(page, ALL)
    expect(await page.getByRole('rowheader', { name: LONG }).locator('bdi').getAttribute('title')).toBe(LONG)
  })

  test('follow the page, not the system, in what is light and dark', async () => {
    const { page } = await open({ colorScheme: 'dark' })
    await elements.show(page, ALL)
    const background = (): Promise<string> => page.evaluate(styleOf('laurels-level', '.box', 'backgroundColor'))
    expect(await background()).toBe('rgb(21, 25, 30)')
    await page.evaluate('document.documentElement.style.colorScheme = "light"')
    expect(await background()).toBe('rgb(255, 255, 255)')
  })

  test('stay below a sticky header, whatever its z-index', async () => {
    const { page } = await open({ width: 390 })
    await elements.show(page, {
      html: '<header></header><laurels-streak></laurels-streak>',
      css: 'header { position: fixed; inset: 0; z-index: 1; background: #fff; }',
      properties: { 'laurels-streak': { data: YEAR } },
    })
    const above = `(() => {
      const { left, top } = ${inside('laurels-streak', 'tbody th')}.getBoundingClientRect()
      return document.elementFromPoint(left + 1, top + 1).localName
    })()`
    expect(await page.evaluate(above)).toBe('header')
  })

  test('take colours from custom properties', async () => {
    const { page } = await open()
    await elements.show(page, ALL)
    await page.evaluate('document.documentElement.style.setProperty("--laurels-background", "rgb(1, 2, 3)")')
    expect(await page.evaluate(styleOf('laurels-level', '.box', 'backgroundColor'))).toBe('rgb(1, 2, 3)')
  })

  test('move nothing for who wants no motion', async () => {
    const waiting: ElementsPage = { html: '<laurels-level user-id="18" system="xp"></laurels-level>' }
    for (const [reducedMotion, animations] of [
      ['reduce', 0],
      ['no-preference', 3],
    ] as const) {
      const { page } = await open({ reducedMotion })
      await page.route('**/game/**', () => {})
      await elements.show(page, { ...waiting, properties: { 'laurels-level': { client: true } } })
      await page.locator('.wait').waitFor({ state: 'attached' })
      expect(await page.evaluate(`${inside('laurels-level', '.wait')}.getAnimations({ subtree: true }).length`)).toBe(
        animations,
      )
    }
  })

  test('are read as tables, lists and bars', async () => {
    const { page } = await open()
    await elements.show(page, ALL)
    const board = page.getByRole('table', { name: 'Readers of the week' })
    expect(await board.getByRole('columnheader').allTextContents()).toEqual(['Rank', 'Name', 'Pages read'])
    expect(await board.getByRole('row').count()).toBe(11)
    expect(await board.locator('[aria-current=true]').textContent()).toBe(`3${LONG}You11,378.5`)
    expect(await page.getByRole('list', { name: 'Badges' }).getByRole('listitem').count()).toBe(8)
    const bar = page.getByRole('progressbar', { name: 'Progress to \u2068Bookworm\u2069' })
    expect(await bar.getAttribute('aria-valuetext')).toBe('640 of 1,000')
    const level = inside('laurels-level', 'progress')
    expect(await page.evaluate(`[${level}.value, ${level}.max]`)).toEqual([540, 900])
  })

  test('are written in the language around them', async () => {
    const { page } = await open()
    await elements.show(page, {
      lang: 'de',
      html: '<laurels-streak></laurels-streak><laurels-level lang="fr"></laurels-level>',
      properties: {
        'laurels-streak': {
          data: WEEK,
          labels: { daily: { one: '{count} Tag', other: '{count} Tage' }, kept: 'geschafft' },
        },
        'laurels-level': { data: { ...POINTS, total: 12_640 }, levels: LEVELS },
      },
    })
    expect(await page.locator('laurels-streak .count').textContent()).toBe('2 Tage')
    expect(await page.locator('laurels-streak li').first().textContent()).toContain(
      'Donnerstag, 5. März 2026: geschafft, 1 Tag',
    )
    expect(await page.locator('laurels-level .total').textContent()).toMatch(/^12\s640/)
    await page.evaluate('document.querySelector("laurels-level").lang = "en"')
    await expect.poll(() => page.locator('laurels-level .total').textContent()).toMatch(/^12,640/)
  })
})
