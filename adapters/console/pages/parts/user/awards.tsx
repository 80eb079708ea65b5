import type { JSX } from 'preact'
import type { AwardTrigger, PointsAward } from '../../../../../src/engine/answers/wire/points.ts'
import { formatChange, formatNumber } from '../format.ts'
import { Table } from '../table.tsx'
import { Time } from '../time.tsx'
import { useAbout } from './about.ts'

/** The newest awards, folded away: the chart says the course of them. */
export function Awards({ awards }: { readonly awards: readonly PointsAward[] }): JSX.Element | null {
  const { user } = useAbout()
  if (awards.length === 0) return null
  return (
    <details>
      <summary class="muted">The newest awards</summary>
      <Table
        caption="The newest awards"
        columns={[
          { name: 'When', kind: 'fit', cell: ({ date }) => <Time at={date} zone={user.tz} /> },
          { name: 'For', isHeader: true, cell: ({ trigger }) => toReason(trigger) },
          {
            name: 'Points',
            kind: 'number',
            cell: ({ awarded, boosts = [] }) =>
              `${formatChange(awarded)}${boosts.map(({ multiplier }) => ` ×${multiplier}`).join('')}`,
          },
          { name: 'Total', kind: 'number', cell: ({ total }) => formatNumber(total) },
        ]}
        rows={awards}
        keyOf={({ id }) => id}
      />
    </details>
  )
}

function toReason(trigger: AwardTrigger): string {
  switch (trigger.type) {
    case 'metric':
      return `${formatNumber(trigger.metricThreshold ?? 1)} of ${trigger.metricName ?? 'a metric'}`
    case 'achievement':
      return trigger.achievementName ?? 'an achievement'
    case 'streak':
      return `a streak of ${trigger.streakLengthThreshold ?? '?'}${trigger.streakKey === undefined ? '' : ` (${trigger.streakKey})`}`
    case 'user_creation':
      return 'being there'
    case 'time':
      return `every ${trigger.timeInterval ?? 1} ${trigger.timeUnit ?? 'day'}s`
    default:
      return 'a trigger that the game has no more'
  }
}
