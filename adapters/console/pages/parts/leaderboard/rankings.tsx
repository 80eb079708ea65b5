import type { JSX } from 'preact'
import type {
  LeaderboardResponse,
  LeaderboardWithRankings,
} from '../../../../../src/engine/answers/wire/leaderboard.ts'
import { call, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { useAnswer } from '../../use-answer.ts'
import { Card } from '../card.tsx'
import { Empty } from '../empty.tsx'
import { formatNumber } from '../format.ts'
import { Loaded } from '../page.tsx'
import { Person } from '../person.tsx'
import { RunDates, StatusBadge } from '../run-dates.tsx'
import { ShowUser } from '../show-user.tsx'
import { Table } from '../table.tsx'
import { GroupChoice } from './group-choice.tsx'
import { RunChoice } from './run-choice.tsx'

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

interface PlacesProps {
  readonly leaderboard: string
  readonly asked: Asked
}

function Places({ leaderboard, asked }: PlacesProps): JSX.Element {
  const { run, group, user, offset } = asked
  const answer = useAnswer(
    (signal) =>
      call<LeaderboardWithRankings>('GET', route`v1/leaderboards/${leaderboard}`, {
        query: {
          run,
          userAttributes: user === null ? group : null,
          userId: user,
          offset: user === null ? offset : -ABOVE,
          limit: ON_A_PAGE,
        },
        signal,
      }),
    [leaderboard, run, group, user, offset],
  )
  return (
    <Card
      title="Leaderboard positions"
      padded={false}
      actions={
        answer.data !== null && (
          <>
            <RunDates start={answer.data.start} end={answer.data.end} />
            <StatusBadge status={answer.data.status} />
          </>
        )
      }
    >
      <Loaded answer={answer} what="the places">
        {({ rankings }) =>
          rankings.length === 0 ? (
            <NoPlaces asked={asked} />
          ) : (
            <>
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
              />
              {user === null && <Turn offset={offset} isLast={rankings.length < ON_A_PAGE} />}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function NoPlaces({ asked: { user, offset } }: { readonly asked: Asked }): JSX.Element {
  if (user !== null) return <Empty title={`The user ${user} is not on the leaderboard in this run`} />
  return offset === 0 ? (
    <Empty title="Nobody is on it yet" />
  ) : (
    <Empty title="There are no more places">
      <a href={withQuery({ offset: null })}>The first places</a>
    </Empty>
  )
}

interface TurnProps {
  readonly offset: number
  readonly isLast: boolean
}

function Turn({ offset, isLast }: TurnProps): JSX.Element | null {
  if (offset === 0 && isLast) return null
  const to = (next: number): void => navigate(withQuery({ offset: next <= 0 ? null : String(next) }))
  return (
    <nav class="pager" aria-label="Pages of the places">
      <span class="muted">From place {formatNumber(offset + 1)}</span>
      <span class="row">
        <button type="button" class="small" disabled={offset === 0} onClick={() => to(offset - ON_A_PAGE)}>
          Previous
        </button>
        <button type="button" class="small" disabled={isLast} onClick={() => to(offset + ON_A_PAGE)}>
          Next
        </button>
      </span>
    </nav>
  )
}
