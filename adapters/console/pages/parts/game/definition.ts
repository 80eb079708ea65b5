import type { StoredGameSummary } from '../../../../../src/api/operate/types.ts'
import type { StoredAchievement, StoredDefinition } from '../../../../../src/game/stored.ts'

/** What the server stores is what its schema fills in: every default is there. */
export function definitionOf({ definition }: StoredGameSummary): StoredDefinition {
  return definition as unknown as StoredDefinition
}

/** An achievement that stands by itself, or the tiers of one, the lowest first. */
export interface AchievementGroup {
  /** Key of the whole where there are tiers, else that of the achievement. */
  readonly key: string
  readonly achievements: readonly (readonly [key: string, achievement: StoredAchievement])[]
}

/** Tiers are achievements of their own, whose keys are that of the whole, a dot, and that of the tier. */
function groupTiers(definition: StoredDefinition): readonly AchievementGroup[] {
  const groups = new Map<string, (readonly [string, StoredAchievement])[]>()
  for (const [key, achievement] of Object.entries(definition.achievements)) {
    const whole = wholeOf(key)
    groups.set(whole, [...(groups.get(whole) ?? []), [key, achievement]])
  }
  return [...groups].map(([key, achievements]) => ({ key, achievements }))
}

/** The key of what a tier is one of; an achievement without tiers is a whole. */
export function wholeOf(key: string): string {
  const dot = key.indexOf('.')
  return dot === -1 ? key : key.slice(0, dot)
}

/** The tiers of the whole that an achievement is one of; empty: it has none. */
export function tiersOf(definition: StoredDefinition, key: string): AchievementGroup['achievements'] {
  const found = groupTiers(definition).find((group) => group.key === wholeOf(key))
  return found === undefined || !key.includes('.') ? [] : found.achievements
}
