import type { UserAchievementWithStats } from '../../../../../../src/api/achievements/types.ts'
import type { MetricResponse } from '../../../../../../src/api/events/types.ts'

/** What the actions of a user need to know. */
export interface ActionProps {
  readonly close: () => void
  readonly metrics: readonly MetricResponse[]
  readonly achievements: readonly UserAchievementWithStats[]
  /** The game's named streaks. */
  readonly streaks: readonly { readonly key: string; readonly name: string }[]
}

interface WithIssues {
  readonly issues: readonly { readonly message: string }[]
}

/** Calls for several users answer what was not done: of one user that is an error. */
export function firstIssue({ issues }: WithIssues): void {
  const [issue] = issues
  if (issue !== undefined) throw new Error(issue.message)
}
