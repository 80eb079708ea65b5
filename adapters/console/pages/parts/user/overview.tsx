import type { JSX } from 'preact'
import type { UserAchievementWithStats } from '../../../../../src/api/achievements/types.ts'
import type { MetricResponse } from '../../../../../src/api/events/types.ts'
import type { Reason } from '../../../../../src/api/explain/facts.ts'
import type { UserPoints } from '../../../../../src/api/points/types.ts'
import type { UserStreak } from '../../../../../src/api/streaks/types.ts'
import { toGroups } from '../../../../elements/badges/groups.ts'
import { formatChange, formatDate, formatNumber, plural } from '../format.ts'
import { type Figure, Figures } from '../page.tsx'
import { Badge } from '../person.tsx'
import type { Names } from './entry-words.ts'
import { PlacesCard } from './places-card.tsx'
import { PreferencesCard, ProfileCard } from './profile-card.tsx'
import type { UserProgress } from './progress-of-user.ts'
import { BadgesCard, PointsCard } from './rewards.tsx'
import { StreakCard } from './streak-card.tsx'
import { TotalsCard } from './totals-card.tsx'

/** Of what there may be many of, only the first have a figure; all have a card. */
const MOST_OF_A_KIND = 3

interface UserFiguresProps {
  readonly metrics: readonly MetricResponse[] | null
  readonly points: readonly UserPoints[] | null
  readonly streak: UserStreak | null
  readonly achievements: readonly UserAchievementWithStats[] | null
}

/** Where the user stands, at a glance. */
function UserFigures({ metrics, points, streak, achievements }: UserFiguresProps): JSX.Element {
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

interface OverviewProps {
  readonly progress: UserProgress
  readonly query: URLSearchParams
}

/** Where the user stands, and how it came about. */
export function Overview({ progress, query }: OverviewProps): JSX.Element {
  const { metrics, achievements, points, streak, streaks } = progress
  return (
    <div class="stack">
      <UserFigures metrics={metrics} points={points} streak={streak} achievements={achievements} />
      <div class="user-columns">
        <div class="stack">
          {streak !== null && <StreakCard title="Streak" streak={streak} streakKey={null} />}
          {streaks.map(({ key, name, streak: named }) => (
            <StreakCard key={key} title={name} streak={named} streakKey={key} />
          ))}
          <BadgesCard achievements={achievements} metrics={metrics} streak={streak} />
          {points.map((system) => (
            <PointsCard key={system.key} points={system} query={query} />
          ))}
        </div>
        <div class="stack">
          <ProfileCard />
          <TotalsCard metrics={metrics} />
          <PlacesCard />
          <PreferencesCard />
        </div>
      </div>
    </div>
  )
}

interface OutcomeProps {
  readonly reasons: readonly Reason[]
  readonly names: Names
}

/** What an event led to, in a few words each: the explanation says why, and what it did not count for. */
export function Outcome({ reasons, names }: OutcomeProps): JSX.Element {
  const paid = new Map<string, number>()
  for (const reason of reasons) {
    if (reason.type === 'points_awarded' || reason.type === 'points_by_time') {
      paid.set(reason.rule.system, (paid.get(reason.rule.system) ?? 0) + reason.awarded)
    }
  }
  return (
    <span class="row outcome">
      {reasons.map((reason, index) => {
        switch (reason.type) {
          case 'total_changed':
            return (
              <span key={index} class="muted">
                {formatNumber(reason.before)} → {formatNumber(reason.after)}
              </span>
            )
          case 'achievement_completed':
            return (
              <Badge key={index} tone="warn">
                <span dir="auto">{names.achievements.get(reason.achievement) ?? reason.achievement}</span>
              </Badge>
            )
          case 'streak_started':
          case 'streak_extended':
            return (
              <Badge key={index} tone="ice">
                {reason.key ?? 'streak'} {formatNumber(reason.length)}
              </Badge>
            )
          default:
            return null
        }
      })}
      {[...paid].map(([system, points]) => (
        <Badge key={system} tone="good">
          {formatChange(points)} {system}
        </Badge>
      ))}
    </span>
  )
}
