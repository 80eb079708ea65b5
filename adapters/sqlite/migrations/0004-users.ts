import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const users: Migration = {
  name: '0004-users',
  texts: [
    'alter table laurels_users add column suspended text',
    'alter table laurels_users add column merged_into text',
    `create index laurels_users_by_merge on laurels_users (tenant_id, merged_into) where merged_into is not null`,
    `create index laurels_leaderboard_blocks_by_user on laurels_leaderboard_blocks (user_id, tenant_id)
  where user_id <> ''`,
    `create index laurels_application_keys on laurels_api_keys (tenant_id, user_id) where kind = 'application'`,
  ],
}
