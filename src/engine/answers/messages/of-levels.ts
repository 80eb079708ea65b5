import type { Instant } from '../../../rules/calendar.ts'
import type { Game, PointsSystem } from '../../../rules/game.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toLevel, toSystem } from '../points.ts'
import { toUser } from '../user.ts'
import { type Draft, draft, type Occurrence, says } from './draft.ts'
import type { ToldTotal } from './pieces.ts'

/** The message that a user has another level; null: it is the same one. `occurrence`: what of the system changed it. */
export function draftLevel(
  { key, game, state }: { readonly key: UserKey; readonly game: Game; readonly state: UserState },
  system: PointsSystem,
  { previous, level, total }: ToldTotal,
  occurrence: Occurrence,
  at: Instant,
): Draft | null {
  if (previous?.key === level?.key) return null
  const user = toUser(game, key, state)
  const said = [previous?.key, level?.key, total, says(user)]
  return draft(key, 'points.level_changed', [system.key, ...occurrence, ...said], at, () => ({
    user,
    points: { ...toSystem(system), total },
    previousLevel: previous === null ? null : toLevel(previous),
    newLevel: level === null ? null : toLevel(level),
  }))
}
