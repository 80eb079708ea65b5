import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ActivityDay } from '../../../../../src/api/users/types.ts'
import { Chart } from '../chart.tsx'
import type { Series } from '../draw-chart.ts'
import { Card } from '../page.tsx'

interface Charts {
  readonly dates: readonly string[]
  readonly events: readonly Series[]
  readonly users: readonly Series[]
  readonly completions: readonly Series[]
  readonly points: readonly Series[]
}

/** What was done on each date, as four pictures. */
export function ActivityCharts({ days }: { readonly days: readonly ActivityDay[] }): JSX.Element {
  const { dates, events, users, completions, points } = useMemo(() => toCharts(days), [days])
  return (
    <div class="columns two">
      <Card title="Events">
        <Chart label="Events by day" dates={dates} series={events} kind="bars" />
      </Card>
      <Card title="Users">
        <Chart label="Active and new users by day" dates={dates} series={users} />
      </Card>
      <Card title="Achievements completed">
        <Chart label="Achievements completed by day" dates={dates} series={completions} kind="bars" />
      </Card>
      {points.length > 0 && (
        <Card title="Points given">
          <Chart
            label="Points given by day, by points system"
            dates={dates}
            series={points}
            kind={points.length === 1 ? 'bars' : 'line'}
          />
        </Card>
      )}
    </div>
  )
}

function toCharts(days: readonly ActivityDay[]): Charts {
  const of = (name: string, value: (day: ActivityDay) => number): Series => ({ name, values: days.map(value) })
  const systems = [...new Set(days.flatMap(({ points }) => Object.keys(points)))]
  return {
    dates: days.map(({ date }) => date),
    events: [of('Events', ({ events }) => events)],
    users: [of('Active', ({ activeUsers }) => activeUsers), of('New', ({ newUsers }) => newUsers)],
    completions: [of('Completed', ({ completions }) => completions)],
    points: systems.map((system) => of(system, ({ points }) => points[system] ?? 0)),
  }
}
