import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Fault } from './fault.ts'

/** The file of a test, and the words of its name that are looked for; null: every test of the file. */
export interface Named {
  readonly file: string
  readonly words: string | null
}

export function toNamed(test: string): Named {
  const [file = '', words = null] = test.split(' > ')
  return { file: `test/${file}.test.ts`, words }
}

/** What is wrong with the list itself: names that are there twice, and texts and tests that are not there. */
export function findMistakes(root: string, faults: readonly Fault[]): readonly string[] {
  const known = new Map<string, string | null>()
  const read = (file: string): string | null => {
    const path = join(root, file)
    if (!known.has(file)) known.set(file, existsSync(path) ? readFileSync(path, 'utf8') : null)
    return known.get(file) ?? null
  }
  return faults.flatMap(({ name, file, find, replace, tests }, index) => {
    const times = (read(file) ?? '').split(find).length - 1
    return [
      ...(faults.findIndex((other) => other.name === name) === index ? [] : ['is there twice']),
      ...(times === 1 ? [] : [`its text is ${times} times in ${file}`]),
      ...(find === replace ? ['it changes nothing'] : []),
      ...(tests.length === 0 ? ['no test is named'] : []),
      ...tests.flatMap((test) => findTestMistakes(toNamed(test), read)),
    ].map((mistake) => `${index + 1} ${name}: ${mistake}.`)
  })
}

type Read = (file: string) => string | null

function findTestMistakes({ file, words }: Named, read: Read): readonly string[] {
  if (read(file) === null) return [`there is no ${file}`]
  if (words === null) return []
  // A name stands in quotes: in the file itself, or in the cases that it takes from somewhere else.
  const isThere = [...testFilesFrom(file, read)].some((text) =>
    text
      .split('\n')
      .some((line) => /['"`]/.test(line.slice(0, Math.max(0, line.indexOf(words)))) && line.includes(words)),
  )
  return isThere ? [] : [`no test of ${file} is called "${words}"`]
}

const CASES = /^(test|src\/testing)\//

/** The texts of a test file and of those files of tests that it imports. */
function* testFilesFrom(first: string, read: Read): Generator<string> {
  const seen = new Set([first])
  for (const file of seen) {
    const text = read(file)
    if (text === null) continue
    yield text
    for (const [, specifier = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const imported = posix.join(dirname(file), specifier)
      if (CASES.test(imported)) seen.add(imported)
    }
  }
}
