import type { JSX } from 'preact'
import '../../styles/what-if.css'

interface DivergingProps {
  /** To the right. */
  readonly more: number
  /** To the left. */
  readonly less: number
  /** The largest of the whole chart, which fills one side. */
  readonly most: number
}

/** One line of a chart of who gains and who loses; the numbers stand beside it in the table. */
export function Diverging({ more, less, most }: DivergingProps): JSX.Element {
  const [right, left] = [toWidth(more, most), toWidth(less, most)]
  return (
    <svg class="diverging" viewBox="-100 0 200 16" preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="0" y1="0" y2="16" class="axis" />
      <rect x={-left} y="3" width={left} height="10" class="less" />
      <rect x="0" y="3" width={right} height="10" class="more" />
    </svg>
  )
}

/** What is there is seen, however little it is. */
function toWidth(count: number, most: number): number {
  return count === 0 || most === 0 ? 0 : Math.max(1, (count / most) * 100)
}
