import { expect, test } from 'vitest'
import { toLevelProgress } from '../../../adapters/elements/level.ts'

const level = (name: string, points: number) => ({ id: name, key: name, name, points, description: '', badgeUrl: null })
const [visitor, reader, scholar] = [level('Visitor', 0), level('Reader', 100), level('Scholar', 1_000)]
const LEVELS = [scholar, visitor, reader]

test('Between two levels the bar begins at the one and ends at the other', () => {
  const progress = toLevelProgress({ total: 640, level: reader, maxPoints: null }, LEVELS)
  expect(progress).toEqual({ value: 540, max: 900, next: scholar, missing: 360 })
})

test('Below every level it begins at nothing', () => {
  const progress = toLevelProgress({ total: 40, level: null, maxPoints: null }, [reader, scholar])
  expect(progress).toEqual({ value: 40, max: 100, next: reader, missing: 60 })
})

test('On the highest level there is nothing ahead', () => {
  expect(toLevelProgress({ total: 1_000, level: scholar, maxPoints: 5_000 }, LEVELS)).toBeNull()
})

test('Without levels it goes to the most points there can be', () => {
  const progress = toLevelProgress({ total: 12, level: null, maxPoints: 20 }, [])
  expect(progress).toEqual({ value: 12, max: 20, next: null, missing: 8 })
})

test('Without levels and without a most there is no bar', () => {
  expect(toLevelProgress({ total: 12, level: null, maxPoints: null }, [])).toBeNull()
})
