import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { formatNumber, plural } from '../format.ts'
import { Card } from '../page.tsx'
import { type Column, Table } from '../table.tsx'
import { Diverging } from './diverging.tsx'

const AT_FIRST = 25

interface ChangeTableProps<Row> {
  readonly title: string
  /** What a row is about: `Achievement`. */
  readonly of: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly name: (row: Row) => ComponentChildren
  /** What the chart shows to the right and to the left. */
  readonly more: (row: Row) => number
  readonly less: (row: Row) => number
  /** The figures, each with the name of its column. */
  readonly figures: readonly (readonly [name: string, figure: (row: Row) => number])[]
}

/** Who would gain and who would lose, as a chart and as figures; nothing where nobody would. */
export function ChangeTable<Row>(props: ChangeTableProps<Row>): JSX.Element | null {
  const { title, of, rows, keyOf, name, more, less, figures } = props
  const [shown, setShown] = useState(AT_FIRST)
  if (rows.length === 0) return null
  const most = Math.max(...rows.map((row) => Math.max(more(row), less(row))))
  const columns: readonly Column<Row>[] = [
    { name: of, isHeader: true, cell: name },
    { name: 'Less | more', cell: (row) => <Diverging more={more(row)} less={less(row)} most={most} /> },
    ...figures.map(([column, figure]) => ({
      name: column,
      kind: 'number' as const,
      cell: (row: Row) => formatNumber(figure(row)),
    })),
  ]
  return (
    <Card title={title} padded={false}>
      <Table caption={title} columns={columns} rows={rows.slice(0, shown)} keyOf={keyOf} />
      {rows.length > shown && (
        <div class="pager">
          <span class="muted">
            {formatNumber(shown)} of {plural(rows.length, 'row')}
          </span>
          <button type="button" class="small" onClick={() => setShown(rows.length)}>
            Show all
          </button>
        </div>
      )}
    </Card>
  )
}
