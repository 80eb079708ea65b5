import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { formatDate, formatDay, formatNumber, formatShort } from './format.ts'
import { Table } from './table.tsx'

export interface Series {
  readonly name: string
  /** One value for each date. */
  readonly values: readonly number[]
}

interface ChartProps {
  /** The content of the chart, in words. */
  readonly label: string
  /** `YYYY-MM-DD`, the oldest first, without gaps. */
  readonly dates: readonly string[]
  readonly series: readonly Series[]
  /** `bars` for sums of each date, `line` for states at its end. */
  readonly kind?: 'bars' | 'line'
}

/** By the index of the series. */
const COLOURS = ['var(--accent)', 'var(--ice)', 'var(--gold)', 'var(--danger)']

/** Figures by date, as a picture and as a table. */
export function Chart(props: ChartProps): JSX.Element {
  const { label, dates, series } = props
  const [shown, setShown] = useState<number | null>(null)
  const at = shown ?? dates.length - 1
  return (
    <figure class="chart plain">
      <figcaption class="hidden-visually">{label}</figcaption>
      <div class="legend" aria-hidden="true">
        <span>{formatDate(dates[at] ?? '')}</span>
        {series.map(({ name, values }, index) => (
          <span key={name}>
            <span class="swatch" style={{ color: COLOURS[index] }} />
            {name} <b>{formatNumber(values[at] ?? 0)}</b>
          </span>
        ))}
      </div>
      <Plot {...props} show={setShown} />
      <details>
        <summary>As a table</summary>
        <ChartTable {...props} />
      </details>
    </figure>
  )
}

/** Receives the index of the date under the pointer, or `null`. */
type Show = (index: number | null) => void

/** A date is one unit wide, and the range of the values is 100 units high. */
function Plot({ dates, series, kind = 'line', show }: ChartProps & { readonly show: Show }): JSX.Element {
  const all = series.flatMap(({ values }) => values)
  const low = Math.min(0, ...all)
  const high = Math.max(0, ...all) || 1
  const toY = (value: number): number => (100 * (high - value)) / (high - low)
  const toPath = (value: number, index: number): string =>
    kind === 'bars'
      ? `M${index + 0.15} ${toY(0)}V${toY(value)}h.7V${toY(0)}z`
      : `${index === 0 ? 'M' : 'L'}${index + 0.5} ${toY(value)}h0`
  return (
    <div class="plot" aria-hidden="true">
      <small>{formatShort(high)}</small>
      <svg
        viewBox={`0 0 ${dates.length} 100`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onPointerMove={({ offsetX, currentTarget }) =>
          show(Math.min(dates.length - 1, Math.floor((offsetX / currentTarget.clientWidth) * dates.length)))
        }
        onPointerLeave={() => show(null)}
      >
        {series.map(({ name, values }, index) => (
          <path key={name} class={kind} style={{ color: COLOURS[index] }} d={values.map(toPath).join('')} />
        ))}
      </svg>
      <small>
        <span>{formatDay(dates[0] ?? '')}</span>
        <span>{formatDay(dates.at(-1) ?? '')}</span>
      </small>
    </div>
  )
}

function ChartTable({ label, dates, series }: ChartProps): JSX.Element {
  return (
    <Table
      caption={label}
      columns={[
        { name: 'Date', cell: (index: number) => formatDate(dates[index] ?? ''), isHeader: true },
        ...series.map(({ name, values }) => ({
          name,
          kind: 'number' as const,
          cell: (index: number) => formatNumber(values[index] ?? 0),
        })),
      ]}
      rows={dates.map((_, index) => dates.length - 1 - index)}
    />
  )
}
