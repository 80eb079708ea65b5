import { localDate } from '../model/dates.ts'
import { type Entry, fold, type Game, type State, zoneOf } from '../model/fold.ts'
import { add } from '../model/numbers.ts'
import { readStreak } from '../model/streak.ts'
import { type Board, isOpen, localTime, type Run, runOn } from './runs.ts'

// What one user has on every board, after everything that happened to it, in order, from nothing.

export interface Row {
  readonly run: Run
  /** The values of the attributes that the board is broken down by. */
  readonly group: readonly string[]
  readonly value: number
  readonly reachedAt: number
}

/** By the first date of the run. */
export type Rows = Map<string, Row>

/** An entry and the states around it. */
interface Step {
  readonly entry: Entry
  readonly before: State
  readonly after: State
}

export interface Scores {
  readonly state: State
  readonly boards: ReadonlyMap<string, Rows>
  readonly steps: readonly Step[]
}

/** `known`: what was found before some of the entries were there. */
export function score(
  game: Game,
  boards: ReadonlyMap<string, Board>,
  entries: readonly Entry[],
  known?: Scores,
): Scores {
  const all = [...entries].sort((a, b) => a.instant - b.instant || a.arrival - b.arrival)
  const rows = new Map([...boards.keys()].map((key) => [key, new Map() as Rows]))
  const steps: Step[] = []
  let before = known?.steps[0]?.before ?? stateAfter(game, [])
  for (const [index, entry] of all.entries()) {
    const last = known?.steps[index]
    const isKnown = last?.entry === entry && last.before === before
    const step = isKnown ? last : { entry, before, after: stateAfter(game, all.slice(0, index + 1)) }
    for (const [key, board] of boards) count(game, board, rows.get(key) ?? new Map(), step)
    steps.push(step)
    before = step.after
  }
  return { state: before, boards: rows, steps }
}

function stateAfter(game: Game, entries: Entry[]): State {
  const folded = fold(game, entries, null)
  if (folded === null) throw new Error('what was accepted cannot be refused')
  return folded.state
}

function count(game: Game, board: Board, rows: Rows, step: Step): void {
  const { entry, after } = step
  const zone = zoneOf(after)
  const date = localDate(zone, entry.instant)
  const run = runOn(board, date)
  if (run === null) return
  const row = rows.get(run.start)
  const group = groupOf(board, after)
  const value = isOpen(board, run, date, localTime(zone, entry.instant)) ? valueAfter(board, row?.value, step) : null
  if (value !== null) {
    const isReached = board.rankBy === 'streak' || value !== row?.value
    rows.set(run.start, { run, group, value, reachedAt: isReached ? entry.instant : row.reachedAt })
  } else if (row !== undefined) {
    rows.set(run.start, { ...row, group })
  }
  const hasExpired = readStreak(after.streak, game.calendar, zone, entry.instant).length === 0
  if (board.rankBy === 'streak' && hasExpired) rows.delete(run.start)
}

/** The value after the step; null when nothing in the step counts. */
function valueAfter(board: Board, value: number | undefined, { entry, before, after }: Step): number | null {
  switch (board.rankBy) {
    case 'metric': {
      const { act } = entry
      return act.call === 'event' && act.metric === board.metric ? add(value ?? 0, act.value) : null
    }
    case 'points': {
      const awards = after.awards.slice(before.awards.length).filter(({ system }) => system === board.system)
      return awards.length === 0 ? null : awards.reduce((sum, { awarded }) => add(sum, awarded), value ?? 0)
    }
    case 'streak':
      return hasGrown(before, after) ? after.streak.length : null
  }
}

function hasGrown({ streak: before }: State, { streak: after }: State): boolean {
  return after.length !== before.length || after.firstInstant !== before.firstInstant
}

export function groupOf(board: Board, { attributes }: State): readonly string[] {
  return (board.breakdown ?? []).map((name) => attributes.get(name) ?? '')
}

export function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.every((value, index) => value === right[index])
}
