import type { JSX } from 'preact'
import type { StatusResponse } from '../../../../src/api/operate/types.ts'
import type { ActivityDay } from '../../../../src/api/users/types.ts'
import { call } from '../api.ts'
import { Choice } from '../parts/choice.tsx'
import { formatNumber, toDate } from '../parts/format.ts'
import { Failure, Figures, Loaded, Page } from '../parts/page.tsx'
import { ActivityCharts } from '../parts/today/activity-charts.tsx'
import { HealthCard, RunsCard } from '../parts/today/status-cards.tsx'
import { useActivity } from '../parts/today/use-activity.ts'
import { navigate, type PageOf, withQuery } from '../router.ts'
import { useAnswer } from '../use-answer.ts'

const RANGES = ['7', '30', '90'] as const

/** What was done lately, what runs, and what is behind. */
export function Today({ query }: PageOf): JSX.Element {
  const range = RANGES.find((days) => days === query.get('days')) ?? '30'
  const to = toDate(new Date())
  const activity = useActivity(toDate(new Date(), 1 - Number(range)), to)
  const status = useAnswer((signal) => call<StatusResponse>('GET', 'admin/v1/status', { signal }), [])
  const { days, isWhole, error } = activity

  const reload = (): void => {
    activity.reload()
    status.reload()
  }

  return (
    <Page
      title="Today"
      actions={
        <div class="row">
          <Choice
            label="How many days"
            choices={RANGES.map((value) => ({ value, name: `${value} days` }))}
            value={range}
            choose={(value) => navigate(withQuery({ days: value === '30' ? null : value }), { replace: true })}
          />
          <button type="button" onClick={reload}>
            Refresh
          </button>
        </div>
      }
    >
      <div class="stack">
        {error !== null && <Failure error={error} what="what was done" retry={activity.reload} />}
        <TodayFigures days={days} to={to} users={status.data?.users ?? null} />
        {days.length > 0 && <ActivityCharts days={days} />}
        {!isWhole && error === null && (
          <p class="muted" role="status">
            Loading {days.length === 0 ? 'what was done' : 'the days before'}…
          </p>
        )}
        <Loaded answer={status} what="the state of the engine">
          {(data) => (
            <div class="columns">
              <HealthCard status={data} />
              <RunsCard leaderboards={data.leaderboards} />
            </div>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

interface TodayFiguresProps {
  readonly days: readonly ActivityDay[]
  readonly to: string
  readonly users: number | null
}

/** Of today in UTC, each with that of the day before. */
function TodayFigures({ days, to, users }: TodayFiguresProps): JSX.Element {
  const today = days.find(({ date }) => date === to)
  const before = days.at(-2)
  const figure = (id: string, name: string, of: (day: ActivityDay) => number) => ({
    id,
    name,
    value: today === undefined ? '–' : formatNumber(of(today)),
    note: before === undefined ? 'today, UTC' : `${formatNumber(of(before))} yesterday`,
  })
  return (
    <Figures
      figures={[
        figure('events', 'Events', ({ events }) => events),
        figure('active', 'Active users', ({ activeUsers }) => activeUsers),
        figure('new', 'New users', ({ newUsers }) => newUsers),
        figure('completions', 'Achievements', ({ completions }) => completions),
        { id: 'users', name: 'All users', value: users === null ? '–' : formatNumber(users), note: 'in all' },
      ]}
    />
  )
}
