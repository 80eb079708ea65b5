/// <reference lib="dom" preserve="true" />
import type { LeaderboardWithRankings } from '../../../src/shapes/leaderboards.ts'
import type { Formats } from '../parts/formats.ts'
import { h } from '../parts/markup.ts'
import type { LeaderboardLabels } from './labels.ts'

/** The start of a page on a leaderboard. */
export interface PageStart {
  /** The user from whose place the offset counts, or `null` to count from the top. */
  readonly userId: string | null
  readonly offset: number
  /** The offset of the first place, or `null` if it is not known yet. */
  readonly lowest: number | null
}

/** The request for a page. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
  readonly userId?: string
}

/** The answer cut to a page. */
export interface ShownPage {
  readonly data: LeaderboardWithRankings
  readonly walk: PageStart
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/** At the top, or with a user in the middle. */
export function beginAt(userId: string | null, limit: number): PageStart {
  return userId === null ? { userId, offset: 0, lowest: 0 } : { userId, offset: -Math.floor(limit / 2), lowest: null }
}

/** Asks for one extra row to know if there is a next page, and for more while the number of rows above is unknown. */
export function toPageRequest({ userId, offset, lowest }: PageStart, limit: number): PageRequest {
  const more = lowest === null ? Math.max(0, -offset) : 0
  return { limit: limit + 1 + more, offset, ...(userId === null ? {} : { userId }) }
}

export function toPage(walk: PageStart, answer: LeaderboardWithRankings, limit: number): ShownPage {
  const rankings = answer.rankings.slice(0, limit)
  const first = rankings[0]?.rank ?? 1
  return {
    data: { ...answer, rankings },
    walk: placed(walk, answer, first),
    hasPrevious: first > 1,
    hasNext: answer.rankings.length > limit,
  }
}

/** Above the first place there are none, so the page may begin nearer to the user than was asked. */
function placed(walk: PageStart, { rankings }: LeaderboardWithRankings, first: number): PageStart {
  const own = rankings.find(({ userId }) => userId === walk.userId)
  return own === undefined ? walk : { ...walk, offset: first - own.rank, lowest: 1 - own.rank }
}

export function turn(walk: PageStart, by: number): PageStart {
  return { ...walk, offset: Math.max(walk.offset + by, walk.lowest ?? Number.NEGATIVE_INFINITY) }
}

export interface PagesView {
  readonly texts: LeaderboardLabels
  readonly formats: Formats
  /** `null` if there is no such page. */
  readonly previous: (() => void) | null
  readonly next: (() => void) | null
  readonly places: string
}

/** The buttons that lead to other pages, or `null` if there are none. */
export function pageButtons({ texts, formats, previous, next, places }: PagesView): HTMLElement | null {
  if (previous === null && next === null) return null
  const button = (name: 'previous' | 'next', go: (() => void) | null): HTMLElement => {
    // A disabled button keeps the focus, so that keyboard users do not lose their place.
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
