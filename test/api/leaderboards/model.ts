// A naive model of leaderboards, written from the specification and its decisions alone: every rank is a place in a list
// of all participants.
import { addDays, localDate } from '../../model/dates.ts'
import { gameOf } from '../../model/game.ts'
import type { Call, GameDefinition as RulesDefinition } from '../../model/types.ts'
import { accept, isKnown, isLate, newestOf, type User, usedKey } from './accept.ts'
import type { Board, Run } from './runs.ts'
import { isSame, type Row, type Scores, score } from './scores.ts'

export type GameDefinition = RulesDefinition & { leaderboards: { [key: string]: Board } }

export interface Standing {
  readonly rank: number | null
  readonly previousRank: number | null
  readonly threshold: number
  readonly start: string
  readonly end: string | null
}

/** By board, or null if the event was refused. */
export type Answer = { readonly [board: string]: Standing } | null

interface Participant extends Row {
  readonly user: string
}

export interface BoardsModel {
  readonly boards: ReadonlyMap<string, Board>
  /** The answer of a call. Only answers of events are compared. */
  call(call: Call): Answer
  users(): readonly string[]
  nameOf(user: string): string | null
  /** A user's time never goes back. */
  todayOf(user: string, now: number): string
  /** Everybody who ranks in a run, limit or not, in order; of one group, or of all. */
  participants(key: string, run: string, group: readonly string[] | null, now: number): readonly Participant[]
  /** The user's entries on a board, in order of the runs. */
  entries(key: string, user: string, now: number): readonly Row[]
  limit(key: string): number
  /**
   * The instant at which a board is read: a board of streaks that has ended does not change after the next midnight, in
   * UTC.
   */
  timeOf(key: string, now: number): number
}

export function createBoardsModel(definition: GameDefinition): BoardsModel {
  const game = gameOf(definition, [])
  const boards = new Map(Object.entries(definition.leaderboards))
  const users = new Map<string, User>()

  function timeOf(key: string, now: number): number {
    const { rankBy, end } = boards.get(key) ?? {}
    return rankBy === 'streak' && end !== undefined ? Math.min(now, Date.parse(addDays(end, 1))) : now
  }

  function limit(key: string): number {
    const { maxParticipants } = boards.get(key) ?? {}
    return maxParticipants === undefined ? 1000 : (maxParticipants ?? Number.POSITIVE_INFINITY)
  }

  function rowsAt(key: string, scores: Scores | undefined, now: number | null): Row[] {
    const rows = [...(scores?.boards.get(key)?.values() ?? [])].sort((a, b) => (a.run.start < b.run.start ? -1 : 1))
    return now === null ? rows : rows.filter(({ isAlive }) => isAlive(timeOf(key, now)))
  }

  function participants(key: string, run: string, group: readonly string[] | null, now: number): Participant[] {
    const found: Participant[] = []
    for (const [user, { scores }] of users) {
      const row = scores.boards.get(key)?.get(run)
      if (row === undefined || !(group === null || isSame(row.group, group))) continue
      if (row.isAlive(timeOf(key, now))) found.push({ ...row, user })
    }
    return found.sort((a, b) => b.value - a.value || a.reachedAt - b.reachedAt || byCodePoint(a.user, b.user))
  }

  function rank(key: string, user: string, row: Row | undefined, now: number): number | null {
    if (row === undefined) return null
    const place = participants(key, row.run.start, row.group, now).findIndex((each) => each.user === user) + 1
    return place > 0 && place <= limit(key) ? place : null
  }

  /** For each board whose value changed: the newest changed run, of the runs with the user. */
  function changes(before: Scores | undefined, after: Scores, now: number | null): [string, Row | undefined, Row][] {
    const all: [string, Row | undefined, Row][] = []
    for (const key of boards.keys()) {
      const old = rowsAt(key, before, now)
      const newest = rowsAt(key, after, now).findLast(({ run, value }) => value !== rowOf(old, run)?.value)
      if (newest !== undefined) all.push([key, rowOf(old, newest.run), newest])
    }
    return all
  }

  function call(call: Call): Answer {
    const { id, now } = call
    const user = users.get(id)
    if (user !== undefined && isKnown(call, user)) return {}
    const entries = accept(game, user, call)
    if (entries === null) return null
    const scores = score(game, boards, entries, user?.scores)
    const changed = call.call === 'event' ? changes(user?.scores, scores, isLate(call, user) ? null : now) : []
    const previous = changed.map(([key, before]) => rank(key, id, before, now))
    users.set(id, { entries, usedKeys: new Set(user?.usedKeys).add(usedKey(call) ?? ''), scores })
    const standings = changed.map(([key, , row], index): [string, Standing] => {
      const { run, group } = row
      const threshold = participants(key, run.start, group, now)[limit(key) - 1]?.value ?? 0
      return [key, { rank: rank(key, id, row, now), previousRank: previous[index] ?? null, threshold, ...run }]
    })
    return Object.fromEntries(standings)
  }

  return {
    boards,
    call,
    users: () => [...users.keys()],
    nameOf: (user) => users.get(user)?.scores.state.name ?? null,
    todayOf: (user, now) => {
      const found = users.get(user)
      return localDate(found?.scores.state.tz ?? 'UTC', Math.max(now, newestOf(found)))
    },
    participants,
    entries: (key, user, now) => rowsAt(key, users.get(user)?.scores, now),
    limit,
    timeOf,
  }
}

function rowOf(rows: readonly Row[], { start }: Run): Row | undefined {
  return rows.find(({ run }) => run.start === start)
}

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (c) => c.codePointAt(0) ?? 0)
  const right = Array.from(b, (c) => c.codePointAt(0) ?? 0)
  const index = left.findIndex((point, i) => point !== right[i])
  return index < 0 ? left.length - right.length : (left[index] ?? 0) - (right[index] ?? -1)
}
