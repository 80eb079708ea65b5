import type { Migration } from '../../sql/traits.ts'
import { SAVE_V5 } from './0004-merges/save-v5.ts'

/** Released: not to be changed. */
export const merges: Migration = {
  name: '0004-merges',
  texts: [
    'alter table "laurels".users add column merged_into text collate "C"',
    `create index laurels_users_by_merge on "laurels".users (tenant_id, merged_into) where merged_into is not null`,
    SAVE_V5,
  ],
}
