import { expect, test } from 'vitest'
import { TEST_FILES, toHints, toTestFile } from '../heavy.ts'
import { BINDINGS } from './bindings.ts'
import { HEAVY, shareOf } from './share.ts'

const ROWS = Array.from({ length: 200 }, (_, index) => index)

test.skipIf(HEAVY)('One binding has every row of a table, and each of the others a tenth that no other has', () => {
  expect(shareOf('node', ROWS)).toEqual(ROWS)
  const others = BINDINGS.filter((binding) => binding !== 'node').map((binding) => shareOf(binding, ROWS))
  expect(others.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20])
  expect(new Set(others.flat()).size).toBe(100)
})

test('A row that a binding answers in its own way is not left out', () => {
  for (const binding of BINDINGS) expect(shareOf(binding, ROWS, (row) => row === 199)).toContain(199)
})

test('A mark at the beginning of a file needs a reason', () => {
  const marksOf = (code: string): readonly boolean[] => {
    const { isHeavy, isEarly, isShared } = toTestFile('test/a.test.ts', code)
    return [isHeavy, isEarly, isShared]
  }
  expect(marksOf('// @heavy: It drives a browser.\n// A button.\n')).toEqual([true, false, false])
  expect(marksOf('// @heavy: It is slow.\n// @early: It is slow.\n\nimport fs from "fs"\n')).toEqual([
    true,
    true,
    false,
  ])
  expect(marksOf('// @heavy\n')).toEqual([false, false, false])
  expect(marksOf('import fs from "fs"\n// @heavy: It is slow.\n')).toEqual([false, false, false])
  expect(marksOf('fc.assert(property, { numRuns: howMany(5, 50, 500) })\n')).toEqual([false, false, true])
})

test('A file of which npm test takes a share is not one that it leaves out', () => {
  expect(TEST_FILES.filter(({ isHeavy, isShared }) => isHeavy && isShared)).toEqual([])
  expect(TEST_FILES.filter(({ isShared }) => isShared).map(({ path }) => path)).toContain('test/http/fuzz.test.ts')
})

test('The hints name the command for the files that npm test leaves out', () => {
  expect(toHints(['test/browser/react', 'test/prose'], ['test/prose.test.ts', 'test/docs.test.ts'])).toEqual([
    'npm test leaves out 1 of these files. Run: npm run test:heavy -- test/browser/react',
    'npm test leaves out 1 of these files. Run: npx vitest run test/prose',
  ])
  expect(toHints(['test/http/fuzz'], [])).toEqual([])
})
