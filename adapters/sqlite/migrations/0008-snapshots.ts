import type { Migration } from '../../sql/traits.ts'

/** Released: not to be changed. */
export const snapshots: Migration = {
  name: '0008-snapshots',
  texts: [
    `create table laurels_snapshots (
  tenant_id text not null,
  user_id text not null,
  lines integer not null,
  at integer not null,
  seq integer not null,
  since integer not null,
  state text not null,
  constraint laurels_snapshots_key primary key (tenant_id, user_id, lines)
) strict, without rowid`,
  ],
}
