// @heavy: It drives a browser.
// Actions on the pages of operation: drift is shown and repaired, keys and webhooks are created and ended.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { defineGame } from '../../src/index.ts'
import { chromium, inBrowser, takePicture, useBrowser, violationsOf } from '../support/browser.ts'
import { fillWithDemo, holdAt, settled, useConsole } from '../support/console.ts'
import { RICH_GAME } from '../support/console-game.ts'

vi.setConfig({ testTimeout: 240_000 })

const webhooks = { secretKey: '0123456789abcdef0123456789abcdef' }

async function receive(): Promise<{
  readonly url: string
  readonly answer: { status: number }
  readonly got: string[]
}> {
  const answer = { status: 500 }
  const got: string[] = []
  const server = createServer((request, response) => {
    got.push(String(request.headers['webhook-id']))
    request.resume()
    response.writeHead(answer.status).end('<b>no</b>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, answer, got }
}

describe.skipIf(chromium === null)(inBrowser('On the pages of operation'), () => {
  const open = useBrowser()
  const openConsole = useConsole()

  test('drift is shown row by row, and mended after asking', async () => {
    const database = new Database(':memory:')
    const console = await openConsole({ definition: RICH_GAME, options: { storage: sqlite(database) } })
    await console.gamification.migrate()
    await fillWithDemo(console, 10, { game: defineGame(RICH_GAME) })
    const { changes } = database
      .prepare("UPDATE laurels_totals SET total = total + 5 WHERE user_id = 'demo-003' AND metric = 'words'")
      .run()
    expect(changes).toBe(1)
    const { page, problems } = await open()
    await page.goto(`${console.base}integrity`)
    await page.getByRole('button', { name: 'Verify all users' }).click()
    await page.getByText('1 row was not what the logs say.').waitFor()
    const cells = await page.getByRole('table').locator('tbody tr').locator('th, td').allTextContents()
    expect(cells[0]).toBe('totals')
    expect(cells[1]).toBe('user_id demo-003metric words')
    expect(Number(/\d+/.exec(cells[2] ?? '')?.[0]) - Number(/\d+/.exec(cells[3] ?? '')?.[0])).toBe(5)
    expect(await violationsOf(page)).toEqual([])
    await takePicture(page, 'console-drift')

    await page.getByLabel('Users').fill('demo-001, demo-003')
    await page.getByRole('button', { name: 'Rebuild 2 users…' }).click()
    await page.getByRole('dialog', { name: 'Rebuild 2 users?' }).getByRole('button', { name: 'Rebuild' }).click()
    await page.getByText('1 row was not what the logs say, and now they are.').waitFor()
    expect((await console.gamification.verify()).drift).toEqual([])
    expect(problems).toEqual([])
  })

  test('verifying is stopped between two users', async () => {
    const { storage, release } = holdAt('demo-012')
    onTestFinished(release)
    const console = await openConsole({ definition: RICH_GAME, options: { storage } })
    await fillWithDemo(console, 30, { game: defineGame(RICH_GAME) })
    const { page } = await open()
    await page.goto(`${console.base}integrity`)
    await page.getByRole('button', { name: 'Verify all users' }).click()
    await page.getByText(/Verifying… [1-9]/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/^Stopped after \d+ users?, .* Nothing was changed/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Verify all users' }).isEnabled()).toBe(true)
  })

  test('a key is made for a user, shown once, and deleted after asking', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { gamification } = console
    await gamification.users.create({ id: 'ada', name: 'Ada' })
    await gamification.adminKeys.create()
    const { page, problems } = await open()
    await page.goto(`${console.base}keys`)
    await page.getByRole('button', { name: 'Create a key…' }).click()
    await page.getByLabel('Id of the user').fill('ada')
    await page.getByText('This is Ada.').waitFor()
    await page.getByLabel('All that the game lets clients do').uncheck()
    await page.getByLabel('send events').check()
    await page.getByLabel('Ends after so many days').fill('30')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Create the key' }).click()
    const key = (await page.locator('.secret-text').textContent()) ?? ''
    expect(await gamification.authenticate(key)).toMatchObject({ userId: 'ada', can: ['read', 'events'] })
    await takePicture(page, 'console-key')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await expect.poll(() => page.content()).not.toContain(key)
    const [{ prefix = '' } = {}] = await gamification.admin.applicationApiKeys.list()
    expect(await page.getByRole('row', { name: prefix }).textContent()).toContain('ada')

    await page.getByRole('button', { name: `Delete the key ${prefix}` }).click()
    expect(await gamification.authenticate(key)).not.toBe(null)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
    await page.getByText('There are no application keys').waitFor()
    expect(await gamification.authenticate(key)).toBe(null)
    const [admin] = await gamification.adminKeys.list()
    expect(await page.getByRole('table', { name: 'Admin keys' }).textContent()).toContain(admin?.prefix)
    expect(problems).toEqual([])
  })

  test('a webhook is made, its deliveries are seen and sent again, its secret is rotated, and it is deleted', async () => {
    const { url, answer, got } = await receive()
    const console = await openConsole({ definition: RICH_GAME, options: { webhooks } })
    const { gamification } = console
    const { page, problems } = await open()
    await page.goto(`${console.base}outbox`)
    await page.getByRole('button', { name: 'Create a webhook…' }).click()
    await page.getByLabel('Address').fill('https://example.com/hook')
    await page.getByLabel('Name').fill('The shop')
    await page.getByRole('checkbox', { name: 'achievement.completed', exact: true }).check()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    const secret = (await page.locator('.secret-text').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_/)
    const [webhook] = await gamification.webhooks.list()
    const id = webhook?.id ?? ''
    expect(webhook).toMatchObject({ name: 'The shop', types: ['achievement.completed'], order: 'user' })

    // Only the operator of the server may allow addresses inside this machine.
    await gamification.webhooks.update(id, { url, allowInternal: true })
    await gamification.metrics.event('words', { user: { id: 'ada', name: 'Ada' }, value: 1 })
    const work = new AbortController()
    const working = gamification.work({ signal: work.signal })
    onTestFinished(async () => {
      work.abort()
      await working
    })
    await expect.poll(() => got.length, { timeout: 20_000 }).toBe(1)
    // It has come before its answer is kept.
    const attempts = async (): Promise<number> =>
      (await gamification.webhooks.deliveries(id)).deliveries[0]?.attempts ?? 0
    await expect.poll(attempts, { timeout: 20_000 }).toBe(1)
    await page.goto(`${console.base}outbox?webhook=${id}`)
    await page.getByRole('row', { name: /waiting.*500/ }).waitFor()
    await page.getByText('What was answered').click()
    await page.getByText('<b>no</b>').waitFor()
    expect(await violationsOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Disable…' }).click()
    await page.getByRole('button', { name: 'Disable the webhook' }).click()
    await page.getByText('The webhook is disabled.').waitFor()
    await expect.poll(async () => (await gamification.webhooks.get(id)).deliveries.dead, { timeout: 20_000 }).toBe(1)
    await page.reload()
    await page.getByRole('button', { name: 'Make active…' }).click()
    await page.getByRole('button', { name: 'Make it active' }).click()
    await page.getByText('The webhook is active.').waitFor()
    answer.status = 204
    await page.getByRole('button', { name: 'Send dead deliveries again…' }).click()
    await page.getByRole('button', { name: 'Send again', exact: true }).click()
    await page.getByText('1 delivery is sent again.').waitFor()
    await expect.poll(() => got.length, { timeout: 20_000 }).toBe(2)
    expect(got[1]).toBe(got[0])

    await page.getByRole('button', { name: 'Rotate the secret…' }).click()
    await page.getByRole('button', { name: 'Rotate the secret', exact: true }).click()
    const rotated = (await page.locator('.secret-text').textContent()) ?? ''
    expect(rotated).toMatch(/^whsec_/)
    expect(rotated).not.toBe(secret)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete the webhook' }).click()
    await page.getByText('There are no webhooks').waitFor()
    await settled(page)
    expect(await gamification.webhooks.list()).toEqual([])
    expect(problems).toEqual([])
  })

  test('no webhook can be created where the server has no key for them, and the page says so', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { page, problems } = await open()
    await page.goto(`${console.base}outbox`)
    await page.getByText('give createGamification the option webhooks.secretKey').waitFor()
    expect(await page.getByRole('button', { name: 'Create a webhook…' }).isDisabled()).toBe(true)
    expect(problems).toEqual([])
  })

  test('what a subscription put aside is seen, and handed over again after asking', async () => {
    const console = await openConsole({ definition: RICH_GAME })
    const { gamification } = console
    const taken: string[] = []
    let fails = true
    await gamification.subscribe('mailer', { types: ['user.created'], deadLetterAfter: 1 }, async (messages) => {
      if (fails) throw new Error('The mail server is away')
      taken.push(...messages.map(({ type }) => type))
    })
    await gamification.users.create({ id: 'ada' })
    const work = new AbortController()
    const working = gamification.work({ signal: work.signal })
    onTestFinished(async () => {
      work.abort()
      await working
    })
    await expect
      .poll(async () => (await gamification.subscriptions.list())[0]?.deadLetters, { timeout: 20_000 })
      .toBe(1)
    const { page } = await open()
    await page.goto(`${console.base}outbox`)
    await page.getByRole('link', { name: '1 message that mailer put aside' }).click()
    await page.getByRole('cell', { name: 'The mail server is away' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    fails = false
    await page.getByRole('button', { name: 'Hand all over again…' }).click()
    await page.getByRole('button', { name: 'Hand over again', exact: true }).click()
    await page.getByText('1 message will be handed over again.').waitFor()
    await expect.poll(() => taken, { timeout: 20_000 }).toEqual(['user.created'])
  })
})
