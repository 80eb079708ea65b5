import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { FULLER_WHEN_HEAVY, HEAVY_ALONE } from '../heavy.ts'
import { BINDINGS } from './bindings.ts'
import { HEAVY, shareOf } from './share.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
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

test('The files of the heavy run are there, and those that take a part otherwise are among them', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
  expect([...HEAVY_ALONE, ...FULLER_WHEN_HEAVY].filter((name) => !files.includes(name))).toEqual([])
  const taking = files.filter(
    (name) =>
      !name.startsWith('test/support/') &&
      /\b(howMany\(|shareOf\(|HEAVY\b)/.test(readFileSync(join(root, '..', name), 'utf8')),
  )
  expect(taking.sort()).toEqual([...FULLER_WHEN_HEAVY].sort())
})
