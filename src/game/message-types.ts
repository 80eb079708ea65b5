/** Types of messages, and whether an event, a late one or a void can revoke a message of the type. */
export const REVOCABLE_TYPES = {
  'user.created': false,
  'achievement.completed': true,
  'achievement.progressed': false,
  'achievement.expired': false,
  'challenge.progressed': false,
  'challenge.completed': false,
  'challenge.claimable': false,
  'challenge.ending': false,
  'streak.started': true,
  'streak.extended': true,
  'streak.lost': true,
  'streak.freeze_consumed': true,
  'streak.freeze_earned': true,
  'points.changed': false,
  'points.level_changed': true,
  'points.spent': false,
  'points.refunded': false,
  'points.expiring': false,
  'points.expired': false,
  'reward.redeemed': false,
  'points.boost_started': false,
  'points.boost_finished': false,
  'leaderboard.started': false,
  'leaderboard.changed': false,
  'leaderboard.finished': false,
  'leaderboard.rank_changed': false,
  'emails.recap_due': false,
  'emails.reactivation_due': false,
  'emails.streak_reminder_due': false,
  'emails.achievement_due': false,
} as const

const REVOKED = Object.entries(REVOCABLE_TYPES).flatMap(([type, isRevocable]) =>
  isRevocable ? [`${type}.revoked`] : [],
)

/** All types of messages that a subscriber can ask for. */
export const ALL_TYPES: readonly string[] = [...Object.keys(REVOCABLE_TYPES), ...REVOKED]
