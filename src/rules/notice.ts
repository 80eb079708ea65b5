import { adopt } from './adopt.ts'
import { type Day, type Instant, openDate, type Period } from './calendar.ts'
import type { AboutStreak } from './change.ts'
import { membershipIds } from './criteria.ts'
import type { NotificationType } from './entry.ts'
import { evolveAll } from './evolve.ts'
import type { Game, GameFrom } from './game.ts'
import { type GivenBoost, type UserState, zoneOf } from './state.ts'

/** A message that time causes for a user, without a change of the user's state. */
export type Notice =
  | (AboutStreak & {
      readonly type: 'streakReminderDue'
      readonly reminder: string
      /** The period that is missed unless the user acts, its first date, and the instant at which it ends. */
      readonly period: Period
      readonly date: Day
      readonly ends: Instant
      readonly staleAfter: number
    })
  | {
      readonly type: 'recapDue'
      readonly start: Day
      readonly end: Day
      readonly staleAfter: number
    }
  | {
      readonly type: 'reactivationDue'
      readonly messageNumber: number
      readonly daysSinceLastActive: number
      readonly date: Day
      readonly staleAfter: number
    }
  | {
      readonly type: 'achievementEmailDue'
      readonly achievement: string
      readonly count: number
      /** The entry that completed it, which may have granted or kept it. */
      readonly entryId: string
      readonly staleAfter: number
    }
  | { readonly type: 'boostStarted'; readonly boost: GivenBoost }
  | { readonly type: 'boostFinished'; readonly boost: GivenBoost }
  /** A criterion is met, so that the next entry may complete an achievement. */
  | { readonly type: 'membershipReached' }
  | { readonly type: 'challengeEnding'; readonly challenge: string; readonly start: Day }
  /** Points of a spendable system that expire on a date unless they are spent. */
  | { readonly type: 'pointsExpiring'; readonly system: string; readonly expires: Day; readonly amount: number }
  | { readonly type: 'achievementExpired'; readonly achievement: string; readonly count: number }

export interface DueNotice {
  readonly at: Instant
  readonly notice: Notice
}

/** Also without an address, since the host may use another channel. Not if unsubscribed, or with other channels. */
export function wantsEmails({ preferences, profile }: UserState, kind: NotificationType): boolean {
  return profile.subscribedToEmails !== false && preferences.notifications.get(kind)?.includes('email') !== false
}

/** Equal texts for games with the same notices. Boosts given to one user are left out. */
export function noticeRules(game: Game): string {
  const { emails, streakRules, weekStartsOn, controlRatio } = game
  const endings = [...game.challenges.values()].flatMap(({ key, endingHours }) =>
    endingHours === null ? [] : [[key, endingHours] as const],
  )
  const warnings = game.spendableSystems.flatMap(({ key, wallet: { expires } }) =>
    expires === null || expires.warnDays === null ? [] : [[key, expires.warnDays] as const],
  )
  const memberships = membershipIds(game)
  const reminding = streakRules.filter(({ reminders }) => reminders.length > 0)
  const isQuiet =
    emails === null && reminding.length === 0 && memberships.length === 0 && endings.length + warnings.length === 0
  if (isQuiet) return ''
  const hasWeeks = emails?.recap === 'weekly' || reminding.some(({ frequency }) => frequency === 'weekly')
  const reminders = reminding.map((rule) => [rule.key, rule.frequency, rule.reminders])
  return JSON.stringify([
    emails,
    reminders,
    hasWeeks ? weekStartsOn : null,
    controlRatio,
    memberships,
    endings,
    warnings,
  ])
}

/** A time in which one game says which notices are due, and the user's state as a read under that game has it. */
export interface NoticeTime {
  readonly from: Instant
  readonly until: Instant
  readonly game: Game
  readonly state: UserState
}

/**
 * Splits the time after `from` into spans, one for each game that changes the notices. So a user without new entries
 * gets the notices of a newer game from its instant on. The state must be settled.
 */
export function* noticeTimes(
  game: Game,
  state: UserState,
  from: Instant,
  all: readonly GameFrom[],
): Generator<NoticeTime, void> {
  let begins = from
  let newest: GameFrom | null = null
  for (const each of all) {
    if (each.epoch <= state.epoch) continue
    if (each.from > begins) {
      yield { from: begins, until: each.from, ...readUnder(newest, game, state, begins) }
      begins = each.from
    }
    newest = each
  }
  yield { from: begins, until: Number.POSITIVE_INFINITY, ...readUnder(newest, game, state, begins) }
}

function readUnder(
  newer: GameFrom | null,
  game: Game,
  state: UserState,
  at: Instant,
): Pick<NoticeTime, 'game' | 'state'> {
  if (newer === null) return { game, state }
  const now = { at, today: openDate(zoneOf(state.profile), at), daysUntil: Number.POSITIVE_INFINITY }
  return { game: newer.game, state: evolveAll(state, adopt(game, newer.game, state, newer.epoch, now)) }
}
