// The wording of everything that people read. `PROSE=1` prints counts by folder, comments of the sources included.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  commentsOf,
  type Fault,
  faultsOf,
  filesIn,
  lengthsOf,
  namesOf,
  passagesOf,
  proseOf,
  wordsOfCode,
} from './support/prose.ts'

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/llms.txt',
  ...filesIn('docs', /\.md$/),
]

/** Sentences that may stay, each with the reason. */
const EXCEPTIONS: readonly { readonly path: string; readonly text: string; readonly reason: string }[] = [
  { path: 'test/bench/main.ts', text: 'npm run bench', reason: 'a table of commands' },
  { path: 'test/nodes/run.ts', text: 'npm run test:node', reason: 'a table of commands' },
]

const SOURCES = ['src', 'adapters', 'examples'].flatMap((folder) => filesIn(folder, /\.(?:tsx?|sql)$/))

const TESTS = filesIn('test', /\.tsx?$/)

const faultsIn = (path: string): readonly Fault[] => {
  const passages = proseOf(path)
  return faultsOf(path, path.startsWith('test/') ? passages.filter(({ isComment }) => isComment) : passages)
}

const isException = ({ path, sentence }: Fault): boolean =>
  EXCEPTIONS.some((exception) => exception.path === path && sentence.includes(exception.text))

const show = ({ path, line, what, sentence }: Fault): string => `${path}:${line} ${what}: ${sentence}`

function expectPlain(paths: readonly string[]): void {
  const faults = paths.flatMap(faultsIn)
  expect(faults.filter((fault) => !isException(fault)).map(show)).toEqual([])
}

describe('the prose', () => {
  test.each(DOCUMENTS)('of %s is plain', (path) => expectPlain([path]))

  test.each(['src', 'adapters', 'examples'])('of comments, messages and texts in %s is plain', (folder) =>
    expectPlain(SOURCES.filter((path) => path.startsWith(`${folder}/`))),
  )

  test('of comments in tests is plain', () => expectPlain(TESTS))

  test('has no exception that is not needed', () => {
    const faults = [...DOCUMENTS, ...SOURCES, ...TESTS].flatMap(faultsIn)
    const unused = EXCEPTIONS.filter(
      ({ path, text }) => !faults.some((fault) => fault.path === path && fault.sentence.includes(text)),
    )
    expect(unused).toEqual([])
  })

  test('is checked as it is written here', () => {
    const words = Array.from({ length: 36 }, () => 'word').join(' ')
    const text = `A reader is told. Nor is that all.\n\n| ${words}. | Fine |\n\n\`\`\`ts\nwhoever()\n\`\`\`\n`
    expect(faultsOf('a.md', passagesOf(text)).map(({ line, what }) => `${line} ${what}`)).toEqual([
      '1 told',
      '1 Nor …',
      '3 long',
    ])
    expect(faultsOf('a.md', passagesOf('The row stays as it was.\n')).map(({ what }) => what)).toEqual(['as it is'])
    expect(
      faultsOf('a.ts', commentsOf('/** Done\n * anew. */\nconst anew = 1 // told\n')).map(({ what }) => what),
    ).toEqual(['anew'])
    const wordings = [
      '// The rank; null: the user has none.',
      '// Fails where there is no user.',
      '// Leaves it as it was.',
      '// What a call takes.',
      '// Returns `null` if the user has none.',
      '// The file is where the host put it.',
    ]
    expect(wordings.flatMap((line) => faultsOf('a.ts', commentsOf(line))).map(({ what }) => what)).toEqual([
      'null: …',
      'where for if',
      'as it is',
      'What …',
    ])
  })
})

/** Names in comments that no code has, each with the reason. */
const FOREIGN_NAMES: readonly { readonly name: string; readonly reason: string }[] = [
  { name: 'Host', reason: 'a header of HTTP' },
  { name: 'Mar', reason: 'a month that the browser writes' },
  { name: 'Mon', reason: 'a weekday that the browser writes' },
  { name: 'cp', reason: 'a command of the shell' },
  { name: 'km', reason: 'a unit' },
  { name: 'sql.reserve', reason: 'a method of postgres.js' },
  { name: 'uuid.uuid5', reason: 'a function of Python' },
]

describe('names in comments', () => {
  const inFolders = (...folders: readonly string[]): readonly string[] =>
    folders.flatMap((folder) => filesIn(folder, /\.(?:tsx?|sql|mjs|css|html|json)$/))
  const sources = inFolders('src', 'adapters', 'examples')
  const tests = inFolders('test').filter((path) => path !== 'test/prose.test.ts')
  const words = wordsOfCode([...sources, 'package.json'])
  const wordsOfTests = wordsOfCode([...tests, 'vitest.config.ts'])
  const isKnown = (path: string, part: string): boolean =>
    part.length < 2 || words.has(part) || (path.startsWith('test/') && wordsOfTests.has(part))
  const unknown = [...sources, ...tests]
    .filter((path) => /\.(?:tsx?|sql)$/.test(path))
    .flatMap((path) => namesOf(path, proseOf(path)))
    .filter(({ path, name }) => !name.split('.').every((part) => isKnown(path, part)))

  test('are in the code', () => {
    const missing = unknown.filter(({ name }) => FOREIGN_NAMES.every((foreign) => foreign.name !== name))
    expect(missing.map(({ path, line, name }) => `${path}:${line} ${name}`)).toEqual([])
  })

  test('are foreign only if they are used', () => {
    const used = new Set(unknown.map(({ name }) => name))
    expect(FOREIGN_NAMES.filter(({ name }) => !used.has(name))).toEqual([])
  })

  test('in the pages for people who change the code are in the code', () => {
    // The page about releases names what only a release has.
    const internals = filesIn('docs/internals', /\.md$/).filter((path) => !path.endsWith('/releasing.md'))
    const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...internals]
    const passages = (path: string) => proseOf(path).map((each) => ({ ...each, isComment: true }))
    const names = pages.flatMap((path) => namesOf(path, passages(path)))
    const missing = names.filter(({ name }) => !name.split('.').every((part) => isKnown('test/', part)))
    expect(names.map(({ name }) => name)).toContain('acceptAll')
    expect(missing.map(({ path, line, name }) => `${path}:${line} ${name}`)).toEqual([])
  })

  test('are found in backticks', () => {
    const comments = commentsOf('/** As `one.two` does, `three(4)` and `a b`. */\n')
    expect(namesOf('a.ts', comments)).toEqual([
      { path: 'a.ts', line: 1, name: 'one.two' },
      { path: 'a.ts', line: 1, name: 'three' },
    ])
  })
})

test('ARCHITECTURE has at most 25 words of our own, and the code has each of them', () => {
  const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## Words')
  const rows = section.matchAll(/^\| ([a-z ]+) \|[^|]+\| ([a-z ]*?) ?\|/gm)
  const glossary = [...rows].flatMap(([, left = '', right = '']) => [left, right]).filter((word) => word !== '')
  const names = [...wordsOfCode([...filesIn('src', /\.ts$/), ...filesIn('adapters', /\.ts$/)])].join(' ').toLowerCase()
  expect(glossary).toContain('derived rows')
  expect(glossary.length).toBeLessThanOrEqual(25)
  expect(glossary.filter((word) => !names.includes(word.replace(' ', '')))).toEqual([])
})

test.runIf(process.env.PROSE)('counts', () => {
  const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/')
  const folders = Map.groupBy([...DOCUMENTS, ...SOURCES], folderOf)
  for (const [folder, paths] of folders) {
    const lengths = paths.flatMap((path) => lengthsOf(proseOf(path))).sort((left, right) => left - right)
    const at = (share: number): number => lengths[Math.floor(lengths.length * share)] ?? 0
    const faults = paths.flatMap((path) => faultsOf(path, proseOf(path)))
    console.log(`${folder}: ${faults.length} faults, ${lengths.length} sentences, median ${at(0.5)}, 95 % ${at(0.95)}`)
    if (process.env.PROSE !== '1') for (const fault of faults) console.log(`  ${show(fault)}`)
  }
})
