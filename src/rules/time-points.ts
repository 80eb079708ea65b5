import type { Day, Instant } from './calendar.ts'
import type { Change } from './change.ts'
import type { Entry } from './entry.ts'
import { type Game, matches, type PointsSystem, type TimeTrigger } from './game.ts'
import { levelFor } from './level.ts'
import { zoneOf } from './profile.ts'
import type { Timer, UserState } from './state.ts'
import { addFalls, type Falls, times } from './time-falls.ts'
import { evenFrom, fallenAt, fallsAt, isTimed, type Moment } from './timer.ts'

/**
 * What time triggers pay from the newest entry until `at`: one award for each trigger, clipped as if each of its parts
 * had been given when it fell due. `today`: the local date at `at`.
 */
export function payTimers(game: Game, state: UserState, at: Instant, today: Day, entry?: Entry): readonly Change[] {
  const changes: Change[] = []
  const timers = new Map(state.timers)
  for (const system of game.timedSystems) {
    const due = findDue(system, state, { at, today })
    for (const { trigger, timer, fallen } of due) timers.set(trigger.id, { ...timer, fallen })
    pay(changes, system, state, due, { at, entryId: entry?.id ?? '' })
  }
  const hasFallen = [...timers].some(([id, { fallen }]) => fallen !== state.timers.get(id)?.fallen)
  return hasFallen ? [{ type: 'timersChanged', timers }, ...changes] : []
}

interface Due {
  readonly trigger: TimeTrigger
  readonly timer: Timer
  /** How many awards have fallen due since the anchor, those before the newest entry included. */
  readonly fallen: number
}

/** The triggers of a system of which something has fallen, in the game's order. */
function findDue({ triggers }: PointsSystem, { timers }: UserState, moment: Moment): readonly Due[] {
  const due: Due[] = []
  for (const trigger of triggers) {
    const timer = isTimed(trigger) ? timers.get(trigger.id) : undefined
    if (!isTimed(trigger) || timer === undefined) continue
    const fallen = fallenAt(trigger.every, timer, moment)
    if (fallen > timer.fallen) due.push({ trigger, timer, fallen })
  }
  return due
}

function pay(
  changes: Change[],
  system: PointsSystem,
  state: UserState,
  all: readonly Due[],
  where: { readonly at: Instant; readonly entryId: string },
): void {
  const paying = all.filter(({ trigger }) => {
    return trigger.status === 'active' && matches(trigger.userAttributes, state.profile.attributes)
  })
  if (paying.length === 0) return
  const balance = state.points.get(system.key)
  const previous = balance?.total ?? 0
  const zone = zoneOf(state.profile)
  const gains = addFalls(
    paying.map((due) => toFalls(due, zone)),
    previous,
    system.maxPoints ?? Number.MAX_SAFE_INTEGER,
  )
  // The triggers paid in turns, so every award has the total after all of them. Gains are summed before they are added:
  // the total and the gain of one trigger alone may be more than a safe integer.
  const total = previous + gains.reduce((sum, gained) => sum + gained, 0)
  for (const [index, { trigger, timer, fallen }] of paying.entries()) {
    const named = { system: system.key, trigger: trigger.id, due: times(fallen - timer.fallen, trigger.points) }
    const awarded = gains[index] ?? 0
    if (awarded === 0) changes.push({ type: 'pointsClipped', ...named })
    else changes.push({ type: 'pointsAwarded', ...named, awarded, total, ...where })
  }
  const level = levelFor(system, total)?.key ?? null
  if (level !== (balance?.level ?? null)) changes.push({ type: 'levelChanged', system: system.key, level })
}

function toFalls({ trigger: { every, points }, timer, fallen }: Due, zone: string): Falls {
  const before = timer.fallen
  return {
    points,
    count: fallen - before,
    at: (k) => fallsAt(every, timer, before + k, zone),
    evenFrom: (k) => {
      const { step, last } = evenFrom(every, timer, before + k, fallen, zone)
      return { step, last: last - before }
    },
  }
}
