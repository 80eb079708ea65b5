import type { JSX } from 'preact'
import type { LeaderboardResponse } from '../../../../src/api/leaderboards/types.ts'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import { call } from '../api.ts'
import { Rankings } from '../parts/leaderboard/rankings.tsx'
import { Empty, Loaded, Page } from '../parts/page.tsx'
import { type PageOf, toPath } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import '../styles/more.css'

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
