import type { JSX } from 'preact'
import type { LeaderboardResponse, UserLeaderboard } from '../../../../../src/api/leaderboards/types.ts'
import { call, route } from '../../api.ts'
import { toPath } from '../../router.ts'
import { formatDate, formatNumber } from '../format.ts'
import { Card, Empty, Loaded } from '../page.tsx'
import { Table } from '../table.tsx'
import { useOfUser } from './about.ts'

/** So many leaderboards are asked for the user's place; a game rarely has as many. */
const MOST = 50

/** Where the user is on each leaderboard that is not over. */
export function PlacesCard(): JSX.Element {
  const answer = useOfUser(async (id, signal) => {
    const all: readonly LeaderboardResponse[] = await call('GET', 'v1/leaderboards', { signal })
    const query = { numEvents: 1 }
    return Promise.all(
      all
        .slice(0, MOST)
        .map(({ key }) => call<UserLeaderboard>('GET', route`v1/users/${id}/leaderboards/${key}`, { query, signal })),
    )
  })
  return (
    <Card title="Leaderboard positions" padded={false}>
      <Loaded answer={answer} what="the places">
        {(places) =>
          places.length === 0 ? (
            <Empty title="No leaderboard runs now." />
          ) : (
            <Table
              caption="The user's place on each leaderboard"
              columns={[
                { name: 'Leaderboard', isHeader: true, cell: (place) => <PlaceName place={place} /> },
                {
                  name: 'Rank',
                  kind: 'number',
                  cell: ({ key, rank }) => (
                    <span data-rank={key}>{rank === null ? '–' : `#${formatNumber(rank)}`}</span>
                  ),
                },
                {
                  name: 'Value',
                  kind: 'number',
                  cell: ({ key, value }) => <span data-value={key}>{value === null ? '–' : formatNumber(value)}</span>,
                },
              ]}
              rows={places}
              keyOf={({ key }) => key}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

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
