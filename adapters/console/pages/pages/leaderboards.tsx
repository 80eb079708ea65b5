import type { JSX } from 'preact'
import type { LeaderboardResponse } from '../../../../src/api/leaderboards/types.ts'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import { call } from '../api.ts'
import { Rankings } from '../parts/leaderboard/rankings.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { Badge, RunDates, StatusBadge } from '../parts/person.tsx'
import { Table } from '../parts/table.tsx'
import { type PageOf, toPath } from '../router.ts'
import { useAnswer } from '../use-answer.ts'

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

/** One leaderboard: its runs, its groups, and their places. The address says which of them are shown. */
export function Leaderboard({ id, query }: PageOf): JSX.Element {
  const answer = useAnswer(
    async (signal) => {
      const [leaderboard, game] = await Promise.all([
        findLeaderboard(id, signal),
        call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }),
      ])
      return { leaderboard, game }
    },
    [id],
  )
  return (
    <Page title={answer.data?.leaderboard?.name ?? id}>
      <Loaded answer={answer} what="the leaderboard">
        {({ leaderboard, game }) =>
          leaderboard === null ? (
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

async function findLeaderboard(id: string, signal: AbortSignal): Promise<LeaderboardResponse | null> {
  const all = await call<readonly LeaderboardResponse[]>('GET', 'v1/leaderboards', {
    query: { includeFinished: true },
    signal,
  })
  return all.find(({ key }) => key === id) ?? null
}
