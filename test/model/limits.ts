// The verdict of a metric's limits on one event, given all the events that count.
import { addDays } from './dates.ts'
import type { Game } from './game.ts'
import { add } from './numbers.ts'
import type { Entry, State } from './state.ts'
import type { LimitDefinition } from './types.ts'

/** `state`: with the event among its events. */
export function limitsOn(game: Game, state: State, { arrival, act }: Entry): 'accept' | 'refuse' | 'hold' {
  if (act.call !== 'event' || act.value <= 0) return 'accept'
  const added = state.events.filter(({ metric, value }) => metric === act.metric && value > 0)
  const date = added.find((event) => event.arrival === arrival)?.date ?? ''
  const isExceeded = ({ value, per }: LimitDefinition): boolean => {
    for (let back = 0; back < per.days; back += 1) {
      const first = addDays(date, -back)
      const last = addDays(first, per.days - 1)
      let sum = 0
      for (const event of added) if (event.date >= first && event.date <= last) sum = add(sum, event.value)
      if (sum > value) return true
    }
    return false
  }
  const exceeded = (game.metrics.get(act.metric)?.limits ?? []).filter(isExceeded)
  if (exceeded.length === 0) return 'accept'
  return exceeded.some(({ then }) => then === 'refuse') ? 'refuse' : 'hold'
}
