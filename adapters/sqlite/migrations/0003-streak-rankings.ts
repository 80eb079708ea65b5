import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const streakRankings: Migration = {
  name: '0003-streak-rankings',
  texts: [
    `create index laurels_users_by_streak on laurels_users (tenant_id, streak_length desc, user_id)
  where streak_length > 0`,
    `create index laurels_users_by_longest on laurels_users (tenant_id, streak_longest desc, user_id)
  where streak_longest > 0`,
  ],
}
