import type { StoredAchievement } from './stored.ts'

/** A tier as it was read: it has a `value` or a `length`. */
export interface ReadTier {
  readonly name?: string
  readonly description?: string
  readonly badgeUrl?: string
  readonly value?: number
  readonly length?: number
}

/** An achievement of several tiers, as it was read. */
export interface ReadTiered {
  readonly name: string
  readonly tiers: { readonly [key: string]: ReadTier }
}

export type ReadAchievement = StoredAchievement | ReadTiered

/** The key of a tier as that of an achievement: `writer.bronze`. */
export function tierKey(achievement: string, tier: string): string {
  return `${achievement}.${tier}`
}

/**
 * Replaces each achievement with tiers by its tiers, in its place: a game with tiers is the game that has these
 * achievements. `toTier` makes one of the whole and the tier, as they were read.
 */
export function expandTiers<Whole extends ReadTiered>(
  achievements: { readonly [key: string]: StoredAchievement | Whole },
  toTier: (whole: Whole, tier: ReadTier & { readonly name: string }) => StoredAchievement,
): { readonly [key: string]: StoredAchievement } {
  const entries = Object.entries(achievements).flatMap(([key, achievement]): [string, StoredAchievement][] => {
    if (!('tiers' in achievement)) return [[key, achievement]]
    return Object.entries(achievement.tiers).map(([tier, own]) => {
      const name = own.name ?? `${achievement.name} ${tier.slice(0, 1).toUpperCase()}${tier.slice(1)}`
      return [tierKey(key, tier), toTier(achievement, { ...own, name })]
    })
  })
  return Object.fromEntries(entries)
}
