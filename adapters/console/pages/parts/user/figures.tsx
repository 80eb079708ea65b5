import type { JSX } from 'preact'
import type { UserAchievementWithStats } from '../../../../../src/engine/answers/wire/achievement.ts'
import type { MetricResponse } from '../../../../../src/engine/answers/wire/metric.ts'
import type { UserPoints } from '../../../../../src/engine/answers/wire/points.ts'
import type { UserStreak } from '../../../../../src/engine/answers/wire/streak.ts'
import { toGroups } from '../../../../elements/badges/groups.ts'
import { type Figure, Figures } from '../figures.tsx'
import { formatDate, formatNumber, plural } from '../format.ts'

/** Of what there may be many of, only the first have a figure; all have a card. */
const MOST_OF_A_KIND = 3

interface UserFiguresProps {
  readonly metrics: readonly MetricResponse[] | null
  readonly points: readonly UserPoints[] | null
  readonly streak: UserStreak | null
  readonly achievements: readonly UserAchievementWithStats[] | null
}

/** Where the user stands, at a glance. */
export function UserFigures({ metrics, points, streak, achievements }: UserFiguresProps): JSX.Element {
  // The tiers of one achievement are one badge.
  const badges = achievements && toGroups(achievements)
  const done = badges?.filter(({ shown }) => shown.achievedAt !== null).length ?? 0
  const figures: readonly (Figure | null)[] = [
    ...(points ?? []).slice(0, MOST_OF_A_KIND).map(({ key, name, total, level }) => ({
      id: `points-${key}`,
      name,
      value: formatNumber(total),
      note: level === null ? 'no level' : level.name,
    })),
    streak && {
      id: 'streak',
      name: 'Streak',
      value: formatNumber(streak.length),
      note: streak.expires === null ? 'no active streak' : `until ${formatDate(streak.expires)}`,
    },
    badges && {
      id: 'achievements',
      name: 'Achievements',
      value: formatNumber(done),
      note: `of ${plural(badges.length, 'achievement')}`,
    },
    ...(metrics ?? []).slice(0, MOST_OF_A_KIND).map(({ key, name, current }) => ({
      id: `metric-${key}`,
      name,
      value: formatNumber(current),
      note: 'in all',
    })),
  ]
  return <Figures figures={figures.filter((figure) => figure !== null)} />
}
