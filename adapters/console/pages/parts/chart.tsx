import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type UPlot from 'uplot'
import { type ChartProps, drawChart } from './draw-chart.ts'
import { formatDate, formatNumber } from './format.ts'
import { Table } from './table.tsx'

/** Figures by date: a picture, with the same as a table for who does not see it. */
export function Chart(props: ChartProps): JSX.Element {
  const { label, dates, series, noteOf } = props
  const box = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<number | null>(null)
  const [isTableOpen, setIsTableOpen] = useState(false)
  const isDark = useDark()

  useEffect(() => {
    const target = box.current
    if (target === null) return
    const chart: UPlot = drawChart(target, props, setShown)
    const observer = new ResizeObserver(() => chart.setSize({ width: target.clientWidth, height: chart.height }))
    observer.observe(target)
    return () => {
      observer.disconnect()
      chart.destroy()
    }
    // Its colours are those of the page.
  }, [isDark, label, dates, series])

  const at = shown ?? dates.length - 1
  return (
    <figure class="chart plain">
      <figcaption class="hidden-visually">{label}</figcaption>
      <div class="legend" aria-hidden="true">
        <span>{formatDate(dates[at] ?? '')}</span>
        {series.map(({ name, values }, index) => (
          <span key={name}>
            <span class={`swatch series-${index}`} />
            {name} <b>{formatValue(values[at])}</b>
          </span>
        ))}
        {noteOf !== undefined && <span>{noteOf(at)}</span>}
      </div>
      <div ref={box} aria-hidden="true" />
      <details onToggle={(event) => setIsTableOpen(event.currentTarget.open)}>
        <summary>As a table</summary>
        {isTableOpen && <ChartTable {...props} />}
      </details>
    </figure>
  )
}

function ChartTable({ label, dates, series, noteOf, noteName = 'Note' }: ChartProps): JSX.Element {
  return (
    <Table
      caption={label}
      columns={[
        { name: 'Date', cell: (index: number) => formatDate(dates[index] ?? ''), isHeader: true },
        ...series.map(({ name, values }) => ({
          name,
          kind: 'number' as const,
          cell: (index: number) => formatValue(values[index]),
        })),
        ...(noteOf === undefined ? [] : [{ name: noteName, cell: noteOf }]),
      ]}
      rows={dates.map((_, index) => dates.length - 1 - index)}
      keyOf={(index) => index}
    />
  )
}

function formatValue(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : formatNumber(value)
}

function useDark(): boolean {
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)')
    const update = (): void => setIsDark(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return isDark
}
