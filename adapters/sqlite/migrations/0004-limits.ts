import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const limits: Migration = {
  name: '0004-limits',
  texts: [
    'alter table laurels_users add column date_sums text',
    `create index laurels_log_held on laurels_log (tenant_id, user_id, at, seq)
  where voided_by = entry_id`,
  ],
}
