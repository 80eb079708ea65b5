/// <reference lib="dom" preserve="true" />
import type { LeaderboardRanking, LeaderboardWithRankings } from '../../../src/shapes/leaderboards.ts'
import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Formats, Label } from '../parts/formats.ts'
import { h, hidden, icon, nameText } from '../parts/markup.ts'

export interface LeaderboardView {
  readonly texts: LeaderboardLabels
  readonly formats: Formats
  /** The user whose row is highlighted. */
  readonly highlight: string | null
  readonly known: KnownRanks
}

const UP = 'M12 6l7 11H5z'
const DOWN = 'M12 18L5 7h14z'
const MEDALS: readonly string[] = ['first', 'second', 'third']

/** An answer of the API has no more. */
const MOST_ROWS = 1_000

/** The places of a leaderboard as a table. */
export function table(data: LeaderboardWithRankings, view: LeaderboardView): HTMLElement {
  const { texts, formats, known } = view
  const rankings = data.rankings.slice(0, MOST_ROWS)
  const changes = rankings.map(({ userId, rank }) => changeOf(known, userId, rank))
  const hasChanges = changes.some((change) => change !== null && change !== 0)
  const subject = data.metricName ?? data.pointsSystemName ?? formats.label(texts.streak)
  const value = data.units === undefined ? subject : `${subject} (${data.units})`
  const columns = [
    h('th', { scope: 'col', class: 'rank' }, formats.label(texts.rank)),
    h('th', { scope: 'col' }, formats.label(texts.name)),
    hasChanges ? h('th', { scope: 'col', class: 'change' }, formats.label(texts.change)) : null,
    h('th', { scope: 'col', class: 'value' }, nameText(value)),
  ]
  const rows = rankings.map((ranking, index) => row(ranking, hasChanges ? (changes[index] ?? null) : undefined, view))
  const emptyRow = h('tr', {}, h('td', { colspan: columns.length, class: 'none' }, formats.label(texts.empty)))
  return h(
    'table',
    { part: 'table' },
    h('caption', { part: 'caption' }, nameText(data.name), runOf(data, view)),
    h('thead', {}, h('tr', {}, ...columns)),
    h('tbody', {}, ...(rows.length === 0 ? [emptyRow] : rows)),
  )
}

function runOf(
  { start, end, status }: LeaderboardWithRankings,
  { texts, formats }: LeaderboardView,
): HTMLElement | null {
  if (end === null) return null
  const dates = formats.range(start, end)
  const text = status === 'finished' ? formats.label(texts.finished, { dates }) : dates
  return h('span', { class: 'muted', part: 'dates' }, text)
}

/** If `change` is undefined, the table has no column for it. */
function row(
  { userId, userName, rank, value }: LeaderboardRanking,
  change: RankChange | undefined,
  { texts, formats, highlight }: LeaderboardView,
): HTMLElement {
  const isMine = userId === highlight
  const you = isMine ? formats.label(texts.you) : ''
  const who = userName || formats.label(texts.unnamed, { id: userId })
  return h(
    'tr',
    { part: isMine ? 'row highlighted' : 'row', class: isMine ? 'mine' : null, 'aria-current': isMine ? 'true' : null },
    h('td', { class: 'rank' }, h('span', { class: MEDALS[rank - 1] ?? null }, formats.number(rank))),
    h(
      'th',
      { scope: 'row' },
      h('span', { class: 'who' }, nameText(who), you === '' ? null : h('span', { class: 'you', part: 'you' }, you)),
    ),
    change === undefined ? null : h('td', { class: 'change', part: 'change' }, changed(change, texts, formats)),
    h('td', { class: 'value', part: 'value' }, formats.number(value)),
  )
}

function changed(change: RankChange, texts: LeaderboardLabels, formats: Formats): HTMLElement | null {
  if (change === null) return null
  if (change === 'entered') return h('span', { class: 'up' }, formats.label(texts.entered))
  if (change === 0) return h('span', {}, h('span', { 'aria-hidden': 'true' }, '–'), hidden(formats.label(texts.same)))
  const count = Math.abs(change)
  const text = formats.label(change > 0 ? texts.up : texts.down, { count })
  const sign = h('span', { 'aria-hidden': 'true' }, icon(change > 0 ? UP : DOWN), formats.number(count))
  return h('span', { class: change > 0 ? 'up' : 'down' }, sign, hidden(text))
}

/** Ranks by user id, as shown before. */
export type KnownRanks = ReadonlyMap<string, number>

/** A user who was not there before is `entered`, or `null` if it is not known how it was. */
export type RankChange = number | 'entered' | null

/** Ranks of another leaderboard, or of another run of it, say nothing about these. */
export function isSameRun(one: LeaderboardWithRankings, other: LeaderboardWithRankings): boolean {
  return one.id === other.id && one.start === other.start
}

/** The known ranks, updated by the shown answer. */
export function remember(known: KnownRanks, { rankings }: LeaderboardWithRankings): KnownRanks {
  const ranks = new Map(known)
  for (const { userId, rank } of rankings) ranks.set(userId, rank)
  return ranks
}

/**
 * The number of places that a user went up, negative if down. A user who was not shown before has `entered`, if the
 * user's present place was shown with somebody else.
 */
export function changeOf(known: KnownRanks, userId: string, rank: number): RankChange {
  const before = known.get(userId)
  if (before !== undefined) return before - rank
  return [...known.values()].includes(rank) ? 'entered' : null
}

/** The texts of `<laurels-leaderboard>`. Names in braces are replaced by values. */
export interface LeaderboardLabels extends LoadingLabels {
  readonly rank: Label
  readonly name: Label
  readonly change: Label
  /** Above the values of a leaderboard by streaks; others have the name of the metric or of the points. */
  readonly streak: Label
  /** For a user without a name: `{id}`. */
  readonly unnamed: Label
  /** Beside the name of the user who is highlighted; empty if there is nothing. */
  readonly you: Label
  /** `{count}` places since the ranks were last shown. */
  readonly up: Label
  readonly down: Label
  readonly same: Label
  /** The text for users who were not there before. */
  readonly entered: Label
  readonly empty: Label
  /** `{dates}` */
  readonly finished: Label
  readonly previous: Label
  readonly next: Label
  readonly pages: Label
  /** `{from}` and `{to}` */
  readonly places: Label
}

export const LEADERBOARD_LABELS: LeaderboardLabels = {
  ...LOADING_LABELS,
  rank: 'Rank',
  name: 'Name',
  change: 'RankChange',
  streak: 'Streak',
  unnamed: 'User {id}',
  you: 'You',
  up: { one: 'up {count} place', other: 'up {count} places' },
  down: { one: 'down {count} place', other: 'down {count} places' },
  same: 'unchanged',
  entered: 'new',
  empty: 'No users yet.',
  finished: '{dates} · finished',
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  places: 'Places {from} to {to}',
}

export const LEADERBOARD_STYLES = `
table { inline-size: 100%; border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
caption { text-align: start; font-weight: 700; font-size: 1.0625rem; padding-block-end: .625rem; }
caption .muted { display: block; font-weight: 400; }
th, td { padding: .5rem .625rem; text-align: start; vertical-align: middle; }
thead th { font-size: .75rem; font-weight: 600; color: var(--_muted); padding-block: .25rem .375rem; border-block-end: 1px solid var(--_border); white-space: nowrap; }
tbody tr + tr > * { border-block-start: 1px solid var(--_border); }
tbody th { font-weight: 550; inline-size: 100%; max-inline-size: 0; }
.who { display: flex; align-items: center; gap: .5rem; min-inline-size: 0; }
.who bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
.value, thead .value { text-align: end; }
.value { white-space: nowrap; font-weight: 600; }
thead .value { font-weight: 600; max-inline-size: 9rem; overflow: hidden; text-overflow: ellipsis; }
.rank { white-space: nowrap; }
.rank span { display: inline-grid; place-items: center; min-inline-size: 1.75rem; block-size: 1.75rem; border-radius: 1rem; padding-inline: .375rem; color: var(--_muted); font-weight: 650; font-size: .875rem; }
.rank .first { color: #5a3d00; background: #ffd75e; }
.rank .second { color: #353d47; background: #d3dae2; }
.rank .third { color: #5c2c0c; background: #f0b48a; }
.change { white-space: nowrap; font-size: .8125rem; font-weight: 600; color: var(--_muted); text-align: end; }
.change .up { color: var(--_accent); }
.change .down { color: var(--_lost); }
.change > span { vertical-align: middle; }
.change span { display: inline-flex; align-items: center; gap: .125rem; }
.change .icon { inline-size: 1em; block-size: 1em; }
.mine > * { background: color-mix(in srgb, var(--_accent) 11%, var(--_background)); }
.mine > :first-child { border-start-start-radius: .5rem; border-end-start-radius: .5rem; box-shadow: inset 3px 0 0 var(--_accent); }
.mine > :first-child:dir(rtl) { box-shadow: inset -3px 0 0 var(--_accent); }
.mine > :last-child { border-start-end-radius: .5rem; border-end-end-radius: .5rem; }
.you { flex: none; font-size: .75rem; font-weight: 650; color: var(--_on-accent); background: var(--_accent); border-radius: 1rem; padding: .0625rem .5rem; }
.pages { display: flex; align-items: center; justify-content: space-between; gap: .75rem; margin-block-start: .875rem; }
.none { padding: 1.25rem; text-align: center; color: var(--_muted); }
@container (max-width: 24rem) {
  th, td { padding-inline: .25rem; }
  thead .change, thead .rank { font-size: 0; }
  thead .value { max-inline-size: 6rem; }
  tbody :is(.value, th) { font-size: .9375rem; }
  .who { flex-wrap: wrap; gap: 0 .5rem; }
  .who bdi { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .pages .muted { display: none; }
}
`

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
