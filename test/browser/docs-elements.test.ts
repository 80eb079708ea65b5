// @heavy: It drives a browser.
// The blocks of docs/elements.md, put on a page.

import { createGamification, defineGame } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { describe, expect, test } from 'vitest'
import { chromium, inBrowser, useBrowser } from '../support/browser.ts'
import { pageOf, textsOf } from '../support/pages.ts'
import { useElements } from './elements-page.ts'

const game = defineGame({
  metrics: { pages: { name: 'Pages read' } },
  achievements: { first: { name: 'First page', trigger: 'metric', metric: 'pages', value: 1 } },
  points: {
    xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'pages', threshold: 1, points: 1 }] },
    coins: {
      name: 'Coins',
      spendable: true,
      triggers: [{ type: 'metric', metric: 'pages', threshold: 1, points: 2 }],
    },
  },
  streak: { frequency: 'daily', metrics: { pages: { threshold: 1 } } },
  leaderboards: { month: { name: 'Readers', rankBy: 'metric', metric: 'pages', start: '2026-01-01' } },
  challenges: { daily: { name: 'Every day', every: 'day', of: [{ metric: 'pages', value: 50 }] } },
  clients: { events: { pages: {} } },
})
const gamification = createGamification({ game, storage: memory() })
const api = userApi(gamification, { prefix: '/game', user: () => '18' })

/** The parts of the page that its blocks assume. */
const GIVEN = `
const showToast = (text) => { document.title = text }
const element = document.querySelector('laurels-streak')
`

describe.skipIf(chromium === null)(inBrowser('The page on elements'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements(() => (request, response) => void api(request, response))

  test('has blocks that work, one after the other', async () => {
    await gamification.users.identify('18', { name: 'Ada' })
    const page = pageOf('elements')
    const { page: tab, problems } = await open()
    await elements.show(tab, {
      html: textsOf(page, 'html')[0] ?? '',
      css: textsOf(page, 'css').join(''),
      script: GIVEN + textsOf(page, 'js').slice(0, -1).join(''),
    })
    await expect.poll(() => tab.title()).toBe('New badge: First page')
    await expect.poll(() => tab.locator('laurels-streak .count').textContent()).toBe('1 Tag')
    expect(await tab.getByRole('heading', { name: 'Your streak' }).count()).toBe(1)
    await expect.poll(() => tab.locator('laurels-level .total').textContent()).toBe('20 \u2068XP\u2069')
    await expect.poll(() => tab.locator('laurels-badges .earned .name').textContent()).toBe('First page')
    await expect.poll(() => tab.locator('laurels-leaderboard .mine .value').textContent()).toBe('20')
    await tab.getByRole('group', { name: 'Every day' }).waitFor()
    await expect.poll(() => tab.locator('laurels-wallet .balance').textContent()).toBe('40 Coins')
    expect(await tab.locator('laurels-choices').getByRole('switch').count()).toBe(3)
    const color = `getComputedStyle(document.querySelector('laurels-leaderboard').shadowRoot.querySelector('.you')).backgroundColor`
    expect(await tab.evaluate(color)).toBe('rgb(107, 63, 160)')
    expect(problems).toEqual([])
  })

  test('has switches that docs/leaderboards.md puts into the settings', async () => {
    await gamification.users.identify('18', { name: 'Ada' })
    const { page: tab, problems } = await open()
    const [html = ''] = textsOf(pageOf('leaderboards'), 'html')
    await elements.show(tab, { html })
    await tab.getByRole('switch', { name: 'Take part in the game' }).click()
    await expect.poll(async () => (await gamification.users.get('18')).gamification).toBe('off')
    await tab.getByRole('switch', { name: 'Take part in the game' }).click()
    await expect.poll(async () => (await gamification.users.get('18')).gamification).toBeUndefined()
    expect(problems).toEqual([])
  })

  test('has quests that docs/challenges.md puts on a page', async () => {
    await gamification.users.identify('18', { name: 'Ada' })
    const { page: tab, problems } = await open()
    const [html = ''] = textsOf(pageOf('challenges'), 'html')
    await elements.show(tab, { html })
    await tab.getByRole('group', { name: 'Every day' }).waitFor()
    expect(problems).toEqual([])
  })

  test('has a whole page that works', async () => {
    await gamification.users.identify('18', { name: 'Ada' })
    const page = pageOf('elements')
    const { page: tab, problems } = await open()
    const { total: before } = await gamification.users.points('18', 'xp')
    const bundle = await (await fetch(`${elements.address}/elements.js`)).text()
    const answers = {
      '/index.html': { contentType: 'text/html', body: textsOf(page, 'html')[1] ?? '' },
      '/page.js': { contentType: 'text/javascript', body: textsOf(page, 'js').at(-1) ?? '' },
      '/laurels/elements/index.js': { contentType: 'text/javascript', body: bundle },
    }
    for (const [path, answer] of Object.entries(answers)) {
      await tab.route(`${elements.address}${path}`, (route) => route.fulfill(answer))
    }
    await tab.route(`${elements.address}/chapters`, async (route) => {
      await gamification.metrics.event('pages', { user: { id: '18' }, value: 5 })
      await route.fulfill({ json: {} })
    })
    await tab.goto(`${elements.address}/index.html`)
    const total = tab.locator('laurels-level .total')
    await expect.poll(() => total.textContent()).toBe(`${before} \u2068XP\u2069`)
    await tab.getByRole('button', { name: 'Finish a chapter' }).click()
    await expect.poll(() => total.textContent()).toBe(`${before + 5} \u2068XP\u2069`)
    expect(problems).toEqual([])
  })

  test('names parts that there are', async () => {
    const { page: tab } = await open()
    await elements.show(tab, { html: '' })
    const sources = await (await fetch(`${elements.address}/elements.js`)).text()
    const [, table = ''] = pageOf('elements').text.split('| Element | Parts |')
    const names = [...(table.split('\n\n')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => !new RegExp(`["'\`\\s]${name}["'\`\\s]`).test(sources))).toEqual([])
  })

  test('names properties that there are', async () => {
    const sources = await (await fetch(`${elements.address}/elements.js`)).text()
    const used = new Set([...sources.matchAll(/--laurels-[\w-]+/g)].map(([name]) => name))
    const told = new Set([...pageOf('elements').text.matchAll(/--laurels-[\w-]+/g)].map(([name]) => name))
    expect([...told].sort()).toEqual([...used].sort())
  })
})
