import type { ComponentChildren, JSX } from 'preact'
import { toPath } from '../../router.ts'
import { Card } from '../page.tsx'
import { Badge } from '../person.tsx'
import type { GameGraph, GameNode, NodeKind } from './nodes.ts'

const SECTIONS: readonly (readonly [title: string, kinds: readonly NodeKind[]])[] = [
  ['What happens', ['source', 'metric']],
  ['Streaks', ['streak']],
  ['Achievements', ['achievement']],
  ['Leaderboards', ['leaderboard']],
]

/** The rules as text: each part with its sentence, what leads to it and what it leads to. */
export function PartList({ graph }: { readonly graph: GameGraph }): JSX.Element {
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

interface ListProps {
  readonly graph: GameGraph
  readonly nodes: readonly GameNode[]
}

function List({ graph, nodes }: ListProps): JSX.Element {
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

interface LeadsProps {
  readonly name: string
  readonly graph: GameGraph
  readonly ids: readonly string[]
}

/** What stands in a points system goes by the name of that, once. */
function Leads({ name, graph, ids }: LeadsProps): JSX.Element | null {
  const names = ids.flatMap((id) => {
    const node = graph.byId.get(id)
    const shown = node?.kind === 'trigger' || node?.kind === 'level' ? graph.byId.get(node.within ?? '') : node
    return shown === undefined ? [] : [shown.name]
  })
  const unique = [...new Set(names)]
  return unique.length === 0 ? null : <span class="leads">{`${name}: ${unique.join(', ')}`}</span>
}
