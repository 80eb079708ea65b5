import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const overview: Migration = {
  name: '0007-overview',
  texts: [
    `create index laurels_log_by_time on "laurels".log (tenant_id, at, user_id)
  where value is not null and voided_by is null`,
    `create index laurels_log_first on "laurels".log (tenant_id, at) where seq = 1 and kind <> 'userMerged'`,
    'create index laurels_awards_by_time on "laurels".awards (tenant_id, at, system, awarded)',
    'create index laurels_completions_by_time on "laurels".completions (tenant_id, achievement, at, user_id)',
  ],
}
