import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hasNow, toGroups } from '../../../../elements/badges/groups.ts'
import { call, route, useMayWrite } from '../../api.ts'
import type {
  AwardTrigger,
  EventSummaryItem,
  PointsAward,
  PointsBoost,
  PointsLevel,
  UserPoints,
  UserStreak,
} from '../../types.ts'
import { Badge } from '../badge.tsx'
import { Chart } from '../chart.tsx'
import { Input, Select } from '../controls.tsx'
import { DialogOpener } from '../dialog.tsx'
import { formatChange, formatDate, formatNumber, toDate } from '../format.ts'
import { Card, Element, Facts, Loaded } from '../page.tsx'
import { Table } from '../table.tsx'
import { Time, toLocalDate } from '../time.tsx'
import { EndPause } from './actions/streaks.tsx'
import { ExplainForm } from './explanation.tsx'
import { type UserProgress, useOfUser, usePageUser } from './page-user.ts'

/** The console loads no pictures from other hosts. */
const WITHOUT_PICTURES = { images: 'off' }

/** The user's achievements, and the progress of the others. */
export function BadgesCard({ achievements }: Pick<UserProgress, 'achievements'>): JSX.Element {
  // The tiers of one achievement are one badge.
  const groups = toGroups(achievements)
  const done = groups.filter(({ shown }) => hasNow(shown))
  const [key, setKey] = useState(achievements[0]?.key)
  const chosen = achievements.find((achievement) => achievement.key === key)
  return (
    <Card title="Achievements" actions={<span class="muted">{`${done.length} of ${groups.length}`}</span>}>
      <Element name="laurels-badges" data={achievements} attributes={WITHOUT_PICTURES} />
      {chosen !== undefined && (
        <ExplainForm
          name="Explain"
          title={chosen.name}
          query={{ achievement: chosen.key }}
          words={['The user has it', 'The user does not have it']}
        >
          <Select value={chosen.key} change={setKey} choices={achievements} />
        </ExplainForm>
      )}
    </Card>
  )
}

/** The newest awards, collapsed. */
function Awards({ awards }: { readonly awards: readonly PointsAward[] }): JSX.Element | null {
  const { user } = usePageUser()
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
      />
    </details>
  )
}

const REASONS: { readonly [Type in AwardTrigger['type']]?: (trigger: AwardTrigger) => string } = {
  metric: ({ metricThreshold = 1, metricName = 'a metric' }) => `${formatNumber(metricThreshold)} of ${metricName}`,
  achievement: ({ achievementName = 'an achievement' }) => achievementName,
  streak: ({ streakLengthThreshold = '?', streakKey }) =>
    `a streak of ${streakLengthThreshold}${streakKey === undefined ? '' : ` (${streakKey})`}`,
  adjustment: () => 'an adjustment by support',
  challenge: ({ challengeName = 'a challenge' }) => challengeName,
  user_creation: () => 'being there',
  time: ({ timeInterval = 1, timeUnit = 'day' }) => `every ${timeInterval} ${timeUnit}s`,
}

function toReason(trigger: AwardTrigger): string {
  return REASONS[trigger.kind ?? trigger.type]?.(trigger) ?? 'a trigger that the game has no more'
}

/** The days of the chart. */
const SHOWN_DAYS = 90

interface History {
  readonly days: readonly EventSummaryItem[]
  readonly levels: readonly PointsLevel[]
  readonly boosts: readonly PointsBoost[]
}

/** One points system with its total, level, history and newest awards. */
export function PointsCard({ points }: { readonly points: UserPoints }): JSX.Element {
  const { key, name, awards } = points
  const { user } = usePageUser()
  const answer = useOfUser((id, signal) => loadHistory(id, key, user.tz, signal), [key])
  return (
    <Card title={name}>
      <Element
        name="laurels-level"
        data={points}
        with={{ levels: answer.data?.levels ?? [] }}
        attributes={WITHOUT_PICTURES}
      />
      <Loaded answer={answer} what={name}>
        {(history) => (
          <div class="stack">
            <Chart
              label={`${name} at the end of each day`}
              dates={history.days.map(({ date }) => date)}
              series={[{ name, values: history.days.map(({ total }) => total) }]}
            />
            <Boosts boosts={history.boosts} />
          </div>
        )}
      </Loaded>
      <Awards awards={awards} />
    </Card>
  )
}

async function loadHistory(id: string, key: string, zone: string | null, signal: AbortSignal): Promise<History> {
  const endDate = toLocalDate(new Date(), zone)
  const startDate = toDate(new Date(`${endDate}T00:00:00Z`), 1 - SHOWN_DAYS)
  const query = { aggregation: 'daily', startDate, endDate }
  const [days, levels, boosts] = await Promise.all([
    call<History['days']>('GET', route`v1/users/${id}/points/${key}/event-summary`, { query, signal }),
    call<History['levels']>('GET', route`v1/points/${key}/levels`, { signal }),
    call<History['boosts']>('GET', route`v1/users/${id}/points/${key}/boosts`, { signal }),
  ])
  return { days, levels, boosts }
}

function Boosts({ boosts }: { readonly boosts: readonly PointsBoost[] }): JSX.Element | null {
  if (boosts.length === 0) return null
  return (
    <p class="row">
      <span class="muted">Boosts that hold now:</span>
      {boosts.map(({ id, name, multiplier, end }) => (
        <Badge key={id} tone="ice">
          <span dir="auto">{name}</span> ×{multiplier}
          {end !== null && ` until ${end}`}
        </Badge>
      ))}
    </p>
  )
}

interface StreakCardProps {
  readonly title: string
  readonly streak: UserStreak
  /** `null` for the game's `streak`. */
  readonly streakKey: string | null
}

export function StreakCard({ title, streak, streakKey }: StreakCardProps): JSX.Element {
  const { started, pauses, rank } = streak
  const isPaused = pauses.length > 0
  return (
    <Card title={title} actions={isPaused && <Badge tone="warn">paused, or will be</Badge>}>
      <Element name="laurels-streak" data={streak} />
      {(started !== null || rank !== null || isPaused) && (
        <Facts
          facts={[
            ['Since', started === null ? null : formatDate(started)],
            ['Rank', rank === null ? null : `#${formatNumber(rank)}`],
            [
              'Pauses',
              isPaused ? (
                <ul class="plain-list">
                  {pauses.map((pause) => (
                    <Pause key={pause.id} {...pause} />
                  ))}
                </ul>
              ) : null,
            ],
          ]}
        />
      )}
      <ExplainDate streakKey={streakKey} current={streak.streakHistory.at(-1)?.periodStart ?? null} />
    </Card>
  )
}

function Pause({ id, start, end }: UserStreak['pauses'][number]): JSX.Element {
  const mayWrite = useMayWrite()
  return (
    <li class="row">
      {formatDate(start)} to {formatDate(end)}
      {mayWrite && (
        <DialogOpener class="small" dialog={(close) => <EndPause id={id} close={close} />}>
          End the pause
        </DialogOpener>
      )}
    </li>
  )
}

/** Explains what happened to the streak on a date. `current` is the first date of the current period, if known. */
function ExplainDate({ streakKey, current }: { streakKey: string | null; current: string | null }): JSX.Element {
  const { user } = usePageUser()
  const [date, setDate] = useState(() => toLocalDate(new Date(), user.tz))
  return (
    <ExplainForm
      name="Why on"
      title={`The streak on ${formatDate(date)}`}
      query={{ date, streak: streakKey }}
      words={['extended', current !== null && date >= current ? 'not extended yet' : 'not extended']}
    >
      <Input type="date" required value={date} change={setDate} />
    </ExplainForm>
  )
}
