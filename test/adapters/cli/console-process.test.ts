import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { useFiles } from '../../support/cli.ts'
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

describe('The compiled command', { timeout: 60_000 }, () => {
  const packaged = useCompiledPackage({ withPages: true })
  const children: ChildProcess[] = []
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
  })

  async function start(...args: readonly string[]) {
    const main = join(packaged(), 'dist/cli.js')
    const child = spawn(process.execPath, [main, 'console', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    const errors = text(child.stderr)
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      const link = String(chunk).trimEnd()
      return { child, link, errors, ended: once(child, 'exit') }
    }
    throw new Error(`It ended before it listened: ${await errors}`)
  }

  let one = ''
  let several = ''
  beforeAll(async () => {
    one = await fill('app.db')
    several = await fill('tenants.db', true)
  })

  test('prints a link that opens once, shows the pages, and ends when it is interrupted', async () => {
    const { child, link, errors, ended } = await start('--db', one)
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

  test('takes what it is told', async () => {
    const { child, link, errors, ended } = await start('--db', several, '--write', '--tenant', 'acme')
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
})
