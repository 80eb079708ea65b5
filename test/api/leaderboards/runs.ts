import type { LeaderboardDefinition } from '../../../src/index.ts'
import { addDays } from '../../model/dates.ts'

// The runs of a board, counted from its start. Dates are 'YYYY-MM-DD', times of day 'HH:MM': both compare as strings.

export type Board = LeaderboardDefinition<string, string, string>

export interface Run {
  readonly start: string
  /** The last date that counts, or `null` if none is. */
  readonly end: string | null
}

const clocks = new Map<string, Intl.DateTimeFormat>()

export function localTime(zone: string, instant: number): string {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    clocks.set(zone, clock)
  }
  return clock.format(instant)
}

/** The same day of another month, or that month's last day. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0))
  const clipped = new Date(
    Date.UTC(lastDay.getUTCFullYear(), lastDay.getUTCMonth(), Math.min(day, lastDay.getUTCDate())),
  )
  return clipped.toISOString().slice(0, 10)
}

/** The first date of the run number `index`, from 0, of a board that repeats so many months. */
function startAfter(board: Board, months: number, index: number): string {
  return addMonths(board.start, index * months)
}

/** The run that a date is in, or `null` if it is in none. */
export function runOn(board: Board, date: string): Run | null {
  const last = board.end ?? null
  if (date < board.start || (last !== null && date > last)) return null
  if (!('run' in board) || board.run === undefined) return { start: board.start, end: last }
  const { unit, interval = 1 } = board.run
  const clip = (end: string): string => (last !== null && last < end ? last : end)
  if (unit === 'day') {
    const days = (Date.parse(date) - Date.parse(board.start)) / 86_400_000
    const start = addDays(date, -(days % interval))
    return { start, end: clip(addDays(start, interval - 1)) }
  }
  const months = unit === 'year' ? 12 * interval : interval
  let index = 0
  while (startAfter(board, months, index + 1) <= date) index += 1
  return { start: startAfter(board, months, index), end: clip(addDays(startAfter(board, months, index + 1), -1)) }
}

/** The run that a board is in on a date: before its start the first, after its end the last. */
export function currentRun(board: Board, date: string): Run {
  const begun = date < board.start ? board.start : date
  const run = runOn(board, board.end !== undefined && begun > board.end ? board.end : begun)
  if (run === null) throw new Error('a date from start to end')
  return run
}

/** Returns true if a local time counts: in the window of every day, which may go over midnight. */
export function isOpen(board: Board, time: string): boolean {
  if (board.rankBy === 'streak') return true
  const { startTime = '00:00', endTime = '24:00' } = board
  return startTime < endTime ? time >= startTime && time < endTime : time >= startTime || time < endTime
}
