import type { MessagePayloads, MessageType, RevocableType } from '../wire/messages.ts'

/** Types of which a message may be taken back. */
const REVOCABLE: { readonly [Type in RevocableType]: true } = {
  'achievement.completed': true,
  'streak.started': true,
  'streak.extended': true,
  'streak.lost': true,
  'streak.freeze_consumed': true,
  'streak.freeze_earned': true,
  'points.level_changed': true,
}

const PLAIN: { readonly [Type in keyof MessagePayloads]: true } = {
  'user.created': true,
  'achievement.completed': true,
  'streak.started': true,
  'streak.extended': true,
  'streak.lost': true,
  'streak.freeze_consumed': true,
  'streak.freeze_earned': true,
  'points.changed': true,
  'points.level_changed': true,
  'points.boost_started': true,
  'points.boost_finished': true,
  'leaderboard.started': true,
  'leaderboard.changed': true,
  'leaderboard.finished': true,
  'leaderboard.rank_changed': true,
  'emails.recap_due': true,
  'emails.reactivation_due': true,
  'emails.streak_reminder_due': true,
  'emails.achievement_due': true,
}

const ALL: ReadonlySet<string> = new Set([
  ...Object.keys(PLAIN),
  ...Object.keys(REVOCABLE).map((type) => `${type}.revoked`),
])

/** Every type of message that there is. */
export const MESSAGE_TYPES: readonly MessageType[] = [...ALL].filter(isMessageType)

export function isMessageType(type: string): type is MessageType {
  return ALL.has(type)
}

/** The type of the message that takes one back; null: there is none. */
export function revokedType(type: string): MessageType | null {
  const revoked = `${type}.revoked`
  return isMessageType(revoked) ? revoked : null
}

/** Whether messages of a type, or what takes them back, are wanted. */
export function isWanted(types: ReadonlySet<string>, type: keyof MessagePayloads): boolean {
  return types.has(type) || types.has(`${type}.revoked`)
}
