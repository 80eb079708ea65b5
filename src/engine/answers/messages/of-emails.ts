import type { Instant } from '../../../rules/calendar.ts'
import { toDateText } from '../../../rules/calendar.ts'
import type { Game } from '../../../rules/game.ts'
import type { Notice } from '../../../rules/notice.ts'
import { zoneOf } from '../../../rules/profile.ts'
import type { UserState } from '../../../rules/state.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toCompletedAchievement } from '../achievement.ts'
import { toExtended, toPauses, toStreak } from '../streak.ts'
import { toInstantText, toUser } from '../user.ts'
import { isVisible } from '../visible-achievements.ts'
import type { MessagePayloads } from '../wire/messages.ts'
import { type Draft, draft, named, type Occurrence } from './draft.ts'
import { isWanted } from './types.ts'

export type Email = Extract<Notice, { readonly staleAfter: number }>

/** The message that an email to a user is due; null where nobody subscribed to it. */
export function draftEmail(
  { key, game }: { readonly key: UserKey; readonly game: Game },
  email: Email,
  { at, state }: { readonly at: Instant; readonly state: UserState },
  types: ReadonlySet<string>,
): Draft | null {
  const zone = zoneOf(state.profile)
  const common = { timestamp: toInstantText(at), user: toUser(game, key, state) }
  const make = <Type extends keyof MessagePayloads>(
    type: Type,
    occurrence: Occurrence,
    toData: () => MessagePayloads[Type],
  ): Draft | null =>
    isWanted(types, type) ? { ...draft(key, type, occurrence, at, toData), staleAfter: email.staleAfter } : null

  switch (email.type) {
    case 'recapDue': {
      const recap = { periodStart: toDateText(email.start), periodEnd: toDateText(email.end) }
      return make('emails.recap_due', [email.start, email.end], () => ({ ...common, recap }))
    }
    case 'reactivationDue': {
      const { messageNumber, daysSinceLastActive, date } = email
      const occurrence = [messageNumber, date]
      const toData = () => ({ ...common, reactivation: { messageNumber, daysSinceLastActive } })
      return make('emails.reactivation_due', occurrence, toData)
    }
    case 'streakReminderDue': {
      const { key: streakKey } = email
      const occurrence = [streakKey ?? '', email.reminder, email.date, zone]
      const toData = () => ({ ...common, ...named(streakKey), streak: toUserStreak(game, state, at, streakKey) })
      return make('emails.streak_reminder_due', occurrence, toData)
    }
    case 'achievementEmailDue': {
      const rule = game.achievements.get(email.achievement)
      const completion = state.completions.get(email.achievement)
      if (rule === undefined || completion === undefined || !isVisible(rule, state)) return null
      const achievement = toCompletedAchievement(game, rule, { at: completion.at, count: email.count })
      return make('emails.achievement_due', [email.achievement, email.count], () => ({ ...common, achievement }))
    }
    default:
      return email satisfies never
  }
}

/** A streak without its rank and its history, which only the database has. */
function toUserStreak(
  game: Game,
  state: UserState,
  at: Instant,
  key: string | undefined,
): MessagePayloads['emails.streak_reminder_due']['streak'] {
  return {
    ...toStreak(game, state, at, key),
    extended: toExtended(game, state, key),
    rank: null,
    pauses: toPauses(state, at),
    streakHistory: [],
  }
}
