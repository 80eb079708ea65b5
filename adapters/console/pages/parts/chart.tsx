import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import { formatDate, formatDay, formatNumber, formatShort } from './format.ts'
import { Table } from './table.tsx'

/** Figures by date, as a picture and as a table. */
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
    // A canvas does not follow the colour scheme.
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

/** By the first segment of the address: strokes in a square of 24. */
const PATHS: { readonly [segment: string]: string } = {
  '': 'M4 20V11M10 20V4M16 20v-6M22 20H2',
  users: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14.5a7 7 0 0 1 4 6.5',
  achievements: 'M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM9 13l-2 8 5-3 5 3-2-8',
  leaderboards: 'M4 21V13h5v8M9.5 21V5h5v16M15 21v-5h5v5',
  retention: 'M20 11a8 8 0 1 0-2.5 6M20 4v7h-7M12 8v4l3 2',
  game: 'M5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM19 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM5 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 5c6 0 4 7 10 7M7 19c6 0 4-7 10-7',
  'what-if': 'M9 3h6M10 3v6L4 19a1.5 1.5 0 0 0 1.3 2h13.4a1.5 1.5 0 0 0 1.3-2l-6-10V3M7 15h10',
  integrity: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  keys: 'M8 20a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM11.5 11.5 20 3M16 7l3 3',
  outbox: 'M3 13l3-9h12l3 9v7H3zM3 13h5l1.5 3h5L16 13h5',
}

export function PageIcon({ segment }: { readonly segment: string }): JSX.Element {
  return <Strokes path={PATHS[segment] ?? ''} size={18} />
}

export function Brand(): JSX.Element {
  return (
    <Strokes
      path="M12 21c-5-1-8-5-8-11M12 21c5-1 8-5 8-11M4 10c2 0 3 1 3.5 3M20 10c-2 0-3 1-3.5 3M5 5c2 1 2.5 2.5 2 5M19 5c-2 1-2.5 2.5-2 5M6 16c2-.5 3.5 0 4.5 2M18 16c-2-.5-3.5 0-4.5 2"
      size={22}
    />
  )
}

function Strokes({ path, size }: { readonly path: string; readonly size: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

export interface Series {
  readonly name: string
  /** One for each date. `null`: unknown. */
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  /** What it shows, in words. */
  readonly label: string
  /** `YYYY-MM-DD`, the oldest first, without gaps. */
  readonly dates: readonly string[]
  readonly series: readonly Series[]
  /** `bars` for sums of each date, `line` for states at its end. */
  readonly kind?: 'bars' | 'line'
  /** A further fact about a date, by its index, such as the level. `noteName`: its column. */
  readonly noteOf?: (index: number) => string
  readonly noteName?: string
}

const HEIGHT = 180
/** The colours of the series: variables of `styles/base.css`. */
const COLOURS = ['--accent', '--ice', '--gold', '--danger']

/** Draws into the empty `target`. `onCursor` receives the index of the date under the pointer, or `null`. */
function drawChart(
  target: HTMLElement,
  { dates, series, kind = 'line' }: ChartProps,
  onCursor: (index: number | null) => void,
): UPlot {
  const colour = (name: string): string => resolveColour(target, name)
  const axis = {
    stroke: colour('--muted'),
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
  }
  const bars = UPlot.paths.bars?.({ size: [0.7, 24], radius: 0.15 })
  return new UPlot(
    {
      width: target.clientWidth,
      height: HEIGHT,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: (_, from, to) => [from - 0.6, to + 0.6] }, y: { range: toRange } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          space: 72,
          incrs: [1, 2, 7, 14, 30, 60, 90],
          values: (_, ticks) => ticks.map((tick) => (dates[tick] === undefined ? '' : formatDay(dates[tick]))),
        },
        {
          ...axis,
          size: 48,
          values: (_, ticks) => ticks.map(formatShort),
          ...(isWhole(series) ? { incrs: WHOLE } : {}),
        },
      ],
      series: [
        {},
        ...series.map(({ name }, index) => {
          const stroke = colour(COLOURS[index % COLOURS.length] ?? '--accent')
          const isBars = kind === 'bars' && bars !== undefined
          return {
            label: name,
            stroke,
            width: isBars ? 0 : 2,
            fill: isBars ? stroke : toTransparent(stroke, series.length === 1),
            points: { show: dates.length === 1 },
            ...(isBars ? { paths: bars } : {}),
          }
        }),
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onCursor(idx ?? null)] },
    },
    [dates.map((_, index) => index), ...series.map(({ values }) => [...values])],
    target,
  )
}

/** Distances of gridlines for whole numbers. */
const WHOLE: number[] = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

function isWhole(series: readonly Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
}

/** Includes 0, and is never empty. */
function toRange(_: UPlot, lowest: number | null, highest: number | null): [number, number] {
  const from = Math.min(0, lowest ?? 0)
  const to = Math.max(0, highest ?? 0)
  return [from < 0 ? from * 1.1 : 0, to > 0 ? to * 1.1 : from < 0 ? 0 : 1]
}

/** A canvas cannot read CSS variables, so an element resolves them. */
function resolveColour(target: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  target.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function toTransparent(colour: string, isFilled: boolean): string {
  return isFilled ? colour.replace(/^rgb\((.+)\)$/, 'rgba($1, 0.1)') : 'transparent'
}
