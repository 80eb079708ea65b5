import type { JSX } from 'preact'
import { BadgesCard } from './badges-card.tsx'
import { UserFigures } from './figures.tsx'
import { PlacesCard } from './places-card.tsx'
import { PointsCard } from './points-card.tsx'
import { PreferencesCard, ProfileCard } from './profile-card.tsx'
import type { UserProgress } from './progress-of-user.ts'
import { StreakCard } from './streak-card.tsx'
import { TotalsCard } from './totals-card.tsx'

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
