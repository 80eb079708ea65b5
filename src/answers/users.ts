import { isInControlGroup } from '../game/ids.ts'
import { daysOffOf, toDateText } from '../rules/calendar.ts'
import type { Channel, NotificationType, PersonalStreak } from '../rules/entry.ts'
import type { Game } from '../rules/game.ts'
import { isSubscribedToEmails, type Preferences, type Suspension, type UserState } from '../rules/state.ts'
import { personalMode } from '../rules/streak.ts'
import { isTurnedOff, leaderboardChoice } from '../rules/visibility.ts'
import { withoutUndefined } from '../runtime/input.ts'
import type { StreakPreferences, User, UserPreferences, UserSuspension } from '../shapes/users.ts'
import type { UserKey } from '../storage/rows.ts'

export function toInstantText(at: number): string {
  return new Date(at).toISOString()
}

export function toUser(
  { controlRatio }: Game,
  key: UserKey,
  state: Pick<UserState, 'profile' | 'created' | 'updated' | 'preferences'>,
): User {
  const { email, name, tz, signUpDate, deviceTokens, attributes } = state.profile
  const isSubscribed = isSubscribedToEmails(state.profile)
  return {
    id: key.user,
    email,
    name,
    tz,
    signUpDate: signUpDate === null ? null : toDateText(signUpDate),
    deviceTokens,
    subscribedToEmails: isSubscribed,
    subscribeToEmails: isSubscribed,
    // `fromEntries` makes a property of every name, `__proto__` too.
    attributes: Object.fromEntries(attributes),
    control: controlRatio > 0 && isInControlGroup(key, controlRatio),
    ...(isTurnedOff(state) ? { gamification: 'off' } : {}),
    created: toInstantText(state.created),
    updated: toInstantText(state.updated),
  }
}

export function toPreferences(game: Game, preferences: Preferences): UserPreferences {
  const { notifications, streak, gamification } = preferences
  const byType: Partial<Record<NotificationType, readonly Channel[]>> = Object.fromEntries(notifications)
  const own = streak === null ? {} : toStreakPreferences(streak)
  return {
    notifications: byType,
    ...(Object.keys(own).length === 0 ? {} : { streak: own }),
    leaderboards: leaderboardChoice(game, preferences),
    gamification,
  }
}

function toStreakPreferences(streak: PersonalStreak): StreakPreferences {
  const { enabled, on } = streak
  const metrics = streak.metrics && [...streak.metrics].map(([key, threshold]) => ({ key, threshold: threshold ?? 0 }))
  const daysOff = on && daysOffOf(on)
  return withoutUndefined({ enabled, evaluationMode: personalMode(streak), on, daysOff, metrics })
}

export function toSuspension(suspended: Suspension | null): UserSuspension | null {
  if (suspended === null) return null
  const { from, reason, since } = suspended
  return { from, reason, since: toInstantText(since) }
}
