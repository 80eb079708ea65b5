/// <reference lib="dom" preserve="true" />
import type { LeaderboardRanking, LeaderboardWithRankings } from '../../../src/shapes/leaderboards.ts'
import type { Formats } from '../parts/formats.ts'
import { h, hidden, icon, nameText } from '../parts/markup.ts'
import type { LeaderboardLabels } from './labels.ts'

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
  const empty = formats.label(data.participants > 0 ? texts.few : texts.empty)
  const emptyRow = h('tr', {}, h('td', { colspan: columns.length, class: 'none' }, empty))
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
  { userId, userName, anonymous, rank, value }: LeaderboardRanking,
  change: RankChange | undefined,
  { texts, formats, highlight }: LeaderboardView,
): HTMLElement {
  const isMine = userId === highlight
  const you = isMine ? formats.label(texts.you) : ''
  const unnamed = anonymous === true ? texts.anonymous : texts.unnamed
  const who = userName || formats.label(unnamed, { id: userId })
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
