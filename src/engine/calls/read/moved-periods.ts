import type { Frequency } from '../../../rules/calendar.ts'
import { type Day, firstDayOf, isDateInZone, localDate, type Period, periodOf } from '../../../rules/calendar.ts'
import type { Change } from '../../../rules/change.ts'
import type { Entry } from '../../../rules/entry.ts'
import { evolve } from '../../../rules/evolve.ts'
import { gameOf } from '../../../rules/fold.ts'
import type { Game, Games, StreakRule } from '../../../rules/game.ts'
import { zoneOf } from '../../../rules/profile.ts'
import type { UserState } from '../../../rules/state.ts'
import { isAbout, ruleOf, type StreakKey, streakOf } from '../../../rules/streaks.ts'
import type { StreakPeriod } from '../../../storage-rows.ts'

/** Follows the periods of a history through changes of zone. */
export interface MovedPeriods {
  /** `entry`: null for what time did after the newest one. */
  see(before: UserState, changes: readonly Change[], entry: Entry | null): void
  /** The periods on the dates that the history shows: those of lost streaks, then those of the running one. */
  rows(): readonly StreakPeriod[]
}

/** What the periods of the streak are. */
interface Calendar {
  readonly rule: StreakRule | null
  readonly weekStartsOn: Game['weekStartsOn']
}

/** A period on the date that the history shows, and the date that it has in its row. */
interface MovedPeriod extends StreakPeriod {
  readonly row: Day
  /** Whether the streak got longer by it. */
  readonly isLonger: boolean
}

/**
 * The periods of the running streak move with it. Those of a lost streak stay where they were when its last period was
 * added. `most`: how many of the newest periods of a streak are followed.
 */
export function followPeriods(games: Games, most: number, key: StreakKey = null): MovedPeriods {
  const lost: StreakPeriod[] = []
  let shown: readonly MovedPeriod[] = []
  /** As they were when the last of them was added; null: the zone has not changed since. */
  let added: readonly MovedPeriod[] | null = null

  function add(row: StreakPeriod, game: Game, zone: string): void {
    const others = withoutDouble(makeRoom(shown, row, calendarOf(game), zone), row)
    const isLonger = row.length > (others.at(-1)?.length ?? 0)
    shown = [...others, { ...row, row: row.start, isLonger }].slice(-most)
    added = null
  }

  function close(): void {
    lost.push(...(added ?? shown))
    shown = []
    added = null
  }

  function calendarOf(game: Game): Calendar {
    return { rule: ruleOf(game, key), weekStartsOn: game.weekStartsOn }
  }

  return {
    see: (before, changes, entry) => {
      let state = before
      let game = gameOf(games, before.seq === 0 && entry !== null ? entry.epoch : before.epoch)
      for (const change of changes) {
        if (change.type === 'gameAdopted') game = gameOf(games, change.epoch)
        const next = evolve(state, change)
        const row = isAbout(change, key) ? toRow(change) : null
        if (row !== null) add(row, game, zoneOf(next.profile))
        if (streakOf(next, key).length === 0 && shown.length > 0) close()
        const zone = zoneOf(state.profile)
        if (entry !== null && zoneOf(next.profile) !== zone) {
          added ??= shown
          shown = moveRows(calendarOf(game), shown, { zone, today: localDate(zone, entry.at) }, toPlace(next, entry))
        }
        state = next
      }
    },
    rows: () => [...lost, ...shown],
  }
}

/** Makes room for a row: a period that a move took to its date goes back by a period, with all before it. */
function makeRoom(
  periods: readonly MovedPeriod[],
  { start }: StreakPeriod,
  { rule, weekStartsOn }: Calendar,
  zone: string,
): readonly MovedPeriod[] {
  const taken = periods.find((period) => period.start === start)
  if (taken === undefined || rule === null) return periods
  if (taken.row === start) return periods.filter((period) => period !== taken)
  const { frequency } = rule
  return periods.map((period) => {
    if (period.start > start) return period
    const before = nextIn(frequency, zone, periodOf(frequency, weekStartsOn, period.start), -1)
    return { ...period, start: firstDayOf(frequency, weekStartsOn, before) }
  })
}

/**
 * A user who travels back over a date and lives it twice has it once: the earlier period of the date is left out,
 * unless it alone made the streak longer. Each period before then takes the date of the next.
 */
function withoutDouble(periods: readonly MovedPeriod[], { start, length, kind }: StreakPeriod): readonly MovedPeriod[] {
  const isDouble = (period: MovedPeriod): boolean =>
    period.row === start && (!period.isLonger || (kind === 'counted' && period.length === length))
  const index = periods.findIndex(isDouble)
  if (index === -1) return periods
  const before = periods
    .slice(0, index)
    .map((period, at) => ({ ...period, start: periods[at + 1]?.start ?? period.start }))
  return [...before, ...periods.slice(index + 1)]
}

function toRow(change: Change): StreakPeriod | null {
  switch (change.type) {
    case 'streakStarted':
    case 'streakExtended':
    case 'streakHeld':
      return { start: change.date, length: change.length, kind: 'counted' }
    case 'streakFrozen':
      return { start: change.date, length: change.length, kind: 'frozen' }
    case 'streakPaused':
      return { start: change.date, length: change.length, kind: 'paused' }
    case 'streakRestored':
      return change.date === null ? null : { start: change.date, length: change.streak.length, kind: 'counted' }
    default:
      return null
  }
}

interface Today {
  readonly zone: string
  readonly today: Day
}

function toPlace({ profile }: UserState, { dating }: Entry): Today {
  return { zone: zoneOf(profile), today: dating.date }
}

/** Each row as many periods from the new today as it was from the old one. The rows ascend. */
function moveRows(
  { rule, weekStartsOn }: Calendar,
  rows: readonly MovedPeriod[],
  from: Today,
  to: Today,
): readonly MovedPeriod[] {
  if (rule === null) return rows
  const { frequency } = rule
  const toPeriod = (day: Day): Period => periodOf(frequency, weekStartsOn, day)
  const move = (step: 1 | -1, some: readonly MovedPeriod[]): readonly MovedPeriod[] => {
    let old = toPeriod(from.today)
    let period = toPeriod(to.today)
    return some.map((row) => {
      while ((toPeriod(row.start) - old) * step > 0) {
        old = nextIn(frequency, from.zone, old, step)
        period = nextIn(frequency, to.zone, period, step)
      }
      return { ...row, start: firstDayOf(frequency, weekStartsOn, period) }
    })
  }
  const isAhead = ({ start }: MovedPeriod): boolean => toPeriod(start) > toPeriod(from.today)
  const until = rows.filter((row) => !isAhead(row))
  return [...move(-1, until.toReversed()).toReversed(), ...move(1, rows.filter(isAhead))]
}

/** The next period, or the one before, that is there in the zone. */
function nextIn(frequency: Frequency, zone: string, period: Period, step: 1 | -1): Period {
  let next = period + step
  while (frequency === 'daily' && !isDateInZone(zone, next)) next += step
  return next
}
