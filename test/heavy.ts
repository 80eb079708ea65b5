// The marks of test files, read by vitest.config.ts. A mark is a comment at the beginning of a file:
//
//     // @heavy: <reason>    `npm run test:heavy` runs the file and `npm test` does not.
//     // @early: <reason>    The file starts first, so that no worker is left alone with it at the end.

import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

interface TestFile {
  /** From the root of the project. */
  readonly path: string
  readonly isHeavy: boolean
  readonly isEarly: boolean
  /** True if `npm test` runs a share of the rows, random histories or drivers, and `npm run test:heavy` runs all of them. */
  readonly isShared: boolean
}

export const TEST_FILES: readonly TestFile[] = readdirSync(new URL('test', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .sort()
  .map((path) => toTestFile(path, readFileSync(new URL(path, root), 'utf8')))

export function toTestFile(path: string, code: string): TestFile {
  const marks = [...(/^(?:\/\/.*\n)*/.exec(code)?.[0].matchAll(/^\/\/ @(heavy|early): \S/gm) ?? [])].map(
    ([, mark]) => mark,
  )
  const isShared = !path.startsWith('test/support/') && /\b(?:howMany\(|shareOf\(|HEAVY\b)/.test(code)
  return { path, isHeavy: marks.includes('heavy'), isEarly: marks.includes('early'), isShared }
}

export const HEAVY_ALONE: readonly string[] = TEST_FILES.filter(({ isHeavy }) => isHeavy).map(({ path }) => path)

/** The lines that name the commands for the files that `npm test -- <filters>` leaves out. */
export function toHints(filters: readonly string[], checked: readonly string[]): readonly string[] {
  const commands = [
    { left: HEAVY_ALONE, command: 'npm run test:heavy --' },
    { left: checked, command: 'npx vitest run' },
  ]
  return filters.flatMap((filter) =>
    commands.flatMap(({ left, command }) => {
      const count = left.filter((path) => path.includes(filter)).length
      return count === 0 ? [] : [`npm test leaves out ${count} of these files. Run: ${command} ${filter}`]
    }),
  )
}
