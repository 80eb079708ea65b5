import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import { call } from '../api.ts'
import { Json } from '../parts/drift.tsx'
import { toGraph } from '../parts/game/nodes.ts'
import { OlderGames } from '../parts/game/older-games.tsx'
import { PartList } from '../parts/game/part-list.tsx'
import { Chosen, Picture } from '../parts/game/picture.tsx'
import { Card, Empty, Facts, Loaded, Page, Tabs } from '../parts/page.tsx'
import { Badge, Time } from '../parts/person.tsx'
import type { PageOf } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import '../styles/game.css'
import '../styles/more.css'

/** So many parts can be drawn; of more the list tells. */
const MOST_DRAWN = 600

/** The rules of the game in force: as a picture, as text, as JSON; and the games before. */
export function Game({ query }: PageOf): JSX.Element {
  const answer = useAnswer((signal) => call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }), [])
  return (
    <Page title="Game">
      <Loaded answer={answer} what="the game">
        {(game) => (
          <Tabs
            label="The game"
            query={query}
            tabs={[
              { key: 'rules', name: 'Rules', content: () => <Rules game={game} /> },
              { key: 'definition', name: 'Definition', content: () => <Definition game={game} /> },
              { key: 'older', name: 'All games', content: () => <OlderGames /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

interface OfGame {
  readonly game: CurrentGameResponse
}

function Rules({ game }: OfGame): JSX.Element {
  const graph = useMemo(() => toGraph(game), [game])
  const [chosen, setChosen] = useState<string | null>(null)
  const found = chosen === null ? undefined : graph.byId.get(chosen)
  return (
    <div class="stack">
      <div class="only-wide">
        <Card title="What leads to what" padded={false}>
          {graph.nodes.length > MOST_DRAWN ? (
            <Empty title="The game is too large for a picture">The list below has all of it.</Empty>
          ) : (
            <>
              <Picture graph={graph} chosen={chosen} choose={setChosen} />
              <Chosen node={found ?? null} close={() => setChosen(null)} />
            </>
          )}
        </Card>
      </div>
      <PartList graph={graph} />
    </div>
  )
}

function Definition({ game }: OfGame): JSX.Element {
  const { epoch, fingerprint, policy, createdAt, isNewest, definition } = game
  return (
    <div class="stack">
      <Card title="The game in force">
        <Facts
          facts={[
            ['Epoch', epoch],
            ['Put in force', <Time key="at" at={createdAt} />],
            ['By policy', policy],
            ['Fingerprint', <code key="fingerprint">{fingerprint}</code>],
            [
              'This process',
              isNewest ? (
                <Badge key="is" tone="good">
                  has this game
                </Badge>
              ) : (
                <Badge key="is" tone="warn">
                  has another game, and decides by this one
                </Badge>
              ),
            ],
          ]}
        />
      </Card>
      <Card title="Its definition">
        <Json value={definition} label="The definition of the game" />
      </Card>
    </div>
  )
}
