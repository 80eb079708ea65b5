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
    'alter table laurels_users add column date_sums text',
    `create index laurels_log_held on laurels_log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
    'alter table laurels_log add column by_key text',
    `create index laurels_log_by_key on laurels_log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
    'alter table laurels_api_keys add column can text',
    'alter table laurels_api_keys add column expires_at integer',
    `create index laurels_keys_of_tenant on laurels_api_keys (tenant_id, id) where kind = 'application'`,
    `create index laurels_keys_of_user on laurels_api_keys (tenant_id, user_id, id) where kind = 'application'`,
  ],
}
