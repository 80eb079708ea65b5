/// <reference lib="dom" preserve="true" />
import { h, hidden } from '../parts/dom.ts'
import { describePeriod, type StreakView } from './marks.ts'
import type { ShownPeriod } from './periods.ts'
import { toMonths, toWeeks } from './weeks.ts'

/** A month needs this many columns for its name. */
const COLUMNS_OF_A_NAME = 3

/** Days as a table with a column for each week, walked through with the arrow keys. */
export function calendar(days: readonly ShownPeriod[], view: StreakView): HTMLElement {
  const { formats, texts } = view
  const weeks = toWeeks(days, formats.weekStartsOn)
  const dates = formats.range(days[0]?.start ?? '', days.at(-1)?.end ?? '')
  const months = toMonths(weeks).map((month) =>
    h(
      'th',
      { scope: 'colgroup', colspan: month.weeks },
      hidden(formats.month(month.date, 'long')),
      month.weeks < COLUMNS_OF_A_NAME
        ? null
        : h('span', { class: 'month', 'aria-hidden': 'true' }, formats.month(month.date)),
    ),
  )
  const last = days.at(-1)
  const cellOf = (day: ShownPeriod | null): HTMLElement => {
    if (day === null) return h('td', {})
    const text = hidden(describePeriod(day, view))
    const focus = { tabindex: day === last ? 0 : -1, 'data-focus': day.start }
    const current = day === last ? 'date' : null
    return h('td', { ...focus, class: `day ${day.state}`, part: `day ${day.state}`, 'aria-current': current }, text)
  }
  const rows = Array.from({ length: 7 }, (_, weekday) => {
    const date = weeks.flatMap((week) => week[weekday]?.start ?? [])[0] ?? ''
    const isNamed = weekday % 2 === 0
    const short = isNamed ? h('span', { 'aria-hidden': 'true' }, formats.weekday(date, 'short')) : null
    const head = h('th', { scope: 'row' }, hidden(formats.weekday(date, 'long')), short)
    return h('tr', {}, head, ...weeks.map((week) => cellOf(week[weekday] ?? null)))
  })
  const table = h(
    'table',
    { role: 'grid', part: 'history', 'aria-label': formats.label(texts.history, { dates }) },
    h('thead', {}, h('tr', {}, h('td', { class: 'corner' }), ...months)),
    h('tbody', {}, ...rows),
  )
  table.style.setProperty('--weeks', String(weeks.length))
  const detail = h('p', { class: 'detail muted', part: 'detail', 'aria-hidden': 'true' })
  detail.textContent = last === undefined ? '' : describePeriod(last, view)
  listen(table, (text) => {
    detail.textContent = text
  })
  return h('div', { class: 'calendar' }, h('div', { class: 'scroll' }, table), detail)
}

/** Arrow keys walk through the days; whichever is reached, or pointed at, is told. */
function listen(table: HTMLTableElement, tell: (text: string) => void): void {
  const cellAt = (row: number, column: number): HTMLElement | null => {
    const cell = table.tBodies[0]?.rows[row]?.cells[column]
    return cell?.classList.contains('day') === true ? cell : null
  }
  const dayOf = (event: Event): HTMLTableCellElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLTableCellElement>('td.day') : null
  const focus = (cell: HTMLElement): void => {
    for (const each of table.querySelectorAll('[tabindex="0"]')) each.setAttribute('tabindex', '-1')
    cell.setAttribute('tabindex', '0')
    cell.focus()
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  table.addEventListener('keydown', (event) => {
    const cell = dayOf(event)
    const row = cell?.parentElement
    if (cell === null || !(row instanceof HTMLTableRowElement)) return
    const step = stepOf(event.key, getComputedStyle(table).direction === 'rtl')
    if (step === null) return
    event.preventDefault()
    const place = { row: row.sectionRowIndex + step.days, column: cell.cellIndex + step.weeks }
    // Above the first day of a week stands the last one of the week before.
    if (place.row < 0 || place.row > 6) {
      place.column += Math.sign(step.days)
      place.row -= 7 * Math.sign(step.days)
    }
    const columns = row.cells.length - 1
    const column = Math.min(Math.max(place.column, 1), columns)
    const towards = step.weeks > 0 ? -1 : 1
    const next = cellAt(place.row, column) ?? (step.weeks === 0 ? null : cellAt(place.row, column + towards))
    if (next !== null) focus(next)
  })
  table.addEventListener('click', (event) => {
    const cell = dayOf(event)
    if (cell !== null) focus(cell)
  })
  for (const name of ['focusin', 'pointerover'] as const) {
    table.addEventListener(name, (event) => {
      const text = dayOf(event)?.textContent
      if (text) tell(text)
    })
  }
}

interface Step {
  readonly days: number
  readonly weeks: number
}

const STEPS: { readonly [key: string]: Step } = {
  ArrowUp: { days: -1, weeks: 0 },
  ArrowDown: { days: 1, weeks: 0 },
  ArrowLeft: { days: 0, weeks: -1 },
  ArrowRight: { days: 0, weeks: 1 },
  PageUp: { days: 0, weeks: -4 },
  PageDown: { days: 0, weeks: 4 },
  Home: { days: 0, weeks: -100 },
  End: { days: 0, weeks: 100 },
}

/** Where weeks go from right to left, the arrow to the left goes on. */
function stepOf(key: string, isRightToLeft: boolean): Step | null {
  const step = STEPS[key]
  if (step === undefined) return null
  return isRightToLeft && /^Arrow(?:Left|Right)$/.test(key) ? { days: 0, weeks: -step.weeks } : step
}
