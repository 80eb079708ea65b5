import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCompiledPackage } from './support/compiled-package.ts'

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

const TSCONFIG = {
  extends: '../tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: '.', outDir: 'out', paths: {} },
  include: ['*.ts'],
}

describe('the README', () => {
  const packed = useCompiledPackage()
  const directory = (): string => join(packed(), 'readme')

  beforeAll(() => {
    mkdirSync(directory())
    writeFileSync(join(packed(), 'tsconfig.json'), readFileSync(join(root, 'tsconfig.json')))
    writeFileSync(join(directory(), 'tsconfig.json'), JSON.stringify(TSCONFIG))
    for (const { file, code } of blocks) writeFileSync(join(directory(), `${file}.ts`), code)
  })

  test('has blocks that compile against the package as it is built', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(messagesOf(() => execFileSync(process.execPath, [tsc, '-p', directory()], { cwd: root }))).toBe('')
  })

  test.each(blocks)('prints from $file what it shows', async ({ file, output }) => {
    // Every block starts from nothing.
    const out = join(directory(), 'out')
    for (const end of ['', '-wal', '-shm']) rmSync(join(out, `app.db${end}`), { force: true })
    const { stdout } = await promisify(execFile)(process.execPath, [`${file}.js`], { cwd: out })
    if (output !== null) expect(stdout).toBe(output)
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
    expect(commands).toEqual(['example', 'test'])
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

function messagesOf(run: () => unknown): string {
  try {
    run()
    return ''
  } catch (error) {
    return String((error as { readonly stdout: Buffer }).stdout)
  }
}
