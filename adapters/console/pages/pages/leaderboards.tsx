import type { JSX } from 'preact'
import { Rankings } from '../parts/leaderboard/rankings.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Badge, PageLink, StatusBadge, toRunText } from '../parts/person.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { type PageOf, toPath } from '../router.ts'
import type { CurrentGameResponse, LeaderboardResponse } from '../types.ts'
import { useWithGame } from '../use-answer.ts'

/** Every leaderboard of the game, finished ones too. */
export function Leaderboards(): JSX.Element {
  const answer = useLeaderboards()
  return (
    <Page title="Leaderboards">
      <Loaded answer={answer} what="the leaderboards">
        {({ all, game }) => (
          <section class="card" aria-label="All leaderboards">
            <Table
              caption="Leaderboards, in the order of the game"
              columns={columnsOf(game)}
              rows={all}
              keyOf={({ key }) => key}
              empty={<Empty title="The game has no leaderboards">Its definition has them under “leaderboards”.</Empty>}
            />
          </section>
        )}
      </Loaded>
    </Page>
  )
}

function useLeaderboards() {
  return useWithGame<readonly LeaderboardResponse[]>('v1/leaderboards', { includeFinished: true })
}

function columnsOf({ sentences }: CurrentGameResponse): readonly Column<LeaderboardResponse>[] {
  return [
    {
      name: 'Leaderboard',
      isHeader: true,
      cell: ({ key, name }) => <PageLink to={['leaderboards', key]}>{name}</PageLink>,
    },
    { name: 'Ranks by', cell: ({ key }) => sentences.leaderboards[key] ?? '' },
    { name: 'Status', kind: 'fit', cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'Run', cell: toRunText },
    {
      name: 'Groups by',
      cell: ({ breakdownAttributes }) => (
        <span class="row">
          {breakdownAttributes.map((attribute) => (
            <Badge key={attribute}>{attribute}</Badge>
          ))}
        </span>
      ),
    },
  ]
}

/** One leaderboard with its runs, groups and places. The address has the selection. */
export function Leaderboard({ id, query }: PageOf): JSX.Element {
  const answer = useLeaderboards()
  const leaderboard = answer.data?.all.find(({ key }) => key === id)
  return (
    <Page title={leaderboard?.name ?? id}>
      <Loaded answer={answer} what="the leaderboard">
        {({ game }) =>
          leaderboard === undefined ? (
            <Empty title={`The game has no leaderboard with the key ${id}`}>
              <a href={toPath(['leaderboards'])}>All leaderboards</a>
            </Empty>
          ) : (
            <div class="stack">
              <p class="lead">{game.sentences.leaderboards[id]}</p>
              <Rankings leaderboard={leaderboard} query={query} />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}
