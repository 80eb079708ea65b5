import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { navigate, toPath } from '../../router.ts'
import { Button } from '../controls.tsx'
import { scrolls } from '../table.tsx'
import { type Layout, layOut, moveFrom, type Placed, shorten, widthOf } from './layout.ts'
import { type GameGraph, type GameNode, relatedTo } from './nodes.ts'

interface PictureProps {
  readonly graph: GameGraph
  /** The part whose relations stay highlighted. `null`: none. */
  readonly chosen: string | null
  readonly choose: (id: string | null) => void
}

/** The smallest scale. With less room, the picture scrolls. */
const SMALLEST = 0.8

/**
 * The rules as a picture. One part is reached by Tab, the others by the arrow keys; the one that has the focus, is
 * pointed at or was chosen is set off with all that belongs to it.
 */
export function Picture({ graph, chosen, choose }: PictureProps): JSX.Element {
  const layout = useMemo(() => layOut(graph), [graph])
  const svg = useRef<SVGSVGElement>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const shown = pointed ?? focused ?? chosen
  const related = useMemo(() => (shown === null ? null : relatedTo(graph, shown)), [graph, shown])
  const entrance = focused ?? chosen ?? layout.nodes[0]?.node.id

  const onKeyDown = (event: KeyboardEvent, at: Placed): void => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (event.key === 'Enter' && chosen === at.node.id && at.node.page !== null) navigate(toPath(at.node.page))
      else choose(chosen === at.node.id ? null : at.node.id)
      return
    }
    if (event.key === 'Escape') choose(null)
    const next = moveFrom(layout, at, event.key)
    if (next === null) return
    event.preventDefault()
    svg.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(next.node.id)}"]`)?.focus()
  }

  return (
    <div class="game-picture" {...scrolls('The rules as a picture')}>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a group within a picture */}
      <svg
        ref={svg}
        style={{ minWidth: layout.width * SMALLEST, maxWidth: layout.width }}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        role="group"
        aria-label="The parts of the game, and what leads to what. The arrow keys move between them."
        onMouseLeave={() => setPointed(null)}
      >
        <Behind layout={layout} related={related} />
        {layout.nodes.map((placed) => (
          <Part
            key={placed.node.id}
            placed={placed}
            isDimmed={related !== null && !related.has(placed.node.id)}
            isChosen={chosen === placed.node.id}
            isEntrance={placed.node.id === entrance}
            onPoint={() => setPointed(placed.node.id)}
            onFocus={() => setFocused(placed.node.id)}
            onBlur={() => setFocused((before) => (before === placed.node.id ? null : before))}
            onChoose={() => choose(chosen === placed.node.id ? null : placed.node.id)}
            onKeyDown={(event) => onKeyDown(event, placed)}
          />
        ))}
      </svg>
    </div>
  )
}

/** Titles, lines and frames, behind the parts. */
function Behind({ layout, related }: { layout: Layout; related: ReadonlySet<string> | null }): JSX.Element {
  const classOf = (...ids: readonly string[]): string =>
    related === null ? '' : ids.every((id) => related.has(id)) ? ' related' : ' dimmed'
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
    <g aria-hidden="true">
      {layout.columns.map(({ title, x }) => (
        <text key={x} class="column" x={x} y="18">
          {title}
        </text>
      ))}
      {layout.lines.map(({ from, to, path }) => (
        <path key={`${from} ${to}`} class={`line${classOf(from, to)}`} d={path} />
      ))}
      {layout.boxes.map(({ id, x, y, width, height }) => (
        <rect key={id} class={`box${classOf(id)}`} x={x} y={y} width={width} height={height} rx="8" />
      ))}
    </g>
  )
}

interface PartProps {
  readonly placed: Placed
  readonly isDimmed: boolean
  readonly isChosen: boolean
  readonly isEntrance: boolean
  readonly onPoint: () => void
  readonly onFocus: () => void
  readonly onBlur: () => void
  readonly onChoose: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function Part(props: PartProps): JSX.Element {
  const { placed, isDimmed, isChosen, isEntrance, onPoint, onFocus, onBlur, onChoose, onKeyDown } = props
  const { node, x, y, width, height } = placed
  const { kind, name, note, sentence } = node
  const noteWidth = note === '' ? 0 : Math.min(width * 0.6, widthOf(note) + 12)
  return (
    <g class={`part ${kind}${isDimmed ? ' dimmed' : ''}`}>
      <title>{sentence === '' ? name : sentence}</title>
      {/* biome-ignore lint/a11y/useSemanticElements: there is no button within a picture */}
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="6"
        role="button"
        tabIndex={isEntrance ? 0 : -1}
        aria-pressed={isChosen}
        aria-label={[`${KIND_NAMES[kind]} ${name}`, note, sentence].filter((text) => text !== '').join('. ')}
        data-node={node.id}
        onMouseEnter={onPoint}
        onFocus={onFocus}
        onBlur={onBlur}
        onClick={onChoose}
        onKeyDown={onKeyDown}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus */}
      <g class="words" aria-hidden="true">
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: it cuts the name off; the title is that of the part */}
        <svg x={x + 10} y={y} width={width - 20 - noteWidth} height={height} overflow="hidden">
          <text y={height / 2} dy="0.35em">
            {shorten(name, width - 20 - noteWidth)}
          </text>
        </svg>
        {note !== '' && (
          <text class="note" x={x + width - 10} y={y + height / 2} dy="0.35em" text-anchor="end">
            {shorten(note, width * 0.6 - 12)}
          </text>
        )}
      </g>
    </g>
  )
}

const KIND_NAMES = {
  source: 'Cause',
  metric: 'Metric',
  streak: 'Streak',
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
        <p class="muted">Point at a part, or choose one, to see what belongs to it.</p>
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
