// Pages with elements on them, served with a strict content security policy.

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ElementsPage {
  /** The content of the body. */
  readonly html: string
  /** After the styles of the page. */
  readonly css?: string
  /** After what is set of the elements; it imports what it needs by the names of the package. */
  readonly script?: string
  readonly lang?: string
  readonly dir?: 'ltr' | 'rtl'
  /** Properties to set on the elements, by selector; `client: true` is a client of `/game`. */
  readonly properties?: { readonly [selector: string]: { readonly [name: string]: unknown } }
}

interface ElementsServer {
  readonly address: string
  /** Shows a page, and resolves when its elements are drawn. */
  show(page: Page, content: ElementsPage): Promise<void>
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

const SCRIPT = `
import { createClient } from '/client.js'
import '/elements.js'
const properties = await (await fetch('/properties.json' + location.search)).json()
for (const [selector, values] of Object.entries(properties)) {
  for (const element of document.querySelectorAll(selector)) {
    for (const name of ['laurels-error', 'laurels-loaded']) {
      element.addEventListener(name, ({ type, detail }) => {
        const told = detail.error ? detail.error.message : detail.data === null ? 'null' : 'data'
        element.dataset.told = [element.dataset.told, type.slice(8) + ': ' + told].filter(Boolean).join(', ')
      })
    }
    const { client, ...rest } = values
    Object.assign(element, rest)
    if (client) element.client = createClient({ baseUrl: '/game', retries: 0 })
  }
}
document.documentElement.dataset.ready = ''
`

const STYLES = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 16px; background: light-dark(#f2f4f6, #0c0f12); color: light-dark(#111, #eee); }
main { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
h1 { font-size: 1.25rem; } h2 { font-size: 1rem; }
.narrow { inline-size: 12rem; }
`

async function bundled(entry: string): Promise<string> {
  const bundle = await rolldown({ input: entry, platform: 'browser', cwd: root })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** `game` answers what is below /game. */
export function useElements(game: () => RequestListener = () => (_, response) => void response.end()): ElementsServer {
  const contents: ElementsPage[] = []
  let server: Server
  let address = ''

  beforeAll(async () => {
    const scripts: { readonly [path: string]: string } = {
      '/elements.js': await bundled('adapters/elements/index.ts'),
      '/client.js': await bundled('adapters/client/index.ts'),
      '/page.js': SCRIPT,
    }
    server = createServer((request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname.startsWith('/game/')) return game()(request, response)
      const content = contents[Number(search.slice(1))]
      const send = (type: string, text: string): void => {
        response.setHeader('content-type', type)
        response.setHeader('content-security-policy', POLICY)
        response.end(text)
      }
      const script = scripts[pathname]
      if (script !== undefined) send('text/javascript', script)
      else if (pathname === '/page.css') send('text/css', `${STYLES}${content?.css ?? ''}`)
      else if (pathname === '/own.js') send('text/javascript', toScript(content?.script ?? ''))
      else if (pathname === '/properties.json') send('application/json', JSON.stringify(content?.properties ?? {}))
      else if (pathname === '/' && content !== undefined) send('text/html', toHtml(content, Number(search.slice(1))))
      else response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }, 60_000)
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })

  return {
    get address() {
      return address
    },
    show: async (page, content) => {
      const number = contents.push(content) - 1
      await page.goto(`${address}/?${number}`)
      await page.waitForSelector('html[data-ready]', { state: 'attached' })
    },
  }
}

/** Without a bundler the modules have addresses in place of names; a map of them would be an inline script. */
function toScript(script: string): string {
  return script.replaceAll(/'laurels\/(elements|client)'/g, `'/$1.js'`)
}

function toHtml({ html, lang = 'en', dir = 'ltr' }: ElementsPage, number: number): string {
  return `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Elements</title><link rel="stylesheet" href="/page.css?${number}">
<script type="module" src="/page.js"></script><script type="module" src="/own.js?${number}"></script></head><body><main><h1>Elements</h1>${html}</main></body></html>`
}
