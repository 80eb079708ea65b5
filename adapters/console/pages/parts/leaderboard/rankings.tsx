import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import type {
  LeaderboardGroup,
  LeaderboardGroups,
  LeaderboardResponse,
  LeaderboardRunItem,
  LeaderboardRuns,
  LeaderboardWithRankings,
} from '../../types.ts'
import { useGet } from '../../use-answer.ts'
import { Button, Field } from '../controls.tsx'
import { formatNumber, plural } from '../format.ts'
import { Card, Empty, Failure, Loaded } from '../page.tsx'
import { Person, ShowUser, StatusBadge, toRunText } from '../person.tsx'
import { Table } from '../table.tsx'

interface GroupChoiceProps {
  readonly leaderboard: string
  readonly run: string | null
  /** As the API takes it: `plan:pro,region:eu`. */
  readonly chosen: string | null
}

/** Which group of the run is shown; the first one where none was chosen. */
function GroupChoice({ leaderboard, run, chosen }: GroupChoiceProps): JSX.Element {
  const [after, setAfter] = useState<string | null>(null)
  const [groups, setGroups] = useState<readonly LeaderboardGroup[]>([])
  const { data, error, reload } = useGet<LeaderboardGroups>(route`admin/v1/leaderboards/${leaderboard}/groups`, {
    run,
    limit: 100,
    after,
  })
  useEffect(() => {
    setAfter(null)
    setGroups([])
  }, [run])
  useEffect(() => {
    if (data === null) return
    setGroups((known) => [
      ...known.filter((each) => !data.groups.some((group) => toText(group) === toText(each))),
      ...data.groups,
    ])
    const first = data.groups.map(toText).find((text) => text !== null)
    if (chosen === null && first !== undefined && !location.search.includes('user=')) {
      navigate(withQuery({ group: first }), { replace: true })
    }
  }, [data])
  if (error !== null) return <Failure error={error} what="the groups" retry={reload} />
  const next = data?.after ?? null
  return (
    <>
      <Field name="Group">
        <select
          value={chosen ?? ''}
          onChange={(event) =>
            navigate(withQuery({ group: event.currentTarget.value || null, offset: null, user: null }))
          }
        >
          <option value="">Choose…</option>
          {chosen !== null && !groups.some((group) => toText(group) === chosen) && (
            <option value={chosen}>{chosen}</option>
          )}
          {groups.map((group) => (
            <option key={JSON.stringify(group.values)} value={toText(group) ?? ''} disabled={toText(group) === null}>
              {toName(group)}
            </option>
          ))}
        </select>
      </Field>
      {next !== null && <Button onClick={() => setAfter(next)}>More groups</Button>}
    </>
  )
}

/** As the API takes it; null: it has no way to name a value with a comma. */
function toText({ values }: LeaderboardGroup): string | null {
  const pairs = Object.entries(values)
  if (pairs.some(([name, value]) => name.includes(',') || name.includes(':') || value.includes(','))) return null
  return pairs.map(([name, value]) => `${name}:${value}`).join(',')
}

function toName(group: LeaderboardGroup): string {
  const named = Object.entries(group.values).map(([name, value]) => `${name} ${value === '' ? 'not set' : value}`)
  const how = toText(group) === null ? ': jump to a user of it, for its name has a comma' : ''
  return `${named.join(', ')} (${group.users >= 10_000 ? '10,000 users or more' : plural(group.users, 'user')})${how}`
}

interface RunChoiceProps {
  readonly leaderboard: string
  /** Key of a run; null: the current one. */
  readonly chosen: string | null
}

/** Which run is shown: the current one, or one in which somebody has a place. */
function RunChoice({ leaderboard, chosen }: RunChoiceProps): JSX.Element {
  const [before, setBefore] = useState<string | null>(null)
  const [runs, setRuns] = useState<readonly LeaderboardRunItem[]>([])
  const { data, error, reload } = useGet<LeaderboardRuns>(route`admin/v1/leaderboards/${leaderboard}/runs`, {
    limit: 50,
    before,
  })
  useEffect(() => {
    if (data !== null)
      setRuns((known) => [...known.filter(({ key }) => !data.runs.some((run) => run.key === key)), ...data.runs])
  }, [data])
  if (error !== null) return <Failure error={error} what="the runs" retry={reload} />
  const isOther = chosen !== null && !runs.some(({ key }) => key === chosen)
  const older = data?.before ?? null
  return (
    <>
      <Field name="Run">
        <select
          value={chosen ?? ''}
          onChange={(event) =>
            navigate(withQuery({ run: event.currentTarget.value || null, offset: null, group: null }))
          }
        >
          <option value="">The current run</option>
          {isOther && <option value={chosen}>{chosen}</option>}
          {runs.map((run) => (
            <option key={run.key} value={run.key}>
              {toRunText(run)}
            </option>
          ))}
        </select>
      </Field>
      {older !== null && <Button onClick={() => setBefore(older)}>More runs</Button>}
    </>
  )
}

/** How many places are on a page, and how many stand above a user who was jumped to. */
const ON_A_PAGE = 25
const ABOVE = 10

interface RankingsProps {
  readonly leaderboard: LeaderboardResponse
  readonly query: URLSearchParams
}

interface Asked {
  readonly run: string | null
  readonly group: string | null
  readonly user: string | null
  readonly offset: number
}

/** The places of a run, of a group where there are groups. */
export function Rankings({ leaderboard, query }: RankingsProps): JSX.Element {
  const { key, breakdownAttributes } = leaderboard
  const hasGroups = breakdownAttributes.length > 0
  const asked: Asked = {
    run: query.get('run'),
    group: hasGroups ? query.get('group') : null,
    user: query.get('user'),
    offset: toOffset(query.get('offset')),
  }
  return (
    <>
      <div class="row choices">
        <RunChoice leaderboard={key} chosen={asked.run} />
        {hasGroups && <GroupChoice leaderboard={key} run={asked.run} chosen={asked.group} />}
        <ShowUser name="Jump to a user" chosen={asked.user} back="From the first place" resets={['offset']} />
      </div>
      {hasGroups && asked.group === null && asked.user === null ? (
        <Empty title="Choose a group">
          Each group by {breakdownAttributes.join(' and ')} has places of its own. Or jump to a user, in whatever group.
        </Empty>
      ) : (
        <Places leaderboard={key} asked={asked} />
      )}
    </>
  )
}

function toOffset(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function Places({ leaderboard, asked }: { readonly leaderboard: string; readonly asked: Asked }): JSX.Element {
  const { run, group, user, offset } = asked
  const answer = useGet<LeaderboardWithRankings>(route`v1/leaderboards/${leaderboard}`, {
    run,
    userAttributes: user === null ? group : null,
    userId: user,
    offset: user === null ? offset : -ABOVE,
    limit: ON_A_PAGE,
  })
  return (
    <Card
      title="Leaderboard positions"
      padded={false}
      actions={
        answer.data !== null && (
          <>
            <span>{toRunText(answer.data)}</span>
            <StatusBadge status={answer.data.status} />
          </>
        )
      }
    >
      <Loaded answer={answer} what="the places">
        {({ rankings }) => (
          <Table
            caption="Leaderboard positions, best first"
            columns={[
              { name: 'Rank', kind: 'fit', cell: ({ rank }) => formatNumber(rank) },
              {
                name: 'User',
                isHeader: true,
                cell: ({ userId, userName }) => (
                  <span class={userId === user ? 'marked' : undefined}>
                    <Person id={userId} name={userName} />
                  </span>
                ),
              },
              { name: 'Value', kind: 'number', cell: ({ value }) => formatNumber(value) },
            ]}
            rows={rankings}
            keyOf={({ userId }) => userId}
            empty={<NoPlaces asked={asked} />}
          >
            {user === null && rankings.length > 0 && <Turn offset={offset} isLast={rankings.length < ON_A_PAGE} />}
          </Table>
        )}
      </Loaded>
    </Card>
  )
}

function NoPlaces({ asked: { user, offset } }: { readonly asked: Asked }): JSX.Element {
  if (user !== null) return <Empty title={`The user ${user} is not on the leaderboard in this run`} />
  return offset === 0 ? (
    <Empty title="No user is on it yet" />
  ) : (
    <Empty title="There are no more places">
      <a href={withQuery({ offset: null })}>The first places</a>
    </Empty>
  )
}

function Turn({ offset, isLast }: { readonly offset: number; readonly isLast: boolean }): JSX.Element | null {
  if (offset === 0 && isLast) return null
  const to = (next: number): void => navigate(withQuery({ offset: next <= 0 ? null : String(next) }))
  return (
    <nav class="pager" aria-label="Pages of the places">
      <span class="muted">From place {formatNumber(offset + 1)}</span>
      <span class="row">
        <Button class="small" disabled={offset === 0} onClick={() => to(offset - ON_A_PAGE)}>
          Previous
        </Button>
        <Button class="small" disabled={isLast} onClick={() => to(offset + ON_A_PAGE)}>
          Next
        </Button>
      </span>
    </nav>
  )
}
