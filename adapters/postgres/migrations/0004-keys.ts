import type { Migration } from '../../sql/traits.ts'
import { SAVE_V5 } from './0004-keys/save-v5.ts'

/** Released: not to be changed. */
export const keys: Migration = {
  name: '0004-keys',
  texts: [
    `alter table "laurels".log add column by_key text collate "C"`,
    `create index laurels_log_by_key on "laurels".log (by_key, tenant_id, user_id, at, seq)
  where by_key is not null`,
    `alter table "laurels".api_keys add column can text collate "C", add column expires_at bigint`,
    `create index laurels_keys_of_tenant on "laurels".api_keys (tenant_id, id) where kind = 'application'`,
    `create index laurels_keys_of_user on "laurels".api_keys (tenant_id, user_id, id) where kind = 'application'`,
    SAVE_V5,
  ],
}
