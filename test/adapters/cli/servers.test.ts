// @heavy: It takes more than three seconds.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'
import { useCompiledPackage } from '../../support/compiled-package.ts'

const file = useFiles()

const DEFINITION = { metrics: { words: { name: 'Words' } } }

async function fill(name: string, multiTenant = false): Promise<string> {
  const path = file(name)
  const gamification = createGamification({ game: defineGame({ ...DEFINITION, multiTenant }), storage: sqlite(path) })
  await gamification.migrate()
  if (!multiTenant) await gamification.metrics.event('words', { user: { id: 'ann' }, value: 5 })
  await gamification.close()
  return path
}

/** The variables of the image, and the arguments of Node in its command and in its health check. */
function readDockerfile(path: string) {
  const dockerfile = readFileSync(path, 'utf8')
  const [, given = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
  const variables = Object.fromEntries(given.split(' ').map((pair) => pair.split('=') as [string, string]))
  const [check = [], command = []] = [...dockerfile.matchAll(/CMD \["node", (.+)\]$/gm)].map(
    ([, args]): readonly string[] => JSON.parse(`[${args}]`),
  )
  return { variables, check, command }
}

describe('The compiled commands that listen', { timeout: 60_000 }, () => {
  const packaged = useCompiledPackage()
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  function start(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    return startIn(process.cwd(), [join(packaged(), 'dist/cli.js'), ...args], variables)
  }

  function startIn(cwd: string, args: readonly string[], variables: Readonly<Record<string, string>>) {
    const env = { ...process.env, ...variables }
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd })
    children.push(child)
    const errors = text(child.stderr)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    /** The next line on standard output that has this text. */
    async function line(part: string): Promise<string> {
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        if (next.value.includes(part)) return next.value
      }
      throw new Error(`It ended without a line with ${part}: ${await errors}`)
    }
    return { child, line, errors, ended: once(child, 'exit') }
  }

  let one = ''
  let several = ''
  beforeAll(async () => {
    one = await fill('app.db')
    several = await fill('tenants.db', true)
  })

  test('console prints a link that opens once, shows the pages, and ends when it is interrupted', async () => {
    const { child, line, errors, ended } = start(['console', '--db', one])
    const link = await line('http://')
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/)
    const { origin } = new URL(link)
    const entered = await fetch(link, { redirect: 'manual' })
    expect(entered.status).toBe(303)
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    const get = (path: string): Promise<Response> => fetch(new URL(path, origin), { headers: { cookie } })

    const page = await (await get('/users/ann')).text()
    const script = /<script type="module" crossorigin src="\.\/([^"]+)">/.exec(page)?.[1] ?? ''
    const loaded = await get(script)
    expect(loaded.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(loaded.headers.get('vary')).toBe('Accept-Encoding')
    expect((await loaded.text()).length).toBeGreaterThan(1_000)
    expect(await (await get('/api/console.json')).json()).toMatchObject({ access: 'read', tenant: null })
    expect(await (await get('/api/v1/users/ann/metrics/words')).json()).toMatchObject({ current: 5 })
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401)

    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(await errors).toBe('Open it once, within ten minutes. It is read-only. Ctrl-C ends it.\n')
  })

  test('console takes what it is told', async () => {
    const { child, line, errors, ended } = start(['console', '--db', several, '--write', '--tenant', 'acme'])
    const link = await line('http://')
    const entered = await fetch(link, { redirect: 'manual' })
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    const headers = { cookie, 'tenant-id': 'acme', 'content-type': 'application/json', origin: new URL(link).origin }
    const info = await fetch(new URL('/api/console.json', link), { headers })
    expect(await info.json()).toMatchObject({ access: 'write', multiTenant: true, tenant: 'acme' })
    const body = '{"id":"ann"}'
    expect((await fetch(new URL('/api/v1/users', link), { method: 'POST', headers, body })).status).toBe(201)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await errors).toBe('Open it once, within ten minutes. It can change things. Ctrl-C ends it.\n')
  })

  test('serve answers both APIs and its health, and loses no request when it is stopped', async () => {
    // The image, without Docker: its folder, its variables and its commands.
    const db = file('image/serve.db')
    const image = dirname(db)
    copyFileSync('examples/serve/game.ts', file('image/game.ts'))
    mkdirSync(file('image/node_modules'))
    symlinkSync(packaged(), file('image/node_modules/laurels'), 'junction')
    const { variables, command, check } = readDockerfile('examples/serve/Dockerfile')
    const own = { DATABASE_URL: db, PORT: '0', LAURELS_DRAIN: '0' }
    const { child, line, errors, ended } = startIn(image, command, { ...variables, ...own })
    expect(await line('There is no API key')).toMatch(
      / warning There is no API key yet, so all calls are refused. Create one: laurels keys create$/,
    )
    const [, port = ''] = /Listening on http:\/\/0\.0\.0\.0:(\d+)$/.exec(await line('Listening on')) ?? []
    const checked = startIn(
      image,
      check.map((part) => part.replace(':3000', `:${port}`)),
      {},
    )
    expect(await checked.ended).toEqual([0, null])
    const key = (await laurels(['keys', 'create', '--db', db])).out.trim()
    const base = `http://127.0.0.1:${port}`
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }

    expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${base}/console`, { headers })).status).toBe(404)
    const keys = await fetch(`${base}/admin/v1/game`, { headers })
    expect(await keys.json()).toMatchObject({ epoch: 1, isNewest: true })

    const options = { method: 'POST', headers: { ...headers, expect: '100-continue' } }
    const sent = request(`${base}/v1/metrics/words/event`, options)
    sent.flushHeaders()
    // The server has the request, and waits for its body.
    await once(sent, 'continue')
    child.kill('SIGTERM')
    await line('Stopping')
    await expect(fetch(`${base}/healthz`)).rejects.toThrow('fetch failed')
    sent.end('{"user":{"id":"18"},"value":750}')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(201)
    expect(answer.headers.connection).toBe('close')
    expect(JSON.parse(await text(answer))).toMatchObject({ total: 750 })
    expect(await line('/v1/metrics/words/event')).toMatch(/ POST \/v1\/metrics\/words\/event 201 \d+ ms$/)
    expect(await ended).toEqual([0, null])
    expect(await errors).toBe('')
  })

  test('serve shows the console to who has the password, and serves a game with tenants', async () => {
    const password = 'correct horse battery'
    const game = file('tenants.json', JSON.stringify({ ...DEFINITION, multiTenant: true }))
    const args = ['serve', '--db', several, '--game', game, '--port', '0', '--console', 'read']
    const variables = {
      LAURELS_CONSOLE_PASSWORD: password,
      LAURELS_CORS: 'https://app.example.com',
      LAURELS_DRAIN: '0',
    }
    const { child, line, ended } = start(args, variables)
    const [base = ''] = /http:.+$/.exec(await line('Listening on')) ?? []
    const get = (path: string, given: string): Promise<Response> => {
      const authorization = `Basic ${Buffer.from(`anyone:${given}`).toString('base64')}`
      return fetch(base + path, { headers: { authorization, 'tenant-id': 'acme' } })
    }

    const asked = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' }
    const preflight = await fetch(`${base}/v1/achievements`, { method: 'OPTIONS', headers: asked })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example.com')

    const refused = await get('/console/', 'wrong')
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Basic realm="laurels", charset="UTF-8"')
    expect(await (await get('/console/', password)).text()).toContain('<base href="./" />')
    const info = await get('/console/api/console.json', password)
    expect(await info.json()).toMatchObject({ access: 'read', multiTenant: true })
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })

  test('mcp answers an agent over standard input and output, and ends when the agent leaves', async () => {
    const args = [join(packaged(), 'dist/cli.js'), 'mcp', '--db', one]
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
    const errors = text(transport.stderr as Readable)
    const agent = new Client({ name: 'agent', version: '1.0.0' })
    await agent.connect(transport)
    expect(agent.getServerVersion()?.name).toBe('laurels')
    const { content } = await agent.callTool({ name: 'user_progress', arguments: { userId: 'ann' } })
    const [{ text: answer }] = content as [{ text: string }]
    expect(JSON.parse(answer)).toMatchObject({ profile: { id: 'ann' }, totals: { words: 5 } })
    await agent.close()
    expect(await errors).toBe('')
  })
})
