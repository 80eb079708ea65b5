import { describe, expect, test } from 'vitest'
import { isSecret, toBadgeProgress, toGroups } from '../../../adapters/elements/badges/groups.ts'
import type { UserAchievementWithStats } from '../../../src/shapes/achievements.ts'

const badge = (key: string, more: Partial<UserAchievementWithStats> = {}): UserAchievementWithStats => ({
  id: `id-${key}`,
  key,
  trigger: 'api',
  name: key,
  description: null,
  badgeUrl: null,
  userAttributes: [],
  completions: 1,
  rarity: 10,
  achievedAt: null,
  ...more,
})
const words = { trigger: 'metric', metricId: 'words' } as const
const EARNED = { achievedAt: '2026-03-01T12:00:00.000Z' }

describe('Badges on the wall', () => {
  test('are in the order of the answer, those that the user has first', () => {
    const shown = toGroups([badge('a'), badge('b', EARNED), badge('c'), badge('d', EARNED)])
    expect(shown.map(({ shown: { key } }) => key)).toEqual(['b', 'd', 'a', 'c'])
  })

  test('are one for the tiers of an achievement, of which the highest shows', () => {
    const [group, ...others] = toGroups([
      badge('writer.gold', { ...words, metricValue: 5_000 }),
      badge('writer.bronze', { ...words, ...EARNED, metricValue: 100 }),
      badge('writer.silver', { ...words, ...EARNED, metricValue: 1_000 }),
    ])
    expect(others).toEqual([])
    expect(group?.shown.key).toBe('writer.silver')
    expect(group?.next?.key).toBe('writer.gold')
    expect(group?.tiers).toEqual({ count: 3, earned: 2 })
  })

  test('show the first tier until the user has one', () => {
    const [group] = toGroups([
      badge('writer.silver', { ...words, metricValue: 1_000 }),
      badge('writer.bronze', { ...words, metricValue: 100 }),
    ])
    expect([group?.shown.key, group?.next?.key, group?.tiers?.earned]).toEqual(['writer.bronze', 'writer.bronze', 0])
  })

  test('with dots in their keys are no tiers where they ask for something else', () => {
    const groups = toGroups([
      badge('club.joined'),
      badge('club.left'),
      badge('club.words', words),
      badge('club.pages', { ...words, metricId: 'pages' }),
      badge('.words', words),
      badge('.pages', words),
    ])
    expect(groups).toHaveLength(6)
    expect(groups.map(({ tiers }) => tiers)).toEqual([null, null, null, null, null, null])
  })

  test('are secret where the id stands in place of the key', () => {
    expect(isSecret(badge('x', { id: 'x' }))).toBe(true)
    expect(isSecret(badge('x', { id: 'x', ...EARNED }))).toBe(false)
    expect(isSecret(badge('x'))).toBe(false)
  })
})

describe('Progress', () => {
  const of = (current: number | null, target: number, more: Partial<UserAchievementWithStats> = {}) =>
    toBadgeProgress(badge('a', { ...words, progress: { current, target, ratio: 0.5 }, ...more }))

  test('is what the answer says, and no less than nothing', () => {
    expect(of(640, 1_000)).toEqual({ value: 640, max: 1_000 })
    expect(of(-20, 500)).toEqual({ value: 0, max: 500 })
  })

  test.each([
    ['it is completed', of(9, 10, EARNED)],
    ['it is completed by the app', of(0, 1, { trigger: 'api' })],
    ['there is no value yet', of(null, 60)],
    ['a lower value is asked for', of(63, 60)],
    ['the target is 0', of(0, 0)],
    ['the answer says nothing', toBadgeProgress(badge('a', words))],
  ])('is not there where %s', (_, progress) => {
    expect(progress).toBeNull()
  })
})
