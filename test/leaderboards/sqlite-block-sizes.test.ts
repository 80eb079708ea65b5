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

test('a group that was not counted gets blocks of 56 entries, and one of level 2 for every 96 blocks', () => {
  const group = openBlockGroup(nextFile(), range(0, 5_500))
  expect(group.sizes()).toEqual({ entries: [...repeat(98, 56), 12], blocks: [96, 3] })
  expect([0, 55, 56, 5_375, 5_376, 5_499, 10_000].map(group.before)).toEqual([0, 55, 56, 5_375, 5_376, 5_499, 5_500])
  expect([0, 55, 56, 300, 5_375, 5_376, 5_499, 5_500].map(group.at)).toEqual([
    0,
    55,
    56,
    300,
    5_375,
    5_376,
    5_499,
    null,
  ])
})

test('a block above 128 is split into halves', () => {
  const group = openBlockGroup(nextFile(), range(0, 168))
  group.enter(after(75, 72))
  expect(group.sizes().entries).toEqual([56, 128, 56])
  group.enter(after(76, 1))
  expect(group.sizes().entries).toEqual([56, 64, 65, 56])
  expect([group.before(75), group.before(76), group.before(167)]).toEqual([75, 148, 240])
})

test('a block of level 2 that holds more than 128 blocks is split into halves', () => {
  const group = openBlockGroup(nextFile(), range(0, 5_376))
  expect(group.sizes().blocks).toEqual([96])
  // Whoever comes last comes behind: each split leaves a block of 65 there.
  group.enter(after(2_500, 2_080))
  expect(group.sizes().blocks).toEqual([128])
  group.enter(after(2_501, 64))
  expect(group.sizes().blocks).toEqual([64, 65])
  expect([2_500, 2_501, 5_375].map(group.before)).toEqual([2_500, 4_581, 7_519])
  expect([2_500, 4_581, 7_519].map(group.at)).toEqual([2_500, 2_501, 5_375])
})

test('a block of 16 is merged with the next one, or with the one before it, if both together hold 80 at most', () => {
  const group = openBlockGroup(nextFile(), range(0, 224))
  group.leave(range(56, 95))
  expect(group.sizes().entries).toEqual([56, 17, 56, 56])
  group.leave([95])
  expect(group.sizes().entries).toEqual([56, 72, 56])

  group.leave(range(168, 208))
  expect(group.sizes().entries).toEqual([56, 72, 16])
  group.leave(range(112, 120))
  expect(group.sizes().entries).toEqual([56, 64, 16])
  group.leave([208])
  expect(group.sizes().entries).toEqual([56, 79])
})

test('an empty block is merged, however large its neighbours are', () => {
  const group = openBlockGroup(nextFile(), range(0, 168))
  group.enter([...after(0, 60), ...after(150, 70)])
  group.leave(range(56, 111))
  expect(group.sizes().entries).toEqual([116, 1, 126])
  group.leave([111])
  expect(group.sizes().entries).toEqual([116, 126])
  expect([group.before(112), group.at(116)]).toEqual([116, 112])
})

test('blocks are not merged across the border of two blocks of level 2', () => {
  const group = openBlockGroup(nextFile(), range(0, 5_600))
  expect(group.sizes().blocks).toEqual([96, 4])
  // The last one of the first; the one before it is too large.
  group.enter(after(5_300, 50))
  group.leave(range(5_320, 5_370))
  expect(group.sizes().entries.slice(94)).toEqual([106, 6, 56, 56, 56, 56])
  // The first one of the second; the one after it is too large.
  group.enter(after(5_450, 50))
  group.leave(range(5_376, 5_426))
  expect(group.sizes().entries.slice(94)).toEqual([106, 6, 6, 106, 56, 56])
  expect(group.sizes().blocks).toEqual([96, 4])
})

test('blocks of level 2 with few blocks are merged with the next one', () => {
  const group = openBlockGroup(nextFile(), range(0, 5_600))
  group.leave(range(0, 4_488))
  expect(group.sizes().blocks).toEqual([16 + 4])
  expect([group.before(4_488), group.before(5_599)]).toEqual([0, 1_111])
})

test('blocks of level 2 with few blocks are merged with the one before', () => {
  const group = openBlockGroup(nextFile(), range(0, 6_720))
  group.leave(range(0, 2_000))
  expect(group.sizes().blocks.length).toBe(2)
  group.leave(range(6_000, 6_500))
  expect(group.sizes().blocks.length).toBe(1)
  expect([group.before(2_000), group.before(6_500), group.before(6_719)]).toEqual([0, 4_000, 4_219])
})

test('a block of level 2 goes when it holds nothing any more, though its neighbours are full', () => {
  const last = openBlockGroup(nextFile(), range(0, 5_400))
  expect(last.sizes().blocks).toEqual([96, 1])
  last.leave(range(5_376, 5_399))
  expect(last.sizes().blocks).toEqual([96, 1])
  last.leave([5_399])
  expect(last.sizes().blocks).toEqual([96])
  expect([last.before(5_375), last.before(99_999)]).toEqual([5_375, 5_376])

  const first = openBlockGroup(nextFile(), range(0, 10_752))
  first.leave(range(0, 5_375))
  expect(first.sizes().blocks).toEqual([1, 96])
  first.leave([5_375])
  expect(first.sizes().blocks).toEqual([96])
  expect([first.before(5_376), first.at(5_375)]).toEqual([0, 10_751])
})

test('a group that nobody is in has no blocks, and gets them again', () => {
  const group = openBlockGroup(nextFile(), range(0, 300))
  group.leave(range(0, 300))
  expect(group.sizes()).toEqual({ entries: [], blocks: [] })
  group.enter([7])
  expect(group.sizes()).toEqual({ entries: [1], blocks: [1] })
})
