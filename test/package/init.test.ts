import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { useDatabases } from '../postgres/races-database.ts'
import { SLOW, useConsumer } from '../support/consumer.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const consumer = useConsumer(['express', 'fastify', 'pg', '@types/express', '@types/node'])
const newDatabase = useDatabases()

/** What `npm init -y` writes, as far as it matters. */
const MANIFESTS = {
  commonjs: '{ "name": "app", "version": "1.0.0", "type": "commonjs" }',
  module: '{ "type": "module" }',
}

interface Case {
  readonly database: string
  readonly framework: string
  readonly type: keyof typeof MANIFESTS
  readonly language: 'ts' | 'js'
}

async function init({ database, framework, type, language }: Case): Promise<{ folder: string; directory: string }> {
  const folder = `${database}-${framework}-${type}-${language}`
  consumer().write(`${folder}/package.json`, MANIFESTS[type])
  const options = ['--database', database, '--framework', framework, '--metric', 'words', '--language', language]
  const { code, err } = await consumer().laurels('init', folder, ...options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return { folder, directory: join(consumer().directory, folder) }
}

const CASES: readonly Case[] = ['sqlite', 'postgres'].flatMap((database) =>
  ['express', 'fastify', 'none'].map((framework): Case => ({ database, framework, type: 'commonjs', language: 'ts' })),
)

describe('what laurels init writes', { timeout: SLOW }, () => {
  test.each([...CASES, { database: 'sqlite', framework: 'express', type: 'module', language: 'ts' } as const])(
    'passes the compiler and its test: $database, $framework, $type',
    async (given) => {
      const { folder, directory } = await init(given)
      const compiled = await consumer().node(tsc, '-p', directory)
      expect(compiled).toMatchObject({ code: 0, out: '' })
      await passes(folder)
    },
  )

  test.each([
    { database: 'sqlite', framework: 'none', type: 'commonjs', language: 'js' },
    { database: 'sqlite', framework: 'hono', type: 'commonjs', language: 'ts' },
    { database: 'sqlite', framework: 'next', type: 'module', language: 'ts' },
    { database: 'sqlite', framework: 'next', type: 'module', language: 'js' },
  ] as const)('passes its test: $database, $framework, $type, $language', async (given) => {
    const { folder } = await init(given)
    await passes(folder)
  })

  async function passes(folder: string): Promise<void> {
    const name = readdirSync(join(consumer().directory, folder)).find((each) => each.startsWith('game.test.')) ?? ''
    const { code, out } = await consumer().node('--test', join(folder, name))
    expect(out).toMatch(/^. pass 2$/m)
    expect(code).toBe(0)
  }

  test.each([
    { database: 'sqlite', framework: 'express', type: 'commonjs', language: 'ts' },
    { database: 'postgres', framework: 'fastify', type: 'module', language: 'js' },
  ] as const)('serves: $database, $framework', async (given) => {
    const { directory } = await init({ ...given, type: given.type === 'module' ? 'commonjs' : 'module' })
    const main = readdirSync(directory).find((each) => each.startsWith('server.')) ?? ''
    const address = await serve(directory, main)

    const first = await fetch(`${address}/events/words`, { method: 'POST' })
    expect(first.status).toBe(201)
    expect(await first.json()).toEqual({ total: 1, xp: 10, streak: 1, achievements: ['First words'] })
    expect((await fetch(`${address}/v1/users/18`)).status).toBe(401)
  })

  test('runs as a script, without a server', async () => {
    const { directory } = await init({ database: 'sqlite', framework: 'none', type: 'module', language: 'js' })
    const child = start(directory, 'main.js', {})
    let out = ''
    child.stdout?.on('data', (chunk) => {
      out += String(chunk)
    })
    const [code] = await once(child, 'close')
    expect(out).toContain('total: 1')
    expect(code).toBe(0)
  })
})

function start(directory: string, main: string, variables: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [main], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The address at which it says that it listens. */
async function serve(directory: string, main: string): Promise<string> {
  const port = await freePort()
  const { url } = await newDatabase()
  const child = start(directory, main, { PORT: String(port), DATABASE_URL: url })
  if (child.stdout === null) throw new Error('There is no pipe')
  const [line] = await once(child.stdout, 'data')
  expect(String(line)).toBe(`http://localhost:${port}\n`)
  return `http://localhost:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
