import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Button } from '../parts/controls.tsx'
import { Json } from '../parts/drift.tsx'
import { type GameGraph, type GameNode, type NodeKind, toGraph } from '../parts/game/nodes.ts'
import { Chosen, Picture } from '../parts/game/picture.tsx'
import { Card, Empty, Facts, Loaded, Page, Tabs } from '../parts/page.tsx'
import { Badge, Time } from '../parts/person.tsx'
import { Pager, Table, usePages } from '../parts/table.tsx'
import { type PageOf, toPath } from '../router.ts'
import type { CurrentGameResponse, GamesResponse, StoredGameSummary } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** Larger games have only the list. */
const MOST_DRAWN = 600

/** The game in force as a picture, as text and as JSON, and all earlier games. */
export function Game({ query }: PageOf): JSX.Element {
  const answer = useGet<CurrentGameResponse>('admin/v1/game')
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

/** Every game that was ever in force, the newest first, each with its definition. */
function OlderGames(): JSX.Element {
  const pages = usePages<number>([])
  const [shown, setShown] = useState<StoredGameSummary | null>(null)
  const answer = useGet<GamesResponse>('admin/v1/games', { limit: 20, before: pages.cursor })
  return (
    <div class="stack">
      <Card title="Games that were put in force" padded={false}>
        <Loaded answer={answer} what="the games">
          {({ games, before }) => (
            <Table
              caption="Games, the newest first"
              columns={[
                { name: 'Epoch', isHeader: true, kind: 'number', cell: ({ epoch }) => epoch },
                { name: 'Put in force', cell: ({ createdAt }) => <Time at={createdAt} /> },
                { name: 'Policy', cell: ({ policy }) => policy },
                { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint.slice(0, 12)}…</code> },
                {
                  name: 'Definition',
                  kind: 'fit',
                  isNameHidden: true,
                  cell: (game) => (
                    <Button
                      class="small"
                      aria-expanded={shown?.epoch === game.epoch}
                      aria-label={`Show the definition of epoch ${game.epoch}`}
                      onClick={() => setShown(shown?.epoch === game.epoch ? null : game)}
                    >
                      Definition
                    </Button>
                  ),
                },
              ]}
              rows={games}
              keyOf={({ epoch }) => epoch}
            >
              <Pager pages={pages} next={before} names={{ back: 'Newer', next: 'Older' }} />
            </Table>
          )}
        </Loaded>
      </Card>
      {shown !== null && (
        <Card title={`The definition of epoch ${shown.epoch}`}>
          <Json value={shown.definition} label={`The definition of epoch ${shown.epoch}`} />
        </Card>
      )}
    </div>
  )
}

const SECTIONS: readonly (readonly [title: string, kinds: readonly NodeKind[]])[] = [
  ['What happens', ['source', 'metric']],
  ['Streaks', ['streak']],
  ['Achievements', ['achievement']],
  ['Leaderboards', ['leaderboard']],
]

/** The rules as text: each part with its sentence, causes and effects. */
function PartList({ graph }: { readonly graph: GameGraph }): JSX.Element {
  const of = (kinds: readonly NodeKind[]): readonly GameNode[] => graph.nodes.filter(({ kind }) => kinds.includes(kind))
  const systems = of(['points'])
  return (
    <div class="part-cards">
      {SECTIONS.map(([title, kinds]) => {
        const nodes = of(kinds)
        return nodes.length === 0 ? null : (
          <Card key={title} title={title}>
            <List graph={graph} nodes={nodes} />
          </Card>
        )
      })}
      {systems.map((system) => (
        <Card key={system.id} title={system.name}>
          <div class="stack tight">
            {system.sentence !== '' && <p>{system.sentence}</p>}
            <h3>Earned by</h3>
            <List
              graph={graph}
              nodes={graph.nodes.filter((node) => node.within === system.id && node.kind === 'trigger')}
            />
            <h3>Levels</h3>
            <List
              graph={graph}
              nodes={graph.nodes.filter((node) => node.within === system.id && node.kind === 'level')}
            />
          </div>
        </Card>
      ))}
    </div>
  )
}

function List({ graph, nodes }: { readonly graph: GameGraph; readonly nodes: readonly GameNode[] }): JSX.Element {
  if (nodes.length === 0) return <p class="muted">There are none.</p>
  return (
    <ul class="part-list">
      {nodes.map((node) => (
        <li key={node.id} data-part={node.id}>
          <span class="row">
            <Name node={node} /> {node.note !== '' && <Badge>{node.note}</Badge>}
          </span>
          {node.sentence !== '' && <span>{node.sentence}</span>}
          <Leads name="From" graph={graph} ids={node.kind === 'level' ? [] : node.from} />
          <Leads name="Leads to" graph={graph} ids={node.kind === 'trigger' ? [] : (graph.to.get(node.id) ?? [])} />
        </li>
      ))}
    </ul>
  )
}

function Name({ node }: { readonly node: GameNode }): ComponentChildren {
  if (node.page === null) return <strong dir="auto">{node.name}</strong>
  return (
    <a href={toPath(node.page)} dir="auto">
      {node.name}
    </a>
  )
}

/** Names of causes or effects. Triggers and levels appear as their points system. */
function Leads({ name, graph, ids }: { name: string; graph: GameGraph; ids: readonly string[] }): JSX.Element | null {
  const names = ids.flatMap((id) => {
    const node = graph.byId.get(id)
    const shown = node?.kind === 'trigger' || node?.kind === 'level' ? graph.byId.get(node.within ?? '') : node
    return shown === undefined ? [] : [shown.name]
  })
  const unique = [...new Set(names)]
  return unique.length === 0 ? null : <span class="leads">{`${name}: ${unique.join(', ')}`}</span>
}
