// A naive model of leaderboards, written from the specification and its decisions alone: every call counts its user's
// whole history again, and every rank is a place in a list of all participants.
import { addDays } from '../model/dates.ts'
import { type Entry, fold, type Game, gameOf } from '../model/fold.ts'
import type { Call, GameDefinition as RulesDefinition } from '../model/types.ts'
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

/** By board; null: refused. */
export type Answer = { readonly [board: string]: Standing } | null

export interface Participant extends Row {
  readonly user: string
}

interface User {
  readonly entries: readonly Entry[]
  readonly usedKeys: ReadonlySet<string>
  readonly scores: Scores
}

export class BoardsModel {
  readonly boards: ReadonlyMap<string, Board>
  readonly users = new Map<string, User>()
  readonly #game: Game

  constructor(definition: GameDefinition) {
    this.#game = gameOf(definition)
    this.boards = new Map(Object.entries(definition.leaderboards))
  }

  /** What a call answers; of those that are no event nothing is asked. */
  call(call: Call): Answer {
    const user = this.users.get(call.id)
    if (call.call === 'update' && user === undefined) return null
    const usedKey = 'idempotencyKey' in call ? `${call.metric} ${call.idempotencyKey}` : null
    if (usedKey !== null && user?.usedKeys.has(usedKey) === true) return {}
    if (user !== undefined && saysNothing(call, user)) return {}

    const entries = this.#accept(call, user)
    if (entries === null) return null
    const scores = score(this.#game, this.boards, entries, user?.scores)
    const usedKeys = new Set(user?.usedKeys).add(usedKey ?? '')
    const changed = call.call === 'event' ? this.#changed(user?.scores, scores, call.now) : []
    const previous = changed.map(([key, before]) => this.#rank(key, call.id, before, call.now))
    this.users.set(call.id, { entries, usedKeys, scores })
    const standings = changed.map(([key, , after], index): [string, Standing] => {
      const rank = this.#rank(key, call.id, after, call.now)
      const threshold = this.#threshold(key, after, call.now)
      return [key, { rank, previousRank: previous[index] ?? null, threshold, ...after.run }]
    })
    return Object.fromEntries(standings)
  }

  /** Everybody who ranks, limit or not, in order. */
  participants(key: string, run: string, group: readonly string[], now: number): Participant[] {
    const found: Participant[] = []
    for (const [user, { scores }] of this.users) {
      const row = scores.boards.get(key)?.get(run)
      if (row === undefined || !isSame(row.group, group)) continue
      if (row.isAlive(this.timeOf(key, now))) found.push({ ...row, user })
    }
    return found.sort((a, b) => b.value - a.value || a.reachedAt - b.reachedAt || byCodePoint(a.user, b.user))
  }

  /** What a user has on a board, in order of the runs. */
  entries(key: string, user: string, now: number): Row[] {
    return this.#rowsAt(key, this.users.get(user)?.scores, now)
  }

  /** When it is on a board: one of streaks that has ended stays as it was at the next midnight, in UTC. */
  timeOf(key: string, now: number): number {
    const { rankBy, end } = this.boards.get(key) ?? {}
    return rankBy === 'streak' && end !== undefined ? Math.min(now, Date.parse(addDays(end, 1))) : now
  }

  nameOf(user: string): string | null {
    return this.users.get(user)?.scores.state.name ?? null
  }

  limit(key: string): number {
    const { maxParticipants } = this.boards.get(key) ?? {}
    return maxParticipants === undefined ? 1000 : (maxParticipants ?? Number.POSITIVE_INFINITY)
  }

  /** The entries after one more call; null when it is refused. */
  #accept(call: Call, user: User | undefined): readonly Entry[] | null {
    const instant = (call.call === 'event' ? call.occurredAt : undefined) ?? Math.max(call.now, newestOf(user))
    const entry: Entry = { instant, arrival: user?.entries.length ?? 0, act: call }
    const entries = [...(user?.entries ?? []), entry]
    let folded = fold(this.#game, entries, entry)
    if (folded === null) return null
    // A completion once made stays: those that a late event takes away are made again when they were made before.
    for (;;) {
      const made = folded.state.completions
      const lost = [...(user?.scores.state.completions ?? [])].filter(([achievement]) => !made.has(achievement))
      if (lost.length === 0) return entries
      for (const [achievement, at] of lost) {
        entries.push({ instant: at, arrival: entries.length, act: { call: 'keep', achievement } })
      }
      folded = fold(this.#game, entries, null)
      if (folded === null) throw new Error('what was accepted cannot be refused')
    }
  }

  /** Of each board on which a value changed: the newest run in which it did, of those that the user is in. */
  #changed(before: Scores | undefined, after: Scores, now: number): [string, Row | undefined, Row][] {
    const all: [string, Row | undefined, Row][] = []
    for (const key of this.boards.keys()) {
      const old = this.#rowsAt(key, before, now)
      const newest = this.#rowsAt(key, after, now).findLast(({ run, value }) => value !== find(old, run)?.value)
      if (newest !== undefined) all.push([key, find(old, newest.run), newest])
    }
    return all
  }

  /** In order of the runs. */
  #rowsAt(key: string, scores: Scores | undefined, now: number): Row[] {
    const rows = [...(scores?.boards.get(key)?.values() ?? [])].filter(({ isAlive }) => isAlive(this.timeOf(key, now)))
    return rows.sort((a, b) => (a.run.start < b.run.start ? -1 : 1))
  }

  #rank(key: string, user: string, row: Row | undefined, now: number): number | null {
    if (row === undefined) return null
    const participants = this.participants(key, row.run.start, row.group, now)
    const rank = participants.findIndex((participant) => participant.user === user) + 1
    return rank > 0 && rank <= this.limit(key) ? rank : null
  }

  #threshold(key: string, row: Row, now: number): number {
    return this.participants(key, row.run.start, row.group, now)[this.limit(key) - 1]?.value ?? 0
  }
}

function find(rows: readonly Row[], { start }: Run): Row | undefined {
  return rows.find(({ run }) => run.start === start)
}

/** A completion that is there already, and nothing about the user, is not recorded. */
function saysNothing(call: Call, { scores }: User): boolean {
  if (call.call !== 'complete' || !scores.state.completions.has(call.achievement)) return false
  const { attributes, ...rest } = call.profile ?? {}
  return Object.keys({ ...rest, ...attributes }).length === 0
}

function newestOf(user: User | undefined): number {
  return Math.max(...(user?.entries ?? []).map(({ instant }) => instant))
}

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (c) => c.codePointAt(0) ?? 0)
  const right = Array.from(b, (c) => c.codePointAt(0) ?? 0)
  const index = left.findIndex((point, i) => point !== right[i])
  return index < 0 ? left.length - right.length : (left[index] ?? 0) - (right[index] ?? -1)
}
