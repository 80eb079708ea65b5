/// <reference lib="dom" preserve="true" />
import { h, hidden, icon } from '../parts/dom.ts'
import type { Formats } from '../parts/formats.ts'
import type { StreakLabels } from './labels.ts'
import type { PeriodState, ShownPeriod } from './periods.ts'

export type Frequency = 'daily' | 'weekly' | 'monthly'

/** What the parts of a streak are drawn with. */
export interface StreakView {
  readonly texts: StreakLabels
  readonly formats: Formats
  readonly frequency: Frequency
}

const SIGNS: { readonly [State in PeriodState]: string | null } = {
  kept: 'M9.6 17.6 4.4 12.4l1.9-1.9 3.3 3.3 8.1-8.1 1.9 1.9z',
  frozen:
    'M11 2h2v3.2l2.2-1.6 1 1.5L13 7.4v2.9l2.5-1.5.6-4 1.8.3-.4 2.7 2.8-1.6 1 1.7-2.8 1.6 2.5 1-.7 1.7-3.7-1.5L13.9 12l2.6 1.5 3.7-1.5.7 1.7-2.5 1 2.8 1.6-1 1.7-2.8-1.6.4 2.7-1.8.3-.6-4-2.5-1.5v2.9l3.2 2.3-1 1.5-2.2-1.6V22h-2v-3l-2.2 1.6-1-1.5 3.2-2.3v-2.9l-2.5 1.5-.6 4-1.8-.3.4-2.7-2.8 1.6-1-1.7 2.8-1.6-2.5-1 .7-1.7 3.7 1.5L10.1 12l-2.6-1.5-3.7 1.5-.7-1.7 2.5-1-2.8-1.6 1-1.7 2.8 1.6-.4-2.7 1.8-.3.6 4 2.5 1.5V7.4L7.8 5.1l1-1.5L11 5.2z',
  paused: 'M7 5h3.6v14H7zm6.4 0H17v14h-3.6z',
  lost: 'M6.7 4.9 12 10.2l5.3-5.3 1.8 1.8-5.3 5.3 5.3 5.3-1.8 1.8-5.3-5.3-5.3 5.3-1.8-1.8 5.3-5.3-5.3-5.3z',
  open: null,
  none: null,
}

/** The sign of a state, told from others by its form too. */
export function mark(state: PeriodState): HTMLElement {
  const sign = SIGNS[state]
  return h('span', { class: `mark ${state}`, part: `mark ${state}` }, sign === null ? null : icon(sign))
}

/** The snowflake of freezes. */
export function snowflake(): SVGSVGElement {
  return icon(SIGNS.frozen ?? '')
}

/** `Monday, March 9, 2026: kept, 5 days` */
export function describePeriod({ start, end, length, state }: ShownPeriod, view: StreakView): string {
  const { texts, formats, frequency } = view
  const date =
    frequency === 'daily'
      ? formats.longDate(start)
      : frequency === 'weekly'
        ? formats.range(start, end)
        : formats.month(start, 'long')
  const values = { date, state: formats.label(texts[labelOf(state, frequency)]) }
  if (length === 0) return formats.label(texts.emptyPeriod, values)
  return formats.label(texts.period, { ...values, streak: formats.label(texts[frequency], { count: length }) })
}

function labelOf(state: PeriodState, frequency: Frequency): PeriodState | 'openWeek' | 'openMonth' {
  if (state !== 'open' || frequency === 'daily') return state
  return frequency === 'weekly' ? 'openWeek' : 'openMonth'
}

/** What the signs mean, of the states that are there. */
export function legend(
  periods: readonly ShownPeriod[],
  { texts, formats, frequency }: StreakView,
  isCalendar: boolean,
): HTMLElement {
  const order: readonly PeriodState[] = ['kept', 'frozen', 'paused', 'lost', 'open', 'none']
  const seen = new Set(periods.map(({ state }) => state))
  const items = order
    .filter((state) => seen.has(state))
    .map((state) => {
      const sign = isCalendar ? h('span', { class: `swatch ${state}`, part: `mark ${state}` }) : mark(state)
      return h('li', {}, sign, formats.label(texts[labelOf(state, frequency)]))
    })
  return h('ul', { class: 'legend', role: 'list', part: 'legend', 'aria-label': formats.label(texts.legend) }, ...items)
}

/** A text for those who do not see the signs. */
export function told(period: ShownPeriod, view: StreakView): HTMLElement {
  return hidden(describePeriod(period, view))
}
