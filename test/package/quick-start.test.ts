import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyPackages, type Finished, run, SLOW } from '../support/consumer.ts'
import { npm, packed } from '../support/packed-package.ts'
import { readme } from '../support/pages.ts'

const section = readme.text.slice(
  readme.text.indexOf('\n## Quick start\n'),
  readme.text.indexOf('\n## What it looks like\n'),
)
const textsOf = (language: string): readonly string[] =>
  [...section.matchAll(/^```(?<of>\w+)\n(?<text>[\s\S]*?)^```$/gm)].flatMap(({ groups }) =>
    groups?.of === language ? [groups.text ?? ''] : [],
  )
const lines = textsOf('sh').flatMap((text) => text.trimEnd().split('\n'))
const [CommonJs = ''] = textsOf('js')
const [tsconfig = ''] = textsOf('json')

const codeOf = (name: string): string => readme.programs.find(({ file }) => file === name)?.code ?? ''
const outputOf = (name: string): string => readme.programs.find(({ file }) => file === name)?.output ?? 'no output'

// 22.13 has it behind a flag.
const runsTypeScript = process.features.typescript !== false && process.features.typescript !== undefined

/** A folder in which commands are given as they are written, and nothing but these; it goes away after the tests of the file. */
function useFolder(
  begun: readonly string[],
): () => { readonly directory: string; follow(line: string): Promise<Finished> } {
  let directory = ''

  async function follow(line: string): Promise<Finished> {
    const [, isForDevelopment, names = ''] = /^npm install (--save-dev )?(.+)$/.exec(line) ?? []
    if (names === '') {
      const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
      return run('sh', ['-c', line], directory, { PATH })
    }
    install(directory, names.split(' '), isForDevelopment !== undefined)
    return { code: 0, out: '', err: '' }
  }

  beforeAll(() => void packed(), SLOW)
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'laurels-quick-start-'))
    for (const line of begun) expect(await follow(line)).toMatchObject({ code: 0 })
    for (const { file, code } of readme.programs) writeFileSync(join(directory, `${file}.ts`), code)
    writeFileSync(join(directory, 'quickstart.cjs'), CommonJs)
    writeFileSync(join(directory, 'tsconfig.json'), tsconfig)
  }, SLOW)
  afterAll(() => rmSync(directory, { recursive: true, force: true }), SLOW)

  return () => ({ directory, follow })
}

/** Of laurels the packed package is taken, and of the others what this project has: there is no registry here. */
function install(directory: string, names: readonly string[], isForDevelopment: boolean): void {
  const others = names.filter((name) => name !== 'laurels')
  copyPackages(directory, others)
  // Else npm trusts them for what is installed, and asks the registry for what was copied since.
  for (const lock of ['package-lock.json', 'node_modules/.package-lock.json'])
    rmSync(join(directory, lock), { force: true })
  const file = join(directory, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const field = isForDevelopment ? 'devDependencies' : 'dependencies'
  const wanted = Object.fromEntries(others.map((name) => [name, '*']))
  writeFileSync(file, JSON.stringify({ ...manifest, [field]: { ...manifest[field], ...wanted } }))
  npm(directory, 'install', ...(names.includes('laurels') ? [packed()] : []))
}

const start = lines.slice(0, lines.indexOf('npm install laurels') + 1)
const linesFrom = (line: string): readonly string[] => lines.slice(lines.indexOf(line))

describe('the quick start of the README, in the folder that npm init makes', () => {
  const folder = useFolder(start)

  test('has the commands that are followed here, and no other', () => {
    expect(lines).toEqual([
      'npm init -y',
      'npm pkg set type=module',
      'npm install laurels',
      'node quickstart.ts',
      'npm install --save-dev tsx',
      'npx tsx quickstart.ts',
      'npm install --save-dev typescript @types/node',
      'npx tsc',
      'node dist/quickstart.js',
    ])
    expect(readme.programs.map(({ file }) => file)).toEqual(['quickstart', 'game', 'answer'])
  })

  test.skipIf(!runsTypeScript)(
    'runs on Node itself, and not on one that needs a flag for TypeScript',
    { timeout: SLOW },
    async () => {
      expect(await folder().follow('node quickstart.ts')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
      expect(await folder().follow('node answer.ts')).toMatchObject({ code: 0, out: outputOf('answer') })
    },
  )

  test('runs as .mjs', { timeout: SLOW }, async () => {
    writeFileSync(join(folder().directory, 'quickstart.mjs'), codeOf('quickstart'))
    expect(await folder().follow('node quickstart.mjs')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
  })

  test('runs by require', { timeout: SLOW }, async () => {
    expect(await folder().follow('node quickstart.cjs')).toMatchObject({ code: 0, out: '750\n' })
  })

  test('runs on tsx', { timeout: SLOW }, async () => {
    const [installs = '', runs = ''] = linesFrom('npm install --save-dev tsx')
    await folder().follow(installs)
    expect(await folder().follow(runs)).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('npx tsx answer.ts')).toMatchObject({ code: 0, out: outputOf('answer') })
  })

  test('runs compiled', { timeout: SLOW }, async () => {
    const [installs = '', compiles = '', runs = ''] = linesFrom('npm install --save-dev typescript @types/node')
    await folder().follow(installs)
    expect(await folder().follow(compiles)).toEqual({ code: 0, out: '', err: '' })
    expect(await folder().follow(runs)).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('node dist/answer.js')).toMatchObject({ code: 0, out: outputOf('answer') })
  })
})

// Older versions of npm leave it out.
const AS_NPM_INIT = 'npm pkg set type=commonjs'

describe('without the second line', () => {
  const folder = useFolder(start.map((line) => (line === 'npm pkg set type=module' ? AS_NPM_INIT : line)))

  test.skipIf(!runsTypeScript)('.ts is refused, and .mts runs', { timeout: SLOW }, async () => {
    expect((await folder().follow('node quickstart.ts')).code).toBe(1)
    cpSync(join(folder().directory, 'quickstart.ts'), join(folder().directory, 'quickstart.mts'))
    expect(await folder().follow('node quickstart.mts')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
  })

  test('.mjs and .cjs run', { timeout: SLOW }, async () => {
    cpSync(join(folder().directory, 'quickstart.ts'), join(folder().directory, 'quickstart.mjs'))
    expect(await folder().follow('node quickstart.mjs')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('node quickstart.cjs')).toMatchObject({ code: 0, out: '750\n' })
  })
})
