import type { Granted, GrantedPoints } from '../../../rules/entry.ts'
import type { Game } from '../../../rules/game.ts'
import { isTimed } from '../../../rules/timer.ts'
import type { UserView } from '../../../storage.ts'
import type { AwardFacts } from '../../accept/derived-rows.ts'
import type { Replay } from '../../replay/replay.ts'

/** What a fold under another game has and the user has not; null: nothing. */
export function findGrants(game: Game, view: UserView, fold: Replay): Granted | null {
  const made = [...(fold.state?.completions ?? [])]
    .filter(([key, { count }]) => game.achievements.has(key) && count > (view.state?.completions.get(key)?.count ?? 0))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const achievements = made.map(([key]) => key)
  const counts = made.flatMap(([achievement, { count }]) => (count > 1 ? [{ achievement, count }] : []))
  const points = [...game.points.keys()].flatMap((system) => findPoints(game, system, view, fold))
  if (achievements.length === 0 && points.length === 0) return null
  return { kind: 'granted', achievements, ...(counts.length === 0 ? {} : { counts }), points }
}

/** The points that are missing to the fold's total, by the triggers that would have paid more. */
function findPoints(game: Game, system: string, view: UserView, fold: Replay): readonly GrantedPoints[] {
  let missing = totalOf(fold, system) - totalOf(view, system)
  const paid = sumByTrigger(view.awards, system)
  const due = sumByTrigger(fold.rows.awards.values(), system)
  const grants: GrantedPoints[] = []
  // Of triggers that the game no longer has, penalties are given back.
  const triggers = new Set([...(game.points.get(system)?.triggers ?? []).map(({ id }) => id), ...paid.keys()])
  const lacks = (trigger: string): number => (due.get(trigger) ?? 0) - (paid.get(trigger) ?? 0)
  // Time triggers begin with the newer game: they grant nothing for the past.
  for (const { id } of game.points.get(system)?.triggers.filter(isTimed) ?? []) {
    triggers.delete(id)
    missing -= Math.max(0, lacks(id))
  }
  for (const trigger of triggers) {
    const points = Math.min(missing, lacks(trigger))
    if (points <= 0) continue
    grants.push({ system, trigger, points })
    missing -= points
  }
  return grants
}

function totalOf({ state }: Pick<UserView, 'state'>, system: string): number {
  return state?.points.get(system)?.total ?? 0
}

/** What each trigger of a system gave. */
export function sumByTrigger(awards: Iterable<AwardFacts>, system: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const award of awards) {
    if (award.system === system) sums.set(award.trigger, (sums.get(award.trigger) ?? 0) + award.awarded)
  }
  return sums
}
