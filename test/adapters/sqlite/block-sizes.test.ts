// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { openBlockGroup } from './block-group.ts'

const nextFile = useDatabaseFiles()

/** Whole numbers from `first` to before `end`. */
const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index)
/** `count` numbers between a whole one and the next. */
const after = (number: number, count: number): number[] =>
  range(1, count + 1).map((part) => number + part / (count + 1))

test('a group that was not counted gets blocks of about 256 entries', () => {
  const group = openBlockGroup(nextFile(), range(0, 5_500))
  expect(group.sizes()).toEqual([...Array.from({ length: 20 }, () => 262), 260])
  expect([0, 261, 262, 5_239, 5_240, 5_499, 10_000].map(group.before)).toEqual([
    0, 261, 262, 5_239, 5_240, 5_499, 5_500,
  ])
  expect([0, 261, 262, 600, 5_239, 5_240, 5_499, 5_500].map(group.at)).toEqual([
    0,
    261,
    262,
    600,
    5_239,
    5_240,
    5_499,
    null,
  ])
})

test('a block above 512 is divided', () => {
  const group = openBlockGroup(nextFile(), range(0, 768))
  group.enter(after(300, 256))
  expect(group.sizes()).toEqual([256, 512, 256])
  group.enter([301.5])
  expect(group.sizes()).toEqual([256, 257, 256, 256])
  expect([group.before(300), group.before(301), group.before(767)]).toEqual([300, 557, 1_024])
  expect([group.at(300), group.at(557), group.at(558), group.at(1_024)]).toEqual([300, 301, 301.5, 767])
})

test('a block of 64 is joined with a neighbour if both together hold 256 at most', () => {
  const group = openBlockGroup(nextFile(), range(0, 768))
  group.leave(range(256, 448))
  expect(group.sizes()).toEqual([256, 64, 256])
  group.leave(range(512, 576))
  expect(group.sizes()).toEqual([256, 64, 192])
  group.leave([448])
  expect(group.sizes()).toEqual([256, 255])
  group.leave(range(0, 193))
  group.leave(range(576, 768))
  expect(group.sizes()).toEqual([126])
  expect([group.before(193), group.before(449), group.before(511)]).toEqual([0, 63, 125])
})

test('an empty block is joined, however large its neighbours are', () => {
  const group = openBlockGroup(nextFile(), range(0, 768))
  group.enter([...after(0, 240), ...after(600, 240)])
  group.leave(range(256, 511))
  expect(group.sizes()).toEqual([496, 1, 496])
  group.leave([511])
  expect(group.sizes()).toEqual([248, 248, 496])
  expect([group.before(512), group.at(496)]).toEqual([496, 512])

  const first = openBlockGroup(nextFile(), range(0, 768))
  first.enter(after(300, 240))
  first.leave(range(0, 256))
  expect(first.sizes()).toEqual([248, 248, 256])
  expect([first.before(256), first.at(0)]).toEqual([0, 256])
})

test('the blocks are as few whichever way everybody moves', () => {
  for (const by of [2_000, -2_000]) {
    const group = openBlockGroup(nextFile(), range(0, 2_000))
    const order = by > 0 ? range(0, 2_000).toReversed() : range(0, 2_000)
    for (const number of order) {
      group.leave([number])
      group.enter([number + by])
    }
    expect(group.sizes().length).toBeLessThan(20)
    expect(group.before(by)).toBe(0)
  }
})

test('a group that nobody is in has no blocks, and gets them again', () => {
  const group = openBlockGroup(nextFile(), range(0, 600))
  group.leave(range(0, 600))
  expect(group.sizes()).toEqual([])
  group.enter([7])
  expect(group.sizes()).toEqual([1])
})

test('blocks that another connection or a transaction without a commit has changed are right', () => {
  const group = openBlockGroup(nextFile(), range(0, 2_000))
  for (let round = 0; round < 5; round += 1) {
    const first = 2_000 + 100 * round
    // Often enough that the blocks are kept.
    group.enter(range(first, first + 20))
    group.changeByOther({ enter: after(round, 700), leave: range(1_000 + 50 * round, 1_050 + 50 * round) })
    group.enter([first + 20])
    expect(group.before(1_999)).toBe(1_999 + 650 * (round + 1))
    group.changeAndUndo({ enter: after(900, 900), leave: range(first, first + 10) })
    group.enter([first + 21])
    expect(group.before(1_999)).toBe(1_999 + 650 * (round + 1))
    expect(group.sizes().reduce((sum, count) => sum + count, 0)).toBe(2_000 + (650 + 22) * (round + 1))
  }
})
