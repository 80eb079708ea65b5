import { expect, test } from 'vitest'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { openBlockGroup } from './block-group.ts'

const nextFile = useDatabaseFiles()

/** Whole numbers from `first` to before `end`. */
const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index)

test.each([0, 1, 2])('blocks are right at whichever change they begin to be kept, after %i ranks', (ranks) => {
  const group = openBlockGroup(nextFile(), range(0, 600))
  // The cache is empty.
  group.changeByOther({ enter: [0.5] })
  for (let rank = 0; rank < ranks; rank += 1) group.beforeInWrite(300)
  for (let change = 0; change < 24; change += 1) {
    if (change % 3 === 0) group.leave([100 + change])
    else group.enter([200 + change + 0.5])
  }
  expect(group.sizes().reduce((sum, count) => sum + count, 0)).toBe(609)
  expect(group.beforeInWrite(1_000)).toBe(609)
  group.changeByOther({ enter: [3.5] })
  expect(group.beforeInWrite(1_000)).toBe(610)
  group.changeAndUndo({ enter: [1.5, 2.5] })
  for (let rank = 0; rank < 10; rank += 1) expect(group.beforeInWrite(1_000)).toBe(610)
})

test('ranks that are read while blocks are kept count what another connection has written', () => {
  const group = openBlockGroup(nextFile(), range(0, 600))
  for (let rank = 0; rank < 10; rank += 1) expect(group.before(1_000)).toBe(600)
  group.changeByOther({ enter: [0.5] })
  expect(group.before(1_000)).toBe(601)
  group.changeByOther({ leave: [0.5, 1] })
  expect(group.before(1_000)).toBe(599)
})
