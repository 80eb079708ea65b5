// @heavy: It drives a browser.
// `laurels/react` in a real browser. REACT=<node_modules> takes another React from there.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page, Route } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { rolldown } from 'rolldown'
import { build, createServer as createViteServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../examples/react/server.ts'
import { chromium, inBrowser, useBrowser, violationsOf } from '../support/browser.ts'
import { pageOf, textsOf } from '../support/pages.ts'
import { provided, Streak } from './react-page.ts'

const here = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const { REACT } = process.env
const alias: Readonly<Record<string, string>> = {
  'laurels/react': here('adapters/react/index.ts'),
  ...(REACT === undefined ? {} : { react: join(REACT, 'react'), 'react-dom': join(REACT, 'react-dom') }),
}

/** Holds a response back until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route: Route) => {
    const response = await route.fetch()
    await promise
    await route.fulfill({ response })
  })
  return resolve
}

describe.skipIf(chromium === null)(inBrowser('React'), { timeout: 120_000 }, () => {
  const open = useBrowser()
  const built = mkdtempSync(join(tmpdir(), 'laurels-react-'))
  let script = ''
  let server: Server
  let address = ''

  beforeAll(async () => {
    await build({ root: here('examples/react'), logLevel: 'error', resolve: { alias }, build: { outDir: built } })
    const bundle = await rolldown({
      input: here('test/browser/react-page.ts'),
      platform: 'browser',
      resolve: { alias },
      transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    })
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
    await bundle.close()
    script = output[0].code
  }, 120_000)
  beforeEach(async () => {
    server = (await createServer(built)).listen(0)
    address = `http://localhost:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
  afterAll(() => rmSync(built, { recursive: true, force: true }))

  async function openPage(name: string, root = '<div id="root"></div>'): Promise<Awaited<ReturnType<typeof open>>> {
    const opened = await open()
    const html = `<!doctype html><link rel="icon" href="data:,">${root}<script type="module" src="/page.js"></script>`
    await opened.page.route('**/blank', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await opened.page.route('**/page.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    return Object.assign(opened, { show: await opened.page.goto(`${address}/blank#${name}`) })
  }

  test('shows an event at once, and what it earned when it is answered', async () => {
    const { page, problems, requests } = await open()
    await page.goto(address)
    const heading = (name: string) => page.getByRole('heading', { name })
    await heading('2 days in a row').waitFor()
    await expect.poll(() => page.locator('#total').textContent()).toBe('600 words')
    const release = await hold(page, '**/event')
    await page.getByRole('button', { name: 'Log' }).click()
    await expect.poll(() => page.locator('#total').textContent()).toBe('1000 words')
    expect(await page.getByText('60 XP').count()).toBe(1)
    release()
    await expect
      .poll(() => page.locator('.toast').allTextContents())
      .toEqual(['New badge: A thousand words', 'You are now an Author', 'Day 3 in a row', '+40 XP'])
    await heading('3 days in a row').waitFor()
    await heading('Author').waitFor()
    await page.getByText('100 XP').waitFor()
    await expect.poll(() => page.locator('.kept').last().textContent()).toBe('Ada: 1000')
    const ratios = "[...document.querySelectorAll('progress')].map(({ value }) => value)"
    expect(await page.evaluate(ratios)).toEqual([1, 1, 0.02, 0.4285, 0.4])
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(address))).toEqual([])
  })

  test('counts an event once if its answer is lost and the user tries again', async () => {
    const { page } = await open()
    await page.goto(address)
    await page.getByText('600 words').waitFor()
    let sent = 0
    await page.route('**/event', async (route) => {
      sent += 1
      if (sent > 3) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Words today').fill('100')
    await page.getByRole('button', { name: 'Log' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('#total').textContent()).toBe('700 words')
    expect(sent).toBe(4)
  })

  test('has a quest whose reward the user claims', async () => {
    const { page, problems } = await open()
    await page.goto(address)
    await page.getByLabel('Words today').fill('1000')
    await page.getByRole('button', { name: 'Log' }).click()
    await page.getByText('Completed: A thousand in a day').waitFor()
    await page.getByText('160 XP').waitFor()
    await page.getByRole('button', { name: 'Claim' }).press('Enter')
    await page.getByText('210 XP').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Claim' }).count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('has a switch that hides the user', async () => {
    const { page, problems } = await open()
    await page.goto(address)
    await expect.poll(() => page.locator('ol .kept').last().textContent()).toMatch(/^Ada: /)
    await page.getByRole('checkbox', { name: 'Show me on the leaderboard' }).press('Space')
    await expect.poll(() => page.getByText(/^Ada: /).count()).toBe(0)
    expect(await page.getByRole('checkbox').isChecked()).toBe(false)
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('checkbox').press('Space')
    await page.getByText(/^Ada: /).waitFor()
    expect(problems).toEqual([])
  })

  test('is what docs/react.md makes of an empty folder', async () => {
    const folder = mkdtempSync(here('node_modules/.cache/laurels-react-docs-'))
    const [html = ''] = textsOf(pageOf('react'), 'html')
    writeFileSync(join(folder, 'index.html'), `<link rel="icon" href="data:,">${html}`)
    const blocks = textsOf(pageOf('react'), 'tsx').map((text) => [/^\/\/ (\S+)/.exec(text)?.[1] ?? '', text] as const)
    // The example's server replaces server.ts: its game has the parts that the page shows.
    for (const [name, text] of blocks)
      writeFileSync(join(folder, name), text.replaceAll('http://localhost:3000', address))
    const vite = await createViteServer({ root: folder, logLevel: 'error', resolve: { alias }, server: { port: 0 } })
    try {
      await vite.listen()
      const { page, problems } = await open()
      await page.goto(vite.resolvedUrls?.local[0] ?? '')
      await page.getByRole('heading', { name: 'Day 2' }).waitFor()
      await page.getByRole('button', { name: 'I wrote 250 words' }).click()
      await page.getByRole('heading', { name: 'Day 3' }).waitFor()
      await page.getByText('80 XP').waitFor()
      await page.getByRole('button', { name: 'Day 3 in a row' }).click()
      await expect.poll(() => page.getByRole('status').getByRole('button').allTextContents()).toEqual(['20 XP'])
      expect(problems).toEqual([])
    } finally {
      await vite.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('suspends, throws to an error boundary, and tries again', async () => {
    const { page } = await openPage('suspended')
    await page.route('**/streak', (route) =>
      route.fulfill({ status: 500, json: { error: 'Broken', code: 'internal' } }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'ApiError: Broken' }).waitFor()
    await page.unroute('**/streak')
    const release = await hold(page, '**/streak')
    await page.getByRole('button').click()
    await page.getByText('fallback').waitFor()
    release()
    await page.getByText('2 days').waitFor()
  })

  test('lets a component leave during a request, and come back', async () => {
    const { page, problems } = await openPage('leaving')
    const release = await hold(page, '**/streak')
    await page.reload()
    await page.getByText('loading').waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    release()
    await page.getByRole('button', { name: 'Return' }).click()
    await page.getByText('2 days').waitFor()
    expect(problems).toEqual([])
  })

  test('hydrates what a server rendered, without a request', async () => {
    const props = { initialData: { length: 41 } as never }
    const html = renderToString(provided(createElement(Streak, props)))
    expect(html).toBe('<p>41 days</p>')
    const { page, problems, requests } = await openPage(
      'hydrated',
      `<div id="root" data-props='${JSON.stringify(props)}'>${html}</div>`,
    )
    await page.getByText('41 days').click()
    await page.getByText('2 days').waitFor()
    expect(requests.filter((url) => url.includes('/game/'))).toEqual([`${address}/game/users/18/streak`])
    expect(problems).toEqual([])
  })
})
