import type { JSX } from 'preact'
import { call } from '../api.ts'
import { Badge } from '../parts/badge.tsx'
import { Chart, type Series } from '../parts/chart.tsx'
import { Button, Field, Select } from '../parts/controls.tsx'
import { atMost, formatNumber, toDate } from '../parts/format.ts'
import { Card, ConsolePage, Empty, Facts, Figures, Loaded } from '../parts/page.tsx'
import { PageLink } from '../parts/person.tsx'
import { Table } from '../parts/table.tsx'
import { Since, toRunText } from '../parts/time.tsx'
import { navigate, type PageOf, toPath, withQuery } from '../router.ts'
import type { ActivityDay, ActivityResponse, StatusResponse } from '../types.ts'
import { useAnswer, useGet } from '../use-answer.ts'

const RANGES = ['7', '30', '90'].map((key) => ({ key, name: `${key} days` }))

/** Recent activity, active leaderboards and the backlog. */
export function TodayPage({ query }: PageOf): JSX.Element {
  const range = RANGES.find(({ key }) => key === query.get('days'))?.key ?? '30'
  const to = toDate(new Date())
  const from = toDate(new Date(), 1 - Number(range))
  const activity = useAnswer((signal) => loadActivity(from, to, signal), [from, to])
  const status = useGet<StatusResponse>('admin/v1/status')
  const choose = (days: string): void => navigate(withQuery({ days }), { replace: true })
  const reload = (): void => {
    activity.reload()
    status.reload()
  }
  return (
    <ConsolePage
      title="Today"
      actions={
        <div class="row">
          <Field name="Of" isInline>
            <Select value={range} change={choose} choices={RANGES} />
          </Field>
          <Button onClick={reload}>Refresh</Button>
        </div>
      }
    >
      <TodayFigures days={activity.data ?? []} to={to} users={status.data?.users ?? null} />
      <Loaded answer={activity} what="what was done">
        {(days) => <ActivityCharts days={days} />}
      </Loaded>
      <Loaded answer={status} what="the state of the engine">
        {(data) => (
          <div class="columns">
            <HealthCard status={data} />
            <RunsCard leaderboards={data.leaderboards} />
          </div>
        )}
      </Loaded>
    </ConsolePage>
  )
}

/** The figures of today and yesterday, in UTC. */
function TodayFigures({ days, to, users }: { days: ActivityDay[]; to: string; users: number | null }): JSX.Element {
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

function ActivityCharts({ days }: { readonly days: readonly ActivityDay[] }): JSX.Element {
  const dates = days.map(({ date }) => date)
  const of = (name: string, value: (day: ActivityDay) => number): Series => ({ name, values: days.map(value) })
  const systems = [...new Set(days.flatMap(({ points }) => Object.keys(points)))]
  const events = [of('Events', (day) => day.events)]
  const users = [of('Active', ({ activeUsers }) => activeUsers), of('New', ({ newUsers }) => newUsers)]
  const completions = [of('Completed', (day) => day.completions)]
  const points = systems.map((system) => of(system, (day) => day.points[system] ?? 0))
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
          <Chart label="Points given by day, by points system" dates={dates} series={points} />
        </Card>
      )}
    </div>
  )
}

/** The health of the engine, and its backlog. */
function HealthCard({ status }: { readonly status: StatusResponse }): JSX.Element {
  const { health, game, due, messages, storage } = status
  return (
    <Card
      title="State"
      actions={health.status === 'ok' ? <Badge tone="good">Working</Badge> : <Badge tone="bad">Failing</Badge>}
    >
      {health.message !== null && <p class="failure">{health.message}</p>}
      <Facts
        facts={[
          ['Storage', `${storage}, answers in ${formatNumber(health.storageMs)} ms`],
          [
            'Game',
            <>
              <a href={toPath(['game'])}>Epoch {formatNumber(game.epoch)}</a>{' '}
              {game.isNewest ? (
                <Badge tone="good">newest</Badge>
              ) : (
                <Badge tone="warn">behind: epoch {formatNumber(game.newestEpoch)} is stored</Badge>
              )}
            </>,
          ],
          ['Pending notifications', <Waiting count={due.users} one="user" since={due.oldest} />],
          ['Undelivered messages', <Waiting count={messages.waiting} one="message" since={messages.oldest} />],
        ]}
      />
    </Card>
  )
}

function Waiting({ count, one, since }: { count: number; one: string; since: string | null }): JSX.Element {
  return (
    <>
      {atMost(count)} {count === 1 ? one : `${one}s`} {since !== null && <Since at={since} />}
    </>
  )
}

function RunsCard({ leaderboards }: Pick<StatusResponse, 'leaderboards'>): JSX.Element {
  return (
    <Card title="Active leaderboards" padded={false}>
      <Table
        caption="Active leaderboards, with the dates of the run and its users"
        columns={[
          {
            name: 'Leaderboard',
            isHeader: true,
            cell: ({ key, name }) => <PageLink to={['leaderboards', key]}>{name}</PageLink>,
          },
          { name: 'Run', cell: ({ run }) => toRunText(run) },
          { name: 'Users', kind: 'number', cell: ({ users }) => atMost(users) },
        ]}
        rows={leaderboards}
        empty={<Empty title="There are no active leaderboards." />}
      />
    </Card>
  )
}

/** Figures by date in UTC, the oldest first. Each response has as many days as the server reads quickly. */
async function loadActivity(from: string, to: string, signal: AbortSignal): Promise<ActivityDay[]> {
  const days: ActivityDay[] = []
  for (let before: string | null = to; before !== null; ) {
    const query = { from, to: before }
    const answer: ActivityResponse = await call('GET', 'admin/v1/activity', { query, signal })
    days.unshift(...answer.days.toReversed())
    before = answer.before
  }
  return days
}
