import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyPackages, type Finished, run } from '../support/consumer.ts'
import { npm, packed } from '../support/packed-package.ts'
import { type Page, pageOf, readme, textsOf } from '../support/pages.ts'

const page = pageOf('install')
const linesOf = (of: Page): readonly string[] => textsOf(of, 'sh').flatMap((text) => text.trimEnd().split('\n'))
const lines = linesOf(readme)
const [CommonJs = ''] = textsOf(page, 'js')
const [tsconfig = ''] = textsOf(page, 'json')

const codeOf = (name: string): string => readme.programs.find(({ file }) => file === name)?.code ?? ''
/** The block that the README shows below a command. */
const outputOf = (line: string): string =>
  readme.blocks[readme.blocks.findIndex(({ text }) => text === `${line}\n`) + 1]?.text ?? 'no output'

const EXPLAIN = 'npx laurels explain 18 --streak 2026-03-04 --db app.db'
const WHAT_IF = 'npx laurels what-if --game game.ts --db app.db'

/** Makes the database for the README's command: three days with enough words, and one without. */
const HISTORY = `
import { createGamification } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { createTestClock } from 'laurels/testing'
import { game } from './game.mjs'

const clock = createTestClock('2026-03-01T09:00:00Z')
const gamification = createGamification({ game, storage: sqlite('app.db'), clock: clock.now })
await gamification.migrate()
for (const value of [9_000, 12_000, 750, 40]) {
  await gamification.metrics.event('words', { user: { id: '18', tz: 'Europe/London' }, value })
  clock.advance({ days: 1 })
}
await gamification.metrics.event('words', { user: { id: 'bob' }, value: 300 })
await gamification.close()
`

// 22.13 has it behind a flag.
const runsTypeScript = process.features.typescript !== false && process.features.typescript !== undefined

/** A folder in which commands are given as written, and nothing but these; it goes away after the tests of the file. */
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

  beforeAll(() => void packed())
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'laurels-quick-start-'))
    for (const line of begun) expect(await follow(line)).toMatchObject({ code: 0 })
    for (const { file, code } of readme.programs) writeFileSync(join(directory, `${file}.ts`), code)
    writeFileSync(join(directory, 'quickstart.cjs'), CommonJs)
    writeFileSync(join(directory, 'tsconfig.json'), tsconfig)
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  return () => ({ directory, follow })
}

/** Takes laurels from the packed package, and the others from this project: there is no registry here. */
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
const linesFrom = (line: string): readonly string[] => linesOf(page).slice(linesOf(page).indexOf(line))

describe('the quick start of the README, in the folder that npm init makes', () => {
  const folder = useFolder(start)

  test('has the commands that are followed here, and no other', () => {
    expect(lines).toEqual([
      'npm init -y',
      'npm pkg set type=module',
      'npm install laurels',
      'npx laurels init                     # a game, a server and a test',
      'npx laurels demo --db demo.db        # 500 users, 90 days (about 10 seconds)',
      'npx laurels console --db demo.db     # look at them in a browser',
      EXPLAIN,
      WHAT_IF,
    ])
    expect(linesOf(page)).toEqual([
      'npm install laurels',
      'npm install --save-dev tsx',
      'npx tsx quickstart.ts',
      'npm install --save-dev typescript @types/node',
      'npx tsc',
      'node dist/quickstart.js',
    ])
    expect(readme.text).toContain('run `node quickstart.ts`')
    expect(readme.programs.map(({ file }) => file)).toEqual(['quickstart', 'game', 'game.test'])
  })

  test.skipIf(!runsTypeScript)('runs on Node itself, and not on one that needs a flag for TypeScript', async () => {
    expect(await folder().follow('node quickstart.ts')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('node --test game.test.ts')).toMatchObject({ code: 0 })
  })

  test('runs as .mjs', async () => {
    writeFileSync(join(folder().directory, 'quickstart.mjs'), codeOf('quickstart'))
    expect(await folder().follow('node quickstart.mjs')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
  })

  test('runs by require', async () => {
    expect(await folder().follow('node quickstart.cjs')).toMatchObject({ code: 0, out: '750\n' })
  })

  test('runs on tsx', async () => {
    const [installs = '', runs = ''] = linesFrom('npm install --save-dev tsx')
    await folder().follow(installs)
    expect(await folder().follow(runs)).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('npx tsx --test game.test.ts')).toMatchObject({ code: 0 })
  })

  test('runs compiled', async () => {
    const [installs = '', compiles = '', runs = ''] = linesFrom('npm install --save-dev typescript @types/node')
    await folder().follow(installs)
    expect(await folder().follow(compiles)).toEqual({ code: 0, out: '', err: '' })
    expect(await folder().follow(runs)).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('node --test dist/game.test.js')).toMatchObject({ code: 0 })
  })

  test('explains and previews as it shows', async () => {
    const { directory, follow } = folder()
    const write = (file: string, code: string): void => writeFileSync(join(directory, file), code)
    // A module of its own, for Node that does not run TypeScript.
    write('game.mjs', codeOf('game'))
    write('history.mjs', HISTORY)
    expect(await follow('node history.mjs')).toMatchObject({ code: 0, err: '' })
    expect(await follow(EXPLAIN)).toMatchObject({ code: 0, out: outputOf(EXPLAIN) })
    write('game.ts', codeOf('game').replace('50_000', '20_000'))
    const { code, out } = await follow(WHAT_IF)
    expect(code).toBe(0)
    expect(out.slice(0, outputOf(WHAT_IF).length)).toBe(outputOf(WHAT_IF))
    write('game.ts', codeOf('game'))
  })
})

// Older versions of npm leave it out.
const AS_NPM_INIT = 'npm pkg set type=commonjs'

describe('without the second line', () => {
  const folder = useFolder(start.map((line) => (line === 'npm pkg set type=module' ? AS_NPM_INIT : line)))

  test.skipIf(!runsTypeScript)('.ts is refused, and .mts runs', async () => {
    expect((await folder().follow('node quickstart.ts')).code).toBe(1)
    cpSync(join(folder().directory, 'quickstart.ts'), join(folder().directory, 'quickstart.mts'))
    expect(await folder().follow('node quickstart.mts')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
  })

  test('.mjs and .cjs run', async () => {
    cpSync(join(folder().directory, 'quickstart.ts'), join(folder().directory, 'quickstart.mjs'))
    expect(await folder().follow('node quickstart.mjs')).toMatchObject({ code: 0, out: '50750 Novelist\n' })
    expect(await folder().follow('node quickstart.cjs')).toMatchObject({ code: 0, out: '750\n' })
  })
})
