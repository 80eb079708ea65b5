import { expect, test } from 'vitest'
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
