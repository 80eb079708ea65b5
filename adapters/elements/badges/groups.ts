import type { UserAchievementWithStats } from '../../../src/shapes/achievements.ts'

/** One badge: an achievement, or the tiers of one. */
export interface BadgeGroup {
  /** The tier that is shown: the highest that the user has, else the first. */
  readonly shown: UserAchievementWithStats
  /** The next achievement within reach, or `null` if there is none. */
  readonly next: UserAchievementWithStats | null
  /** How many tiers there are, and how many of them the user has, or `null` if it has none. */
  readonly tiers: { readonly count: number; readonly earned: number } | null
}

/** Badges in the order of the answer; badges that the user has come first. */
export function toGroups(achievements: readonly UserAchievementWithStats[]): readonly BadgeGroup[] {
  const byWhole = Map.groupBy(achievements, wholeOf)
  const groups = [...byWhole.values()].map(toGroup)
  return [true, false].flatMap((isEarned) => groups.filter(({ shown }) => hasNow(shown) === isEarned))
}

function toGroup(members: readonly UserAchievementWithStats[]): BadgeGroup {
  const tiers = members.toSorted((one, other) => amountOf(one) - amountOf(other))
  const earned = tiers.filter(hasNow)
  const shown = earned.at(-1) ?? tiers[0]
  if (shown === undefined) throw new RangeError('A group has members')
  return {
    shown,
    next: tiers.find((tier) => !hasNow(tier)) ?? null,
    tiers: tiers.length === 1 ? null : { count: tiers.length, earned: earned.length },
  }
}

function amountOf({ metricValue, streakLength }: UserAchievementWithStats): number {
  return metricValue ?? streakLength ?? 0
}

/** Tiers are `writer.bronze` and `writer.silver`, and ask for more of the same. */
function wholeOf({ key, trigger, metricId, streakKey }: UserAchievementWithStats): string {
  const dot = key.lastIndexOf('.')
  if (dot <= 0 || (trigger !== 'metric' && trigger !== 'streak')) return JSON.stringify([key])
  return JSON.stringify([key.slice(0, dot), trigger, metricId ?? null, streakKey ?? null])
}

/** If the user does not have a secret achievement, its key is its id. */
export function isSecret({ id, key, achievedAt }: UserAchievementWithStats): boolean {
  return achievedAt === null && id === key
}

interface BadgeProgress {
  readonly value: number
  readonly max: number
}

/** How far the user is from an achievement, or `null` if there is no bar to show. */
export function toBadgeProgress(shown: UserAchievementWithStats): BadgeProgress | null {
  const { trigger, progress } = shown
  if (hasNow(shown) || trigger === 'api' || progress === undefined) return null
  const { current, target } = progress
  // Above the target there is no bar: the lowest value counts, or something else is missing.
  if (current === null || target <= 0 || current > target) return null
  return { value: Math.max(current, 0), max: target }
}

/** True if the user has an achievement: completed, and not expired. */
export function hasNow({ achievedAt, expiredAt }: UserAchievementWithStats): boolean {
  return achievedAt !== null && expiredAt === undefined
}
