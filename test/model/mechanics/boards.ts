// Leaderboards: every user's score of every run, worked out from the events, and sorted.

import { addDays } from '../dates.ts'
import type { State } from './fold.ts'
import { aggregationOf, totalOf } from './totals.ts'
import type { Board, Boards, Place } from './types.ts'

/** The users who are ranked among themselves, whatever their groups. */
export const AMONG: readonly string[] = ['ann', 'bob']

interface Score {
  user: string
  run: string
  group: string
  value: number
  reachedAt: number
}

/** The first date of the run that a date is in. */
function runOf({ start, run }: Board, date: string): string {
  if (run === undefined) return start
  const days = (Date.parse(date) - Date.parse(start)) / 86_400_000
  return addDays(start, Math.floor(days / run.interval) * run.interval)
}

function scoresOf(user: string, { game, events, moments }: State, board: Board): Score[] {
  const scores = new Map<string, Score>()
  const own = events.filter(({ metric, date }) => metric === board.metric && date >= board.start)
  for (const run of new Set(own.map(({ date }) => runOf(board, date)))) {
    const score: Score = { user, run, group: '', value: Number.NaN, reachedAt: 0 }
    const values: number[] = []
    for (const { at, value } of own.filter(({ date }) => runOf(board, date) === run)) {
      values.push(value)
      const total = totalOf(aggregationOf(game, board.metric), values) ?? 0
      if (total !== score.value) score.reachedAt = at
      score.value = total
    }
    // The user belongs to the group of the last moment of the run.
    const { attributes = {} } =
      moments.filter(({ date }) => date >= board.start && runOf(board, date) === run).at(-1) ?? {}
    score.group = (board.breakdown ?? []).map((name) => attributes[name] ?? '').join(' ')
    scores.set(run, score)
  }
  return [...scores.values()]
}

/** `among`: the own ids of those who are ranked among themselves. */
export function boardsOf(
  states: ReadonlyMap<string, State>,
  boards: { readonly [key: string]: Board },
  among: readonly string[],
): Boards {
  return Object.fromEntries(
    Object.entries(boards).map(([key, board]) => {
      const scores = [...states].flatMap(([user, state]) => scoresOf(user, state, board))
      const groups = Object.groupBy(scores, ({ run, group }) => `${run} ${group}`)
      const ranked = Object.entries(groups).map(([group, all = []]) => {
        const places = placesOf(board, all).slice(0, board.maxParticipants ?? all.length)
        return [group, { participants: all.length, places }] as const
      })
      const friends = scores.filter(({ user }) => among.includes(user))
      const ofFriends = Object.entries(Object.groupBy(friends, ({ run }) => run)).map(([run, all = []]) => {
        return [`${run} among`, { participants: all.length, places: placesOf(board, all) }] as const
      })
      return [key, Object.fromEntries([...ranked, ...ofFriends])]
    }),
  )
}

function placesOf(board: Board, scores: readonly Score[], isLowestBest = board.order === 'lowest'): Place[] {
  const better = (a: number, b: number): number => (isLowestBest ? a - b : b - a)
  const sorted = scores.toSorted(
    (a, b) => better(a.value, b.value) || a.reachedAt - b.reachedAt || (a.user < b.user ? -1 : 1),
  )
  return sorted.map(({ user, value }, index) => {
    const first = sorted.findIndex((other) => other.value === value)
    return { user, value, rank: (board.ties === 'shared' ? first : index) + 1 }
  })
}
