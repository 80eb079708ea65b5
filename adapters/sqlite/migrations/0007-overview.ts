import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const overview: Migration = {
  name: '0007-overview',
  texts: [
    // With what its condition asks for: SQLite would look up each row else. What the key of the table has is in it anyway.
    `create index laurels_log_by_time on laurels_log (tenant_id, at, value, voided_by)
  where value is not null and voided_by is null`,
    `create index laurels_log_first on laurels_log (tenant_id, at, seq, kind)
  where seq = 1 and kind <> 'userMerged'`,
    'create index laurels_awards_by_time on laurels_awards (tenant_id, at, system, awarded)',
    'create index laurels_completions_by_time on laurels_completions (tenant_id, achievement, at, user_id)',
  ],
}
