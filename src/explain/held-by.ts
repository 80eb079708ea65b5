import type { Day } from '../rules/calendar.ts'
import { approvedEvent, type Entry, type EventRecorded } from '../rules/entry.ts'
import { type Folded, gameOf } from '../rules/fold.ts'
import type { Games, Limit } from '../rules/game.ts'
import { findExceeded, limitsOf, toDateSums } from '../rules/limit.ts'
import { add } from '../rules/total.ts'

/** Finds the limit that held an event back, from what the log had when the event was recorded. */
export interface HeldBy {
  see(folded: Folded): void
  /** null: it cannot be told any more. */
  limitOf(event: Entry & EventRecorded): Limit | null
}

interface Seen extends Pick<EventRecorded, 'metric' | 'value' | 'voidedBy'> {
  readonly id: string
  readonly seq: number
  readonly date: Day
}

export function startHeldBy(games: Games): HeldBy {
  const events: Seen[] = []
  /** By the id of each event: the `seq` of the entry that voided it, or approved it. */
  const voids = new Map<string, number>()
  const approvals = new Map<string, number>()

  function counted({ id, seq, voidedBy }: Seen, before: number): boolean {
    if (seq >= before || voidedBy === id) return false
    const [approved = 0, voided = before] = [approvals.get(id), voids.get(id)]
    return approved < before && voided >= before
  }

  return {
    see: ({ entry }) => {
      if (entry.kind === 'eventVoided') voids.set(entry.event, entry.seq)
      if (entry.kind === 'eventApproved') approvals.set(entry.event, entry.seq)
      if (entry.kind !== 'eventRecorded' || entry.value <= 0) return
      if (limitsOf(gameOf(games, entry.epoch), entry.metric).length === 0) return
      const { id, seq, metric, value, dating } = entry
      const { voidedBy } = entry
      events.push({ id, seq, metric, value, date: dating.date, ...(voidedBy === undefined ? {} : { voidedBy }) })
    },
    limitOf: (event) => {
      const { metric, seq, epoch } = event
      const sums = new Map<Day, number>()
      for (const seen of events) {
        if (seen.metric !== metric || !counted(seen, seq)) continue
        sums.set(seen.date, add(sums.get(seen.date) ?? 0, seen.value))
      }
      const game = gameOf(games, epoch)
      const found = findExceeded(game, new Map([[metric, toDateSums(sums)]]), approvedEvent(event))?.limit
      if (found?.holds === true) return found
      const [only = null, ...others] = limitsOf(game, metric).filter(({ holds }) => holds)
      return others.length === 0 ? only : null
    },
  }
}
