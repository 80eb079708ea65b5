import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { EventSummaryItem } from '../../../../../src/engine/answers/wire/metric.ts'
import type { PointsBoost, PointsLevel, UserPoints } from '../../../../../src/engine/answers/wire/points.ts'
import { call, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { Badge } from '../badge.tsx'
import { Card } from '../card.tsx'
import { Chart } from '../chart.tsx'
import { Choice } from '../choice.tsx'
import { Element } from '../element.tsx'
import { toDate } from '../format.ts'
import { Loaded } from '../page.tsx'
import { toLocalDate } from '../time.tsx'
import { useAbout, useOfUser } from './about.ts'
import { Awards } from './awards.tsx'

const RANGES = ['30', '90', '365'] as const
type Range = (typeof RANGES)[number]
const WITHOUT_PICTURES = { images: 'off' }

interface PointsCardProps {
  readonly points: UserPoints
  readonly query: URLSearchParams
}

interface History {
  readonly days: readonly EventSummaryItem[]
  readonly levels: readonly PointsLevel[]
  readonly boosts: readonly PointsBoost[]
}

/** One points system: total and level, how both came about, and the newest awards. */
export function PointsCard({ points, query }: PointsCardProps): JSX.Element {
  const { key, name, awards } = points
  const { user } = useAbout()
  const range = RANGES.find((days) => days === query.get('points')) ?? '90'
  const answer = useOfUser((id, signal) => loadHistory(id, key, range, user.tz, signal), [key, range])
  return (
    <Card
      title={name}
      actions={
        <Choice
          label={`How many days of ${name}`}
          choices={RANGES.map((value) => ({ value, name: value === '365' ? 'Year' : `${value} days` }))}
          value={range}
          choose={(value) => navigate(withQuery({ points: value === '90' ? null : value }), { replace: true })}
        />
      }
    >
      <div class="stack">
        <Element
          name="laurels-level"
          data={points}
          with={{ levels: answer.data?.levels ?? [] }}
          attributes={WITHOUT_PICTURES}
        />
        <Loaded answer={answer} what={name}>
          {(history) => (
            <div class="stack">
              <PointsChart name={name} history={history} />
              <Boosts boosts={history.boosts} />
            </div>
          )}
        </Loaded>
        <Awards awards={awards} />
      </div>
    </Card>
  )
}

async function loadHistory(
  id: string,
  key: string,
  range: Range,
  zone: string | null,
  signal: AbortSignal,
): Promise<History> {
  const endDate = toLocalDate(new Date(), zone)
  const startDate = toDate(new Date(`${endDate}T00:00:00Z`), 1 - Number(range))
  const query = { aggregation: 'daily', startDate, endDate }
  const [days, levels, boosts] = await Promise.all([
    call<History['days']>('GET', route`v1/users/${id}/points/${key}/event-summary`, { query, signal }),
    call<History['levels']>('GET', route`v1/points/${key}/levels`, { signal }),
    call<History['boosts']>('GET', route`v1/users/${id}/points/${key}/boosts`, { signal }),
  ])
  return { days, levels, boosts }
}

function PointsChart({
  name,
  history: { days, levels },
}: {
  readonly name: string
  readonly history: History
}): JSX.Element {
  const dates = useMemo(() => days.map(({ date }) => date), [days])
  const series = useMemo(() => [{ name, values: days.map(({ total }) => total) }], [days, name])
  const noteOf = (index: number): string => levelOf(days[index]?.total ?? 0, levels)?.name ?? 'no level'
  return (
    <Chart
      label={`${name} at the end of each day, with the level`}
      dates={dates}
      series={series}
      {...(levels.length === 0 ? {} : { noteOf, noteName: 'Level' })}
    />
  )
}

function levelOf(total: number, levels: readonly PointsLevel[]): PointsLevel | undefined {
  return levels.findLast(({ points }) => total >= points)
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
