import type { JSX } from 'preact'
import { toPath } from '../../router.ts'
import { Button } from '../controls.tsx'
import { scrolls } from '../table.tsx'
import { type GameGraph, type GameNode, GROUPS, relatedTo } from './game-graph.ts'

interface Placed {
  readonly node: GameNode
  readonly x: number
  readonly y: number
}

const WIDTH = 184
const HEIGHT = 32
const BETWEEN = 48
const TOP = 32
const ROW = HEIGHT + 8

const toX = (column: number): number => column * (WIDTH + BETWEEN)

interface PictureProps {
  readonly graph: GameGraph
  /** The highlighted part; parts that belong to it are highlighted too. */
  readonly chosen: string | null
  readonly choose: (id: string | null) => void
}

/** The parts of the game in a column for each group, with a line from each cause to its effects. */
export function Picture({ graph, chosen, choose }: PictureProps): JSX.Element {
  const columns = GROUPS.map(([title, kinds]) => ({
    title,
    nodes: graph.nodes.filter(({ kind }) => kinds.includes(kind)),
  })).filter(({ nodes }) => nodes.length > 0)
  const placed = columns.flatMap(({ nodes }, column) =>
    nodes.map((node, row): Placed => ({ node, x: toX(column), y: TOP + row * ROW })),
  )
  const related = chosen === null ? null : relatedTo(graph, chosen)
  const isDimmed = (id: string): boolean => related?.has(id) === false
  const width = toX(columns.length) - BETWEEN
  const height = Math.max(TOP, ...placed.map(({ y }) => y + ROW))
  return (
    <div class="game-picture" {...scrolls('The rules as a picture')}>
      <div style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {toLines(placed).map(({ from, to, path }) => (
            <path key={`${from} ${to}`} class={isDimmed(from) || isDimmed(to) ? 'dimmed' : undefined} d={path} />
          ))}
        </svg>
        {columns.map(({ title }, column) => (
          <span key={title} class="muted" style={{ left: `${toX(column)}px` }}>
            {title}
          </span>
        ))}
        {placed.map((part) => (
          <Part
            key={part.node.id}
            {...part}
            isDimmed={isDimmed(part.node.id)}
            isChosen={part.node.id === chosen}
            choose={choose}
          />
        ))}
      </div>
    </div>
  )
}

interface PartProps extends Placed, Pick<PictureProps, 'choose'> {
  readonly isDimmed: boolean
  readonly isChosen: boolean
}

function Part({ node: { id, kind, name, note, sentence }, x, y, isDimmed, isChosen, choose }: PartProps): JSX.Element {
  return (
    <Button
      class={isDimmed ? 'part dimmed' : 'part'}
      style={{ left: `${x}px`, top: `${y}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` }}
      title={sentence === '' ? name : sentence}
      aria-pressed={isChosen}
      data-node={id}
      onClick={() => choose(isChosen ? null : id)}
    >
      <span class="hidden-visually">{KIND_NAMES[kind]} </span>
      <bdi>{name}</bdi>
      <small>{note}</small>
    </Button>
  )
}

interface Line {
  readonly from: string
  readonly to: string
  /** An SVG path. */
  readonly path: string
}

/** Lines between causes and effects, except within a points system. */
function toLines(placed: readonly Placed[]): readonly Line[] {
  const places = new Map(placed.map((each) => [each.node.id, each]))
  return placed.flatMap((to) =>
    to.node.from.flatMap((id) => {
      const from = places.get(id)
      if (from === undefined || from.node.within === to.node.id || to.node.within === id) return []
      return [{ from: id, to: to.node.id, path: toCurve(from, to) }]
    }),
  )
}

/** From the right of the cause to the left of the effect. In one column, a bend on the left joins them. */
function toCurve(from: Placed, to: Placed): string {
  const [y1, y2] = [from.y + HEIGHT / 2, to.y + HEIGHT / 2]
  const [x1, bend] = from.x === to.x ? [from.x, -BETWEEN / 2] : [from.x + WIDTH, BETWEEN]
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - Math.abs(bend)} ${y2} ${to.x} ${y2}`
}

const KIND_NAMES = {
  source: 'Cause',
  metric: 'Metric',
  streak: 'Streak',
  challenge: 'Challenge',
  achievement: 'Achievement',
  points: 'Points system',
  trigger: 'Trigger',
  level: 'Level',
  leaderboard: 'Leaderboard',
} as const

export function Chosen({ node, close }: { readonly node: GameNode | null; readonly close: () => void }): JSX.Element {
  return (
    <div class="card-body" role="status">
      {node === null ? (
        <p class="muted">Choose a part to see what belongs to it.</p>
      ) : (
        <div class="row">
          <span>
            {KIND_NAMES[node.kind]} <strong dir="auto">{node.name}</strong>
            {node.sentence === '' ? '' : `: ${node.sentence}`}
          </span>
          {node.page !== null && <a href={toPath(node.page)}>Open its page</a>}
          <Button class="quiet small" onClick={close}>
            Show all
          </Button>
        </div>
      )}
    </div>
  )
}
