/// <reference lib="dom" preserve="true" />
import { h } from '../parts/dom.ts'
import type { Formats } from '../parts/formats.ts'
import type { LeaderboardLabels } from './labels.ts'

export interface PagesView {
  readonly texts: LeaderboardLabels
  readonly formats: Formats
  /** null: where there is no such page. */
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
  readonly places: string
}

/** The buttons that lead to other pages; null where there are none. */
export function pages({ texts, formats, previous, next, places }: PagesView): HTMLElement | null {
  if (previous === null && next === null) return null
  const button = (name: 'previous' | 'next', go: (() => void) | null): HTMLElement => {
    // One that is disabled keeps the focus: who walks through the pages does not lose the place.
    const state = { 'aria-disabled': go === null ? 'true' : null, part: name, 'data-focus': name }
    const element = h('button', { type: 'button', ...state }, formats.label(texts[name]))
    element.addEventListener('click', () => go?.())
    return element
  }
  return h(
    'div',
    { class: 'pages', role: 'group', part: 'pages', 'aria-label': formats.label(texts.pages) },
    button('previous', previous),
    h('span', { class: 'muted' }, places),
    button('next', next),
  )
}
