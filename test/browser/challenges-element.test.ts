// @heavy: It drives a browser.
// The challenges of a user with their buttons, over the user API of an engine, and by data alone.

import { createGamification, defineGame } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { chromium, drawn, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { CHALLENGES } from './elements-data.ts'
import { useElements } from './elements-page.ts'

const quest = (name: string, value: number) =>
  ({ name, of: [{ metric: 'pages', value }], reward: { points: { xp: 10 } } }) as const
const game = defineGame({
  metrics: { pages: { name: 'Pages' } },
  points: { xp: { name: 'XP' } },
  challenges: {
    daily: {
      ...{ name: 'Daily quests', every: 'day', pick: 2, rerolls: 1, claim: { within: { days: 2 } } },
      pool: { p20: quest('20 pages', 20), p30: quest('30 pages', 30), p40: quest('40 pages', 40) },
    },
    sprint: { ...quest('A hundred in a week', 100), enrol: 'manual', within: { days: 7 } },
    closed: { ...quest('For the server', 5), enrol: 'manual' },
  },
  clients: { challenges: ['daily', 'sprint'] },
})
const NOON = '2026-03-09T12:00:00Z'
const clock = createTestClock(NOON)
const gamification = createGamification({ game, storage: memory(), clock: clock.now })
let user = 'nobody'
const api = userApi(gamification, { prefix: '/game', user: () => user })

const ALL = '<laurels-challenges base-url="/game"></laurels-challenges>'
const DAILY = '<laurels-challenges base-url="/game" challenge="daily"></laurels-challenges>'

describe.skipIf(chromium === null)(inBrowser('The challenges of a user'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements(() => (request, response) => void api(request, response))
  let users = 0

  beforeEach(async () => {
    clock.set(NOON)
    user = `user-${++users}`
    await gamification.users.create({ id: user, name: 'Ann' })
  })

  const read = (value: number) => gamification.metrics.event('pages', { user: { id: user }, value })
  const show = async (html: string): Promise<Page> => {
    const { page } = await open()
    await page.clock.install({ time: NOON })
    await elements.show(page, { html })
    return page
  }
  const names = (page: Page): Promise<readonly string[]> => page.locator('.quest .name').allTextContents()
  const find = (page: Page, name: RegExp | string): Locator => page.getByRole('button', { name })

  test('show quests with their progress, rewards and the time that is left', async () => {
    await read(15)
    const page = await show(DAILY)
    const daily = page.getByRole('group', { name: 'Daily quests' })
    await daily.waitFor()
    expect(await daily.getByRole('listitem').count()).toBe(4)
    expect(await page.locator('.left').textContent()).toBe('12 hours left')
    expect(await page.locator('.progress .muted').allTextContents()).toEqual(
      (await names(page)).map((name) => `15 of ${Number.parseInt(name, 10)}`),
    )
    expect(await page.locator('.rewards li').allTextContents()).toEqual(['+10 \u2068XP\u2069', '+10 \u2068XP\u2069'])
    await expect.poll(() => page.getByRole('progressbar').first().getAttribute('aria-valuetext')).toMatch(/^15 of \d+$/)
    expect(await violationsOf(page)).toEqual([])
  })

  test('give a reward to the user who claims it, by the keyboard', async () => {
    await read(40)
    const page = await show(DAILY)
    await expect.poll(() => find(page, /^Claim/).count()).toBe(2)
    const [first = ''] = await names(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Claimed.')
    expect((await gamification.users.points(user, 'xp')).total).toBe(10)
    expect(await page.locator('.quest.completed .name').allTextContents()).toEqual([first])
    expect(await find(page, /^Claim/).count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => find(page, /^Claim/).count()).toBe(0)
    expect((await gamification.users.points(user, 'xp')).total).toBe(20)
    expect(await violationsOf(page)).toEqual([])
  })

  test('swap a quest for another, as often as the challenge allows', async () => {
    const page = await show(DAILY)
    await page.getByText('1 swap left').waitFor()
    const before = await names(page)
    await find(page, `Swap: \u2068${before[1]}\u2069`).click()
    await expect.poll(() => find(page, /^Swap/).count()).toBe(0)
    const after = await names(page)
    expect(after[0]).toBe(before[0])
    expect(before).not.toContain(after[1])
    expect(await page.getByText('swap left').count()).toBe(0)
  })

  test('have a button to join, which only challenges have that can be joined now', async () => {
    const page = await show(ALL)
    const join = find(page, 'Join: \u2068A hundred in a week\u2069')
    await page.evaluate(`document.addEventListener('laurels-acted', ({ detail }) => { document.title = detail.act })`)
    await join.click()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('You take part.')
    expect(await page.title()).toBe('enrol')
    expect(await join.count()).toBe(0)
    expect(await page.getByRole('group', { name: 'A hundred in a week' }).locator('.left').textContent()).toBe(
      '6 days left',
    )
    expect(await find(page, /^Join/).count()).toBe(1)
  })

  test('say that an act was refused, and load again by a button', async () => {
    const page = await show(ALL)
    await find(page, 'Join: \u2068For the server\u2069').click()
    expect(await page.getByRole('alert').textContent()).toBe('This did not work.Try again')
    expect(await violationsOf(page)).toEqual([])
    await find(page, 'Try again').click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(await find(page, /^Join/).count()).toBe(2)
  })

  test('act once, however often a button is pressed, and though the page loads meanwhile', async () => {
    const page = await show(ALL)
    const sent: string[] = []
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/enrol', async (route) => {
      sent.push(route.request().url())
      await released
      await route.continue()
    })
    const join = find(page, /^Join: .A hundred/)
    await join.dblclick()
    await expect.poll(() => sent.length).toBe(1)
    await page.evaluate('void document.querySelector("laurels-challenges").refresh()')
    await expect.poll(() => join.getAttribute('aria-disabled')).toBe('true')
    release()
    await expect.poll(() => join.count()).toBe(0)
    expect(sent.length).toBe(1)
  })

  test('show the quests of the next day when the day ends, and what still waits of this one', async () => {
    await read(40)
    const page = await show(DAILY)
    await expect.poll(() => find(page, /^Claim/).count()).toBe(2)
    clock.set('2026-03-10T00:00:01Z')
    await page.clock.runFor('12:00:01')
    await expect.poll(() => page.locator('.left').textContent()).toBe('24 hours left')
    const waiting = page.getByRole('list', { name: 'Rewards that wait for you' })
    expect(await waiting.locator('.muted').first().textContent()).toBe('Monday, March 9')
    expect(await find(page, /^Claim/).count()).toBe(2)
    expect(await page.locator('.quest.missing').count()).toBe(2)
    await find(page, /^Claim/)
      .first()
      .click()
    await expect.poll(() => find(page, /^Claim/).count()).toBe(1)
    expect((await gamification.users.points(user, 'xp')).total).toBe(10)
  })

  test('tell the page of each act, which acts if the element has data alone', async () => {
    const { page } = await open()
    await elements.show(page, {
      html: '<laurels-challenges></laurels-challenges>',
      properties: { 'laurels-challenges': { data: CHALLENGES } },
      script: `document.addEventListener('laurels-act', ({ detail }) => { document.title = JSON.stringify(detail) })`,
    })
    await find(page, /^Claim: .Read before breakfast/).click()
    expect(await page.title()).toBe('{"act":"claim","challenge":"daily","quest":"early"}')
    await find(page, /^Swap/).click()
    expect(await page.title()).toBe('{"act":"reroll","challenge":"daily","quest":"two"}')
    await find(page, /^Join/).click()
    expect(await page.title()).toBe('{"act":"enrol","challenge":"sprint","quest":""}')
    await page.evaluate('document.querySelector("laurels-challenges").setAttribute("actions", "off")')
    await expect.poll(() => page.getByRole('button').count()).toBe(0)
  })

  test('are nothing yet for a user who is not known, or who has none', async () => {
    user = 'stranger'
    const page = await show(`${DAILY}<laurels-challenges id="none"></laurels-challenges>`)
    await page.getByText('There is nothing here yet.').waitFor()
    await page.evaluate('document.querySelector("#none").data = []')
    await page.getByText('There are no challenges now.').waitFor()
  })

  test.each([
    { name: 'light', options: { colorScheme: 'light', width: 720 } },
    { name: 'dark', options: { colorScheme: 'dark', width: 720 } },
    { name: 'phone', options: { colorScheme: 'light', width: 320 } },
    { name: 'phone-dark', options: { colorScheme: 'dark', width: 390 } },
  ] as const)('look right: $name', async ({ name, options }) => {
    const { page } = await open(options)
    await page.clock.setFixedTime('2026-03-11T18:30:00Z')
    const html = '<laurels-challenges><h2 slot="heading">Challenges</h2></laurels-challenges>'
    await elements.show(page, { html, properties: { 'laurels-challenges': { data: CHALLENGES } } })
    await find(page, /^Claim/)
      .first()
      .focus()
    await drawn(page)
    await takePicture(page, `challenges-${name}`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })
})
