/// <reference lib="dom" preserve="true" />
import { h } from '../parts/dom.ts'
import { mark, type StreakView, told } from './marks.ts'
import type { ShownPeriod } from './periods.ts'

/** So many have room for a date each. */
const MOST_WITH_DATES = 14

/** Periods one after the other, as a list. */
export function row(periods: readonly ShownPeriod[], view: StreakView): HTMLElement {
  const hasDates = periods.length <= MOST_WITH_DATES
  const items = periods.map((period, index) => {
    const date = hasDates
      ? h('span', { class: 'date', 'aria-hidden': 'true' }, dateOf(period, view, periods.length))
      : null
    const isCurrent = index === periods.length - 1
    return h(
      'li',
      { part: 'period', 'aria-current': isCurrent ? 'date' : null },
      date,
      mark(period.state),
      told(period, view),
    )
  })
  const { formats, texts } = view
  const dates = formats.range(periods[0]?.start ?? '', periods.at(-1)?.end ?? '')
  const name = formats.label(texts.history, { dates })
  const days = view.frequency === 'daily' ? ' days' : ''
  return h(
    'ol',
    { class: hasDates ? `row dated${days}` : 'row', role: 'list', part: 'history', 'aria-label': name },
    ...items,
  )
}

function dateOf({ start }: ShownPeriod, { formats, frequency }: StreakView, count: number): string {
  if (frequency === 'monthly') return formats.month(start)
  if (frequency === 'weekly') return formats.shortDate(start)
  // More than a week has the same names twice.
  return count <= 7 ? formats.weekday(start, 'short') : formats.weekday(start, 'narrow')
}
