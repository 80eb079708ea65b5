/// <reference lib="dom" preserve="true" />

import type { UserStreak } from '../../src/shapes/streaks.ts'
import { define, LaurelsElement, type Take } from './parts/element.ts'
import { h, icon } from './parts/markup.ts'
import {
  calendar,
  legend,
  periodRow,
  type ShownPeriod,
  type StreakRendering,
  snowflake,
  toPeriods,
} from './streak/calendar.ts'
import { STREAK_LABELS, STREAK_STYLES, type StreakLabels } from './streak/labels.ts'

export type { StreakLabels } from './streak/labels.ts'

/** The calls that `<laurels-streak>` makes on a client of `laurels/client`. */
export interface StreakClient {
  readonly users: {
    streak(
      id: string,
      request?: { readonly historyPeriods?: number; readonly streak?: string },
      options?: { readonly signal: AbortSignal },
    ): Promise<UserStreak>
  }
}

/** More days than these are a calendar with a column for each week. */
const MOST_IN_A_ROW = 31

const FLAME =
  'M12.6 1.5c.5 3.2-.7 4.9-2.3 6.7C8.5 10.2 6 12.4 6 16c0 3.7 2.7 6.5 6 6.500s6-2.800 6-6.500c0-2.200-.8-4.200-2-5.900-.2 1.400-.8 2.400-1.900 3.100.5-3.900.2-8.100-1.500-11.700z'

/**
 * `<laurels-streak user-id="18" streak="reading" periods="365">`: a user's streak with the date by which to extend it,
 * freezes, pauses and history. More than 31 days of history are a calendar, anything else is a row.
 */
export class StreakElement extends LaurelsElement<UserStreak, StreakClient, StreakLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'streak', 'periods']

  protected readonly defaults: StreakLabels = STREAK_LABELS
  protected readonly styles: string = STREAK_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id', 'streak', 'periods']

  /** The number of periods of history to load: the attribute `periods`, 0 to 400. Default 7. */
  get periods(): number {
    const given = Number(this.getAttribute('periods') ?? 7)
    return Number.isInteger(given) && given >= 0 ? Math.min(given, 400) : 7
  }

  set periods(periods: number) {
    this.setAttribute('periods', String(periods))
  }

  protected async load(client: StreakClient, signal: AbortSignal): Promise<Take> {
    const streak = this.getAttribute('streak')
    const request = { historyPeriods: this.periods, ...(streak ? { streak } : {}) }
    const data = await client.users.streak(this.userId, request, { signal })
    return () => this.show(data)
  }

  protected view(data: UserStreak): readonly (Node | null)[] {
    const { texts, formats } = this
    const view = { texts, formats, frequency: data.frequency }
    const periods = toPeriods(data)
    const isCalendar = data.frequency === 'daily' && periods.length > MOST_IN_A_ROW
    const history = isCalendar ? calendar(periods, view) : periodRow(periods, view)
    return [head(data, periods, view), ...(periods.length === 0 ? [] : [history, legend(periods, view, isCalendar)])]
  }

  protected override drawn(): void {
    // The newest weeks are at the end, which does not show if there is little room.
    const scroll = this.shadowRoot?.querySelector('.scroll')
    if (scroll === null || scroll === undefined) return
    if (!scroll.contains(this.shadowRoot?.activeElement ?? null)) scroll.scrollTo({ left: scroll.scrollWidth })
  }
}

function head(streak: UserStreak, periods: readonly ShownPeriod[], view: StreakRendering): HTMLElement {
  const { texts, formats, frequency } = view
  const { length, freezes, maxFreezes, pauses } = streak
  const flame = h('span', { class: length > 0 ? 'flame lit' : 'flame', 'aria-hidden': 'true' }, icon(FLAME))
  const count = h('p', { class: 'count', part: 'count' }, formats.label(texts[frequency], { count: length }))
  const expires = h('p', { class: 'muted', part: 'expires' }, untilWhen(streak, periods, view))
  const paused = pauses.slice(0, 3).map(({ start, end }) => {
    const text = formats.label(texts.pause, { dates: formats.range(start, end) })
    return h('p', { class: 'muted', part: 'pause' }, text)
  })
  const head = h('div', { class: 'head' }, flame, h('div', { class: 'now' }, count, expires, ...paused))
  if (freezes === undefined) return head
  const text = formats.label(texts.freezes, { count: freezes, max: maxFreezes ?? freezes })
  head.append(h('p', { class: 'freezes', part: 'freezes' }, snowflake(), text))
  return head
}

function untilWhen({ length, expires }: UserStreak, periods: readonly ShownPeriod[], view: StreakRendering): string {
  const { texts, formats, frequency } = view
  if (length === 0 || expires === null) return formats.label(texts.noStreak)
  const current = periods.at(-1)
  const date = formats.day(expires)
  if (current?.state === 'kept') return formats.label(texts.done, { date })
  if (frequency === 'daily' && current?.end === expires) return formats.label(texts.extendToday)
  return formats.label(texts.extendBy, { date })
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-streak': StreakElement
  }
}

define('laurels-streak', StreakElement)
