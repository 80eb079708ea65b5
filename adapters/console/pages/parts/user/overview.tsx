import type { JSX } from 'preact'
import { call, route } from '../../api.ts'
import { toPath } from '../../router.ts'
import type { LeaderboardResponse, MetricResponse, UserLeaderboard, UserPreferences } from '../../types.ts'
import { Badge } from '../badge.tsx'
import { formatDate, formatNumber } from '../format.ts'
import { Card, Empty, Facts, Loaded } from '../page.tsx'
import { type Column, Table, TableCard } from '../table.tsx'
import { Time } from '../time.tsx'
import { ChallengesCard } from './challenges.tsx'
import { ChoicesCard, WhyThere } from './choices.tsx'
import { type UserProgress, useOfUser, usePageUser } from './page-user.ts'
import { BadgesCard, PointsCard, StreakCard } from './rewards.tsx'

/** The meaning of a metric's total. */
const KEPT: Record<NonNullable<MetricResponse['aggregation']> | 'sum', string> = {
  sum: 'in all',
  max: 'the highest',
  min: 'the lowest',
  last: 'the newest',
  distinct: 'different',
}

export function Overview({ progress }: { readonly progress: UserProgress }): JSX.Element {
  const { metrics, achievements, points, streak, streaks, challenges } = progress
  return (
    <div class="user-columns">
      <div class="stack">
        {streak !== null && <StreakCard title="Streak" streak={streak} streakKey={null} />}
        {streaks.map(({ key, streak: named }) => (
          <StreakCard key={key} title={key} streak={named} streakKey={key} />
        ))}
        <BadgesCard achievements={achievements} />
        {challenges.length > 0 && <ChallengesCard challenges={challenges} />}
        {points.map((system) => (
          <PointsCard key={system.key} points={system} />
        ))}
      </div>
      <div class="stack">
        <ProfileCard />
        <TotalsCard metrics={metrics} />
        <PlacesCard />
        <ChoicesCard />
        <PreferencesCard />
      </div>
    </div>
  )
}

/** The most leaderboards that the card loads. */
const MOST = 50

/** The user's place on each active leaderboard. */
function PlacesCard(): JSX.Element {
  const answer = useOfUser(async (id, signal) => {
    const all: readonly LeaderboardResponse[] = await call('GET', 'v1/leaderboards', { signal })
    const settings = { query: { numEvents: 1 }, signal }
    const get = (key: string) => call<UserLeaderboard>('GET', route`v1/users/${id}/leaderboards/${key}`, settings)
    return Promise.all(all.slice(0, MOST).map(({ key }) => get(key)))
  })
  return (
    <TableCard
      title="Leaderboard positions"
      answer={answer}
      what="the places"
      caption="The user's place on each leaderboard"
      columns={PLACE_COLUMNS}
      rowsOf={(places) => places}
      empty={<Empty title="No leaderboard runs now." />}
      pager={
        answer.data !== null && (
          <div class="card-body">
            <WhyThere places={answer.data} />
          </div>
        )
      }
    />
  )
}

const PLACE_COLUMNS: readonly Column<UserLeaderboard>[] = [
  { name: 'Leaderboard', isHeader: true, cell: (place) => <PlaceName place={place} /> },
  {
    name: 'Rank',
    kind: 'number',
    cell: ({ key, rank, hidden }) => (
      <span data-rank={key}>{hidden ? <Badge>hidden</Badge> : rank === null ? '–' : `#${formatNumber(rank)}`}</span>
    ),
  },
  {
    name: 'Value',
    kind: 'number',
    cell: ({ key, value }) => <span data-value={key}>{value === null ? '–' : formatNumber(value)}</span>,
  },
]

function PlaceName({ place: { key, name, start, end } }: { readonly place: UserLeaderboard }): JSX.Element {
  return (
    <>
      <a href={toPath(['leaderboards', key])} dir="auto">
        {name}
      </a>
      <small class="below">{end === null ? `since ${formatDate(start)}` : `until ${formatDate(end)}`}</small>
    </>
  )
}

function ProfileCard(): JSX.Element {
  const { user, listed } = usePageUser()
  const { email, tz, attributes, control, created, updated, signUpDate, deviceTokens, subscribedToEmails } = user
  const suspended = listed?.suspended ?? null
  return (
    <Card title="Profile">
      <Facts
        facts={[
          ['Id', <span dir="auto">{user.id}</span>],
          ['Name', user.name === null ? null : <span dir="auto">{user.name}</span>],
          ['Email', email === null ? null : <span dir="auto">{email}</span>],
          ['Emails', email === null ? null : subscribedToEmails ? 'subscribed' : 'not subscribed'],
          ['Devices', deviceTokens === null ? null : String(deviceTokens.length)],
          ['Zone', tz ?? <span class="muted">UTC, as none was said</span>],
          ['Experiment', control ? 'in the control group' : null],
          [
            'Suspended',
            suspended === null ? null : (
              <>
                since <Time at={suspended.since} zone={tz} />
                {suspended.reason !== null && <span dir="auto">: {suspended.reason}</span>}
              </>
            ),
          ],
          ...Object.entries(attributes).map(([name, value]) => [name, <span dir="auto">{value}</span>] as const),
          ['Signed up', signUpDate],
          ['Created', <Time at={created} zone={tz} />],
          ['Updated', <Time at={updated} zone={tz} />],
        ]}
      />
    </Card>
  )
}

/** The user's notification preferences, and streak settings if the game lets users choose them. */
function PreferencesCard(): JSX.Element {
  const answer = useOfUser((id, signal) => call<UserPreferences>('GET', route`v1/users/${id}/preferences`, { signal }))
  return (
    <Card title="Preferences">
      <Loaded answer={answer} what="the preferences">
        {({ notifications, streak }) => {
          const set = Object.entries(notifications)
          if (set.length === 0 && streak === undefined) return <p class="muted">No preferences set.</p>
          return (
            <Facts
              facts={[
                ...set.map(
                  ([type, channels]) =>
                    [type.replaceAll('_', ' '), channels.length === 0 ? 'off' : channels.join(', ')] as const,
                ),
                ['Streak', streak?.enabled === undefined ? null : streak.enabled ? 'on' : 'off'],
                ['Streak needs', streak?.evaluationMode === undefined ? null : toNeeds(streak.evaluationMode)],
                ['Streak metrics', streak?.metrics?.map(toThreshold).join(', ')],
              ]}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

function toThreshold({ key, threshold }: { key: string; threshold: number }): string {
  return `${key} ${threshold === 0 ? '> 0' : `≥ ${threshold}`}`
}

function toNeeds(mode: 'OR' | 'AND'): string {
  return mode === 'OR' ? 'one of its metrics' : 'all of its metrics'
}

function TotalsCard({ metrics }: { readonly metrics: readonly MetricResponse[] }): JSX.Element {
  return (
    <Card title="Totals" padded={false}>
      <Table
        caption="The user's total of each metric"
        columns={[
          { name: 'Metric', isHeader: true, cell: ({ name }) => <span dir="auto">{name}</span> },
          { name: 'Which', cell: ({ aggregation }) => KEPT[aggregation ?? 'sum'] },
          {
            name: 'Total',
            kind: 'number',
            cell: ({ key, current, units = '' }) => (
              <>
                <span data-total={key}>{formatNumber(current)}</span> {units}
              </>
            ),
          },
        ]}
        rows={metrics}
        empty={<Empty title="The game has no active metric." />}
      />
    </Card>
  )
}
