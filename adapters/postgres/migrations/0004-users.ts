import type { Migration } from '../../sql/traits.ts'
import { FORGET_STARTS_V1 } from './0004-users/forget-starts-v1.ts'
import { REMOVE_USER_V1 } from './0004-users/remove-user-v1.ts'
import { SAVE_V5 } from './0004-users/save-v5.ts'

/** Released: not to be changed. */
export const users: Migration = {
  name: '0004-users',
  texts: [
    'alter table "laurels".users add column suspended text',
    'alter table "laurels".users add column merged_into text collate "C"',
    `create index laurels_users_by_merge on "laurels".users (tenant_id, merged_into) where merged_into is not null`,
    `create index laurels_leaderboard_blocks_by_user on "laurels".leaderboard_blocks (user_id, tenant_id)
  where user_id <> ''`,
    'alter table "laurels".users add column date_sums text collate "C"',
    `create index laurels_log_held on "laurels".log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
    `alter table "laurels".log add column by_key text collate "C"`,
    `create index laurels_log_by_key on "laurels".log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
    `alter table "laurels".api_keys add column can text collate "C", add column expires_at bigint`,
    `create index laurels_keys_of_tenant on "laurels".api_keys (tenant_id, id) where kind = 'application'`,
    `create index laurels_keys_of_user on "laurels".api_keys (tenant_id, user_id, id) where kind = 'application'`,
    SAVE_V5,
    FORGET_STARTS_V1,
    REMOVE_USER_V1,
  ],
}
