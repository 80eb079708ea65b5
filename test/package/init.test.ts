import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useDatabases } from '../adapters/postgres/races-database.ts'
import { useConsumer } from '../support/consumer.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const consumer = useConsumer(['express', 'fastify', 'pg', '@types/express', '@types/node'])
const newDatabase = useDatabases()
/** Node 22.17 and older need a flag. */
const STRIP = process.features.typescript ? [] : ['--experimental-strip-types']

/** The relevant part of the output of `npm init -y`. */
const MANIFESTS = {
  commonjs: '{ "name": "app", "version": "1.0.0", "type": "commonjs" }',
  module: '{ "type": "module" }',
}

interface Case {
  readonly database: 'sqlite' | 'postgres'
  readonly framework: string
  readonly type: keyof typeof MANIFESTS
  readonly language: 'ts' | 'js'
}

const COMPILED: readonly Case[] = [
  ...(['sqlite', 'postgres'] as const).flatMap((database) =>
    ['express', 'fastify', 'none'].map(
      (framework): Case => ({ database, framework, type: 'commonjs', language: 'ts' }),
    ),
  ),
  { database: 'sqlite', framework: 'express', type: 'module', language: 'ts' },
]
/** In JavaScript, or for packages that are not among the dependencies here. */
const OTHERS: readonly Case[] = [
  { database: 'sqlite', framework: 'none', type: 'module', language: 'js' },
  { database: 'sqlite', framework: 'next', type: 'module', language: 'ts' },
]

const folderOf = ({ database, framework, type, language }: Case): string =>
  `${database}-${framework}-${type}-${language}`

async function init(given: Case): Promise<void> {
  const { database, framework, type, language } = given
  const folder = folderOf(given)
  consumer().write(`${folder}/package.json`, MANIFESTS[type])
  const options = ['--database', database, '--framework', framework, '--metric', 'words', '--language', language]
  const { code, err } = await consumer().laurels('init', folder, ...options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
}

describe('what laurels init writes', () => {
  beforeAll(async () => {
    for (const given of [...COMPILED, ...OTHERS]) await init(given)
  })

  // Together: the compiler takes longer to start than to look at one more folder.
  test('passes the compiler, under the tsconfig.json that it writes', async () => {
    const [first, ...others] = COMPILED.map((given) => folderOf(given))
    const config = consumer().write(
      'tsconfig.json',
      JSON.stringify({ extends: `./${first}/tsconfig.json`, include: [first, ...others] }),
    )
    for (const folder of others) {
      expect(readFileSync(join(consumer().directory, folder, 'tsconfig.json'), 'utf8')).toBe(
        readFileSync(join(consumer().directory, `${first}`, 'tsconfig.json'), 'utf8'),
      )
    }
    expect(await consumer().node(tsc, '-p', config)).toMatchObject({ code: 0, out: '' })
    const listed = await consumer().node(tsc, '-p', config, '--listFilesOnly')
    expect(listed.out.match(/-ts[\\/]server\.m?ts$/gm)).toHaveLength(5)
  })

  test('passes its tests', async () => {
    // The tests of the others are the same, in files of the same kind.
    const files = [
      ...COMPILED.filter(({ database, framework }) => database + framework === 'sqliteexpress'),
      ...OTHERS,
    ].map((given) => {
      const name = readdirSync(join(consumer().directory, folderOf(given))).find((each) => each.includes('.test.'))
      return join(folderOf(given), name ?? 'nothing')
    })
    const { code, out } = await consumer().node(...STRIP, '--test', ...files)
    expect(out).toMatch(/^. pass 8$/m)
    expect(code).toBe(0)
  })

  test.each([
    { database: 'sqlite', framework: 'express', type: 'commonjs', language: 'ts' },
    { database: 'postgres', framework: 'fastify', type: 'commonjs', language: 'ts' },
  ] as const)('serves: $database, $framework', async (given) => {
    const address = await serve(join(consumer().directory, folderOf(given)), 'server.mts')
    const first = await fetch(`${address}/events/words`, { method: 'POST' })
    expect(first.status).toBe(201)
    expect(await first.json()).toEqual({ total: 1, xp: 10, streak: 1, achievements: ['First words'] })
    expect((await fetch(`${address}/v1/users/18`)).status).toBe(401)
  })

  test('runs as a script, without a server', async () => {
    const child = start(join(consumer().directory, 'sqlite-none-module-js'), 'main.js', {})
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
  const child = spawn(process.execPath, [...STRIP, main], {
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
