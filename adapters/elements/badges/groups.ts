import type { UserAchievementWithStats } from '../../../src/api/achievements/types.ts'

/** One badge: an achievement, or the tiers of one. */
export interface BadgeGroup {
  /** The tier that is shown: the highest that the user has, else the first. */
  readonly shown: UserAchievementWithStats
  /** What can be reached from here; null: nothing. */
  readonly next: UserAchievementWithStats | null
  /** How many tiers there are, and how many of them the user has; null: it has none. */
  readonly tiers: { readonly count: number; readonly earned: number } | null
}

/** Badges in the order of the answer, those that the user has first. */
export function toGroups(achievements: readonly UserAchievementWithStats[]): readonly BadgeGroup[] {
  const byWhole = Map.groupBy(achievements, wholeOf)
  const groups = [...byWhole.values()].map(toGroup)
  const [earned, others] = [groups.filter(isEarned), groups.filter((group) => !isEarned(group))]
  return [...earned, ...others]
}

function isEarned({ shown }: BadgeGroup): boolean {
  return shown.achievedAt !== null
}

function toGroup(members: readonly UserAchievementWithStats[]): BadgeGroup {
  const tiers = members.toSorted((one, other) => amountOf(one) - amountOf(other))
  const earned = tiers.filter(({ achievedAt }) => achievedAt !== null)
  const shown = earned.at(-1) ?? tiers[0]
  if (shown === undefined) throw new RangeError('A group has members')
  return {
    shown,
    next: tiers.find(({ achievedAt }) => achievedAt === null) ?? null,
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

/** Of a secret that the user does not have, the id stands in place of the key. */
export function isSecret({ id, key, achievedAt }: UserAchievementWithStats): boolean {
  return achievedAt === null && id === key
}
