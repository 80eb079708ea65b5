import { levelFor } from '../../rules/level.ts'
import { settled } from '../../rules/settle.ts'
import type { UserState } from '../../rules/state.ts'
import { type StreakKey, streakOf } from '../../rules/streaks.ts'
import type { UserKey } from '../../storage-rows.ts'
import { toNewAchievements } from '../answers/achievement.ts'
import { toLevel, toPointsChanges } from '../answers/points.ts'
import { toStreak } from '../answers/streak.ts'
import { toInstantText, toUser } from '../answers/user.ts'
import type { Emitter, GamificationEvents, Outcome } from '../types.ts'

type Recorded = Extract<Outcome, { readonly type: 'recorded' }>

/** Tells the host's handlers what a call did, once it is committed. */
export function notify(emitter: Emitter, key: UserKey, outcome: Recorded): void {
  if (!emitter.hasHandlers() || outcome.before === outcome.after) return
  const { game, before, after, at } = outcome
  const tenant = key.tenant === '' ? {} : { tenant: key.tenant }
  const occurrence = { ...tenant, user: toUser(game, key, after), timestamp: toInstantText(at) }

  if (before === null) emitter.emit('user.created', occurrence)
  for (const achievement of toNewAchievements(game, before, after, outcome.completions)) {
    emitter.emit('achievement.completed', { ...occurrence, achievement })
  }
  notifyPoints(emitter, occurrence, outcome)
  notifyStreak(emitter, occurrence, outcome, null)
  for (const name of game.streaks.keys()) notifyStreak(emitter, occurrence, outcome, name)
}

type OccurrenceOf = GamificationEvents['user.created']

function notifyPoints(emitter: Emitter, occurrence: OccurrenceOf, outcome: Recorded): void {
  const { game, games } = outcome
  const changes = toPointsChanges(games, game, outcome)
  for (const points of Object.values(changes)) {
    if (points.added === 0 && points.awards.length === 0) continue
    emitter.emit('points.changed', { ...occurrence, points })
    if (points.level === undefined) continue
    const system = game.points.get(points.key)
    const previous = system === undefined ? null : levelFor(system, points.total - points.added)
    const previousLevel = previous === null ? null : toLevel(previous)
    emitter.emit('points.level_changed', { ...occurrence, points, previousLevel, newLevel: points.level })
  }
}

function notifyStreak(
  emitter: Emitter,
  occurrence: OccurrenceOf,
  { game, before, after, at }: Recorded,
  key: StreakKey,
): void {
  // With a silent entry not even time passes; the next entry tells what time did.
  if (before !== null && streakOf(before, key) === streakOf(after, key)) return
  const stored = lengthOf(before, key)
  const previous = before === null ? 0 : lengthOf(settled(game, before, at), key)
  const length = lengthOf(after, key)
  const told = key == null ? occurrence : { ...occurrence, streakKey: key }
  if (stored > 0 && previous === 0) emitter.emit('streak.lost', { ...told, length: stored })
  if (length <= previous) return
  const streak = toStreak(game, after, at, key)
  emitter.emit(previous === 0 ? 'streak.started' : 'streak.extended', { ...told, streak })
}

function lengthOf(state: UserState | null, key: StreakKey): number {
  return state === null ? 0 : streakOf(state, key).length
}
