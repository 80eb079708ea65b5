import type { Migration } from '../../sql/traits.ts'
import { SAVE_V5 } from './0004-limits/save-v5.ts'

/** Released: not to be changed. */
export const limits: Migration = {
  name: '0004-limits',
  texts: [
    'alter table "laurels".users add column date_sums text collate "C"',
    `create index laurels_log_held on "laurels".log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
    SAVE_V5,
  ],
}
