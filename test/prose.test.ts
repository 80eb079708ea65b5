// The wording of everything that people read. `PROSE=1` prints counts by folder, comments of the sources included.

import { describe, expect, test } from 'vitest'
import { commentsOf, type Fault, faultsOf, filesIn, lengthsOf, passagesOf, proseOf } from './support/prose.ts'

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'llms.txt',
  'skills/laurels/SKILL.md',
  ...filesIn('docs', /\.md$/),
]

/** Sentences that may stay, each with the reason. */
const EXCEPTIONS: readonly { readonly path: string; readonly text: string; readonly reason: string }[] = []

const SOURCES = ['src', 'adapters', 'examples'].flatMap((folder) => filesIn(folder, /\.(?:tsx?|sql)$/))

const isException = ({ path, sentence }: Fault): boolean =>
  EXCEPTIONS.some((exception) => exception.path === path && sentence.includes(exception.text))

const show = ({ path, line, what, sentence }: Fault): string => `${path}:${line} ${what}: ${sentence}`

function expectPlain(paths: readonly string[]): void {
  const faults = paths.flatMap((path) => faultsOf(path, proseOf(path)))
  expect(faults.filter((fault) => !isException(fault)).map(show)).toEqual([])
}

describe('the prose', () => {
  test.each(DOCUMENTS)('of %s is plain', (path) => expectPlain([path]))

  test.each(['src', 'adapters', 'examples'])('of comments, messages and texts in %s is plain', (folder) =>
    expectPlain(SOURCES.filter((path) => path.startsWith(`${folder}/`))),
  )

  test('has no exception that is not needed', () => {
    const faults = [...DOCUMENTS, ...SOURCES].flatMap((path) => faultsOf(path, proseOf(path)))
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
