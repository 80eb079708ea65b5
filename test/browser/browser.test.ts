// Whether the browser tells what is wrong with a page, before others rely on it.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromium, inBrowser, overflowOf, useBrowser, violationsOf } from '../support/browser.ts'
import { settled } from '../support/console.ts'

const PAGE = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>${body}</main></body></html>`

const PAGES: { readonly [path: string]: string } = {
  '/right': PAGE('<p>Nothing is wrong.</p>'),
  '/inline': PAGE('<script>document.title = "Run"</script>'),
  '/picture': PAGE('<img src="data:,">'),
  '/wide': PAGE(`<pre>${'wide '.repeat(200)}</pre>`),
  '/late': PAGE('<button>Ask</button><p>Nothing</p><script src="/late.js"></script>'),
}

/** On a click, after a frame, it asks twice, one after the other, as pages do whose parts load by themselves. */
const LATE = `
const afterFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
document.querySelector('button').addEventListener('click', async () => {
  for (const path of ['/slow?1', '/slow?2']) {
    await afterFrame()
    document.querySelector('p').textContent = await (await fetch(path)).text()
  }
})`

describe.skipIf(chromium === null)(inBrowser('A page in a browser'), () => {
  const open = useBrowser()
  let server: Server
  let address: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const policy = "default-src 'none'; script-src 'self'; img-src data:; connect-src 'self'"
      response.setHeader('content-security-policy', policy)
      if (request.url?.startsWith('/slow') === true) return void setTimeout(() => response.end(request.url), 100)
      if (request.url === '/late.js') return void response.setHeader('content-type', 'text/javascript').end(LATE)
      response.setHeader('content-type', 'text/html')
      response.end(PAGES[request.url ?? ''] ?? '')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  test('with which nothing is wrong has no problems', async () => {
    const { page, problems, requests } = await open({ width: 360 })
    await page.goto(`${address}/right`)
    expect(await violationsOf(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    expect(problems).toEqual([])
    expect(requests).toEqual([`${address}/right`])
  })

  test('tells of a script that the content security policy stops', async () => {
    const { page, problems } = await open()
    await page.goto(`${address}/inline`)
    expect(await page.title()).toBe('A page')
    await expect.poll(() => problems).toEqual([expect.stringContaining('Content Security Policy')])
  })

  test('tells of a picture without a text', async () => {
    const { page } = await open()
    await page.goto(`${address}/picture`)
    expect(await violationsOf(page)).toEqual([expect.stringContaining('image-alt')])
  })

  test('is settled when what a click leads to has come', async () => {
    const { page } = await open()
    await page.goto(`${address}/late`)
    await settled(page)
    await page.getByRole('button').click()
    await settled(page)
    expect(await page.locator('p').textContent()).toBe('/slow?2')
  })

  test('tells by how much it is too wide', async () => {
    const { page } = await open({ width: 360 })
    await page.goto(`${address}/wide`)
    expect(await overflowOf(page)).toBeGreaterThan(1_000)
  })
})
