// @heavy: It drives a browser.
// The switches with which users hide, or turn the game off: over the user API of an engine.

import { createGamification, defineGame } from 'laurels'
import { userApi } from 'laurels/express'
import { memory } from 'laurels/memory'
import { createTestClock } from 'laurels/testing'
import type { Locator, Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { chromium, drawn, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { CHOICES } from './elements-data.ts'
import { useElements } from './elements-page.ts'

const board = { rankBy: 'metric', metric: 'pages', start: '2026-03-01' } as const
const game = defineGame({
  metrics: { pages: { name: 'Pages read' } },
  leaderboards: { all: { name: 'Readers', ...board }, small: { name: 'Club', ...board, smallestGroup: 5 } },
})
const clock = createTestClock('2026-03-09T12:00:00Z')
const gamification = createGamification({ game, storage: memory(), clock: clock.now })
const api = userApi(gamification, { prefix: '/game', user: () => 'ann' })

const SWITCHES = '<laurels-choices base-url="/game"></laurels-choices>'
const BOARD = '<laurels-leaderboard base-url="/game" leaderboard="all"></laurels-leaderboard>'

describe.skipIf(chromium === null)(inBrowser('The switches of a user'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const elements = useElements(() => (request, response) => void api(request, response))

  beforeEach(async () => {
    for (const [id, value] of [['ann', 30] as const, ['bob', 20] as const]) {
      await gamification.users.identify(id, { name: id === 'ann' ? 'Ann' : 'Bob' })
      await gamification.users.updatePreferences(id, { leaderboards: 'shown', gamification: 'on' })
      await gamification.metrics.event('pages', { user: { id }, value, idempotencyKey: id })
    }
  })

  const show = async (html: string): Promise<Page> => {
    const { page } = await open()
    await elements.show(page, { html })
    return page
  }
  const find = (page: Page, name: string): Locator => page.getByRole('switch', { name, exact: true })
  const states = (page: Page): Promise<readonly string[]> =>
    page
      .getByRole('switch')
      .all()
      .then((all) =>
        Promise.all(
          all.map(async (each) => `${await each.isChecked()}${(await each.isDisabled()) ? ', disabled' : ''}`),
        ),
      )

  test('have names, descriptions and a group, and work from the keyboard', async () => {
    const page = await show(SWITCHES)
    await find(page, 'Show me on leaderboards').waitFor()
    expect(await page.getByRole('group', { name: 'Your choices' }).getByRole('switch').count()).toBe(3)
    expect(await states(page)).toEqual(['true', 'true', 'true'])
    await expect.poll(() => find(page, 'Show my name there').getAttribute('aria-describedby')).toBe('about-name')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Saved.')
    expect(await gamification.users.getPreferences('ann')).toMatchObject({ leaderboards: 'anonymous' })
    expect(await states(page)).toEqual(['true', 'false', 'true'])
    const focused = 'document.querySelector("laurels-choices").shadowRoot.activeElement?.dataset.focus'
    expect(await page.evaluate(focused)).toBe('name')
    expect(await violationsOf(page)).toEqual([])
  })

  test('hide the user, without a name to show, and show the user again', async () => {
    const page = await show(SWITCHES)
    await page.getByText('Show me on leaderboards').click()
    await expect.poll(() => states(page)).toEqual(['false', 'false, disabled', 'true'])
    await expect.poll(async () => (await gamification.users.getPreferences('ann')).leaderboards).toBe('hidden')
    await find(page, 'Show me on leaderboards').press('Space')
    await expect.poll(async () => (await gamification.users.getPreferences('ann')).leaderboards).toBe('shown')
    expect(await states(page)).toEqual(['true', 'true', 'true'])
  })

  test('turn the game off, and back on with the choice that was there', async () => {
    await gamification.users.updatePreferences('ann', { leaderboards: 'anonymous' })
    const page = await show(SWITCHES)
    await find(page, 'Take part in the game').click()
    await expect.poll(() => states(page)).toEqual(['false, disabled', 'false, disabled', 'false'])
    await expect.poll(async () => (await gamification.users.get('ann')).gamification).toBe('off')
    await find(page, 'Take part in the game').click()
    await expect.poll(() => states(page)).toEqual(['true', 'false', 'true'])
    await expect.poll(async () => (await gamification.users.get('ann')).gamification).toBeUndefined()
  })

  test('save the newest choice last, however fast they are turned', async () => {
    const page = await show(SWITCHES)
    const waiting: Route[] = []
    await find(page, 'Show me on leaderboards').waitFor()
    await page.route('**/preferences', (route) => void waiting.push(route))
    await find(page, 'Show me on leaderboards').click()
    await expect.poll(() => waiting.length).toBe(1)
    await find(page, 'Take part in the game').click()
    expect(await states(page)).toEqual(['false, disabled', 'false, disabled', 'false'])
    expect(waiting.length).toBe(1)
    await waiting.shift()?.continue()
    await expect.poll(() => waiting.length).toBe(1)
    await waiting.shift()?.continue()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Saved.')
    expect(await gamification.users.getPreferences('ann')).toMatchObject({
      leaderboards: 'hidden',
      gamification: 'off',
    })
  })

  test('show what is saved after a failure, and send the choice again by a button', async () => {
    const page = await show(SWITCHES)
    await find(page, 'Show me on leaderboards').waitFor()
    await page.route('**/preferences', (route) => route.fulfill({ status: 500, json: { error: 'Broken' } }))
    await find(page, 'Show me on leaderboards').click()
    expect(await page.getByRole('alert').textContent()).toBe('Your choice could not be saved.Try again')
    expect(await states(page)).toEqual(['true', 'true', 'true'])
    expect(await violationsOf(page)).toEqual([])
    await page.unroute('**/preferences')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await gamification.users.getPreferences('ann')).leaderboards).toBe('hidden')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(await states(page)).toEqual(['false', 'false, disabled', 'true'])
  })

  test('tell the page of each choice, which saves it if the element has data alone', async () => {
    const { page } = await open()
    await elements.show(page, {
      html: '<laurels-choices></laurels-choices>',
      properties: { 'laurels-choices': { data: CHOICES } },
      script: `document.addEventListener('laurels-choose', ({ target, detail }) => {
        document.title = JSON.stringify(detail)
        target.data = { ...target.data, ...detail }
      })`,
    })
    await find(page, 'Show my name there').click()
    expect(await page.title()).toBe('{"leaderboards":"shown"}')
    expect(await states(page)).toEqual(['true', 'true', 'true'])
    await find(page, 'Take part in the game').click()
    expect(await page.title()).toBe('{"gamification":"off"}')
  })

  test('are nothing yet for a user who is not known', async () => {
    const { page } = await open()
    await page.route('**/users/me/preferences', (route) =>
      route.fulfill({ status: 404, json: { error: 'Unknown', code: 'unknown_user' } }),
    )
    await elements.show(page, { html: SWITCHES })
    await page.getByText('There is nothing here yet.').waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
  })

  test('a leaderboard says that its user is hidden, and has no name for anonymous users', async () => {
    await gamification.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    const page = await show(BOARD)
    await expect.poll(() => page.locator('tbody th').allTextContents()).toEqual(['AnnYou', 'Anonymous'])
    expect(await page.getByText('You are hidden on this leaderboard.').count()).toBe(0)
    for (const choice of [{ leaderboards: 'hidden' }, { leaderboards: 'shown', gamification: 'off' }] as const) {
      await gamification.users.updatePreferences('ann', choice)
      await page.reload()
      await page.getByText('You are hidden on this leaderboard.').waitFor()
      expect(await page.locator('tbody th').allTextContents()).toEqual(['Anonymous'])
    }
    expect(await violationsOf(page)).toEqual([])
  })

  test('a leaderboard of a group that is too small says so', async () => {
    const page = await show(BOARD.replace('"all"', '"small"'))
    await page.getByText('There are too few users to show their places.').waitFor()
  })

  test.each(['light', 'dark'] as const)('look right beside a leaderboard: %s', async (colorScheme) => {
    const { page } = await open({ colorScheme, width: 720 })
    await gamification.users.updatePreferences('bob', { leaderboards: 'anonymous' })
    await gamification.users.updatePreferences('ann', { leaderboards: 'hidden' })
    await elements.show(page, {
      html: `${SWITCHES}<laurels-choices id="all"><h2 slot="heading">Your choices</h2></laurels-choices>${BOARD}`,
      properties: { '#all': { data: CHOICES } },
    })
    await page.getByText('You are hidden on this leaderboard.').waitFor()
    await find(page, 'Show me on leaderboards').first().focus()
    await page.keyboard.press('Tab')
    await drawn(page)
    await takePicture(page, `choices-${colorScheme}`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })
})
