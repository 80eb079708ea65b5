import type { Day } from '../../rules/calendar.ts'
import type { Entry, EventRecorded } from '../../rules/entry.ts'
import { gameOf } from '../../rules/fold.ts'
import type { Games } from '../../rules/game.ts'
import { type Exceeded, findExceeded, limitsOf, usesLimits } from '../../rules/limit.ts'
import type { DateSum } from '../../rules/state.ts'
import { add } from '../../rules/total.ts'
import { isLate } from '../accept/accept-command.ts'
import type { Command } from '../types.ts'
import type { LateCommands } from './late-entries.ts'
import type { Replay, SumsByDate } from './replay.ts'

/** Judges late commands by their limits, after all stored events on their dates and beside them. */
export interface LateLimits {
  /** Metrics of late commands that have limits. */
  readonly metrics: ReadonlySet<string>
  /** By the id of the command's entry. */
  readonly exceeded: ReadonlyMap<string, Exceeded>
  /**
   * Judges the commands of a fold in their order; true where more of them exceed a limit, so that it is to be done
   * again.
   */
  judge(fold: Replay): boolean
}

/** How many dates before an event a limit looks at. */
export const FURTHEST = 31

/** Metrics of late commands that have limits in some game: without any, nothing is summed. */
export function limitedMetrics(known: LateCommands): ReadonlySet<string> {
  const metrics = new Set(lateOnes(known).flatMap(({ body }) => (body.kind === 'eventRecorded' ? [body.metric] : [])))
  for (const metric of metrics) if (!isLimited(known.current.games, metric)) metrics.delete(metric)
  return metrics
}

function lateOnes({ view, commands }: LateCommands): readonly Command[] {
  return commands.filter((command) => isLate(command, view.state))
}

/** `metrics`: those of `limitedMetrics`. */
export function startLimits(known: LateCommands, metrics: ReadonlySet<string>): LateLimits {
  const { current, commands } = known
  const { games } = current
  const late = lateOnes(known)
  const lateIds = new Set(late.map(({ entryId }) => entryId))
  const exceeded = new Map<string, Exceeded>()

  return {
    metrics,
    exceeded,
    judge: (fold) => {
      if (metrics.size === 0) return false
      const known = exceeded.size
      const sums = copySums(fold.dateSums)
      const inserted = new Map(fold.inserted.map(({ entry }) => [entry.id, entry]))
      for (const { entryId } of commands) {
        const entry = inserted.get(entryId)
        if (entry === undefined) continue
        const game = gameOf(games, entry.epoch)
        if (!usesLimits(game, entry) || !metrics.has(entry.metric)) continue
        // A command that is not late has been judged in its place, after all others.
        const found = lateIds.has(entryId) ? findExceeded(game, sumsAround(sums, entry), entry) : null
        if (found !== null) exceeded.set(entryId, found)
        else addTo(sums, entry)
      }
      return exceeded.size > known
    },
  }
}

function isLimited(games: Games, metric: string): boolean {
  return [...games.values()].some((game) => limitsOf(game, metric).length > 0)
}

function copySums(sums: SumsByDate): Map<string, Map<Day, number>> {
  return new Map([...sums].map(([metric, dates]) => [metric, new Map(dates)]))
}

function addTo(sums: Map<string, Map<Day, number>>, { metric, value, dating }: Entry & EventRecorded): void {
  const dates = sums.get(metric) ?? new Map<Day, number>()
  sums.set(metric, dates.set(dating.date, add(dates.get(dating.date) ?? 0, value)))
}

/** The sums on the dates that a limit of the event's metric may look at. */
function sumsAround(
  sums: SumsByDate,
  { metric, dating }: Entry & EventRecorded,
): ReadonlyMap<string, readonly DateSum[]> {
  const dates = sums.get(metric)
  const near: DateSum[] = []
  for (let date = dating.date - FURTHEST; date <= dating.date + 2 * FURTHEST; date += 1) {
    const sum = dates?.get(date)
    if (sum !== undefined) near.push({ date, sum })
  }
  return new Map([[metric, near]])
}
