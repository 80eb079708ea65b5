import type { GameGraph, GameNode } from './nodes.ts'

export interface Placed {
  readonly node: GameNode
  readonly column: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The frame around a points system with its triggers and its levels. */
export interface Box {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Line {
  readonly from: string
  readonly to: string
  /** An SVG path. */
  readonly path: string
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly columns: readonly { readonly title: string; readonly x: number }[]
  /** Column by column, from the top. */
  readonly nodes: readonly Placed[]
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
}

const WIDTH = 184
const HEIGHT = 34
const ROW = 26
const GAP = 12
const BETWEEN = 46
const TOP = 40
const INSET = 8

/** Places the parts in columns, each to the right of its causes, so that few lines cross. */
export function layOut(graph: GameGraph): Layout {
  const columns = toColumns(graph)
  const placed = new Map<string, Placed>()
  const boxes: Box[] = []
  columns.forEach(({ nodes }, column) => {
    const x = column * (WIDTH + BETWEEN) + 1
    let y = TOP
    for (const node of sortByCauses(nodes, graph, placed)) {
      const own = graph.nodes.filter(({ within }) => within === node.id)
      placed.set(node.id, { node, column, x, y, width: WIDTH, height: HEIGHT })
      if (node.kind !== 'points') {
        y += HEIGHT + GAP
        continue
      }
      own.forEach((part, index) => {
        const at = y + HEIGHT + 4 + index * ROW
        placed.set(part.id, { node: part, column, x: x + INSET, y: at, width: WIDTH - 2 * INSET, height: ROW - 4 })
      })
      const height = HEIGHT + 4 + own.length * ROW + INSET
      boxes.push({ id: node.id, x, y, width: WIDTH, height })
      y += height + 2 * GAP
    }
  })
  const all = [...placed.values()]
  return {
    width: columns.length * (WIDTH + BETWEEN) - BETWEEN + 2,
    height: Math.max(TOP, ...all.map(({ y, height }) => y + height), ...boxes.map(({ y, height }) => y + height)) + 2,
    columns: columns.map(({ title }, column) => ({ title, x: column * (WIDTH + BETWEEN) + 1 })),
    nodes: all,
    boxes,
    lines: toLines(all, placed),
  }
}

interface Column {
  readonly title: string
  readonly nodes: readonly GameNode[]
}

function toColumns(graph: GameGraph): readonly Column[] {
  const of = (...kinds: readonly GameNode['kind'][]): readonly GameNode[] =>
    graph.nodes.filter(({ kind }) => kinds.includes(kind))
  const depths = depthsOf(of('achievement'), graph)
  const deepest = Math.max(0, ...depths.values())
  const columns = [
    { title: 'What happens', nodes: of('source', 'metric') },
    { title: 'Streaks', nodes: of('streak') },
    ...Array.from({ length: deepest + 1 }, (_, depth) => ({
      title: depth === 0 ? 'Achievements' : depth === 1 ? 'Made up of these' : 'And of those',
      nodes: of('achievement').filter(({ id }) => depths.get(id) === depth),
    })),
    { title: 'Points', nodes: of('points') },
    { title: 'Leaderboards', nodes: of('leaderboard') },
  ]
  return columns.filter(({ nodes }) => nodes.length > 0)
}

/** The longest chain of achievements before each. A game has no cycles. */
function depthsOf(achievements: readonly GameNode[], graph: GameGraph): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  const depthOf = (id: string, seen: number): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    const causes = (graph.byId.get(id)?.from ?? []).filter((cause) => graph.byId.get(cause)?.kind === 'achievement')
    const depth = seen > achievements.length ? 0 : Math.max(-1, ...causes.map((cause) => depthOf(cause, seen + 1))) + 1
    depths.set(id, depth)
    return depth
  }
  for (const { id } of achievements) depthOf(id, 0)
  return depths
}

/** Sorts parts by the middle of their causes. Parts without a cause keep the order of the game. */
function sortByCauses(
  nodes: readonly GameNode[],
  graph: GameGraph,
  placed: ReadonlyMap<string, Placed>,
): readonly GameNode[] {
  const middleOf = (node: GameNode): number => {
    const causes =
      node.kind === 'points' ? node.from.flatMap((trigger) => graph.byId.get(trigger)?.from ?? []) : node.from
    const heights = causes.flatMap((cause) => placed.get(cause)?.y ?? [])
    return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length
  }
  return nodes
    .map((node, index) => ({ node, index, middle: middleOf(node) }))
    .sort((left, right) => left.middle - right.middle || left.index - right.index)
    .map(({ node }) => node)
}

/** Lines between causes and effects, except within a frame. */
function toLines(all: readonly Placed[], placed: ReadonlyMap<string, Placed>): readonly Line[] {
  return all.flatMap((to) =>
    to.node.from.flatMap((id) => {
      const from = placed.get(id)
      if (from === undefined || from.node.within === to.node.id || to.node.within === id) return []
      return [{ from: id, to: to.node.id, path: toPath(from, to) }]
    }),
  )
}

function toPath(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  const bend = Math.max(24, Math.min(BETWEEN, (x2 - x1) / 2))
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}

let context: CanvasRenderingContext2D | null = null

/** The width of a text in pixels. */
export function widthOf(text: string): number {
  if (context === null) {
    context = document.createElement('canvas').getContext('2d')
    if (context !== null) context.font = `13px ${getComputedStyle(document.body).fontFamily}`
  }
  return context?.measureText(text).width ?? text.length * 8
}

/** Shortens a text to the room, with an ellipsis. Never splits a grapheme. */
export function shorten(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  let [fits, tooLong] = [0, letters.length]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (widthOf(`${letters.slice(0, middle).join('')}…`) <= room) fits = middle
    else tooLong = middle
  }
  return `${letters.slice(0, Math.max(1, fits)).join('')}…`
}

/** The target of an arrow key: up and down in the column, left and right to the nearest part. `null`: none. */
export function moveFrom({ nodes, columns }: Layout, from: Placed, key: string): Placed | null {
  const inColumn = (column: number): readonly Placed[] =>
    nodes.filter((placed) => placed.column === column).toSorted((left, right) => left.y - right.y)
  const own = inColumn(from.column)
  const index = own.findIndex(({ node }) => node.id === from.node.id)
  switch (key) {
    case 'ArrowUp':
      return own[index - 1] ?? null
    case 'ArrowDown':
      return own[index + 1] ?? null
    case 'Home':
      return own[0] ?? null
    case 'End':
      return own.at(-1) ?? null
    case 'ArrowLeft':
      return nearest(inColumn(from.column - 1), from)
    case 'ArrowRight':
      return from.column + 1 < columns.length ? nearest(inColumn(from.column + 1), from) : null
    default:
      return null
  }
}

function nearest(among: readonly Placed[], to: Placed): Placed | null {
  const distance = ({ y }: Placed): number => Math.abs(y - to.y)
  return among.reduce<Placed | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null,
  )
}
