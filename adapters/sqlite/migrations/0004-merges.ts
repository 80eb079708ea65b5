import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const merges: Migration = {
  name: '0004-merges',
  texts: [
    'alter table laurels_users add column merged_into text',
    `create index laurels_users_by_merge on laurels_users (tenant_id, merged_into) where merged_into is not null`,
  ],
}
