import { type ErrorCode, GamificationError } from './errors.ts'

/** The HTTP status of each error code. `null` if the HTTP handler closes the connection without an answer. */
export const HTTP_STATUSES: { readonly [Code in ErrorCode]: number | null } = {
  invalid_request: 422,
  invalid_idempotency_key: 400,
  idempotency_key_reused: 422,
  invalid_game: 500,
  unknown_user: 404,
  unknown_event: 404,
  user_exists: 422,
  unknown_metric: 404,
  metric_archived: 422,
  unknown_achievement: 404,
  unknown_points_system: 404,
  unknown_level: 404,
  unknown_trigger: 404,
  unknown_leaderboard: 404,
  unknown_attribute: 422,
  attribute_required: 422,
  unknown_time_zone: 422,
  value_out_of_range: 422,
  total_out_of_range: 422,
  occurred_at_out_of_range: 422,
  out_of_points: 422,
  limit_exceeded: 422,
  event_not_held: 422,
  achievement_locked: 422,
  achievement_not_accessible: 422,
  achievement_revoked: 422,
  achievement_not_completed: 422,
  email_required: 422,
  sign_up_date_out_of_range: 422,
  streak_customization_disabled: 403,
  streak_disabled: 422,
  streak_not_lost: 422,
  streak_not_running: 422,
  streak_freezes_disabled: 422,
  streak_freezes_full: 422,
  pause_out_of_range: 422,
  unknown_pause: 404,
  unknown_boost: 404,
  boost_out_of_range: 422,
  too_many_boosts: 422,
  unknown_streak: 404,
  tenant_required: 422,
  too_many_admin_keys: 422,
  unknown_admin_key: 404,
  unknown_webhook: 404,
  too_many_webhooks: 422,
  webhook_disabled: 422,
  webhooks_disabled: 422,
  storage_unusable: 500,
  user_damaged: 500,
  unavailable: 503,
  storage_full: 503,
  outcome_unknown: null,
  closed: 503,
  internal: 500,
}

/**
 * Returns the HTTP status with which a route of your own answers an error: the status that the HTTP API uses for its
 * `code`. Returns 500 for `outcome_unknown`, and for anything that is not a `GamificationError`.
 */
export function httpStatus(error: unknown): number {
  return (error instanceof GamificationError ? HTTP_STATUSES[error.code] : null) ?? 500
}
