// @heavy: It drives a browser.
// Elements that ask for what they show: by a client, over the user API of an engine.

import { createGamification, defineGame } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { chromium, inBrowser, useBrowser, violationsOf } from '../support/browser.ts'
import { useElements } from './elements-page.ts'

const game = defineGame({
  metrics: { pages: { name: 'Pages read' } },
  achievements: {
    first: { name: 'First page', trigger: 'metric', metric: 'pages', value: 1 },
    bookworm: { name: 'Bookworm', trigger: 'metric', metric: 'pages', value: 1_000 },
    week: { name: 'A week in a row', trigger: 'streak', length: 7 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'pages', threshold: 10, points: 5 }],
      levels: { visitor: { name: 'Visitor', points: 0 }, reader: { name: 'Reader', points: 100 } },
    },
  },
  streak: { frequency: 'daily', metrics: { pages: { threshold: 1 } } },
  leaderboards: { all: { name: 'Readers', rankBy: 'metric', metric: 'pages', start: '2026-03-01' } },
})

const clock = createTestClock('2026-03-09T12:00:00Z')
const gamification = createGamification({ game, storage: memory(), clock: clock.now })
const api = userApi(gamification, { prefix: '/game', user: () => 'u7' })

const CLIENT = { client: true }

describe.skipIf(chromium === null)(inBrowser('An element with a client'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements(() => (request, response) => void api(request, response))

  beforeAll(async () => {
    for (let number = 1; number <= 25; number += 1) {
      const user = { id: `u${number}`, name: `Reader ${number}` }
      await gamification.metrics.event('pages', { user, value: 600 - number * 20 })
    }
    clock.advance({ days: 1 })
    await gamification.metrics.event('pages', { user: { id: 'u7' }, value: 10 })
  })

  const show = async (html: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
    const { page } = await open()
    await prepare?.(page)
    const names = [...html.matchAll(/<(laurels-\w+)/g)].map(([, name = '']) => name)
    await elements.show(page, { html, properties: Object.fromEntries(names.map((name) => [name, CLIENT])) })
    return page
  }

  test('shows what the API answers of the user', async () => {
    const page = await show(`
      <laurels-streak user-id="u7"></laurels-streak>
      <laurels-badges user-id="u7"></laurels-badges>
      <laurels-level user-id="u7" system="xp"></laurels-level>`)
    await expect.poll(() => page.locator('laurels-streak .count').textContent()).toBe('2 days')
    expect(await page.locator('laurels-streak .row li').count()).toBe(7)
    await expect
      .poll(() => page.locator('laurels-badges .name').allTextContents())
      .toEqual([...['First page', 'Bookworm', 'A week in a row']])
    expect(await page.locator('laurels-badges .progress .muted').allTextContents()).toEqual(['470 of 1,000', '2 of 7'])
    expect(await page.locator('laurels-level .level').textContent()).toBe('Reader')
    expect(await page.locator('laurels-level .total').textContent()).toBe('235 \u2068XP\u2069')
    await expect.poll(() => page.locator('laurels-streak').getAttribute('data-told')).toBe('loaded: data')
  })

  const names = (page: Page): Promise<readonly string[]> => page.locator('tbody th bdi').allTextContents()

  test('walks through the pages of a leaderboard, the focus staying on the button', async () => {
    const page = await show('<laurels-leaderboard leaderboard="all" user-id="u7" limit="10"></laurels-leaderboard>')
    await expect.poll(() => names(page).then((all) => all.length)).toBe(10)
    expect(await page.locator('tr.mine bdi').textContent()).toBe('Reader 7')
    const next = page.getByRole('button', { name: 'Next' })
    await next.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Places 11 to 20')
    const focused = 'document.querySelector("laurels-leaderboard").shadowRoot.activeElement?.dataset.focus'
    await expect.poll(() => page.evaluate(focused)).toBe('next')
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page)).toEqual(['Reader 21', 'Reader 22', 'Reader 23', 'Reader 24', 'Reader 25'])
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    expect(await violationsOf(page)).toEqual([])
    // There is no further page, and the focus is if it was.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => names(page).then(([first]) => first)).toBe('Reader 11')
  })

  test('begins at the place of the user', async () => {
    const page = await show(
      '<laurels-leaderboard leaderboard="all" user-id="u7" limit="5" around></laurels-leaderboard>',
    )
    await expect.poll(() => names(page)).toEqual(['Reader 5', 'Reader 6', 'Reader 7', 'Reader 8', 'Reader 9'])
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(() => names(page)).toEqual(['Reader 1', 'Reader 2', 'Reader 3', 'Reader 4', 'Reader 5'])
  })

  test('tells that it could not be loaded, and tries again by a button', async () => {
    const waiting: Route[] = []
    const page = await show('<laurels-level user-id="u7" system="xp"></laurels-level>', (each) =>
      each.route('**/game/users/**', (route) => void waiting.push(route)),
    )
    expect(await page.locator('.content').getAttribute('aria-busy')).toBe('true')
    expect(await page.getByRole('status').textContent()).toBe('Loading…')
    await expect.poll(() => waiting.length).toBe(1)
    await waiting.shift()?.abort()
    await page.getByRole('alert').waitFor()
    await expect
      .poll(() => page.locator('laurels-level').getAttribute('data-told'))
      .toMatch(/^error: There was no answer/)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect.poll(() => waiting.length).toBe(1)
    await waiting.shift()?.continue()
    await expect.poll(() => page.locator('.level').textContent()).toBe('Reader')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('shows nothing more of one user when it is to show another', async () => {
    const page = await show('<laurels-streak user-id="u7"></laurels-streak>')
    await expect.poll(() => page.locator('.count').textContent()).toBe('2 days')
    await page.route('**/game/**', (route) => route.abort())
    await page.evaluate('document.querySelector("laurels-streak").setAttribute("user-id", "u8")')
    await page.getByRole('alert').waitFor()
    expect(await page.locator('.count').count()).toBe(0)
  })

  const NONSENSE: readonly unknown[] = [
    ...[7, 'text', true, {}, [], [null], [{}], [{ badgeUrl: '/none.png' }]],
    ...[{ rankings: {} }, { rankings: [{}] }, { rankings: [null] }, { length: 3, streakHistory: [{}], pauses: [{}] }],
    ...[
      { total: 1, level: { name: 7, badgeUrl: '/none.png' } },
      { total: 1, awards: {}, level: {} },
    ],
  ]

  test.each(['streak', 'badges', 'leaderboard', 'level', 'choices'])(
    '%s throws nothing at the page that gives it nonsense',
    async (name) => {
      const { page } = await open()
      const thrown: string[] = []
      page.on('pageerror', ({ message }) => thrown.push(message))
      const html = NONSENSE.map((_, index) => `<laurels-${name} id="n${index}"></laurels-${name}>`).join('')
      const properties = Object.fromEntries(NONSENSE.map((data, index) => [`#n${index}`, { data }]))
      await elements.show(page, { html, properties })
      await page.waitForTimeout(300)
      expect(thrown).toEqual([])
    },
  )

  test('shows the newest answer, in whatever order answers come', async () => {
    const waiting = new Map<string, Route>()
    const page = await show('<laurels-streak user-id="u1"></laurels-streak>', (each) =>
      each.route('**/game/**', (route) => void waiting.set(route.request().url().split('/')[5] ?? '', route)),
    )
    await expect.poll(() => waiting.has('u1')).toBe(true)
    await page.evaluate('document.querySelector("laurels-streak").setAttribute("user-id", "u7")')
    await expect.poll(() => waiting.has('u7')).toBe(true)
    await waiting.get('u7')?.continue()
    await expect.poll(() => page.locator('.count').textContent()).toBe('2 days')
    await waiting
      .get('u1')
      ?.continue()
      .catch(() => {})
    await page.waitForTimeout(200)
    expect(await page.locator('.count').textContent()).toBe('2 days')
    expect(await page.locator('laurels-streak').getAttribute('data-told')).toBe('loaded: data')
  })

  test('says which attribute it lacks, and loads when that is there', async () => {
    const page = await show('<laurels-level user-id="u7"></laurels-level>')
    await page.getByRole('alert').waitFor()
    await expect
      .poll(() => page.locator('laurels-level').getAttribute('data-told'))
      .toBe('error: <laurels-level> needs the attribute system.')
    await page.evaluate('document.querySelector("laurels-level").setAttribute("system", "xp")')
    await expect.poll(() => page.locator('.level').textContent()).toBe('Reader')
  })

  const showBare = async (html: string): Promise<{ page: Page; problems: readonly string[] }> => {
    const { page, problems } = await open()
    await elements.show(page, { html })
    return { page, problems }
  }

  test('asks the API that its attribute base-url names, with no script on the page', async () => {
    const { page, problems } = await showBare(`
      <laurels-streak base-url="/game" user-id="u7"></laurels-streak>
      <laurels-badges base-url="/game" user-id="u7"></laurels-badges>
      <laurels-level base-url="/game" user-id="u7" system="xp"></laurels-level>
      <laurels-leaderboard base-url="/game" user-id="u7" leaderboard="all"></laurels-leaderboard>`)
    await expect.poll(() => page.locator('laurels-streak .count').textContent()).toBe('2 days')
    await expect.poll(() => page.locator('laurels-badges .name').count()).toBe(3)
    await expect.poll(() => page.locator('laurels-level .level').textContent()).toBe('Reader')
    await expect.poll(() => page.locator('tr.mine bdi').textContent()).toBe('Reader 7')
    expect(problems).toEqual([])
  })

  test('with a base-url asks for the user of the session when it has no user-id', async () => {
    const { page } = await open()
    const asked: string[] = []
    await page.route('**/game/**', async (route) => {
      const url = route.request().url()
      asked.push(new URL(url).pathname)
      await route.continue({ url: url.replace('/users/me', '/users/u7') })
    })
    await elements.show(page, {
      html: `<laurels-streak base-url="/game"></laurels-streak>
        <laurels-leaderboard base-url="/game" leaderboard="all" limit="5" around></laurels-leaderboard>`,
    })
    await expect.poll(() => page.locator('laurels-streak .count').textContent()).toBe('2 days')
    await expect.poll(() => names(page)).toEqual(['Reader 5', 'Reader 6', 'Reader 7', 'Reader 8', 'Reader 9'])
    expect(await page.locator('tr.mine bdi').textContent()).toBe('Reader 7')
    expect(asked.toSorted()).toEqual(['/game/leaderboards/all', '/game/users/me', '/game/users/me/streak'])
  })

  test('warns once, and shows nothing, when it has neither base-url, client nor data', async () => {
    const { page, problems } = await showBare(
      '<laurels-streak user-id="u7"></laurels-streak><laurels-level base-url="/game" system="xp"></laurels-level>',
    )
    await page.evaluate('document.querySelector("main").append(document.querySelector("laurels-streak"))')
    const warning = '<laurels-streak> shows nothing: set its attribute base-url, or its property client or data.'
    await expect.poll(() => problems.filter((problem) => problem.startsWith('<laurels'))).toEqual([warning])
    await page.waitForTimeout(500)
    expect(problems.filter((problem) => problem.startsWith('<laurels'))).toEqual([warning])
  })
})
