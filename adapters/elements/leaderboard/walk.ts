/// <reference lib="dom" preserve="true" />
import type { LeaderboardWithRankings } from '../../../src/api/leaderboards/types.ts'
import type { Formats } from '../parts/formats.ts'
import { h } from '../parts/frame.ts'
import type { LeaderboardLabels } from './table.ts'

/** Where on a leaderboard a page begins. */
export interface Walk {
  /** The user from whose place the offset counts; null: from the top. */
  readonly userId: string | null
  readonly offset: number
  /** The offset of the first place; null: it is not known yet. */
  readonly lowest: number | null
}

/** What a page asks for. */
export interface PageRequest {
  readonly limit: number
  readonly offset: number
  readonly userId?: string
}

/** The answer cut to a page. */
export interface Page {
  readonly data: LeaderboardWithRankings
  readonly walk: Walk
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/** At the top, or with a user in the middle. */
export function beginAt(userId: string | null, limit: number): Walk {
  return userId === null ? { userId, offset: 0, lowest: 0 } : { userId, offset: -Math.floor(limit / 2), lowest: null }
}

/** One place more than the page has tells whether there is a next page; as long as it is not known how many are above, so many more. */
export function toPageRequest({ userId, offset, lowest }: Walk, limit: number): PageRequest {
  const more = lowest === null ? Math.max(0, -offset) : 0
  return { limit: limit + 1 + more, offset, ...(userId === null ? {} : { userId }) }
}

export function toPage(walk: Walk, answer: LeaderboardWithRankings, limit: number): Page {
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
function placed(walk: Walk, { rankings }: LeaderboardWithRankings, first: number): Walk {
  const own = rankings.find(({ userId }) => userId === walk.userId)
  return own === undefined ? walk : { ...walk, offset: first - own.rank, lowest: 1 - own.rank }
}

export function turn(walk: Walk, by: number): Walk {
  return { ...walk, offset: Math.max(walk.offset + by, walk.lowest ?? Number.NEGATIVE_INFINITY) }
}

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
