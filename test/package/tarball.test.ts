import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core'
import { filterProblems } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { beforeAll, describe, expect, test } from 'vitest'
import { packed } from '../support/packed-package.ts'
import { pages as documents, skill } from '../support/pages.ts'

interface Manifest {
  readonly files: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

const HOME = '/node_modules/laurels/'
const ASSETS = 'dist/console/'
/** Files that a browser loads: they are built, and Node never loads them. */
const ASSET = /^dist\/console\//

describe('the packed package', () => {
  let tarball: Uint8Array<ArrayBuffer>
  let content: Package
  let files: readonly string[]
  let manifest: Manifest

  beforeAll(() => {
    tarball = new Uint8Array(readFileSync(packed()))
    content = createPackageFromTarballData(tarball)
    files = content.listFiles().map((file) => file.slice(HOME.length))
    manifest = JSON.parse(read('package.json'))
  })

  const read = (file: string): string => content.readFile(HOME + file)
  const code = (): readonly string[] => files.filter((file) => !ASSET.test(file))
  const ending = (end: string): readonly string[] => code().filter((file) => file.endsWith(end))
  const targets = (): readonly string[] =>
    [
      ...Object.values(manifest.bin),
      ...Object.values(manifest.exports).flatMap((each) => (typeof each === 'string' ? [each] : Object.values(each))),
    ].map((target) => posix.normalize(target))

  test('is what publint --strict accepts, suggestions included', async () => {
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
    expect(messages).toEqual([])
  })

  // As `attw --profile esm-only` has it: without the resolution of Node 10 and without what CommonJS sees of the types.
  // TypeScript 5.8 and later let it `require` an ES module: test/package/types.test.ts.
  test.each(['node16-esm', 'bundler'] as const)('has types that attw finds right in %s', async (resolutionKind) => {
    const analysis = await checkPackage(content)
    if (!analysis.types) throw new Error('There are no types')
    expect(Object.keys(analysis.entrypoints)).toEqual(Object.keys(manifest.exports))
    expect(filterProblems(analysis, { resolutionKind })).toEqual([])
  })

  test('has every file that exports and bin name', () => {
    expect(targets().length).toBeGreaterThan(5)
    expect(targets().filter((target) => !files.includes(target))).toEqual([])
  })

  test('starts its commands with a line for the shell', () => {
    for (const target of Object.values(manifest.bin)) {
      expect(read(posix.normalize(target))).toMatch(/^#!\/usr\/bin\/env node\n/)
    }
  })

  test('has nothing else: no tests, examples, benchmarks or sources', () => {
    const others = files.filter(
      (file) => !/^dist\/(?:(?:client|elements|react|testing)\/)?[\w-]+\.(?:js|d\.ts)$/.test(file) && !ASSET.test(file),
    )
    const pages = [skill, ...documents].map(({ path }) => path)
    expect(others.sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'docs/llms.txt', 'package.json', ...pages].sort(),
    )
    expect(files.filter((file) => /(?:^|\/)(?:test|tests|examples|bench|node_modules)\/|\.test\./.test(file))).toEqual(
      [],
    )
  })

  test('has the pages of the console, built and compressed', () => {
    const assets = files.filter((file) => ASSET.test(file)).map((file) => file.slice(ASSETS.length))
    const built = assets.filter((file) => /\.(?:js|css)\.br$/.test(file))
    expect(built.length).toBeGreaterThan(1)
    expect(assets.sort()).toEqual(['index.html', ...built].sort())
    const page = read(`${ASSETS}index.html`)
    const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => `${name}.br`)
    expect(built).toEqual(expect.arrayContaining(named))
  })

  // Source maps were over half of it, and its code is readable without them.
  test('has no source maps', () => {
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
    expect(ending('.js').filter((file) => read(file).includes('sourceMappingURL'))).toEqual([])
  })

  test('has date-fns-tz and the compilers of kysely within it, with their licences', () => {
    const code = ending('.js').map(read).join('')
    expect([...code.matchAll(/Of ([\w-]+):\n/g)].map(([, name]) => name).sort()).toEqual(['date-fns-tz', 'kysely'])
    expect(code.match(/Permission is hereby granted, free of charge/g)).toHaveLength(2)
    expect(Object.keys(manifest.dependencies)).toEqual(['csv-parse', 'jiti', 'zod'])
  })

  test('has the text of each function of Postgres once', () => {
    const code = ending('.js').map(read).join('\n')
    const names = [...code.matchAll(/create function \\"laurels\\"\.(\w+)/g)].map(([, name]) => name)
    expect(names).toEqual([
      'load',
      'standings',
      'page',
      'recount_blocks',
      'settle_block',
      'count_moves',
      'save',
      'id_bytes',
      'id_text',
    ])
  })

  test('has at most 100 files and 900 kB', () => {
    process.stdout.write(`The package: ${files.length} files, ${tarball.length} bytes\n`)
    expect(files.length).toBeLessThanOrEqual(100)
    expect(tarball.length).toBeLessThanOrEqual(900_000)
  })

  test('imports only files that it has and packages that it names', () => {
    const known = { ...manifest.dependencies, ...manifest.peerDependencies }
    // These modules contain the text of files that laurels init writes.
    const texts = /^dist\/run\.js$/
    const code = [...ending('.js').filter((file) => !texts.test(file)), ...ending('.d.ts')]
    const lost = code.flatMap((file) =>
      importsOf(read(file))
        .filter((specifier) => !(specifier.startsWith('.') ? isThere(file, specifier) : isNamed(specifier, known)))
        .map((specifier) => `${file}: ${specifier}`),
    )
    expect(lost).toEqual([])
  })

  function isThere(file: string, specifier: string): boolean {
    const target = posix.join(posix.dirname(file), specifier)
    // In declarations the compiler finds the `.d.ts` beside the `.js`.
    return files.includes(file.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target)
  }

  // A reader of a hover text has only the package.
  test('has declarations that refer to no document by the number of a section', () => {
    const CITED = /\b[Ss]pecification\b|\b[Dd]ecisions,|(?<!RFC \d+, )\bsections? \d/
    expect(ending('.d.ts').filter((file) => CITED.test(read(file)))).toEqual([])
  })

  test('names no directory of whoever built it', () => {
    const here = fileURLToPath(new URL('../..', import.meta.url))
    expect(files.filter((file) => [here, tmpdir()].some((place) => read(file).includes(place)))).toEqual([])
  })
})

function importsOf(code: string): readonly string[] {
  // Neither declarations nor what tsc emits break these over lines; comments begin lines. In SQL a table's name follows.
  const lines = code.split('\n').filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line))
  const found = lines
    .join('\n')
    .matchAll(/(?:\bfrom |\bimport |\bimport\()(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>(?!\.)/g)
  return [...found].map(({ groups }) => groups?.specifier ?? '')
}

function isNamed(specifier: string, known: Readonly<Record<string, string>>): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
  return specifier.startsWith('node:') || name in known || `@types/${name}` in known
}
