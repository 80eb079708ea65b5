/// <reference lib="dom" preserve="true" />

import type { UserStreak } from '../../../src/shapes/streaks.ts'
import { type Formats, toDayNumber } from '../parts/formats.ts'
import { h, hidden, icon } from '../parts/markup.ts'
import type { StreakLabels } from './labels.ts'

/** A month needs this many columns for its name. */
const COLUMNS_OF_A_NAME = 3

/** Days as a table with a column for each week, walked through with the arrow keys. */
export function calendar(days: readonly ShownPeriod[], view: StreakRendering): HTMLElement {
  const { formats, texts } = view
  const weeks = toWeeks(days, formats.weekStartsOn)
  const dates = formats.range(days[0]?.start ?? '', days.at(-1)?.end ?? '')
  const months = toMonths(weeks).map((month) => {
    const short = h('span', { class: 'month', 'aria-hidden': 'true' }, formats.month(month.date))
    const name = hidden(formats.month(month.date, 'long'))
    const span = { scope: 'colgroup', colspan: month.weeks }
    return h('th', span, name, month.weeks < COLUMNS_OF_A_NAME ? null : short)
  })
  const last = days.at(-1)
  const cells = new Map(days.map((day) => [day, cellOf(day, day === last, view)]))
  const rows = Array.from({ length: 7 }, (_, weekday) => {
    const date = weeks.flatMap((week) => week[weekday]?.start ?? [])[0] ?? ''
    const isNamed = weekday % 2 === 0
    const short = isNamed ? h('span', { 'aria-hidden': 'true' }, formats.weekday(date, 'short')) : null
    const head = h('th', { scope: 'row' }, hidden(formats.weekday(date, 'long')), short)
    const own = weeks.map((week) => week[weekday]).map((day) => (day && cells.get(day)) ?? h('td'))
    return h('tr', {}, head, ...own)
  })
  const table = h(
    'table',
    { role: 'grid', part: 'history', 'aria-label': formats.label(texts.history, { dates }) },
    h('thead', {}, h('tr', {}, h('td', { class: 'corner' }), ...months)),
    h('tbody', {}, ...rows),
  )
  table.style.setProperty('--weeks', String(weeks.length))
  const newest = last === undefined ? '' : describePeriod(last, view)
  const detail = h('p', { class: 'detail muted', part: 'detail', 'aria-hidden': 'true' }, newest)
  listen(table, [...cells.values()], (text) => detail.replaceChildren(text))
  return h('div', { class: 'calendar' }, h('div', { class: 'scroll' }, table), detail)
}

function cellOf(day: ShownPeriod, isLast: boolean, view: StreakRendering): HTMLElement {
  const focus = { tabindex: isLast ? 0 : -1, 'data-focus': day.start, 'aria-current': isLast && 'date' }
  const state = `day ${day.state}`
  return h('td', { ...focus, class: state, part: state }, hidden(describePeriod(day, view)))
}

/** Keys move through `days`, in their order. `tell` receives the text of the day that has the focus or the pointer. */
function listen(table: HTMLTableElement, days: readonly HTMLElement[], tell: (text: string) => void): void {
  const dayOf = ({ target }: Event): HTMLElement | undefined =>
    days.find((day) => target instanceof Node && day.contains(target))
  const focus = (cell: HTMLElement | undefined): void => {
    if (cell === undefined) return
    for (const each of table.querySelectorAll('[tabindex="0"]')) each.setAttribute('tabindex', '-1')
    cell.setAttribute('tabindex', '0')
    cell.focus()
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  table.addEventListener('keydown', (event) => {
    const day = dayOf(event)
    const step = stepOf(event.key, getComputedStyle(table).direction === 'rtl')
    if (day === undefined || step === undefined) return
    event.preventDefault()
    let next = days.indexOf(day) + step
    // Steps by weeks keep the weekday.
    while (step < -1 && next < 0) next += 7
    while (step > 1 && next >= days.length) next -= 7
    focus(days[next])
  })
  table.addEventListener('click', (event) => focus(dayOf(event)))
  for (const name of ['focusin', 'pointerover'] as const) {
    table.addEventListener(name, (event) => {
      const text = dayOf(event)?.textContent
      if (text) tell(text)
    })
  }
}

/** Days, by key. If weeks run from right to left, the left arrow moves forward. */
function stepOf(key: string, isRightToLeft: boolean): number | undefined {
  const week = isRightToLeft ? -7 : 7
  const arrows = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -week, ArrowRight: week }
  return new Map(Object.entries({ ...arrows, PageUp: -28, PageDown: 28, Home: -700, End: 700 })).get(key)
}

/** Seven days from the first of the week on, or `null` if not in the history. */
export type Week<Day> = readonly (Day | null)[]

/** Days by weeks, for a calendar with a column each. `weekStartsOn`: 1 is Monday, 7 Sunday. */
export function toWeeks<Day extends { readonly start: string }>(
  days: readonly Day[],
  weekStartsOn: number,
): readonly Week<Day>[] {
  const weeks: (Day | null)[][] = []
  const toPlace = (date: string): number => (toDayNumber(date) ?? 0) + THURSDAY - weekStartsOn
  const first = Math.floor(toPlace(days[0]?.start ?? '') / 7)
  for (const day of days) {
    const place = toPlace(day.start)
    const index = Math.floor(place / 7) - first
    if (index < 0 || index > MOST_WEEKS) continue
    while (weeks.length <= index) weeks.push(new Array(7).fill(null))
    weeks[index]?.splice(((place % 7) + 7) % 7, 1, day)
  }
  return weeks
}

/** The day with the number 0, 1970-01-01. */
const THURSDAY = 4
/** The most weeks of a calendar. */
const MOST_WEEKS = 60

export interface MonthOfWeeks {
  /** A date in it. */
  readonly date: string
  /** How many weeks, one after the other, begin in it. */
  readonly weeks: number
}

/** The months above the columns: a week is of the month in which its first day lies. */
export function toMonths(weeks: readonly Week<{ readonly start: string }>[]): readonly MonthOfWeeks[] {
  const months: { date: string; weeks: number }[] = []
  for (const week of weeks) {
    const date = week.find((day) => day !== null)?.start ?? ''
    const last = months.at(-1)
    if (last !== undefined && last.date.slice(0, 7) === date.slice(0, 7)) last.weeks += 1
    else months.push({ date, weeks: 1 })
  }
  return months
}

/**
 * `open`: the current period, in which the streak can still be extended. `none`: there was no streak, and none was lost.
 * `neutral`: a day off that did not extend the streak.
 */
export type PeriodState = 'kept' | 'frozen' | 'paused' | 'lost' | 'open' | 'none' | 'neutral'

export interface ShownPeriod {
  readonly start: string
  readonly end: string
  /** The length of the streak, in periods. */
  readonly length: number
  readonly state: PeriodState
}

/** An answer of the API has no more. */
const MOST_PERIODS = 400

/**
 * The state of each period of the history, the oldest first. The last is the user's own today, this week or this month.
 */
export function toPeriods({
  streakHistory,
  pauses,
  expires,
}: Pick<UserStreak, 'streakHistory' | 'pauses' | 'expires'>): readonly ShownPeriod[] {
  return streakHistory
    .map((item, index): ShownPeriod => {
      const { periodStart: start, periodEnd: end, length } = item
      const before = streakHistory[index - 1]?.length
      const isCurrent = index === streakHistory.length - 1
      const state = (): PeriodState => {
        if (item.usedFreeze === true) return 'frozen'
        if (item.usedPause) return 'paused'
        // A day off that extended the streak looks as any other day.
        if (item.neutral === true && length <= (before ?? length)) return 'neutral'
        if (!isCurrent) return length > 0 ? 'kept' : (before ?? 0) > 0 ? 'lost' : 'none'
        // Until it is extended the current period has the length of the one before.
        const isExtended = before === undefined ? expires !== null && expires > end : length !== before
        if (length > 0 && isExtended) return 'kept'
        return pauses.some((pause) => pause.start <= start && start <= pause.end) ? 'paused' : 'open'
      }
      return { start, end, length, state: state() }
    })
    .slice(-MOST_PERIODS)
}

export type StreakFrequency = 'daily' | 'weekly' | 'monthly'

/** The values that the parts of a streak are drawn from. */
export interface StreakRendering {
  readonly texts: StreakLabels
  readonly formats: Formats
  readonly frequency: StreakFrequency
}

const SIGNS: { readonly [State in PeriodState]: string | null } = {
  kept: 'M9.6 17.6 4.4 12.4l1.9-1.9 3.3 3.3 8.1-8.1 1.9 1.9z',
  frozen:
    'M11 2h2v3.2l2.2-1.6 1 1.5L13 7.4v2.9l2.5-1.5.6-4 1.8.3-.4 2.7 2.8-1.6 1 1.7-2.8 1.6 2.5 1-.7 1.7-3.7-1.5L13.9 12l2.6 1.5 3.7-1.5.7 1.7-2.5 1 2.8 1.6-1 1.7-2.8-1.6.4 2.7-1.8.3-.6-4-2.5-1.5v2.9l3.2 2.3-1 1.5-2.2-1.6V22h-2v-3l-2.2 1.6-1-1.5 3.2-2.3v-2.9l-2.5 1.5-.6 4-1.8-.3.4-2.7-2.8 1.6-1-1.7 2.8-1.6-2.5-1 .7-1.7 3.7 1.5L10.1 12l-2.6-1.5-3.7 1.5-.7-1.7 2.5-1-2.8-1.6 1-1.7 2.8 1.6-.4-2.7 1.8-.3.6 4 2.5 1.5V7.4L7.8 5.1l1-1.5L11 5.2z',
  paused: 'M7 5h3.6v14H7zm6.4 0H17v14h-3.6z',
  lost: 'M6.7 4.9 12 10.2l5.3-5.3 1.8 1.8-5.3 5.3 5.3 5.3-1.8 1.8-5.3-5.3-5.3 5.3-1.8-1.8 5.3-5.3-5.3-5.3z',
  open: null,
  none: null,
  neutral: 'M6 11h12v2H6z',
}

/** The sign of a state. Its shape differs too, not only its colour. */
export function mark(state: PeriodState): HTMLElement {
  const sign = SIGNS[state]
  return h('span', { class: `mark ${state}`, part: `mark ${state}` }, sign === null ? null : icon(sign))
}

/** The snowflake of freezes. */
export function snowflake(): SVGSVGElement {
  return icon(SIGNS.frozen ?? '')
}

/** `Monday, March 9, 2026: kept, 5 days` */
export function describePeriod({ start, end, length, state }: ShownPeriod, view: StreakRendering): string {
  const { texts, formats, frequency } = view
  const daily = frequency === 'daily' ? formats.longDate(start) : formats.month(start, 'long')
  const date = frequency === 'weekly' ? formats.range(start, end) : daily
  const values = { date, state: formats.label(texts[labelOf(state, frequency)]) }
  if (length === 0) return formats.label(texts.emptyPeriod, values)
  return formats.label(texts.period, { ...values, streak: formats.label(texts[frequency], { count: length }) })
}

function labelOf(state: PeriodState, frequency: StreakFrequency): PeriodState | 'openWeek' | 'openMonth' {
  if (state !== 'open' || frequency === 'daily') return state
  return frequency === 'weekly' ? 'openWeek' : 'openMonth'
}

/** The meaning of the signs, for the states that occur. */
export function legend(
  periods: readonly ShownPeriod[],
  { texts, formats, frequency }: StreakRendering,
  isCalendar: boolean,
): HTMLElement {
  const order: readonly PeriodState[] = ['kept', 'frozen', 'paused', 'lost', 'open', 'none', 'neutral']
  const seen = new Set(periods.map(({ state }) => state))
  const items = order
    .filter((state) => seen.has(state))
    .map((state) => {
      const sign = isCalendar ? h('span', { class: `swatch ${state}`, part: `mark ${state}` }) : mark(state)
      return h('li', {}, sign, formats.label(texts[labelOf(state, frequency)]))
    })
  return h('ul', { class: 'legend', role: 'list', part: 'legend', 'aria-label': formats.label(texts.legend) }, ...items)
}

/** At most this many periods have room for a date each. */
const MOST_WITH_DATES = 14

/** Periods one after the other, as a list. */
export function periodRow(periods: readonly ShownPeriod[], view: StreakRendering): HTMLElement {
  const hasDates = periods.length <= MOST_WITH_DATES
  const items = periods.map((period, index) => {
    const text = dateOf(period, view, periods.length)
    const date = hasDates ? h('span', { class: 'date', 'aria-hidden': 'true' }, text) : null
    const attributes = { part: 'period', 'aria-current': index === periods.length - 1 && 'date' }
    return h('li', attributes, date, mark(period.state), hidden(describePeriod(period, view)))
  })
  const { formats, texts } = view
  const dates = formats.range(periods[0]?.start ?? '', periods.at(-1)?.end ?? '')
  const name = formats.label(texts.history, { dates })
  const days = view.frequency === 'daily' ? ' days' : ''
  const kind = hasDates ? `row dated${days}` : 'row'
  return h('ol', { class: kind, role: 'list', part: 'history', 'aria-label': name }, ...items)
}

function dateOf({ start }: ShownPeriod, { formats, frequency }: StreakRendering, count: number): string {
  if (frequency === 'monthly') return formats.month(start)
  if (frequency === 'weekly') return formats.shortDate(start)
  // More than a week has the same names twice.
  return count <= 7 ? formats.weekday(start, 'short') : formats.weekday(start, 'narrow')
}
