import { expect, test } from 'vitest'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { openBlockGroup } from './block-group.ts'

const nextFile = useDatabaseFiles()

/** Whole numbers from `first` to before `end`. */
const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index)
/** `count` numbers between a whole one and the next. */
const after = (number: number, count: number): number[] =>
  range(1, count + 1).map((part) => number + part / (count + 1))
const repeat = (count: number, size: number): number[] => Array.from({ length: count }, () => size)

test('a group that was not counted gets blocks of 112 entries, and one of level 2 for every 96 blocks', () => {
  const group = openBlockGroup(nextFile(), range(0, 11_000))
  expect(group.sizes()).toEqual({ entries: [...repeat(98, 112), 24], blocks: [96, 3] })
  expect([0, 111, 112, 10_751, 10_752, 10_999, 20_000].map(group.before)).toEqual([
    0, 111, 112, 10_751, 10_752, 10_999, 11_000,
  ])
  expect([0, 111, 112, 600, 10_751, 10_752, 10_999, 11_000].map(group.at)).toEqual([
    0,
    111,
    112,
    600,
    10_751,
    10_752,
    10_999,
    null,
  ])
})

test('a block above 256 is split into halves', () => {
  const group = openBlockGroup(nextFile(), range(0, 336))
  group.enter(after(150, 144))
  expect(group.sizes().entries).toEqual([112, 256, 112])
  group.enter(after(151, 1))
  expect(group.sizes().entries).toEqual([112, 128, 129, 112])
  expect([group.before(150), group.before(151), group.before(335)]).toEqual([150, 295, 480])
})

test('a block of level 2 that holds more than 128 blocks is split into halves', () => {
  const group = openBlockGroup(nextFile(), range(0, 10_752))
  expect(group.sizes().blocks).toEqual([96])
  // Whoever comes last comes behind: each split leaves a block of 128 or 129 there.
  group.enter(after(5_000, 4_160))
  expect(group.sizes().blocks).toEqual([128])
  group.enter(after(5_001, 128))
  expect(group.sizes().blocks).toEqual([64, 65])
  expect([5_000, 5_001, 10_751].map(group.before)).toEqual([5_000, 9_161, 15_039])
  expect([5_000, 9_161, 15_039].map(group.at)).toEqual([5_000, 5_001, 10_751])
})

test('a block of 32 is merged with the next one, or with the one before it, if both together hold 160 at most', () => {
  const group = openBlockGroup(nextFile(), range(0, 448))
  group.leave(range(112, 191))
  expect(group.sizes().entries).toEqual([112, 33, 112, 112])
  group.leave([191])
  expect(group.sizes().entries).toEqual([112, 144, 112])

  group.leave(range(336, 416))
  expect(group.sizes().entries).toEqual([112, 144, 32])
  group.leave(range(224, 240))
  expect(group.sizes().entries).toEqual([112, 128, 32])
  group.leave([416])
  expect(group.sizes().entries).toEqual([112, 159])
})

test('an empty block is merged, however large its neighbours are', () => {
  const group = openBlockGroup(nextFile(), range(0, 336))
  group.enter([...after(0, 120), ...after(300, 140)])
  group.leave(range(112, 223))
  expect(group.sizes().entries).toEqual([232, 1, 252])
  group.leave([223])
  expect(group.sizes().entries).toEqual([232, 252])
  expect([group.before(224), group.at(232)]).toEqual([232, 224])
})

test('blocks are not merged across the border of two blocks of level 2', () => {
  const group = openBlockGroup(nextFile(), range(0, 11_200))
  expect(group.sizes().blocks).toEqual([96, 4])
  // The last one of the first; the one before it is too large.
  group.enter(after(10_600, 100))
  group.leave(range(10_640, 10_740))
  expect(group.sizes().entries.slice(94)).toEqual([212, 12, 112, 112, 112, 112])
  // The first one of the second; the one after it is too large.
  group.enter(after(10_900, 100))
  group.leave(range(10_752, 10_852))
  expect(group.sizes().entries.slice(94)).toEqual([212, 12, 12, 212, 112, 112])
  expect(group.sizes().blocks).toEqual([96, 4])
})

test('blocks of level 2 with few blocks are merged with the next one', () => {
  const group = openBlockGroup(nextFile(), range(0, 11_200))
  group.leave(range(0, 8_976))
  expect(group.sizes().blocks).toEqual([16 + 4])
  expect([group.before(8_976), group.before(11_199)]).toEqual([0, 2_223])
})

test('blocks of level 2 with few blocks are merged with the one before', () => {
  const group = openBlockGroup(nextFile(), range(0, 13_440))
  group.leave(range(0, 4_000))
  expect(group.sizes().blocks.length).toBe(2)
  group.leave(range(12_000, 13_000))
  expect(group.sizes().blocks.length).toBe(1)
  expect([group.before(4_000), group.before(13_000), group.before(13_439)]).toEqual([0, 8_000, 8_439])
})

test('a block of level 2 goes when it holds nothing any more, though its neighbours are full', () => {
  const last = openBlockGroup(nextFile(), range(0, 10_800))
  expect(last.sizes().blocks).toEqual([96, 1])
  last.leave(range(10_752, 10_799))
  expect(last.sizes().blocks).toEqual([96, 1])
  last.leave([10_799])
  expect(last.sizes().blocks).toEqual([96])
  expect([last.before(10_751), last.before(99_999)]).toEqual([10_751, 10_752])

  const first = openBlockGroup(nextFile(), range(0, 21_504))
  first.leave(range(0, 10_751))
  expect(first.sizes().blocks).toEqual([1, 96])
  first.leave([10_751])
  expect(first.sizes().blocks).toEqual([96])
  expect([first.before(10_752), first.at(10_751)]).toEqual([0, 21_503])
})

test('a group that nobody is in has no blocks, and gets them again', () => {
  const group = openBlockGroup(nextFile(), range(0, 300))
  group.leave(range(0, 300))
  expect(group.sizes()).toEqual({ entries: [], blocks: [] })
  group.enter([7])
  expect(group.sizes()).toEqual({ entries: [1], blocks: [1] })
})
