// @heavy: It drives a browser.

import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { chromium, inBrowser, overflowOf, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, type OpenedConsole, settled, tryAgain, useConsole } from '../support/console.ts'

const GAME: GameDefinition = {
  metrics: { lessons: { name: 'Lessons', limits: [{ value: 100, per: { days: 1 }, then: 'hold' }] } },
  eventAttributes: ['source'],
  achievements: {
    first: { name: 'First lesson', trigger: 'metric', metric: 'lessons', value: 1 },
    ten: { name: 'Ten lessons', trigger: 'metric', metric: 'lessons', value: 10 },
    host: { name: 'Was at a meeting', trigger: 'api' },
  },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'lessons', threshold: 1, points: 10 }] } },
  streak: { frequency: 'daily', metrics: { lessons: {} }, freezes: { initial: 1, max: 3 } },
  leaderboards: { all: { name: 'All', rankBy: 'points', system: 'xp', start: '2024-01-01' } },
}

/** The element with the focus: its label, its text, its tag. */
const FOCUSED =
  "(({ ariaLabel, textContent, tagName }) => [ariaLabel ?? '', textContent, tagName].join(' '))(document.activeElement)"

async function record({ gamification }: OpenedConsole, value: number, key: string): Promise<string> {
  const user = { id: '18', name: 'Ada' }
  const { eventId } = await gamification.metrics.event('lessons', { user, value, idempotencyKey: key })
  return eventId
}

describe.skipIf(chromium === null)(inBrowser("A user's page"), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test.each([
    [1_440, 'light'],
    [360, 'dark'],
  ] as const)('shows everything, %i pixels wide, %s', async (width, colorScheme) => {
    const console = await openConsole()
    await fillWithDemo(console, 40)
    const [best] = (await console.gamification.leaderboards.get('all-time')).rankings
    const { page, problems, requests } = await open({ width, colorScheme })
    await page.goto(`${console.base}users/${best?.userId}`)
    await settled(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(best?.userName)
    expect(await page.title()).toBe(`${best?.userName} · laurels`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await takePicture(page, `console-user-${width}-${colorScheme}`)

    await page.getByRole('tab', { name: 'Log' }).click()
    await settled(page)
    await page
      .getByRole('button', { name: /^Explain/ })
      .first()
      .click()
    await page.getByText('It counts').waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(console.base))).toEqual([])
    await takePicture(page, `console-log-${width}-${colorScheme}`)
  })

  test.each(['light', 'dark'] as const)("shows and changes the user's choices: %s", async (colorScheme) => {
    const console = await openConsole({ definition: GAME, access: 'write' })
    const { users } = console.gamification
    await record(console, 3, 'k')
    await users.updatePreferences('18', { leaderboards: 'anonymous' })
    const { page, problems } = await open({ colorScheme })
    await page.goto(`${console.base}users/18`)
    await settled(page)
    await page.getByText('shown without the name').waitFor()
    await page.getByRole('button', { name: 'Change…' }).click()
    await page.getByRole('button', { name: "Change the user's choices" }).click()
    await page.getByLabel('On leaderboards').selectOption('hidden')
    expect(await violationsOf(page)).toEqual([])
    await takePicture(page, `console-choices-dialog-${colorScheme}`)
    await page.getByRole('button', { name: 'Change the choices' }).click()
    await expect.poll(() => page.locator('[data-rank="all"]').textContent()).toBe('hidden')
    expect(await users.getPreferences('18')).toMatchObject({ leaderboards: 'hidden', gamification: 'on' })
    await page.getByRole('button', { name: 'Explain' }).last().click()
    await page.getByText('The user chose to be hidden on leaderboards.').waitFor()
    await page.keyboard.press('Escape')
    await users.updatePreferences('18', { gamification: 'off' })
    await page.reload()
    await page.getByText('game turned off').waitFor()
    await page.getByText('turned off: no messages about the user').waitFor()
    await settled(page)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
    await takePicture(page, `console-choices-${colorScheme}`)
  })

  test('of somebody who has done nothing yet says so', async () => {
    const console = await openConsole({ definition: GAME })
    await console.gamification.users.identify('18', {})
    const { page, problems } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('18')
    await page.getByText('0 of 3', { exact: true }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('that is not there leads to the search', async () => {
    const console = await openConsole()
    const { page } = await open()
    await page.goto(`${console.base}users/no%2Fbody`)
    await page.getByText('There is no user with the id "no/body".').waitFor()
    await page.getByRole('link', { name: 'Search for it among all users' }).click()
    await page.getByText('No user has this in an id or a name.').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('no/body')
  })

  test('by keyboard alone: a user is opened, and an event is voided after a preview', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 3, 'a')
    await record(console, 7, 'b')
    const { page } = await open()
    await page.goto(`${console.base}users`)
    await settled(page)
    const enter = async (name: string, key = 'Enter'): Promise<void> => {
      for (let press = 0; press < 60; press += 1) {
        await page.keyboard.press('Tab')
        if (!(await page.evaluate<string>(FOCUSED)).includes(name)) continue
        return page.keyboard.press(key)
      }
      throw new Error(`The keyboard does not reach ${name}`)
    }
    await enter('Ada A')
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await settled(page)
    // The heading of the new page has the focus.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await enter('Overview BUTTON', 'ArrowRight')
    await settled(page)
    expect(new URL(page.url()).search).toBe('?tab=log')
    await enter('Void: +7 Lessons')
    const dialog = page.getByRole('dialog', { name: 'Void the event' })
    const last = dialog.locator('li').last()
    await expect.poll(() => last.textContent()).toBe('No achievement is taken back.')
    await page.keyboard.type('Pasted')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => last.textContent()).toBe('Taken back: Ten lessons.')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { entries } = await console.gamification.users.events('18', {})
    expect(entries[0]).toMatchObject({ kind: 'eventVoided', reason: 'Pasted', revokes: true })
  })

  test('in write access does all that it offers', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 3, 'a')
    await record(console, 200, 'b')
    const { gamification } = console
    const { page, problems } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change…' }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      expect(await violationsOf(page, 'dialog')).toEqual([])
    }
    const confirm = async (name: string): Promise<void> => {
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await settled(page)
    }

    await choose('Send an event')
    await page.getByLabel('Value').fill('2')
    await page.getByLabel(/^Attributes/).fill('source: web')
    await confirm('Send the event')
    expect((await gamification.users.singleMetric('18', 'lessons')).current).toBe(5)

    await choose('Give freezes')
    await page.getByLabel('How many').fill('2')
    await confirm('Give 2 freezes')
    expect((await gamification.users.streak('18')).freezes).toBe(3)

    await choose('Pause the streak')
    await confirm('Pause the streak')
    expect((await gamification.users.streak('18')).pauses).toHaveLength(1)
    await page.getByRole('button', { name: 'End the pause' }).click()
    await confirm('End the pause')
    expect((await gamification.users.streak('18')).pauses).toHaveLength(0)

    await choose('Complete an achievement')
    await confirm('Complete it')
    const done = await gamification.users.achievements('18')
    expect(done.map(({ key }) => key)).toContain('host')

    await choose('Revoke an achievement')
    await page.getByRole('dialog').getByRole('combobox').selectOption('host')
    await page.getByLabel(/^Reason/).fill('Shared login')
    await confirm('Revoke it')
    expect((await gamification.users.achievements('18')).map(({ key }) => key)).not.toContain('host')
    await choose('Grant an achievement')
    await page.getByRole('dialog').getByRole('combobox').selectOption('host')
    await page.getByLabel(/^Reason/).fill('It was her')
    await confirm('Grant it')
    expect((await gamification.users.achievements('18')).map(({ key }) => key)).toContain('host')
    await choose('Adjust points')
    await page.getByRole('dialog').getByRole('spinbutton').fill('-2')
    await page.getByLabel(/^Reason/).fill('Counted twice')
    await confirm('Adjust the points')
    expect((await gamification.users.events('18')).entries[0]).toMatchObject({
      kind: 'pointsAdjusted',
      amount: -2,
      reason: 'Counted twice',
    })

    await choose('Suspend from leaderboards')
    await page.getByLabel(/^Reason/).fill('Too fast')
    await confirm('Suspend the user')
    await page.getByText('suspended from leaderboards', { exact: true }).waitFor()
    expect((await gamification.leaderboards.get('all')).rankings).toEqual([])
    await choose('Restore to leaderboards')
    await confirm('Restore the user')
    expect((await gamification.leaderboards.get('all')).rankings).toHaveLength(1)

    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByRole('button', { name: 'Approve: +200 Lessons' }).click()
    await confirm('Approve the event')
    expect((await gamification.users.singleMetric('18', 'lessons')).current).toBe(205)
    expect(problems).toEqual([])
  })

  test('gives the focus back to the menu, when that closes and when a dialog of it does', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 3, 'a')
    const { page } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    const menu = page.getByRole('button', { name: 'Change…' })
    const item = page.getByRole('button', { name: 'Give freezes' })
    await menu.click()
    await item.waitFor()
    await page.keyboard.press('Escape')
    await item.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Change…')
    await menu.click()
    await item.click()
    await page.getByRole('dialog').waitFor()
    expect(await item.isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Change…')
  })

  test('is deleted once its id was typed, and merged into a user that is there', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 3, 'a')
    await console.gamification.users.identify('19', { name: 'Bea' })
    const { page } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    await page.getByRole('button', { name: 'Change…' }).click()
    await page.getByRole('button', { name: 'Merge into another user' }).click()
    const dialog = page.getByRole('dialog')
    const merge = dialog.getByRole('button', { name: 'Merge' })
    await dialog.getByLabel('Id of the user that stays').fill('nobody')
    await dialog.getByText('There is no user with this id.').waitFor()
    expect(await merge.isDisabled()).toBe(true)
    await dialog.getByLabel('Id of the user that stays').fill('19')
    await dialog.getByText('This is Bea.').waitFor()
    await merge.click()
    await page.getByRole('heading', { level: 1, name: 'Bea' }).waitFor()
    await settled(page)
    expect(await page.locator('[data-total=lessons]').textContent()).toBe('3')

    await page.goto(`${console.base}users/18`)
    await page.getByText('is another name of this user').waitFor()
    await page.goto(`${console.base}users/19`)
    await settled(page)
    await page.getByRole('button', { name: 'Change…' }).click()
    await page.getByRole('button', { name: 'Delete the user' }).click()
    const remove = dialog.getByRole('button', { name: 'Delete for good' })
    await dialog.getByLabel('Type the id to confirm').fill('1')
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel('Type the id to confirm').fill('19')
    await remove.click()
    await page.getByText('There are no users yet.').waitFor()
  })

  test('says when the server is gone in the middle, in the page and in a dialog, and goes on when it is back', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 3, 'a')
    const { page } = await open()
    await page.goto(`${console.base}users/18?tab=log`)
    await settled(page)
    await page.getByRole('button', { name: /^Void/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The total of the metric becomes 0.').waitFor()
    await console.stop()
    await dialog.getByRole('button', { name: 'Void the event' }).click()
    await dialog.getByText('The server does not answer.').waitFor()
    expect(await dialog.getByRole('button').allTextContents()).toEqual(['Cancel', 'Void the event'])
    await console.start()
    await dialog.getByRole('button', { name: 'Void the event' }).click()
    await dialog.waitFor({ state: 'detached' })
    await settled(page)
    expect((await console.gamification.users.singleMetric('18', 'lessons')).current).toBe(0)

    await page.reload()
    await settled(page)
    await console.stop()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByText('The server does not answer.').first().waitFor()
    expect(await page.locator('[data-total=lessons]').textContent()).toBe('0')
    await console.start()
    await tryAgain(page)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.locator('[data-total=lessons]').textContent()).toBe('0')
  })

  test('explains a day and an achievement in a dialog that closes by its button and by a click outside', async () => {
    const console = await openConsole({ definition: GAME })
    await record(console, 1, 'a')
    const { page } = await open({ width: 390 })
    await page.goto(`${console.base}users/18`)
    await settled(page)
    const dialog = page.getByRole('dialog')
    const explain = page.getByRole('button', { name: 'Explain' })
    await explain.first().click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await explain.last().click()
    await dialog.getByRole('heading').click()
    expect(await dialog.isVisible()).toBe(true)
    await page.mouse.click(5, 5)
    await dialog.waitFor({ state: 'detached' })
  })

  test('says of a day that is not over that the streak is not extended yet', async () => {
    const console = await openConsole({ definition: GAME })
    await console.gamification.users.create({ id: '18', name: 'Ada' })
    const { page } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    await page.getByRole('button', { name: 'Explain' }).first().click()
    await page.getByRole('dialog').getByText('not extended yet').waitFor()
  })

  test('counts the tiers of an achievement as one', async () => {
    const tiers = { bronze: { value: 1 }, silver: { value: 10 } }
    const { host } = GAME.achievements ?? {}
    const console = await openConsole({
      definition: {
        ...GAME,
        achievements: {
          reader: { name: 'Reader', trigger: 'metric', metric: 'lessons', tiers },
          ...(host && { host }),
        },
      },
    })
    await record(console, 10, 'a')
    const { page } = await open()
    await page.goto(`${console.base}users/18`)
    await settled(page)
    await page.getByText('1 of 2', { exact: true }).waitFor()
  })
})
