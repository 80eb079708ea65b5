import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Finished, run, SLOW, useConsumer } from './support/consumer.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

interface Block {
  /** The one its first line names, for other blocks to import. */
  readonly file: string
  readonly code: string
  /** What the README shows below it; null for nothing. */
  readonly output: string | null
}

const BLOCK = /^```ts\n(?<code>[\s\S]*?)^```\n(?:\n```text\n(?<output>[\s\S]*?)^```\n)?/gm

function readBlocks(text: string): readonly Block[] {
  return [...text.matchAll(BLOCK)].map(({ groups }, index) => {
    const { code = '', output = null } = groups ?? {}
    const file = /^\/\/ (?<name>[\w.-]+)\.ts\n/.exec(code)?.groups?.name ?? `block-${index + 1}`
    return { file, code, output }
  })
}

const blocks = readBlocks(readme)

/** The texts of all blocks in one language. */
const textsOf = (language: string): readonly string[] =>
  [...readme.matchAll(/^```(?<of>\w+)\n(?<text>[\s\S]*?)^```$/gm)].flatMap(({ groups }) =>
    groups?.of === language ? [groups.text ?? ''] : [],
  )

const TSCONFIG = {
  extends: './tsconfig.base.json',
  compilerOptions: { noEmit: false, rootDir: '.', outDir: 'out', paths: {} },
  include: ['*.ts'],
}

describe('the README, for somebody who has installed the package', () => {
  const consumer = useConsumer([
    'better-sqlite3',
    '@types/better-sqlite3',
    'pg',
    '@types/pg',
    '@types/node',
    'express',
    '@types/express',
    'fastify',
  ])

  beforeAll(() => {
    const { directory, write } = consumer()
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    write('package.json', JSON.stringify({ ...manifest, type: 'module' }))
    write('tsconfig.base.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    write('tsconfig.json', JSON.stringify(TSCONFIG))
    for (const { file, code } of blocks) write(`${file}.ts`, code)
  })

  test('has blocks that compile', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(await consumer().node(tsc, '-p', '.')).toEqual({ code: 0, out: '', err: '' })
  })

  test.each(blocks)('prints from $file what it shows', async ({ file, output }) => {
    // Every block starts from nothing.
    const out = join(consumer().directory, 'out')
    for (const end of ['', '-wal', '-shm']) rmSync(join(out, `app.db${end}`), { force: true })
    const finished = await run(process.execPath, [`${file}.js`], out)
    expect(finished).toMatchObject({ code: 0, err: '' })
    if (output !== null) expect(finished.out).toBe(output)
  })

  test('has lines for the shell that work with its csv and json blocks, which show the same event', {
    timeout: SLOW,
  }, async () => {
    const [commands = ''] = textsOf('sh').filter((text) => text.startsWith('npx '))
    const [first = ''] = commands.split('\n')
    const shell = (text: string): Promise<Finished> => run('sh', ['-e', '-c', text], consumer().directory)
    consumer().write('events.csv', textsOf('csv').join(''))
    consumer().write('events.ndjson', textsOf('json').join(''))

    const fromCsv = await shell(commands)
    expect(fromCsv.code).toBe(0)
    expect(fromCsv.err).toMatch(/^Made the admin key \S+\. Keep it now: it is not shown again\.\n$/)
    expect(fromCsv.out).toMatch(/^1 read, 1 recorded, 0 replayed, 0 refused/)
    expect(fromCsv.out).toMatch(/^log entries: 1$/m)

    const fromJson = await shell(first.replace('.csv', '.ndjson'))
    expect(fromJson).toMatchObject({ code: 0, err: '' })
    expect(fromJson.out).toMatch(/^1 read, 0 recorded, 1 replayed, 0 refused/)
  })
})

describe('the README', () => {
  test('has no block that is not tried', () => {
    const languages = [...readme.matchAll(/^```(?<language>\w*)\n[\s\S]*?^```$/gm)].map(
      ({ groups }) => groups?.language,
    )
    expect([...new Set(languages)].sort()).toEqual(['csv', 'json', 'sh', 'text', 'ts'])
    expect(blocks.length).toBe(textsOf('ts').length)
    expect(blocks.filter(({ output }) => output !== null).length).toBe(textsOf('text').length)

    const lines = textsOf('sh').flatMap((text) => text.trimEnd().split('\n'))
    expect(lines.filter((line) => !/^(?:npm ci && npm (?:run )?\w+|npx laurels .+)$/.test(line))).toEqual([])
  })

  test('shows what the first block prints within its first thirty lines', () => {
    const [first] = blocks
    const end = readme.indexOf(first?.output ?? 'no output') + (first?.output?.length ?? 0)
    expect(readme.slice(0, end).split('\n').length).toBeLessThanOrEqual(30)
  })

  test('names every error code, and no other', () => {
    const source = readFileSync(join(root, 'src/errors.ts'), 'utf8')
    const union = source.slice(source.indexOf('ErrorCode ='), source.indexOf('export interface Issue'))
    const codes = [...union.matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, code]) => code)
    const table = readme.slice(readme.indexOf('| Code | Meaning |'), readme.indexOf('## What does not exist yet'))
    expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)).toEqual(codes)
  })

  test('names commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const commands = [...readme.matchAll(/^npm ci && npm (?:run )?(\w+)$/gm)].map(([, script]) => script)
    expect(commands).toEqual(['start', 'example', 'test'])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands))
  })
})

test.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])(
  '%s leads to files that exist',
  (name) => {
    const links = [...readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)]
    expect(links.filter(([, target = '']) => !existsSync(join(root, target)))).toEqual([])
  },
)
