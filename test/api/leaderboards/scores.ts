import { localDate } from '../../model/dates.ts'
import { fold } from '../../model/fold.ts'
import type { Game } from '../../model/game.ts'
import { add } from '../../model/numbers.ts'
import { type Entry, type State, zoneOf } from '../../model/state.ts'
import { readStreaks } from '../../model/streaks.ts'
import { type Board, isOpen, localTime, type Run, runOn } from './runs.ts'

// A user's values on every board, computed from all its events, in order, from nothing.

interface Day {
  readonly date: string
  /** The last change of the day. */
  readonly timestamp: number
  readonly previousValue: number | null
  readonly value: number
}

export interface Row {
  readonly run: Run
  /** The values of the attributes that the board is broken down by. */
  readonly group: readonly string[]
  readonly value: number
  readonly reachedAt: number
  /** The local days on which the value changed; none of streaks. */
  readonly days: readonly Day[]
  /** True if it still ranks then: a streak may have expired. */
  readonly isAlive: (now: number) => boolean
}

/** By the first date of the run. */
type Rows = Map<string, Row>

/** An entry and the states around it. */
interface Step {
  readonly entry: Entry
  readonly before: State
  readonly after: State
  /** The instant at which the streak last grew. */
  readonly grownAt: number
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
    const step = isKnown ? last : toStep(game, all.slice(0, index + 1), before, steps.at(-1)?.grownAt ?? 0)
    for (const [key, board] of boards) count(board, rows.get(key) ?? new Map(), step)
    steps.push(step)
    before = step.after
  }
  return { state: before, boards: rows, steps }
}

function toStep(game: Game, entries: Entry[], before: State, grownAt: number): Step {
  const entry = entries.at(-1)
  if (entry === undefined) throw new Error('an entry')
  const after = stateAfter(game, entries)
  const streak = after.streaks.get('')?.life
  const old = before.streaks.get('')?.life
  const hasGrown = streak?.length !== old?.length || streak?.first !== old?.first
  return { entry, before, after, grownAt: hasGrown ? entry.instant : grownAt }
}

function stateAfter(game: Game, entries: Entry[]): State {
  const folded = fold([game], entries, null)
  if (folded === null) throw new Error('what was accepted cannot be refused')
  return folded.state
}

function lengthAt({ streaks }: State, now: number): number {
  return readStreaks(streaks, now).get('')?.length ?? 0
}

function count(board: Board, rows: Rows, step: Step): void {
  const { entry, after, grownAt } = step
  const zone = zoneOf(after)
  const date = localDate(zone, entry.instant)
  const run = runOn(board, date)
  if (run === null) return
  const group = groupOf(board, after)
  if (board.rankBy === 'streak') {
    const isAlive = (now: number): boolean => lengthAt(after, now) > 0
    const row = { run, group, value: lengthAt(after, entry.instant), reachedAt: grownAt, days: [], isAlive }
    if (isAlive(entry.instant)) rows.set(run.start, row)
    else rows.delete(run.start)
    return
  }
  const row = rows.get(run.start)
  const time = localTime(zone, entry.instant)
  const value = isOpen(board, time) ? valueAfter(board, row?.value, step) : null
  if (value !== null) {
    const reachedAt = row?.value === value ? row.reachedAt : entry.instant
    const days = daysAfter(row, date, entry.instant, value)
    rows.set(run.start, { run, group, value, reachedAt, days, isAlive: () => true })
  } else if (row !== undefined) {
    rows.set(run.start, { ...row, group })
  }
}

function daysAfter(row: Row | undefined, date: string, timestamp: number, value: number): readonly Day[] {
  if (row === undefined) return [{ date, timestamp, previousValue: null, value }]
  if (row.value === value) return row.days
  const last = row.days.at(-1)
  // A user who flies back over the date line is still in the later day.
  if (last === undefined || date > last.date) return [...row.days, { date, timestamp, previousValue: row.value, value }]
  return [...row.days.slice(0, -1), { ...last, timestamp, value }]
}

/** The value after the step, or `null` if nothing in the step counts. */
function valueAfter(board: Board, value: number | undefined, { entry, before, after }: Step): number | null {
  if (board.rankBy === 'metric') {
    const { act } = entry
    return act.call === 'event' && act.metric === board.metric ? add(value ?? 0, act.value) : null
  }
  const awards = after.awards
    .slice(before.awards.length)
    .filter(({ system }) => 'system' in board && system === board.system)
  return awards.length === 0 ? null : awards.reduce((sum, { awarded }) => add(sum, awarded), value ?? 0)
}

function groupOf(board: Board, { attributes }: State): readonly string[] {
  return (board.breakdown ?? []).map((name) => attributes.get(name) ?? '')
}

export function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.every((value, index) => value === right[index])
}
