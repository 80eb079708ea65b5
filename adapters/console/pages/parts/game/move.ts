import type { Layout, Placed } from './layout.ts'

/** Where an arrow key leads: up and down within a column, left and right to the nearest of the next one; null: nowhere. */
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
