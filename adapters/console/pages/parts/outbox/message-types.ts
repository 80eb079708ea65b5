import type { MessageType } from '../../../../../src/messages/types.ts'

/** By type, so that none is missing: the compiler knows them all. */
const TYPES: { readonly [Type in MessageType]: true } = {
  'user.created': true,
  'achievement.completed': true,
  'achievement.completed.revoked': true,
  'streak.started': true,
  'streak.started.revoked': true,
  'streak.extended': true,
  'streak.extended.revoked': true,
  'streak.lost': true,
  'streak.lost.revoked': true,
  'streak.freeze_consumed': true,
  'streak.freeze_consumed.revoked': true,
  'streak.freeze_earned': true,
  'streak.freeze_earned.revoked': true,
  'points.changed': true,
  'points.level_changed': true,
  'points.level_changed.revoked': true,
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

/** Every type of message that a webhook can be sent. */
export const MESSAGE_TYPES: readonly string[] = Object.keys(TYPES)
