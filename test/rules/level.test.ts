import { describe, expect, test } from 'vitest'
import { levelFor } from '../../src/rules/points.ts'
import { rules } from '../support/given.ts'

const levels = {
  gold: { name: 'Gold', points: 1000 },
  bronze: { name: 'Bronze', points: 10 },
  silver: { name: 'Silver', points: 100 },
}
const xp = rules({ points: { xp: { name: 'XP', levels } } }).points.get('xp')!

describe('The level of a points total', () => {
  test.each([
    [0, null],
    [9, null],
    [10, 'bronze'],
    [99, 'bronze'],
    [100, 'silver'],
    [999, 'silver'],
    [1000, 'gold'],
    [9_007_199_254_740_991, 'gold'],
  ])('of %i is %s, in whatever order they were written', (total, expected) => {
    expect(levelFor(xp, total)?.key ?? null).toBe(expected)
  })

  test('is there from the beginning when one starts at 0', () => {
    const system = rules({ points: { xp: { name: 'XP', levels: { none: { name: 'None', points: 0 } } } } })
    expect(levelFor(system.points.get('xp')!, 0)?.key).toBe('none')
  })

  test('is none in a system without levels', () => {
    expect(levelFor(rules({ points: { xp: { name: 'XP' } } }).points.get('xp')!, 1e9)).toBeNull()
  })
})
