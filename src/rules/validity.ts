import { type Day, type Instant, localDate } from './calendar.ts'
import type { AchievementRule } from './game.ts'
import { zoneOf } from './profile.ts'
import type { Completion, UserState } from './state.ts'

const DAY_MS = 86_400_000

/** When a completion of an achievement expires, whatever the zone; null: never. */
export function expiryOf({ validDays }: AchievementRule, { at }: Pick<Completion, 'at'>): Instant | null {
  return validDays === null ? null : at + validDays * DAY_MS
}

/** When the user's completion of an achievement has expired; null: it has not by `at`, or there is none. */
export function expiredAt(achievement: AchievementRule, { completions }: UserState, at: Instant): Instant | null {
  const completion = completions.get(achievement.key)
  const expiry = completion === undefined ? null : expiryOf(achievement, completion)
  return expiry !== null && expiry <= at ? expiry : null
}

export function hasAchievement(achievement: AchievementRule, state: UserState, at: Instant): boolean {
  return state.completions.has(achievement.key) && expiredAt(achievement, state, at) === null
}

/** True if earlier completions leave one more: there may be more, or the newest has expired. */
export function isLeft(achievement: AchievementRule, state: UserState, at: Instant): boolean {
  const count = state.completions.get(achievement.key)?.count ?? 0
  return count < achievement.most || expiredAt(achievement, state, at) !== null
}

/** The key among the tallies of the instant at which support last revoked an achievement. */
export function revokedMark(achievement: string): string {
  return `revoked ${achievement}`
}

/** When support last revoked an achievement, which only grants complete since then; null: never. */
export function revokedAt({ tallies }: UserState, achievement: string): Instant | null {
  return tallies.get(revokedMark(achievement))?.total ?? null
}

/** True if a user could complete an achievement once more at an instant, as far as time and earlier entries go. */
export function canBeCompleted(
  achievement: AchievementRule,
  state: UserState,
  at: Instant,
  today: Day = localDate(zoneOf(state.profile), at),
): boolean {
  const { key, until } = achievement
  return isLeft(achievement, state, at) && (until === null || today <= until) && revokedAt(state, key) === null
}
