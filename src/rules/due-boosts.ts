import { endOfDate, type Instant } from './calendar.ts'
import type { Game } from './game.ts'
import type { DueNotice } from './notice.ts'
import { zoneOf } from './profile.ts'
import type { GivenBoost, UserState } from './state.ts'

const NONE: readonly DueNotice[] = []
const MINUTE = 60_000

/** When the boosts that the user alone was given start and finish. */
export function dueBoosts(game: Game, { boosts, profile }: UserState): readonly DueNotice[] {
  if (boosts.length === 0) return NONE
  const zone = zoneOf(profile)
  return boosts.filter(({ system }) => game.points.has(system)).flatMap((boost) => dueOf(boost, zone))
}

function dueOf(boost: GivenBoost, zone: string): readonly DueNotice[] {
  const finish = boost.end === null ? Number.POSITIVE_INFINITY : endOfDate(zone, boost.end)
  const start = startOf(endOfDate(zone, boost.start - 1), boost.created)
  const due: DueNotice[] = start < finish ? [{ at: start, notice: { type: 'boostStarted', boost } }] : []
  return boost.end === null ? due : [...due, { at: finish, notice: { type: 'boostFinished', boost } }]
}

/**
 * The instant at which a boost is told to start. One that is given after its first date has begun starts a minute after
 * it was given, so that no process can have told of that instant before.
 */
export function startOf(start: Instant, created: Instant): Instant {
  return Math.max(start, created + MINUTE)
}
