import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Badge } from '../parts/badge.tsx'
import { JsonView } from '../parts/drift.tsx'
import { type GameGraph, type GameNode, GROUPS, toGraph } from '../parts/game/game-graph.ts'
import { Chosen, Picture } from '../parts/game/picture.tsx'
import { Card, ConsolePage, Facts, Loaded, Tabs } from '../parts/page.tsx'
import { PageLink } from '../parts/person.tsx'
import { type Column, TableCard, useList } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import type { PageOf } from '../router.ts'
import type { CurrentGameResponse, GamesResponse, StoredGameSummary } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** The game in force as a picture, as text and as JSON, and all earlier games. */
export function GamePage({ query }: PageOf): JSX.Element {
  const answer = useGet<CurrentGameResponse>('admin/v1/game')
  return (
    <ConsolePage title="Game">
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
    </ConsolePage>
  )
}

interface OfGame {
  readonly game: CurrentGameResponse
}

function Rules({ game }: OfGame): JSX.Element {
  const graph = useMemo(() => toGraph(game), [game])
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <div class="stack">
      <div class="only-wide">
        <Card title="What leads to what" padded={false}>
          <Picture graph={graph} chosen={chosen} choose={setChosen} />
          <Chosen node={graph.byId.get(chosen ?? '') ?? null} close={() => setChosen(null)} />
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
        <JsonView value={definition} label="The definition of the game" />
      </Card>
    </div>
  )
}

/** Every game that was ever in force, the newest first, each with its definition. */
function OlderGames(): JSX.Element {
  const list = useList<GamesResponse>('admin/v1/games', 'before', { limit: 20 }, ({ before }) => before)
  return (
    <TableCard
      {...list}
      title="Games that were put in force"
      what="the games"
      caption="Games, the newest first"
      columns={GAME_COLUMNS}
      rowsOf={({ games }) => games}
    />
  )
}

const GAME_COLUMNS: readonly Column<StoredGameSummary>[] = [
  { name: 'Epoch', isHeader: true, kind: 'number', cell: ({ epoch }) => epoch },
  { name: 'Put in force', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Policy', cell: ({ policy }) => policy },
  { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint.slice(0, 12)}…</code> },
  {
    name: 'Definition',
    cell: ({ epoch, definition }) => (
      <details>
        <summary>Show</summary>
        <JsonView value={definition} label={`The definition of epoch ${epoch}`} />
      </details>
    ),
  },
]

/** The rules as text, for each group of parts. */
function PartList({ graph }: { readonly graph: GameGraph }): JSX.Element {
  return (
    <div class="part-cards">
      {GROUPS.map(([title, kinds]) => {
        const nodes = graph.nodes.filter(({ kind }) => kinds.includes(kind))
        return nodes.length === 0 ? null : (
          <Card key={title} title={title}>
            <ul class="part-list">
              {nodes.map((node) => (
                <PartItem key={node.id} node={node} graph={graph} />
              ))}
            </ul>
          </Card>
        )
      })}
    </div>
  )
}

/** A part with its sentence, causes and effects. */
function PartItem({ node, graph }: { readonly node: GameNode; readonly graph: GameGraph }): JSX.Element {
  const { id, name, note, sentence, page, from, within } = node
  return (
    <li data-part={id}>
      <span class="row">
        {page === null ? <strong dir="auto">{name}</strong> : <PageLink to={page}>{name}</PageLink>}
        {note !== '' && <Badge>{note}</Badge>}
      </span>
      {sentence !== '' && <span>{sentence}</span>}
      <Leads verb="From" names={namesOf(graph, from, within ?? id)} />
      <Leads verb="Leads to" names={namesOf(graph, graph.to.get(id) ?? [], within ?? id)} />
    </li>
  )
}

/** Names of causes or effects other than `own`. Triggers and levels count as their points system. */
function namesOf({ byId }: GameGraph, ids: readonly string[], own: string): ReadonlySet<string> {
  const wholes = ids.map((id) => byId.get(id)?.within ?? id).filter((id) => id !== own)
  return new Set(wholes.flatMap((id) => byId.get(id)?.name ?? []))
}

function Leads({ verb, names }: { verb: string; names: ReadonlySet<string> }): JSX.Element | null {
  return names.size === 0 ? null : <span class="leads">{`${verb}: ${[...names].join(', ')}`}</span>
}
