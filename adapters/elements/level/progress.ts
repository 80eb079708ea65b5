import type { PointsLevel, UserPoints } from '../../../src/api/points/types.ts'

/** How far a user is between two levels, or up to the most points there can be. */
export interface LevelProgress {
  /** Points since the level began. */
  readonly value: number
  readonly max: number
  /** null: what is ahead is no level, but the most points there can be. */
  readonly next: PointsLevel | null
  readonly missing: number
}

type Points = Pick<UserPoints, 'total' | 'level' | 'maxPoints'>

/** null: there is nothing ahead. */
export function toLevelProgress(
  { total, level, maxPoints }: Points,
  levels: readonly PointsLevel[],
): LevelProgress | null {
  const ahead = levels.filter(({ points }) => points > total).sort((one, other) => one.points - other.points)
  const [next] = ahead
  if (next !== undefined) {
    // Who has fewer points than a level asks for cannot be on it, so the bar never begins beyond the total.
    const from = Math.min(level?.points ?? 0, total)
    return { value: total - from, max: next.points - from, next, missing: next.points - total }
  }
  if (levels.length > 0 || maxPoints === null || maxPoints <= 0) return null
  return { value: total, max: maxPoints, next: null, missing: maxPoints - total }
}
