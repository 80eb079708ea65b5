import UPlot from 'uplot'
import { formatDay, formatShort, toDate, toInstant } from './format.ts'

export interface Series {
  readonly name: string
  /** One for each date; null: nothing is known. */
  readonly values: readonly (number | null)[]
}

export interface ChartProps {
  /** What it shows, in words. */
  readonly label: string
  /** `YYYY-MM-DD`, the oldest first, without gaps. */
  readonly dates: readonly string[]
  readonly series: readonly Series[]
  /** `bars` of what was done on each date, `line` of what stood at its end. */
  readonly kind?: 'bars' | 'line'
  /** What else there is to say of a date, by its place, as the level then; `noteName`: what that is. */
  readonly noteOf?: (index: number) => string
  readonly noteName?: string
}

const HEIGHT = 180
/** The colours of the series, and then those of the axes, by the names of `styles/tokens.css`. */
const COLOURS = ['--accent', '--ice', '--gold', '--danger']

/** Draws into the empty `target`. `onCursor` receives the index of the date under the pointer, or `null`. */
export function drawChart(
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

/** Distances of gridlines of counts. */
const WHOLE: number[] = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

function isWhole(series: readonly Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
}

/** From 0, unless there is less; never of no height. */
function toRange(_: UPlot, lowest: number | null, highest: number | null): [number, number] {
  const from = Math.min(0, lowest ?? 0)
  const to = Math.max(0, highest ?? 0)
  return [from < 0 ? from * 1.1 : 0, to > 0 ? to * 1.1 : from < 0 ? 0 : 1]
}

/** A canvas takes no variables: what a name comes to is read from an element that has it as its colour. */
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

/** Each date from the first to the last, both included. */
export function toDates(from: string, to: string): readonly string[] {
  const count = Math.round((toInstant(to).getTime() - toInstant(from).getTime()) / 86_400_000) + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => toDate(toInstant(from), index))
}
