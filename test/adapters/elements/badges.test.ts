import { describe, expect, test } from 'vitest'
import { isSecret, NO_STANDING, toBadgeProgress, toGroups } from '../../../adapters/elements/badges/card.ts'
import type { UserAchievementWithStats } from '../../../src/api/achievements/types.ts'

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
  const metrics = [{ id: 'words', current: 640 }]
  const standing = { metrics, streak: { length: 3 } }
  const of = (achievement: UserAchievementWithStats, others: readonly UserAchievementWithStats[] = []) =>
    toBadgeProgress(achievement, others, standing)

  test('is the total of the metric', () => {
    expect(of(badge('a', { ...words, metricValue: 1_000 }))).toEqual({ value: 640, max: 1_000 })
  })

  test('is no more than whole, and no less than nothing', () => {
    expect(of(badge('a', { ...words, metricValue: 500 }))).toEqual({ value: 500, max: 500 })
    const below = { metrics: [{ id: 'words', current: -20 }], streak: null }
    expect(toBadgeProgress(badge('a', { ...words, metricValue: 500 }), [], below)).toEqual({ value: 0, max: 500 })
  })

  test('is the length of the streak', () => {
    expect(of(badge('a', { trigger: 'streak', streakLength: 7 }))).toEqual({ value: 3, max: 7 })
  })

  test('is how many of its achievements the user has', () => {
    const all = [badge('b', EARNED), badge('c'), badge('d', EARNED)]
    const whole = badge('a', { trigger: 'achievement', achievementIds: ['id-b', 'id-c'] })
    expect(of(whole, all)).toEqual({ value: 1, max: 2 })
  })

  test.each([
    ['it is completed', badge('a', { ...words, ...EARNED, metricValue: 1_000 })],
    ['it is completed by the app', badge('a')],
    ['only some events count', badge('a', { ...words, metricValue: 9, eventAttributes: [{ key: 'k', value: 'v' }] })],
    ['it looks at a named streak', badge('a', { trigger: 'streak', streakLength: 7, streakKey: 'reading' })],
    ['the total is not known', badge('a', { ...words, metricId: 'pages', metricValue: 9 })],
    ['it asks for nothing', badge('a', { trigger: 'achievement', achievementIds: [] })],
  ])('is not there where %s', (_, achievement) => {
    expect(of(achievement)).toBeNull()
  })

  test('is not there where nothing is known of the user', () => {
    expect(toBadgeProgress(badge('a', { ...words, metricValue: 9 }), [], NO_STANDING)).toBeNull()
  })
})
