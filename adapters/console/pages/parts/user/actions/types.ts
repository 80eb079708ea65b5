import type { UserAchievementWithStats } from '../../../../../../src/engine/answers/wire/achievement.ts'
import type { MetricResponse } from '../../../../../../src/engine/answers/wire/metric.ts'

/** What the actions of a user need to know. */
export interface ActionProps {
  readonly close: () => void
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
  /** The game's named streaks. */
  readonly streaks: readonly { readonly key: string; readonly name: string }[]
}
