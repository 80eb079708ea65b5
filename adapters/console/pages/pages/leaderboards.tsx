import type { JSX } from 'preact'
import type { LeaderboardResponse } from '../../../../src/api/leaderboards/types.ts'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import { call } from '../api.ts'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Badge } from '../parts/person.tsx'
import { RunDates, StatusBadge } from '../parts/run-dates.tsx'
import { Table } from '../parts/table.tsx'
import { toPath } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import '../styles/more.css'

/** Every leaderboard of the game, finished ones too. */
export function Leaderboards(): JSX.Element {
  const answer = useAnswer(async (signal) => {
    const [leaderboards, game] = await Promise.all([
      call<readonly LeaderboardResponse[]>('GET', 'v1/leaderboards', { query: { includeFinished: true }, signal }),
      call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }),
    ])
    return { leaderboards, game }
  }, [])
  return (
    <Page title="Leaderboards">
      <Loaded answer={answer} what="the leaderboards">
        {({ leaderboards, game }) =>
          leaderboards.length === 0 ? (
            <Empty title="The game has no leaderboards">Its definition has them under “leaderboards”.</Empty>
          ) : (
            <List leaderboards={leaderboards} game={game} />
          )
        }
      </Loaded>
    </Page>
  )
}

interface ListProps {
  readonly leaderboards: readonly LeaderboardResponse[]
  readonly game: CurrentGameResponse
}

function List({ leaderboards, game }: ListProps): JSX.Element {
  return (
    <section class="card" aria-label="All leaderboards">
      <Table
        caption="Leaderboards, in the order of the game"
        columns={[
          {
            name: 'Leaderboard',
            isHeader: true,
            cell: ({ key, name }) => (
              <a href={toPath(['leaderboards', key])} dir="auto">
                {name}
              </a>
            ),
          },
          { name: 'Ranks by', cell: ({ key }) => game.sentences.leaderboards[key] ?? '' },
          { name: 'Status', kind: 'fit', cell: ({ status }) => <StatusBadge status={status} /> },
          { name: 'Run', cell: ({ start, end }) => <RunDates start={start} end={end} /> },
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
        ]}
        rows={leaderboards}
        keyOf={({ key }) => key}
      />
    </section>
  )
}
